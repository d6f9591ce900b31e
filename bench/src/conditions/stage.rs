//! A condition as it stands: its processes and groups, ready for a turn.

use super::autogroup::Autogroup;
use super::condition::{Condition, Place};
use super::loops::{Answer, SliceOf};
use super::neighbour::Neighbour;
use super::siblings::siblings;
use super::subject::Subject;
use crate::failure::Failure;
use crate::group::Group;
use crate::machine::processors;
use std::thread;
use std::time::Duration;

/// The processes end before their groups are removed: fields are dropped in this order.
pub struct Stage {
    subject: Subject,
    neighbours: Vec<Neighbour>,
    _groups: Option<(Group, Group)>,
}

/// The scheduler spreads processes over the processors within a few of its ticks (4 ms at 250 Hz).
pub const SETTLE: Duration = Duration::from_millis(100);

impl Stage {
    /// Or the reason why this condition can't be made here.
    pub fn set(condition: &Condition) -> Result<Self, Failure> {
        let pair = match condition.place {
            Place::Sibling => Some(siblings().ok_or("no two processors here share a core")?),
            _ => None,
        };
        let groups = condition.weights.map(groups).transpose()?;
        let _autogroup = condition.autogroup.map(Autogroup::set).transpose()?;
        let subject = Subject::start(condition.waiting, pair.map(|(first, _)| first))?;
        let count = match pair {
            Some(_) => condition.neighbours,
            None => condition.neighbours * processors(),
        };
        let neighbours = (0..count)
            .map(|_| Neighbour::start(condition.place, pair.map(|(_, second)| second)))
            .collect::<Result<Vec<_>, _>>()?;
        if let Some((ours, theirs)) = &groups {
            ours.add(subject.id())?;
            neighbours
                .iter()
                .try_for_each(|neighbour| theirs.add(neighbour.id()))?;
        }
        Ok(Self {
            subject,
            neighbours,
            _groups: groups,
        })
    }

    /// A block with each slice, in this order, beside the neighbours.
    pub fn turn(
        &mut self,
        slices: [SliceOf; 2],
        periods: u32,
    ) -> Result<[(SliceOf, Vec<Answer>); 2], Failure> {
        self.switch(true)?;
        thread::sleep(SETTLE);
        let [first, second] = slices;
        let answers = [
            (first, self.subject.wait(first, periods)?),
            (second, self.subject.wait(second, periods)?),
        ];
        self.switch(false)?;
        Ok(answers)
    }

    fn switch(&mut self, on: bool) -> Result<(), Failure> {
        let mut neighbours = self.neighbours.iter_mut();
        neighbours.try_for_each(|neighbour| neighbour.switch(on))
    }
}

fn groups((ours, theirs): (f64, f64)) -> Result<(Group, Group), Failure> {
    let group = |name: String, weight| {
        let group = Group::new(&name)?;
        group.set_weight(weight)?;
        Ok::<_, Failure>(group)
    };
    // Several stages stand at once.
    let name = |who| format!("{who}-{ours}-{theirs}");
    Ok((group(name("loop"), ours)?, group(name("others"), theirs)?))
}
