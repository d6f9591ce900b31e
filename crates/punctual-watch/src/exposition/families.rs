//! Every family, in the order in which it is told.

use super::{own, series, system};
use crate::board::Board;
use crate::locked::locked;
use prometheus_client::collector::Collector;
use prometheus_client::encoding::DescriptorEncoder;
use std::fmt;
use std::sync::Arc;

/// A board that can be encoded.
#[derive(Debug)]
pub struct Families {
    board: Arc<Board>,
}

impl Families {
    pub fn of(board: &Arc<Board>) -> Self {
        Self {
            board: Arc::clone(board),
        }
    }
}

impl Collector for Families {
    fn encode(&self, mut out: DescriptorEncoder) -> fmt::Result {
        series::encode(&mut out, &self.board.series)?;
        own::encode(&mut out, &self.board)?;
        // The observer is not held up meanwhile.
        let readings = locked(&self.board.readings).clone();
        system::encode(&mut out, &readings)
    }
}
