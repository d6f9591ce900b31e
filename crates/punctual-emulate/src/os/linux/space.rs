//! The stub in a program's memory: which blocks of it are there, and which slots are in use.

use crate::steer::stub::{SLOTS, SLOTS_PER_BLOCK, Slot};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// How far a half of a block is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Half {
    #[default]
    Unknown,
    There,
    /// The program's memory cannot have it.
    Refused,
}

/// A block of slots.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Block {
    pub(crate) code: Half,
    pub(crate) data: Half,
}

/// One memory. Threads share it, and a process that vfork made shares its parent's.
#[derive(Debug, Default)]
pub(crate) struct Space {
    pub(crate) blocks: BTreeMap<u64, Block>,
    used: BTreeSet<u64>,
    /// Slots whose code has been written.
    written: BTreeSet<u64>,
    /// No slot below this is free.
    lowest: u64,
}

/// A memory that several threads know.
pub(crate) type Shared = Rc<RefCell<Space>>;

impl Space {
    /// The memory of a forked child: all that is mapped is mapped there, and nobody uses it.
    pub(crate) fn forked(&self) -> Self {
        Self {
            blocks: self.blocks.clone(),
            used: BTreeSet::new(),
            written: self.written.clone(),
            lowest: 0,
        }
    }

    /// A slot that nobody uses.
    pub(crate) fn take(&mut self) -> Option<Slot> {
        let free = (self.lowest..SLOTS).find(|slot| !self.used.contains(slot))?;
        self.used.insert(free);
        self.lowest = free + 1;
        Some(Slot(free))
    }

    pub(crate) fn release(&mut self, slot: Slot) {
        self.used.remove(&slot.0);
        self.lowest = self.lowest.min(slot.0);
    }

    pub(crate) fn block(&mut self, slot: Slot) -> &mut Block {
        self.blocks.entry(slot.block()).or_default()
    }

    pub(crate) fn is_written(&self, slot: Slot) -> bool {
        self.written.contains(&slot.0)
    }

    pub(crate) fn set_written(&mut self, slot: Slot) {
        self.written.insert(slot.0);
    }

    /// A block turned out not to be there.
    pub(crate) fn forget(&mut self, slot: Slot) {
        let first = slot.block() * SLOTS_PER_BLOCK;
        self.blocks.remove(&slot.block());
        self.written
            .retain(|slot| !(first..first + SLOTS_PER_BLOCK).contains(slot));
    }
}
