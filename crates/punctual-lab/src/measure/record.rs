//! The results of one waiter for deadlines, as a recording has them. Units are in the names of the keys.

use super::Plan;
use crate::confidence::Confidence;
use punctual_data::distribution::Distribution;
use punctual_data::statistics::{Batch, Series};
use serde::{Deserialize, Serialize};

/// What the question meant on this machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanRecord {
    /// How many times each method was to wait.
    pub count: u64,
    /// Waits of each method before those, which were not counted.
    pub warm_up_count: u64,
    /// Waits of one method before the next had its turn.
    pub block_count: u64,
}

impl From<Plan> for PlanRecord {
    fn from(plan: Plan) -> Self {
        Self {
            count: plan.waits,
            warm_up_count: plan.warm_up(),
            block_count: plan.waits_per_block(),
        }
    }
}

/// The results of one method.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SeriesRecord {
    /// Its name.
    pub method: String,
    /// How many times it waited.
    pub count: u64,
    /// Wake-ups before their deadline.
    pub early: u64,
    /// Deadlines that passed while the thread waited for an earlier one.
    pub missed: u64,
    /// The share of time for which the thread had a processor, from 0 to 1.
    pub processor_share: f64,
    /// How late each wake-up was.
    pub per_wake: Distribution,
    /// How late each deadline was served, including missed deadlines.
    pub per_deadline: Distribution,
    /// The part of each wake-up's lateness before the thread was ready to run; `None` if unknown.
    pub timer: Option<Distribution>,
    /// The part of each wake-up's lateness when it was ready but not running; `None` if unknown.
    pub queue: Option<Distribution>,
    /// The same in windows of time, in order.
    pub batches: Vec<Batch>,
    /// How far these figures can be trusted; `None` on a real machine.
    pub confidence: Option<Confidence>,
}

impl From<&Series> for SeriesRecord {
    fn from(series: &Series) -> Self {
        let split = series.split.as_ref();
        Self {
            method: series.method.clone(),
            count: series.per_wake.count(),
            early: series.early,
            missed: series.missed,
            processor_share: series.processor_share(),
            per_wake: Distribution::from(&series.per_wake),
            per_deadline: Distribution::from(&series.per_deadline),
            timer: split.map(|split| Distribution::from(&split.timer)),
            queue: split.map(|split| Distribution::from(&split.queue)),
            batches: series.batches.as_slice().to_vec(),
            confidence: None,
        }
    }
}
