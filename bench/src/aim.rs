//! What was set out to be reached, and whether it was.

use serde::Serialize;
use std::fmt;

/// One aim.
#[derive(Debug, Serialize)]
pub struct Aim {
    pub aim: String,
    pub reached: bool,
    /// None: it was not measured, which does not count as reached.
    pub value: Option<f64>,
}

/// Whether more is better.
#[derive(Debug, Clone, Copy)]
pub enum Bound {
    AtLeast(f64),
    Below(f64),
}

impl Aim {
    pub fn new(what: &str, bound: Bound, value: Option<f64>) -> Self {
        let (aim, reached) = match bound {
            Bound::AtLeast(least) => (
                format!("{what}: at least {least}"),
                value.is_some_and(|value| value >= least),
            ),
            Bound::Below(limit) => (
                format!("{what}: below {limit}"),
                value.is_some_and(|value| value < limit),
            ),
        };
        Self {
            aim,
            reached,
            value,
        }
    }
}

impl fmt::Display for Aim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self
            .value
            .map_or("-".to_owned(), |value| format!("{value:.2}"));
        let reached = if self.reached {
            "reached"
        } else {
            "not reached"
        };
        writeln!(f, "  {:57} {value:>7}  {reached}", self.aim)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_is_kept_or_not() {
        let reached = |bound, value| Aim::new("it", bound, value).reached;
        assert!(reached(Bound::AtLeast(5.0), Some(5.0)));
        assert!(!reached(Bound::AtLeast(5.0), Some(4.9)));
        assert!(reached(Bound::Below(9.0), Some(8.9)));
        assert!(!reached(Bound::Below(9.0), Some(9.0)));
        assert!(!reached(Bound::Below(9.0), None));
    }
}
