//! Something of every thread, found without hashing: traces ask for it several times an event.

use crate::event::ThreadId;
use std::collections::BTreeMap;

/// Something of every thread that was asked for.
#[derive(Debug)]
pub(crate) struct PerThread<T> {
    /// Of threads with usual numbers, page by page: those of a machine lie close together.
    pages: Vec<Option<Box<[Option<T>]>>>,
    /// Damaged records have any number.
    others: BTreeMap<ThreadId, T>,
}

/// No system numbers its threads higher: `PID_MAX_LIMIT` of Linux. Windows uses multiples of four from
/// below that on.
const USUAL: u32 = 1 << 22;
const PAGE: usize = 256;

impl<T> Default for PerThread<T> {
    fn default() -> Self {
        Self {
            pages: Vec::new(),
            others: BTreeMap::new(),
        }
    }
}

impl<T> PerThread<T> {
    /// That of a thread, if there is any.
    pub(crate) fn get(&self, thread: ThreadId) -> Option<&T> {
        match place(thread) {
            Some((page, within)) => self.pages.get(page)?.as_ref()?[within].as_ref(),
            None => self.others.get(&thread),
        }
    }

    /// Takes that of a thread away, if there is any.
    pub(crate) fn remove(&mut self, thread: ThreadId) -> Option<T> {
        match place(thread) {
            Some((page, within)) => self.pages.get_mut(page)?.as_mut()?[within].take(),
            None => self.others.remove(&thread),
        }
    }

    /// Replaces that of a thread.
    pub(crate) fn insert(&mut self, thread: ThreadId, of_thread: T) {
        match place(thread) {
            Some((page, within)) => self.page(page)[within] = Some(of_thread),
            None => {
                self.others.insert(thread, of_thread);
            }
        }
    }

    fn page(&mut self, page: usize) -> &mut [Option<T>] {
        if self.pages.len() <= page {
            self.pages.resize_with(page + 1, || None);
        }
        self.pages[page].get_or_insert_with(|| (0..PAGE).map(|_| None).collect())
    }
}

impl<T: Default> PerThread<T> {
    /// That of a thread, a new one if there was none.
    pub(crate) fn of(&mut self, thread: ThreadId) -> &mut T {
        match place(thread) {
            Some((page, within)) => self.page(page)[within].get_or_insert_default(),
            None => self.others.entry(thread).or_default(),
        }
    }
}

impl<T> PerThread<T> {
    /// All of them, in the order of the threads' numbers.
    pub(crate) fn into_all(self) -> impl Iterator<Item = (ThreadId, T)> {
        let pages = (0_u32..).step_by(PAGE).zip(self.pages);
        let usual = pages.flat_map(|(first, page)| {
            let numbers = (first..).map(ThreadId);
            let there = numbers.zip(page.into_iter().flatten());
            there.filter_map(|(thread, of_thread)| Some((thread, of_thread?)))
        });
        usual.chain(self.others)
    }
}

/// The page of a thread with a usual number, and its place there.
fn place(thread: ThreadId) -> Option<(usize, usize)> {
    let number = thread.0 as usize;
    (thread.0 < USUAL).then_some((number / PAGE, number % PAGE))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_is_a_map(
            steps in prop::collection::vec((0..4_u8, prop_oneof![0..3_000_u32, any::<u32>()]), 0..60),
        ) {
            let (mut ours, mut model) = (PerThread::default(), BTreeMap::new());
            for (step, (act, number)) in (0_usize..).zip(steps) {
                let thread = ThreadId(number);
                match act {
                    0 => {
                        ours.insert(thread, step);
                        model.insert(thread, step);
                    }
                    1 => prop_assert_eq!(ours.remove(thread), model.remove(&thread)),
                    2 => prop_assert_eq!(*ours.of(thread), *model.entry(thread).or_default()),
                    _ => prop_assert_eq!(ours.get(thread), model.get(&thread)),
                }
            }
            prop_assert_eq!(ours.into_all().collect::<BTreeMap<_, _>>(), model);
        }
    }
}
