//! Names of threads and of what interrupts them, kept apart from the events, which are many.

use crate::event::{Symbol, ThreadId};
use punctual::Instant;
use std::collections::HashMap;

/// The names that occur in a trace.
///
/// ```
/// use punctual::Instant;
/// use punctual_trace::{Names, ThreadId};
///
/// let mut names = Names::default();
/// let timer = names.symbol("timer interrupt");
/// assert_eq!(names.symbol("timer interrupt"), timer);
/// assert_eq!(names.text(timer), "timer interrupt");
///
/// names.name_thread(ThreadId(7), "sh");
/// names.rename_thread(ThreadId(7), Instant::from_nanos(50), "make");
/// assert_eq!(names.thread(ThreadId(7), Instant::from_nanos(49)), "sh-7");
/// assert_eq!(names.thread(ThreadId(7), Instant::from_nanos(50)), "make-7");
/// assert_eq!(names.thread(ThreadId(8), Instant::ZERO), "thread 8");
/// ```
#[derive(Debug, Clone, Default)]
pub struct Names {
    texts: Vec<String>,
    symbols: HashMap<String, Symbol>,
    /// The names of each thread, each with the instant from which it is known. In the order of time.
    threads: HashMap<ThreadId, Vec<(Instant, Box<str>)>>,
}

impl Names {
    /// The number of a name.
    ///
    /// # Panics
    /// After four thousand million different names.
    pub fn symbol(&mut self, text: &str) -> Symbol {
        if let Some(&symbol) = self.symbols.get(text) {
            return symbol;
        }
        let symbol = Symbol(u32::try_from(self.texts.len()).expect("names fit into memory"));
        self.texts.push(text.to_owned());
        self.symbols.insert(text.to_owned(), symbol);
        symbol
    }

    /// The name behind a number; empty if these names did not make it.
    pub fn text(&self, symbol: Symbol) -> &str {
        self.texts.get(symbol.0 as usize).map_or("", String::as_str)
    }

    /// Says what a thread is called from the beginning on.
    pub fn name_thread(&mut self, thread: ThreadId, name: &str) {
        self.rename_thread(thread, Instant::ZERO, name);
    }

    /// Says what a thread is called at an instant, and from then on until it is called otherwise. The
    /// order in which names are given does not matter, except at the same instant: the last one counts.
    pub fn rename_thread(&mut self, thread: ThreadId, at: Instant, name: &str) {
        let known = self.threads.entry(thread).or_default();
        let next = known.partition_point(|&(from, _)| from <= at);
        match known[..next].last_mut() {
            Some((from, last)) if *from == at => *last = name.into(),
            _ => known.insert(next, (at, name.into())),
        }
    }

    /// Forgets the names that threads had no more at an instant.
    pub(crate) fn forget(&mut self, before: Instant) {
        for known in self.threads.values_mut() {
            let began = known.partition_point(|&(from, _)| from <= before);
            known.drain(..began.saturating_sub(1));
        }
    }

    /// Forgets what a thread was called until an instant, at which it had ended. Another may have its
    /// number since.
    pub(crate) fn forget_thread(&mut self, thread: ThreadId, ended_at: Instant) {
        if let Some(known) = self.threads.get_mut(&thread) {
            known.retain(|&(from, _)| from > ended_at);
            if known.is_empty() {
                self.threads.remove(&thread);
            }
        }
    }

    /// Whether a thread has been given a name.
    pub fn is_named(&self, thread: ThreadId) -> bool {
        self.threads.contains_key(&thread)
    }

    /// What a thread is called at an instant, with its number, since names are not unique. Before its
    /// first name is known, it is called by that.
    pub fn thread(&self, thread: ThreadId, at: Instant) -> String {
        match self.name(thread, at) {
            _ if thread.is_idle() => "idle".to_owned(),
            Some(name) => format!("{name}-{}", thread.0),
            None => format!("thread {}", thread.0),
        }
    }

    /// What a thread is called at an instant, without its number: several may be called so.
    pub fn thread_name(&self, thread: ThreadId, at: Instant) -> String {
        match self.name(thread, at) {
            Some(name) if !thread.is_idle() => name.to_owned(),
            _ => self.thread(thread, at),
        }
    }

    /// The threads that are called so at any time.
    pub fn threads_called(&self, name: &str) -> Vec<ThreadId> {
        let called = self.threads.iter();
        let called = called.filter(|(_, known)| known.iter().any(|(_, own)| **own == *name));
        let mut threads: Vec<_> = called.map(|(&thread, _)| thread).collect();
        threads.sort_unstable();
        threads
    }

    fn name(&self, thread: ThreadId, at: Instant) -> Option<&str> {
        let known = self.threads.get(&thread)?;
        let next = known.partition_point(|&(from, _)| from <= at);
        let (_, name) = known.get(next.saturating_sub(1))?;
        Some(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_cannot_be_asked_for_any_more_is_forgotten() {
        let at = Instant::from_nanos;
        let mut names = Names::default();
        let (one, other) = (ThreadId(7), ThreadId(8));
        for (ns, name) in [(10, "sh"), (20, "make"), (30, "cc")] {
            names.rename_thread(one, at(ns), name);
        }
        names.rename_thread(other, at(5), "sleep");
        names.forget(at(25));
        assert_eq!(names.thread(one, at(25)), "make-7");
        assert_eq!(names.thread(one, at(30)), "cc-7");
        assert!(names.threads_called("sh").is_empty());
        // Its number was given to another before it was forgotten.
        names.rename_thread(other, at(28), "cat");
        names.forget_thread(other, at(26));
        names.forget_thread(one, at(40));
        assert_eq!(names.thread(other, at(28)), "cat-8");
        assert!(names.is_named(other) && !names.is_named(one));
    }
}
