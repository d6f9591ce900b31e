//! A block of the stub in a program's memory: the calls of the program that bring it there, one after the other.
//!
//! The place of both halves is taken first, so that nothing else is put there. The data is memory that the tracer
//! shares if the program can have such, and a child does not get it: it has its own.

use super::ptrace::Tid;
use super::segment::Segment;
use super::{clocks, memory};
use crate::steer::abi::{self, error};
use crate::steer::stub::{HALF, Slot, code_of};
use std::rc::Rc;

/// How far a half of a block is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Half {
    #[default]
    Unknown,
    /// Something of the block is there, which cannot be written to.
    Placed,
    There,
    /// The program's memory cannot have it.
    Refused,
}

/// A block of slots.
#[derive(Debug, Clone, Default)]
pub(crate) struct Block {
    pub(crate) code: Half,
    pub(crate) data: Half,
    pub(crate) shared: Sharing,
    /// How often its place was taken.
    tries: u32,
}

/// How far a block's data is shared.
#[derive(Debug, Clone, Default)]
pub(crate) enum Sharing {
    #[default]
    Untried,
    /// The program is to map it.
    Offered(Rc<Segment>),
    /// It is there, and children would have it as well.
    Inherited(Rc<Segment>),
    /// It is there.
    Shared(Rc<Segment>),
    /// What is there is another, of this number in the program's own namespace.
    Strange,
    Refused,
}

/// What a block is being given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// Both halves, so that nothing else is put there.
    Place,
    /// Shared memory of this number for the data.
    Shared(u64),
    /// That a child does not have it.
    Alone,
    /// That what is shared is not there.
    Away,
    /// Other memory for the data, where there is none,
    Data,
    /// or where its place is.
    Writable,
}

/// What a block needs next.
#[derive(Debug)]
pub(crate) enum Next {
    There,
    Part(Part),
    Refused,
}

/// How often a place may be taken by what may be another thread's doing.
const MOST_TRIES: u32 = 1000;

impl Block {
    /// What it needs next, with the stub's code or without.
    pub(crate) fn next(&mut self, with_stub: bool, may_share: bool) -> Next {
        if may_share {
            self.offer();
        }
        Next::Part(match (self.data, self.code, &self.shared) {
            (Half::There, ..) => return Next::There,
            (Half::Refused, ..) => return Next::Refused,
            (Half::Placed, ..) => Part::Writable,
            (Half::Unknown, Half::Unknown, _) if with_stub => Part::Place,
            (Half::Unknown, _, Sharing::Offered(segment)) if may_share => {
                Part::Shared(segment.id())
            }
            (Half::Unknown, _, Sharing::Inherited(_)) => Part::Alone,
            (Half::Unknown, _, Sharing::Strange) => Part::Away,
            (Half::Unknown, ..) => Part::Data,
        })
    }

    /// Whether the program has memory for its data, even if its children would have it as well.
    pub(crate) fn has_data(&self) -> bool {
        self.data == Half::There || matches!(self.shared, Sharing::Inherited(_))
    }

    /// Makes memory that the program is to map, once it has a place for it.
    fn offer(&mut self) {
        let has_place = self.code == Half::There && self.data == Half::Unknown;
        if has_place && matches!(self.shared, Sharing::Untried) {
            self.shared = match Segment::new() {
                Ok(segment) => Sharing::Offered(Rc::new(segment)),
                Err(_) => Sharing::Refused,
            };
        }
    }

    /// A call for a part is over, which returned this.
    pub(crate) fn became(&mut self, tid: Tid, slot: Slot, part: Part, result: i64) {
        let writes = || memory::write(tid, slot.data(), &[0; 8]).is_ok();
        let maps_shared = matches!(part, Part::Shared(_)) && result == data_of(slot).cast_signed();
        // Threads race to map it. One that comes late changes nothing, unless it has mapped the same once more.
        if self.data == Half::There && !maps_shared {
            return;
        }
        match part {
            // Threads race to map it: the other's success is told soon.
            Part::Place if result == error::EXISTS && self.tries < MOST_TRIES => self.tries += 1,
            Part::Place => {
                let here = result == code_of(slot.block()).cast_signed();
                self.code = half(here || self.code == Half::There);
            }
            Part::Shared(_) if maps_shared => self.inherited(tid, slot),
            Part::Shared(_) | Part::Away => self.shared = Sharing::Refused,
            Part::Alone if result != 0 => self.data = Half::Refused,
            Part::Alone => {
                if let Sharing::Inherited(segment) = &self.shared {
                    self.shared = Sharing::Shared(Rc::clone(segment));
                    self.data = Half::There;
                }
            }
            Part::Data if result == error::EXISTS && self.code == Half::There => {
                self.data = Half::Placed;
            }
            Part::Data => {
                let here = result == data_of(slot).cast_signed();
                self.data = half(here || result == error::EXISTS && writes());
            }
            Part::Writable => self.data = half(result == 0 && writes()),
        }
    }

    /// The program has mapped a segment, which is known by what the tracer writes to it.
    fn inherited(&mut self, tid: Tid, slot: Slot) {
        let (Sharing::Offered(segment) | Sharing::Inherited(segment) | Sharing::Shared(segment)) =
            &self.shared
        else {
            return;
        };
        let sign = clocks::now().as_nanos().to_le_bytes();
        let mut seen = [0; 8];
        let is_ours = segment.write(slot.data() - data_of(slot), &sign).is_ok()
            && memory::read(tid, slot.data(), &mut seen).is_ok()
            && seen == sign;
        self.data = Half::Unknown;
        self.shared = if is_ours {
            Sharing::Inherited(Rc::clone(segment))
        } else {
            Sharing::Strange
        };
    }

    /// That of a forked child: all is there, but for what is shared.
    pub(crate) fn forked(&self) -> Self {
        let mut child = self.clone();
        if !matches!(child.shared, Sharing::Untried | Sharing::Refused) {
            child.data = Half::Unknown;
            child.shared = Sharing::Untried;
        }
        child
    }
}

fn half(there: bool) -> Half {
    if there { Half::There } else { Half::Refused }
}

/// Where the data of a slot's block is.
pub(crate) fn data_of(slot: Slot) -> u64 {
    code_of(slot.block()) + HALF
}

/// The call that gives a block a part: its number and arguments.
pub(crate) fn call(part: Part, slot: Slot) -> (u32, [u64; 6]) {
    let number = |number: i32| u64::from(number.cast_unsigned());
    let (place, data) = (code_of(slot.block()), data_of(slot));
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED_NOREPLACE;
    // No file, from its begin.
    let map = |at, length, access| [at, length, number(access), number(flags), u64::MAX, 0];
    let code = libc::PROT_READ | libc::PROT_EXEC;
    let writable = libc::PROT_READ | libc::PROT_WRITE;
    match part {
        Part::Place => (abi::MMAP, map(place, 2 * HALF, code)),
        Part::Shared(id) => (abi::SHMAT, [id, data, number(libc::SHM_REMAP), 0, 0, 0]),
        Part::Alone => (
            abi::MADVISE,
            [data, HALF, number(libc::MADV_DONTFORK), 0, 0, 0],
        ),
        Part::Away => (abi::SHMDT, [data, 0, 0, 0, 0, 0]),
        Part::Data => (abi::MMAP, map(data, HALF, writable)),
        Part::Writable => (abi::MPROTECT, [data, HALF, number(writable), 0, 0, 0]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SLOT: Slot = Slot(0);

    /// The parts that a block is given, if its calls return this.
    fn parts(may_share: bool, returns: impl Fn(Part) -> i64) -> (Vec<Part>, Block) {
        let tid = i32::try_from(std::process::id()).expect("numbers of processes are positive");
        let (mut block, mut parts) = (Block::default(), Vec::new());
        while let Next::Part(part) = block.next(true, may_share) {
            parts.push(part);
            block.became(tid, SLOT, part, returns(part));
        }
        (parts, block)
    }

    fn placed(part: Part) -> i64 {
        match part {
            Part::Place => code_of(0).cast_signed(),
            Part::Shared(_) => -i64::from(libc::EACCES),
            Part::Data => error::EXISTS,
            Part::Alone | Part::Away | Part::Writable => 0,
        }
    }

    #[test]
    fn memory_of_its_own_stands_in_where_none_is_shared() {
        let (alone, _) = parts(false, placed);
        assert_eq!(alone, [Part::Place, Part::Data, Part::Writable]);
        // Where the program may not map what it is offered.
        let (mut refused, _) = parts(true, placed);
        refused.retain(|part| !matches!(part, Part::Shared(_)));
        assert_eq!(refused, alone);
    }

    #[test]
    fn a_segment_that_is_not_ours_is_taken_away() {
        let (parts, block) = parts(true, |part| match part {
            // The program says so, and nothing is there.
            Part::Shared(_) | Part::Data => data_of(SLOT).cast_signed(),
            other => placed(other),
        });
        if let [Part::Place, Part::Shared(_), rest @ ..] = &parts[..] {
            assert_eq!(rest, [Part::Away, Part::Data]);
            assert_eq!(block.data, Half::There);
        } else {
            eprintln!("skipped: this system has no shared memory");
        }
    }

    #[test]
    fn threads_that_come_late_take_nothing_away() {
        let tid = i32::try_from(std::process::id()).expect("numbers of processes are positive");
        let mut block = Block {
            code: Half::There,
            data: Half::There,
            ..Block::default()
        };
        for (part, result) in [
            (Part::Place, error::EXISTS),
            (Part::Data, error::EXISTS),
            (Part::Alone, -1),
            (Part::Shared(0), -1),
            (Part::Away, 0),
            (Part::Writable, -1),
        ] {
            block.became(tid, SLOT, part, result);
            assert!(block.has_data(), "{part:?}");
            assert!(matches!(block.next(true, false), Next::There), "{part:?}");
        }
    }

    #[test]
    fn what_is_shared_once_more_is_there_meanwhile() {
        let Ok(segment) = Segment::new() else {
            return eprintln!("skipped: this system has no shared memory");
        };
        let block = Block {
            code: Half::There,
            shared: Sharing::Inherited(Rc::new(segment)),
            ..Block::default()
        };
        assert!(block.has_data());
    }

    #[test]
    fn a_place_that_stays_taken_is_given_up() {
        let (parts, block) = parts(true, |_| error::EXISTS);
        assert!(parts.len() < 2 * MOST_TRIES as usize);
        assert_eq!((block.code, block.data), (Half::Refused, Half::Refused));
    }
}
