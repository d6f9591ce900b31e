//! Threads and processes: start, end, and attributes.

use crate::Error;
use crate::coroutine::Body;
use crate::error::Exit;
use crate::kernel::{End, Kernel, Model, Start};
use crate::processes::ProcessId;
use crate::ready::PRIORITIES;
use crate::record::{Named, What};
use crate::thread::{Ended, NOBODY, Reason, State, Thread, ThreadId};
use std::time::Duration;

impl<M: Model> Kernel<M> {
    /// Starts a process with one thread. It ends with that thread, or when [ended](Self::end).
    ///
    /// # Errors
    /// At the [limit](crate::Limits) of processes or threads.
    pub fn start_process(
        &mut self,
        name: &str,
        start: Start,
        body: impl FnOnce() + Send + 'static,
    ) -> Result<ProcessId, Error> {
        self.start_process_of(name, start, Box::new(body))
    }

    /// For all bodies, so that it is compiled once.
    pub(crate) fn start_process_of(
        &mut self,
        name: &str,
        start: Start,
        body: Body,
    ) -> Result<ProcessId, Error> {
        let process = self.processes.add(name, NOBODY)?;
        match self.start_thread_of(process, "main", start, body) {
            Ok(thread) => {
                if let Some(process) = self.processes.get_mut(process) {
                    process.main = thread.index;
                }
                Ok(process)
            }
            Err(error) => {
                self.processes.end(process);
                self.processes.free(process);
                Err(error)
            }
        }
    }

    /// Starts a thread of a process.
    ///
    /// # Errors
    /// At the [limit](crate::Limits) of threads, or if the process has ended.
    ///
    /// # Panics
    /// If the priority or the affinity is invalid on this machine.
    pub fn start_thread(
        &mut self,
        process: ProcessId,
        name: &str,
        start: Start,
        body: impl FnOnce() + Send + 'static,
    ) -> Result<ThreadId, Error> {
        self.start_thread_of(process, name, start, Box::new(body))
    }

    /// For all bodies, so that it is compiled once.
    fn start_thread_of(
        &mut self,
        process: ProcessId,
        name: &str,
        start: Start,
        body: Body,
    ) -> Result<ThreadId, Error> {
        if self.processes.get(process).is_none() {
            let message = format!("thread {name:?} is of a process that has ended");
            return Err(Error::invalid(message));
        }
        let thread = Thread {
            state: State::Ready,
            priority: checked_priority(start.priority),
            processor: 0,
            background: start.background,
            unstarted: true,
            generation: 0,
            wait: 0,
            process,
            affinity: self.checked_affinity(start.affinity),
            work: 0,
            spin_until: 0,
            quantum_left: self.quantum,
            ended: Ended::TimedOut,
            processor_time: 0,
            queue_time: 0,
            next: NOBODY,
            previous: NOBODY,
            reason: Reason {
                what: "nothing",
                number: 0,
            },
        };
        let index = self.threads.add(thread, name, body);
        let index = index.ok_or_else(|| Error::limit("threads", self.limits.threads))?;
        self.queue.make_alarm(index);
        if !start.background {
            self.stirring += 1;
        }
        if self.log.is_kept() {
            self.name_in_log(index);
        }
        self.make_ready(index);
        Ok(self.threads.id(index))
    }

    #[cold]
    fn name_in_log(&mut self, index: u32) {
        let process = self.threads.hot[index as usize].process;
        let process_name = self.process_name(process).unwrap_or_default().to_owned();
        self.log.name(Named {
            thread: self.threads.id(index),
            name: self.threads.cold[index as usize].name.clone(),
            process,
            process_name,
        });
    }

    /// Ends a process at once, which may be that of the calling thread. Its threads stop where they are,
    /// and none of their destructors run. The model is told after the present call, and numbers are
    /// reused only after that. Nothing happens if the process has ended.
    pub fn end(&mut self, process: ProcessId, exit: Exit) {
        if self.processes.get(process).is_none() {
            return;
        }
        let living = self.threads.living();
        let threads: Vec<u32> = living
            .filter(|(_, thread)| thread.process == process)
            .map(|(index, _)| index)
            .collect();
        for index in threads {
            self.end_thread(index);
        }
        self.processes.end(process);
        if self.main == Some(process) {
            self.end_run(match &exit {
                Exit::Returned => Ok(()),
                _ => Err(Error::ended(self.now(), exit.clone())),
            });
        }
        self.ended.push(End::Process(process, exit));
        self.has_ended = true;
    }

    /// Ends one thread at once. If it is the main thread, its process ends too.
    pub fn end_thread_of(&mut self, thread: ThreadId) {
        let Some(entry) = self.threads.get(thread) else {
            return;
        };
        let process = entry.process;
        if self
            .processes
            .get(process)
            .is_some_and(|process| process.main == thread.index)
        {
            self.end(process, Exit::Killed);
        } else {
            self.end_thread(thread.index);
        }
    }

    pub(crate) fn end_thread(&mut self, index: u32) {
        let id = self.threads.id(index);
        let thread = self.threads.at(index);
        if !thread.background && thread.state != State::Blocked {
            self.stirring -= 1;
        }
        let (processor, state) = (thread.processor, thread.state);
        if self.log.is_kept() {
            let until = match self.current == index {
                true => self.end_of_call(),
                false => self.now(),
            };
            self.note(What::Ended { thread: id, until });
        }
        match state {
            State::Unused | State::Blocked => {}
            State::BlockedUntil => self.queue.unset(index),
            State::Ready => self.dequeue(index),
            State::Running if self.current == index => self.leave_current_processor(),
            State::Running => {
                self.cancel_resumption(processor);
                self.leave_processor(processor);
            }
        }
        self.threads.end(index);
        self.abandoned.push(index);
        self.ended.push(End::Thread(id));
        self.has_ended = true;
    }

    /// Counts a stack that was given up.
    pub(crate) fn count_abandoned(&mut self) {
        self.abandoned_ever += 1;
        if self.abandoned_ever > self.limits.abandoned {
            let error = Error::limit("abandoned", self.limits.abandoned);
            self.end_run(Err(error));
        }
    }

    /// The machine stops, unless it has for another reason.
    pub(crate) fn end_run(&mut self, outcome: Result<(), Error>) {
        self.outcome.get_or_insert(outcome);
        self.is_over = true;
    }

    /// A thread's priority, unless it has ended.
    pub fn priority(&self, thread: ThreadId) -> Option<u8> {
        self.threads.get(thread).map(|thread| thread.priority)
    }

    /// The processors a thread may run on, unless it has ended: a bit for each.
    pub fn affinity(&self, thread: ThreadId) -> Option<u64> {
        self.threads.get(thread).map(|thread| thread.affinity)
    }

    /// The process of a thread, unless the thread has ended.
    pub fn process_of(&self, thread: ThreadId) -> Option<ProcessId> {
        self.threads.get(thread).map(|thread| thread.process)
    }

    /// Whether a process has not ended.
    pub fn is_alive(&self, process: ProcessId) -> bool {
        self.processes.get(process).is_some()
    }

    /// A process's name, unless it has ended.
    pub fn process_name(&self, process: ProcessId) -> Option<&str> {
        let process = self.processes.get(process)?;
        Some(&process.name)
    }

    /// The processor time that a thread has used, without the time that interrupts stole, unless it has
    /// ended.
    pub fn processor_time(&self, thread: ThreadId) -> Option<Duration> {
        let entry = self.threads.get(thread)?;
        let mut nanos = entry.processor_time;
        if entry.state == State::Running {
            let since = self.processors[usize::from(entry.processor)].since;
            nanos += self.now.saturating_sub(since);
        }
        Some(Duration::from_nanos(nanos))
    }

    /// Changes a thread's priority, at once.
    ///
    /// # Panics
    /// If there is no such priority.
    pub fn set_priority(&mut self, thread: ThreadId, priority: u8) {
        let priority = checked_priority(priority);
        self.requeue(thread, |thread| thread.priority = priority);
    }

    /// Changes the processors a thread may run on, at once.
    ///
    /// # Panics
    /// If this machine has none of them.
    pub fn set_affinity(&mut self, thread: ThreadId, affinity: u64) {
        let affinity = self.checked_affinity(affinity);
        self.requeue(thread, |thread| thread.affinity = affinity);
    }

    /// Every processor of this machine: a bit for each.
    pub fn all_processors(&self) -> u64 {
        u64::MAX >> (64 - self.processors.len())
    }

    fn checked_affinity(&self, affinity: u64) -> u64 {
        let affinity = affinity & self.all_processors();
        assert!(
            affinity != 0,
            "a thread must be allowed at least one processor"
        );
        affinity
    }
}

fn checked_priority(priority: u8) -> u8 {
    assert!(
        usize::from(priority) < PRIORITIES,
        "priority {priority} is not between 0 and {}",
        PRIORITIES - 1
    );
    priority
}
