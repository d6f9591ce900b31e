//! How often the samplers of a processor wait, so that they use no more of it than the budget.
//!
//! It reads no clock. All samplers of a processor have one governor and one rate.

use std::time::Duration;

/// The part of the budget at which it aims. The rest is for costs that rise between two looks.
const AIM: f64 = 0.9;

/// What a wait is taken to cost until it has been measured: a wait with `punctual-coarse` took 46 µs to 58 µs
/// of processor on a busy virtual machine (AMD EPYC, Linux 6.18), with all that a sampler does after it.
const FIRST_COST_NS: f64 = 60_000.0;

/// The weight of a measured cost that is above what was expected, and of one below: it slows down at once, and
/// recovers in ten looks.
const RISING: f64 = 0.5;
const FALLING: f64 = 0.125;

/// How long it may take to make up for what was used above the budget.
const MAKE_UP: Duration = Duration::from_secs(10);

/// The slowest rate. One wait a second of 5 ms is still within half a percent.
const SLOWEST_HERTZ: f64 = 1.0;

/// Below this, it has to be said that the budget is too small.
const TOO_SLOW_HERTZ: f64 = 10.0;

/// A change of the rate by less than this share is not worth a change.
const WORTH: f64 = 0.05;

/// How often a sampler should look.
pub const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Governs all samplers of one processor.
#[derive(Debug, Clone)]
pub struct Governor {
    budget: f64,
    asked_hertz: f64,
    samplers: Vec<Account>,
    /// Used above the budget, and not made up for.
    debt_ns: f64,
    /// The last look of any sampler.
    looked_ns: Option<u64>,
    hertz: f64,
}

/// What one sampler has used.
#[derive(Debug, Clone, Copy)]
struct Account {
    /// What one wait costs, smoothed. A sampler that does not run costs nothing.
    cost_ns: f64,
    spent_ns: u64,
    waits: u64,
}

impl Governor {
    /// For so many samplers of one processor. `budget` is the greatest share of the processor for all of them
    /// together; `asked_hertz` how often each is to wait if it can.
    pub fn new(samplers: usize, budget: f64, asked_hertz: u32) -> Self {
        let account = Account {
            cost_ns: FIRST_COST_NS,
            spent_ns: 0,
            waits: 0,
        };
        let mut governor = Self {
            budget,
            asked_hertz: asked_hertz.into(),
            samplers: vec![account; samplers],
            debt_ns: 0.0,
            looked_ns: None,
            hertz: 0.0,
        };
        governor.hertz = governor.affordable_hertz();
        governor
    }

    /// How often each sampler is to wait, in thousandths of a hertz.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "from 1 to 1,000 Hz"
    )]
    pub fn millihertz(&self) -> u64 {
        (self.hertz * 1_000.0) as u64
    }

    /// Whether the budget makes the samplers wait so rarely that it has to be said.
    pub fn is_too_slow(&self) -> bool {
        self.hertz < TOO_SLOW_HERTZ
    }

    /// Takes over what a sampler has used since it started, and decides about the rate. `now` is the time since
    /// any zero, the same for all samplers; `spent` the sampler's processor time; `waits` how often it has waited.
    #[expect(clippy::cast_precision_loss, reason = "nanoseconds between two looks")]
    pub fn look(&mut self, sampler: usize, now_ns: u64, spent_ns: u64, waits: u64) -> u64 {
        let account = &mut self.samplers[sampler];
        let used = spent_ns.saturating_sub(account.spent_ns) as f64;
        let waited = waits.saturating_sub(account.waits) as f64;
        (account.spent_ns, account.waits) = (spent_ns, waits);
        if waited > 0.0 {
            let cost = used / waited;
            let weight = if cost > account.cost_ns {
                RISING
            } else {
                FALLING
            };
            account.cost_ns += (cost - account.cost_ns) * weight;
        }
        let passed = self.looked_ns.map_or(0, |last| now_ns.saturating_sub(last));
        self.looked_ns = Some(now_ns);
        self.debt_ns = (self.debt_ns + used - self.budget * passed as f64).max(0.0);
        let hertz = self.affordable_hertz();
        // It always slows down by as much as it must.
        if hertz < self.hertz || hertz > self.hertz * (1.0 + WORTH) || hertz >= self.asked_hertz {
            self.hertz = hertz;
        }
        self.millihertz()
    }

    /// A sampler starts or goes on: its accounts begin at zero, and it costs what it last did.
    pub fn begin(&mut self, sampler: usize) {
        let account = &mut self.samplers[sampler];
        (account.spent_ns, account.waits) = (0, 0);
    }

    fn affordable_hertz(&self) -> f64 {
        let cost_ns: f64 = self.samplers.iter().map(|one| one.cost_ns).sum();
        let made_up = self.debt_ns / MAKE_UP.as_nanos() as f64;
        let share = self.budget * AIM - made_up;
        let hertz = share * 1e9 / cost_ns.max(1.0);
        hertz.clamp(SLOWEST_HERTZ.min(self.asked_hertz), self.asked_hertz)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SECOND: u64 = 1_000_000_000;

    /// Samplers in virtual time: each waits as often as it may, and looks once a second.
    struct Processor {
        governor: Governor,
        now: u64,
        spent: Vec<u64>,
        waits: Vec<u64>,
    }

    impl Processor {
        fn new(samplers: usize, budget: f64, hertz: u32) -> Self {
            Self {
                governor: Governor::new(samplers, budget, hertz),
                now: 0,
                spent: vec![0; samplers],
                waits: vec![0; samplers],
            }
        }

        /// Passes a second in which each wait costs so much. Returns the share that was used.
        fn second(&mut self, cost_ns: u64) -> f64 {
            let waits = self.governor.millihertz().div_ceil(1_000);
            let before: u64 = self.spent.iter().sum();
            self.now += SECOND;
            for sampler in 0..self.spent.len() {
                self.waits[sampler] += waits;
                self.spent[sampler] += waits * cost_ns;
                let (spent, waits) = (self.spent[sampler], self.waits[sampler]);
                self.governor.look(sampler, self.now, spent, waits);
            }
            (self.spent.iter().sum::<u64>() - before) as f64 / SECOND as f64
        }

        fn seconds(&mut self, count: u32, cost_ns: u64) -> f64 {
            let shares = (0..count).map(|_| self.second(cost_ns));
            shares.sum::<f64>() / f64::from(count)
        }
    }

    #[test]
    fn a_cheap_wait_is_made_as_often_as_asked_for() {
        let mut processor = Processor::new(1, 0.005, 100);
        assert!(
            processor.governor.millihertz() < 80_000,
            "it begins with care"
        );
        processor.seconds(20, 20_000);
        assert_eq!(processor.governor.millihertz(), 100_000);
    }

    #[test]
    fn a_dear_wait_is_made_less_often_and_the_budget_is_kept() {
        let mut processor = Processor::new(1, 0.005, 100);
        assert!(processor.seconds(60, 58_000) <= 0.005);
        let hertz = processor.governor.millihertz() / 1_000;
        assert!((70..=78).contains(&hertz), "{hertz}");
        processor.seconds(60, 100_000);
        assert!(processor.seconds(60, 100_000) <= 0.005);
        assert!(!processor.governor.is_too_slow());
        processor.seconds(60, 20_000);
        assert_eq!(processor.governor.millihertz(), 100_000, "it recovers");
    }

    #[test]
    fn all_samplers_of_a_processor_have_one_budget() {
        let mut processor = Processor::new(3, 0.005, 100);
        assert!(processor.seconds(60, 50_000) <= 0.005);
        let hertz = processor.governor.millihertz() / 1_000;
        assert!((27..=30).contains(&hertz), "{hertz}");
    }

    #[test]
    fn what_a_moment_used_above_the_budget_is_made_up_for() {
        let mut processor = Processor::new(1, 0.005, 1_000);
        processor.seconds(60, 3_000);
        assert_eq!(processor.governor.millihertz(), 1_000_000);
        let burst = processor.second(60_000);
        assert!(
            burst > 0.05,
            "a thousand waits had begun to cost twenty times as much"
        );
        let after = processor.seconds(60, 60_000);
        assert!((burst + after * 60.0) / 61.0 <= 0.005_5, "{burst} {after}");
    }

    #[test]
    fn it_says_when_the_budget_is_too_small() {
        let mut processor = Processor::new(1, 0.000_5, 100);
        assert!(processor.governor.is_too_slow());
        processor.seconds(60, 300_000);
        assert!(processor.governor.is_too_slow());
        assert!(
            processor.governor.millihertz() >= 1_000,
            "it never stands still"
        );
        processor.seconds(60, 10_000);
        assert!(!processor.governor.is_too_slow());
    }

    #[test]
    fn a_sampler_that_starts_again_begins_with_its_last_cost() {
        let mut governor = Governor::new(1, 0.005, 100);
        for second in 1..=60 {
            governor.look(0, second * SECOND, second * 40_000 * 100, second * 100);
        }
        let before = governor.millihertz();
        governor.begin(0);
        assert_eq!(governor.look(0, 61 * SECOND, 0, 0), before);
    }

    proptest! {
        #[test]
        fn over_any_costs_no_more_is_used_than_the_budget_and_one_burst(
            costs in prop::collection::vec(1_000_u64..400_000, 30..200),
            samplers in 1_usize..4,
            hertz in 10_u32..1_000,
        ) {
            const BUDGET: f64 = 0.005;
            let mut processor = Processor::new(samplers, BUDGET, hertz);
            let mut used = 0.0;
            let mut worst: f64 = 0.0;
            for cost in &costs {
                let second = processor.second(*cost);
                worst = worst.max(second);
                used += second;
            }
            // Costs that go up and down at random are always expected too low half of the time, so there can be a
            // debt: never more than several bursts, and not more for a longer run.
            let allowed = BUDGET * costs.len() as f64 + worst * 4.0 + BUDGET * 10.0;
            prop_assert!(used <= allowed, "{used} > {allowed}");
        }
    }
}
