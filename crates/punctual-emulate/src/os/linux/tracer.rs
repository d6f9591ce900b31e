//! Serves the stops of a program's threads.

mod entry;
mod exit;
mod family;
mod interrupted;
mod mapping;
mod polling;
mod stubbed;
mod timers;

use super::clocks::{self, Stamps};
use super::ptrace::{self, Resume, Stop, Tid};
use super::signals::SignalRelay;
use super::space::Shared;
use super::threads::{At, Process, Thread, Wait};
use crate::session::{Counts, Ended, Options, Status};
use crate::timer_policy::{Next, Over, ProcessId, TimerPolicy, WaitId};
use polling::Polling;
use punctual::Instant;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use timers::Timers;

/// After so many stops that were served as they came, all that have come are taken at once.
const SINGLY: u32 = 16;

/// A program and what is known of it.
pub(crate) struct Tracer<'r> {
    policy: &'r mut dyn TimerPolicy,
    stub: bool,
    epoll_pwait2: bool,
    stamps: Stamps,
    main: Tid,
    status: Option<Status>,
    threads: BTreeMap<Tid, Thread>,
    processes: BTreeMap<Tid, Process>,
    /// Who waits.
    waits: BTreeMap<WaitId, Tid>,
    timers: Timers,
    /// Children that stopped before their parent told of them.
    strangers: BTreeSet<Tid>,
    polling: Polling,
    /// Stops since all there were have been taken.
    taken_singly: u32,
    counts: Counts,
}

impl<'r> Tracer<'r> {
    /// Of a first process, which is traced and has not executed the program yet.
    pub(crate) fn new(main: Tid, policy: &'r mut dyn TimerPolicy, options: &Options) -> Self {
        let mut tracer = Self {
            policy,
            stub: options.stub,
            epoll_pwait2: super::check::has_epoll_pwait2(),
            stamps: Stamps::begin(),
            main,
            status: None,
            threads: BTreeMap::new(),
            processes: BTreeMap::new(),
            waits: BTreeMap::new(),
            timers: Timers::default(),
            strangers: BTreeSet::new(),
            polling: Polling::new(std::thread::available_parallelism().map_or(1, usize::from)),
            taken_singly: 0,
            counts: Counts::default(),
        };
        tracer.add_process(main, None, false);
        tracer.add_thread(main, main, Shared::default());
        tracer
    }

    /// Until the program and all its descendants have ended.
    pub(crate) fn run(&mut self, _relay: &SignalRelay) -> Ended {
        let mut stops = Vec::new();
        while self.collect(&mut stops) {
            for (tid, stop) in stops.drain(..) {
                self.counts.stops += 1;
                self.serve(tid, stop);
            }
            self.tell_firings(clocks::now());
            self.apply_changes();
        }
        // It is known if the first process was waited for, and nothing else could.
        let status = self.status.unwrap_or(Status::Exited(0));
        Ended {
            status,
            counts: self.counts,
        }
    }

    /// Waits for a stop. From time to time takes all there are: the kernel gives the first of its list again and
    /// again, and a thread that stops often would keep the others from being served. False if there is nothing
    /// left.
    fn collect(&mut self, stops: &mut Vec<(Tid, Stop)>) -> bool {
        if !self.next_stop(stops) {
            return false;
        }
        self.taken_singly += 1;
        if self.taken_singly == SINGLY {
            self.taken_singly = 0;
            while let Some(stop) = take(false) {
                stops.push(stop);
            }
        }
        true
    }

    /// Polls for the next stop if that is likely to be quicker than to sleep until it comes.
    fn next_stop(&mut self, stops: &mut Vec<(Tid, Stop)>) -> bool {
        let began = clocks::now();
        let until = self.polling.until(began);
        let mut now = began;
        while now < until {
            if let Some(stop) = take(false) {
                self.polling.found();
                stops.push(stop);
                return true;
            }
            now = clocks::now();
        }
        if began < until {
            self.polling.missed();
        }
        let stop = take(true);
        self.polling.slept(began, clocks::now());
        stops.extend(stop);
        !stops.is_empty()
    }

    fn serve(&mut self, tid: Tid, stop: Stop) {
        if let Stop::Exited(_) | Stop::Killed(_) = stop {
            return self.at_end(tid, stop);
        }
        if !self.threads.contains_key(&tid) {
            // Its parent's stop says what it is. It comes, unless the parent is killed.
            self.strangers.insert(tid);
            return;
        }
        if stop != Stop::Trap {
            // Whatever stops a thread, the kernel takes as the stop that was asked for.
            self.thread(tid).asked_to_stop = false;
        }
        match stop {
            Stop::Call => self.at_call(tid),
            Stop::Exit => self.at_exit(tid),
            Stop::Signal(signal) => self.at_signal(tid, signal),
            Stop::Group(_) => self.at_group_stop(tid),
            Stop::Trap => self.at_trap(tid),
            Stop::Child => self.at_child(tid),
            Stop::Exec => self.at_exec(tid),
            Stop::Ending => self.at_ending(tid),
            Stop::Exited(_) | Stop::Killed(_) | Stop::Unknown => self.resume(tid, Resume::Run, 0),
        }
    }

    /// Lets a thread go on. It may have been killed meanwhile: then its end is waited for.
    #[allow(
        clippy::unused_self,
        reason = "all that is done to threads is the tracer's"
    )]
    fn resume(&self, tid: Tid, how: Resume, signal: i32) {
        drop(ptrace::resume(tid, how, signal));
    }

    /// Gives waits that changed their new end: their threads are stopped, and repeat their calls.
    fn apply_changes(&mut self) {
        for begun in self.policy.changed(clocks::now()) {
            let (id, end) = (begun.wait, begun.end);
            let Some(tid) = self.waits.get(&id).copied() else {
                continue;
            };
            let Some(thread) = self.threads.get_mut(&tid) else {
                continue;
            };
            match &mut thread.at {
                At::Call(wait) | At::Stub(wait) if wait.id == id => {
                    wait.end = end.as_nanos();
                    wait.hear |= begun.hear_of_end;
                    wait.revised = true;
                    if !thread.asked_to_stop {
                        thread.asked_to_stop = ptrace::interrupt(tid).is_ok();
                    }
                    self.counts.revised += 1;
                }
                _ => {
                    if let Some(wait) = thread.pending.as_mut().filter(|wait| wait.id == id) {
                        wait.end = end.as_nanos();
                    }
                }
            }
        }
    }

    /// A wait is over.
    fn over(&mut self, wait: &Wait, at: Instant, how: Over) -> Next {
        self.waits.remove(&wait.id);
        self.policy.over(at, wait.id, how)
    }

    /// A wait that was interrupted does not go on.
    fn give_up(&mut self, tid: Tid) {
        let pending = self
            .threads
            .get_mut(&tid)
            .and_then(|thread| thread.pending.take());
        if let Some(wait) = pending {
            self.over(&wait, wait.interrupted, Over::Interrupted);
        }
    }

    fn thread(&mut self, tid: Tid) -> &mut Thread {
        self.threads
            .get_mut(&tid)
            .expect("only threads that are known are served")
    }

    fn is_filtered(&self, process: Tid) -> bool {
        let known = self.processes.get(&process);
        known.is_some_and(|process| process.filtered)
    }

    /// Says once for each process what cannot be steered in it.
    fn cannot_steer(&mut self, tid: Tid, what: &'static str) {
        let process = self.thread(tid).process;
        let Some(known) = self.processes.get_mut(&process) else {
            return;
        };
        if !known.said.contains(&what) {
            known.said.push(what);
            self.policy.cannot_steer(process_id(process), what);
        }
    }
}

/// Takes a stop. None if there is none now, or, if it may sleep, nothing left.
fn take(sleep: bool) -> Option<(Tid, Stop)> {
    loop {
        match ptrace::wait(sleep) {
            Ok(stop) => return stop,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return None,
        }
    }
}

/// Numbers of processes and threads are positive.
fn process_id(tid: Tid) -> ProcessId {
    ProcessId(tid.cast_unsigned())
}
