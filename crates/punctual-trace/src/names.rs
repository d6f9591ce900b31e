//! Names of threads and of what interrupts them, kept apart from the events, which are many.

use crate::event::{Symbol, ThreadId};
use std::collections::HashMap;

/// The names that occur in a trace.
///
/// ```
/// use punctual_trace::{Names, ThreadId};
///
/// let mut names = Names::default();
/// let timer = names.symbol("timer interrupt");
/// assert_eq!(names.symbol("timer interrupt"), timer);
/// assert_eq!(names.text(timer), "timer interrupt");
///
/// names.name_thread(ThreadId(7), "make");
/// assert_eq!(names.thread(ThreadId(7)), "make-7");
/// assert_eq!(names.thread(ThreadId(8)), "thread 8");
/// ```
#[derive(Debug, Clone, Default)]
pub struct Names {
    texts: Vec<String>,
    symbols: HashMap<String, Symbol>,
    threads: HashMap<ThreadId, String>,
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

    /// Says what a thread is called. The last name given is the one that is kept.
    pub fn name_thread(&mut self, thread: ThreadId, name: &str) {
        match self.threads.get_mut(&thread) {
            Some(known) if known == name => {}
            Some(known) => name.clone_into(known),
            None => {
                self.threads.insert(thread, name.to_owned());
            }
        }
    }

    /// Whether a thread has been given a name.
    pub fn is_named(&self, thread: ThreadId) -> bool {
        self.threads.contains_key(&thread)
    }

    /// What a thread is called, with its number, since names are not unique.
    pub fn thread(&self, thread: ThreadId) -> String {
        match self.threads.get(&thread) {
            _ if thread.is_idle() => "idle".to_owned(),
            Some(name) => format!("{name}-{}", thread.0),
            None => format!("thread {}", thread.0),
        }
    }

    /// What a thread is called, without its number: several may be called so.
    pub fn thread_name(&self, thread: ThreadId) -> String {
        let name = self.threads.get(&thread).filter(|_| !thread.is_idle());
        name.cloned().unwrap_or_else(|| self.thread(thread))
    }

    /// The threads that are called so.
    pub fn threads_called(&self, name: &str) -> Vec<ThreadId> {
        let called = self.threads.iter().filter(|(_, known)| *known == name);
        let mut threads: Vec<_> = called.map(|(&thread, _)| thread).collect();
        threads.sort_unstable();
        threads
    }
}
