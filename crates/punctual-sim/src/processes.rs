//! What names a simulated process, and the table of them.

use crate::Error;

/// Identifies a simulated process, also after it has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProcessId {
    pub(crate) index: u32,
    pub(crate) generation: u32,
}

impl ProcessId {
    /// A small number for tables. No two living processes share it, and later processes reuse it.
    pub fn index(self) -> usize {
        self.index as usize
    }
}

pub(crate) struct Process {
    pub(crate) name: String,
    pub(crate) main: u32,
    pub(crate) lives: bool,
    generation: u32,
}

pub(crate) struct Processes {
    table: Vec<Process>,
    free: Vec<u32>,
    limit: usize,
}

impl Processes {
    pub(crate) fn new(limit: usize) -> Self {
        Self {
            table: Vec::new(),
            free: Vec::new(),
            limit,
        }
    }

    /// Adds a process, whose main thread is yet to be named.
    pub(crate) fn add(&mut self, name: &str, main: u32) -> Result<ProcessId, Error> {
        if let Some(index) = self.free.pop() {
            let process = &mut self.table[index as usize];
            process.name = name.to_owned();
            process.main = main;
            process.lives = true;
            let generation = process.generation;
            return Ok(ProcessId { index, generation });
        }
        let index = u32::try_from(self.table.len()).unwrap_or(u32::MAX);
        if self.table.len() >= self.limit {
            return Err(Error::limit("processes", self.limit));
        }
        self.table.push(Process {
            name: name.to_owned(),
            main,
            lives: true,
            generation: 0,
        });
        Ok(ProcessId {
            index,
            generation: 0,
        })
    }

    /// The process has ended; its number is not free yet.
    pub(crate) fn end(&mut self, id: ProcessId) {
        let process = &mut self.table[id.index()];
        process.lives = false;
        process.generation = process.generation.wrapping_add(1);
    }

    /// Frees the number of a process that has ended, once everybody has been told who keeps
    /// anything under it.
    pub(crate) fn free(&mut self, id: ProcessId) {
        self.free.push(id.index);
    }

    pub(crate) fn get(&self, id: ProcessId) -> Option<&Process> {
        let process = self.table.get(id.index())?;
        (process.lives && process.generation == id.generation).then_some(process)
    }

    /// The process that has this place in the table now.
    pub(crate) fn at(&self, index: u32) -> Option<&Process> {
        let process = self.table.get(usize::try_from(index).ok()?)?;
        process.lives.then_some(process)
    }

    pub(crate) fn get_mut(&mut self, id: ProcessId) -> Option<&mut Process> {
        let process = self.table.get_mut(id.index())?;
        (process.lives && process.generation == id.generation).then_some(process)
    }
}
