//! The stub in a program's memory: which blocks of it are there, and which slots are in use.

use super::block::{Block, Sharing, data_of};
use super::memory;
use super::ptrace::Tid;
use super::segment::Segment;
use crate::steer::stub::{SLOTS, SLOTS_PER_BLOCK, Slot};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::rc::Rc;

/// One memory. Threads share it, and a process that vfork made shares its parent's.
#[derive(Debug, Default)]
pub(crate) struct Space {
    blocks: BTreeMap<u64, Block>,
    used: BTreeSet<u64>,
    /// Slots whose code has been written.
    written: BTreeSet<u64>,
    /// No slot below this is free.
    lowest: u64,
}

/// A memory that several threads know.
pub(crate) type Shared = Rc<RefCell<Space>>;

impl Space {
    /// The memory of a forked child: all that is mapped is mapped there, but for what is shared, and nothing uses
    /// it.
    pub(crate) fn forked(&self) -> Self {
        let blocks = self.blocks.iter();
        Self {
            blocks: blocks
                .map(|(number, block)| (*number, block.forked()))
                .collect(),
            used: BTreeSet::new(),
            written: self.written.clone(),
            lowest: 0,
        }
    }

    /// A slot that nothing uses.
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

    /// Reads what a stopped thread has in a slot's data.
    pub(crate) fn read(
        &self,
        tid: Tid,
        slot: Slot,
        address: u64,
        into: &mut [u8],
    ) -> io::Result<()> {
        match self.segment(slot) {
            Some(segment) => segment.read(address - data_of(slot), into),
            None => memory::read(tid, address, into),
        }
    }

    /// Writes to it.
    pub(crate) fn write(
        &mut self,
        tid: Tid,
        slot: Slot,
        address: u64,
        bytes: &[u8],
    ) -> io::Result<()> {
        if let Some(segment) = self.segment(slot) {
            return segment.write(address - data_of(slot), bytes);
        }
        let written = memory::write(tid, address, bytes);
        if written.is_err() {
            // The block turned out not to be there.
            self.forget(slot);
        }
        written
    }

    fn segment(&self, slot: Slot) -> Option<&Segment> {
        match &self.blocks.get(&slot.block())?.shared {
            Sharing::Shared(segment) => Some(segment),
            _ => None,
        }
    }

    fn forget(&mut self, slot: Slot) {
        let first = slot.block() * SLOTS_PER_BLOCK;
        self.blocks.remove(&slot.block());
        self.written
            .retain(|slot| !(first..first + SLOTS_PER_BLOCK).contains(slot));
    }
}
