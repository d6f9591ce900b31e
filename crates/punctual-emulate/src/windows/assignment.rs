//! Which persona stands for which call of a runtime.

use crate::call::Call;
use crate::recognise::Runtime;
use punctual_windows::personas::{Persona, named};
use std::sync::Arc;

/// The calls of Linux, by what runtimes use them for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Group {
    /// `nanosleep` and `clock_nanosleep`.
    Sleep,
    /// `select` and `pselect6`.
    Select,
    /// `poll` and `ppoll`.
    Poll,
    /// `epoll_wait` and its kin: the event loops.
    Events,
    /// `futex` and other waits for a lock or a message.
    Lock,
    /// Timers that are set, which no persona stands for.
    Timer,
}

impl Group {
    /// The group of a call.
    pub fn of(call: Call) -> Self {
        match call {
            Call::Nanosleep | Call::ClockNanosleep => Self::Sleep,
            Call::Select | Call::Pselect6 => Self::Select,
            Call::Poll | Call::Ppoll => Self::Poll,
            Call::EpollWait | Call::EpollPwait | Call::EpollPwait2 => Self::Events,
            Call::TimerfdSettime | Call::TimerSettime | Call::Setitimer => Self::Timer,
            _ => Self::Lock,
        }
    }
}

/// Which persona stands for which calls of a process.
#[derive(Debug, Clone, Default)]
pub struct Assignment {
    /// What was recognised, in words.
    runtime: Option<String>,
    /// What had to be chosen among several, in words.
    note: Option<&'static str>,
    by_group: Vec<(Group, Arc<Persona>)>,
}

impl Assignment {
    /// One persona for every wait.
    pub fn everything(persona: &Arc<Persona>) -> Self {
        use Group::{Events, Lock, Poll, Select, Sleep};
        let groups = [Sleep, Select, Poll, Events, Lock];
        Self {
            by_group: groups.map(|group| (group, Arc::clone(persona))).to_vec(),
            ..Self::default()
        }
    }

    /// Those of a runtime.
    pub fn of(runtime: Option<&Runtime>) -> Self {
        let Some(runtime) = runtime else {
            return Self::default();
        };
        let (names, note) = names(runtime);
        let mut made: Vec<Arc<Persona>> = Vec::new();
        let mut persona = |name: &str| {
            if let Some(known) = made.iter().find(|known| known.id == name) {
                return Some(Arc::clone(known));
            }
            let new = Arc::new(named(name).ok()?);
            made.push(Arc::clone(&new));
            Some(new)
        };
        let by_group = names.into_iter();
        let by_group = by_group.filter_map(|(group, name)| Some((group, persona(name)?)));
        Self {
            by_group: by_group.collect(),
            runtime: Some(runtime.to_string()),
            note,
        }
    }

    /// The persona of a call.
    pub fn persona(&self, call: Call) -> Option<&Arc<Persona>> {
        let group = Group::of(call);
        let found = self.by_group.iter().find(|(of, _)| *of == group);
        found.map(|(_, persona)| persona)
    }

    /// All its personas, each once.
    pub fn personas(&self) -> Vec<Arc<Persona>> {
        let mut personas: Vec<Arc<Persona>> = Vec::new();
        for (_, persona) in &self.by_group {
            if personas.iter().all(|known| known.id != persona.id) {
                personas.push(Arc::clone(persona));
            }
        }
        personas
    }

    /// What was recognised and chosen, in words, and whether it ever ran on this version.
    pub fn words(&self, version: &str) -> String {
        let runtime = self.runtime.as_deref().unwrap_or("no known runtime");
        let mut words = runtime.to_owned();
        if self
            .by_group
            .iter()
            .any(|(_, persona)| !persona.runs_on(version))
        {
            words += &format!("; there is none for {version}, so this is what it would do there");
        }
        if let Some(note) = self.note {
            words += &format!("; {note}");
        }
        words
    }
}

type Names = Vec<(Group, &'static str)>;

/// The names of a runtime's personas, and what had to be chosen.
///
/// A runtime that rounds a length before it calls Linux as it does before it calls Windows, and looks at
/// its own clock afterwards, has none for that call: it is steered by what it asks for.
fn names(runtime: &Runtime) -> (Names, Option<&'static str>) {
    use Group::{Events, Lock, Poll, Select, Sleep};
    match runtime {
        Runtime::Python { minor, micro } => (python(*minor, *micro), None),
        Runtime::Go { minor } => (go(*minor), None),
        Runtime::Rust { minor } => {
            let sleep = match minor {
                Some(..=74) => "rust-1.74",
                Some(75..) | None => "rust-1.75",
            };
            let note = match minor {
                Some(_) => None,
                None => Some("its version is not written in it, taken for 1.75 or later"),
            };
            (vec![(Sleep, sleep), (Lock, "rust-park")], note)
        }
        Runtime::Node => {
            let names = vec![
                (Events, "node"),
                (Lock, "uv-cond-timedwait"),
                (Sleep, "uv-sleep"),
            ];
            (names, None)
        }
        Runtime::Java => (
            vec![(Lock, "java-thread-sleep")],
            Some(
                "every timed wait is taken for Thread.sleep; --persona java-park-nanos for \
                 locks, queues and pools",
            ),
        ),
        Runtime::DotNet => (
            vec![(Lock, "dotnet-thread-sleep")],
            Some(
                "every timed wait is taken for Thread.Sleep; --persona dotnet-7-task-delay for timers",
            ),
        ),
        Runtime::Other { persona, .. } => {
            let groups = [Sleep, Select, Poll, Events, Lock];
            (groups.map(|group| (group, *persona)).to_vec(), None)
        }
    }
}

fn python(minor: u32, micro: Option<u32>) -> Names {
    use Group::{Events, Lock, Poll, Select, Sleep};
    let sleep = match minor {
        ..=4 => "python-3.4",
        5..=10 => "python-3.10",
        11.. => "python-3.11",
    };
    let sockets = match minor {
        ..=12 => "python-3.12-select",
        13.. => "python-3.13-select",
    };
    // Up to 3.10, time.sleep is a select.
    let select = if minor <= 10 { sleep } else { sockets };
    let events = match minor {
        ..=7 => "python-3.12-asyncio-select",
        8..=12 => "python-3.12-asyncio",
        13.. => "python-3.13-asyncio",
    };
    let lock = match (minor, micro) {
        (..=8, _) | (9, Some(..=5)) => "python-3.9-lock",
        (9..=13, _) => "python-3.10-lock",
        (14.., _) => "python-3.14-lock",
    };
    vec![
        (Sleep, sleep),
        (Select, select),
        (Poll, sockets),
        (Events, events),
        (Lock, lock),
    ]
}

fn go(minor: u32) -> Names {
    use Group::{Events, Lock, Sleep};
    let timers = match minor {
        ..=8 => "go-1.8",
        9..=13 => "go-1.13",
        14..=15 => "go-1.15",
        16..=22 => "go-1.16",
        23.. => "go-1.23",
    };
    // Before 1.14 timers had a thread of their own, which waited for a note: a futex.
    let mut names = match minor {
        ..=13 => vec![(Lock, timers)],
        14.. => vec![(Events, timers)],
    };
    if minor >= 16 {
        names.push((Sleep, "go-usleep"));
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_a_persona() {
        let pythons = (2..20).map(|minor| Runtime::Python { minor, micro: None });
        let gos = (5..30).map(|minor| Runtime::Go { minor });
        let rusts = [Some(60), Some(80), None].map(|minor| Runtime::Rust { minor });
        let rest = [Runtime::Node, Runtime::Java, Runtime::DotNet];
        for runtime in pythons.chain(gos).chain(rusts).chain(rest) {
            for (_, name) in names(&runtime).0 {
                assert!(named(name).is_ok(), "{runtime}: {name}");
            }
        }
    }

    #[test]
    fn it_is_told_if_a_runtime_never_ran_on_a_version() {
        let runtime = Runtime::Python {
            minor: 13,
            micro: None,
        };
        let assignment = Assignment::of(Some(&runtime));
        assert_eq!(assignment.words("windows-11"), "CPython 3.13");
        assert!(assignment.words("windows-7").contains("none for windows-7"));
    }

    #[test]
    fn the_same_call_of_two_versions_stands_for_different_personas() {
        let sleep = |minor, call| {
            let runtime = Runtime::Python { minor, micro: None };
            Assignment::of(Some(&runtime)).persona(call).map(|it| it.id)
        };
        assert_eq!(sleep(10, Call::Select), Some("python-3.10"));
        assert_eq!(sleep(11, Call::ClockNanosleep), Some("python-3.11"));
        assert_eq!(sleep(11, Call::Select), Some("python-3.12-select"));
        assert_eq!(sleep(12, Call::TimerfdSettime), None);
    }
}
