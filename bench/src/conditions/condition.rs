//! What can be around a loop that waits, as data.

/// One condition: who waits, and who else wants the processors.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Condition {
    pub name: &'static str,
    /// For the report, in a line.
    pub summary: &'static str,
    pub waiting: Waiting,
    /// Processes that never wait, for each processor.
    pub neighbours: usize,
    pub place: Place,
    /// What the groups of the loop and of its neighbours weigh, over the default; `None` where they
    /// have none of their own.
    pub weights: Option<(f64, f64)>,
    /// Whether the system is to group processes by session, where that decides.
    pub autogroup: Option<bool>,
}

/// Who waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Waiting {
    Loop,
    Loops,
    DriverAndLoop,
}

/// Where the neighbours are, and what they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Place {
    /// Ordinary processes of the same session.
    Beside,
    /// Processes of the class `SCHED_IDLE`.
    IdleClass,
    /// Processes of another session.
    OtherSession,
    /// One process on the sibling of the loop's processor.
    Sibling,
}

const PLAIN: Condition = Condition {
    name: "one-each",
    summary: "one spinning process per processor",
    waiting: Waiting::Loop,
    neighbours: 1,
    place: Place::Beside,
    weights: None,
    autogroup: None,
};

pub const ALL: [Condition; 12] = [
    PLAIN,
    Condition {
        name: "two-each",
        summary: "two spinning processes per processor",
        neighbours: 2,
        ..PLAIN
    },
    Condition {
        name: "eight-loops",
        summary: "one per processor, and eight loops at once",
        waiting: Waiting::Loops,
        ..PLAIN
    },
    Condition {
        name: "driver-and-loop",
        summary: "one per processor; a driver's timer and a loop at once",
        waiting: Waiting::DriverAndLoop,
        ..PLAIN
    },
    Condition {
        name: "smt-sibling",
        summary: "one on the other half of the loop's core",
        place: Place::Sibling,
        ..PLAIN
    },
    Condition {
        name: "idle-class",
        summary: "one SCHED_IDLE process per processor",
        place: Place::IdleClass,
        ..PLAIN
    },
    Condition {
        name: "equal-groups",
        summary: "one per processor; both in control groups of equal weight",
        weights: Some((1.0, 1.0)),
        ..PLAIN
    },
    Condition {
        name: "heavy-loop",
        summary: "the loop's group weighs ten times as much",
        weights: Some((10.0, 1.0)),
        ..PLAIN
    },
    Condition {
        name: "heavy-neighbours",
        summary: "the neighbours' group weighs ten times as much",
        weights: Some((1.0, 10.0)),
        ..PLAIN
    },
    Condition {
        name: "autogroup",
        summary: "autogroup on, one per processor of the same session",
        autogroup: Some(true),
        ..PLAIN
    },
    Condition {
        name: "autogroup-sessions",
        summary: "autogroup on, one per processor of another session",
        place: Place::OtherSession,
        autogroup: Some(true),
        ..PLAIN
    },
    Condition {
        name: "no-autogroup",
        summary: "autogroup off, one per processor of another session",
        place: Place::OtherSession,
        autogroup: Some(false),
        ..PLAIN
    },
];

pub fn names() -> [&'static str; ALL.len()] {
    ALL.map(|condition| condition.name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn conditions_differ_in_name_and_in_substance() {
        let names: HashSet<_> = names().into_iter().collect();
        assert_eq!(names.len(), ALL.len());
        let unnamed = ALL.map(|condition| Condition {
            name: "",
            summary: "",
            ..condition
        });
        for (index, condition) in unnamed.iter().enumerate() {
            assert!(!unnamed[..index].contains(condition), "{}", ALL[index].name);
        }
    }
}
