//! Stacks: the calls that had led to an event, as addresses in the kernel.

use super::format::{EventFormat, Field};
use punctual::Error;
use std::collections::BTreeSet;
use std::fmt::Write;

/// The event that has a stack, a folder under `events`. The kernel writes it where a trigger asks for it.
pub const STACK_EVENT: &str = "ftrace/kernel_stack";

/// Programs switch for some hundred reasons. A trace may have more different stacks when it is days long:
/// then the others are left out, so that they do not fill the memory. These take about ten megabytes.
const MOST_STACKS: usize = 1 << 14;

/// Where an event has its stack.
#[derive(Debug)]
pub(super) struct StackFields {
    count: Field,
    calls: usize,
}

impl StackFields {
    pub(super) fn of(format: &EventFormat) -> Result<Self, Error> {
        Ok(Self {
            count: format.field("size")?.clone(),
            calls: format.field("caller")?.offset,
        })
    }

    /// The addresses, the innermost first. There are as many as the event says: the field's own length
    /// is that of the shortest.
    fn addresses<'a>(&self, event: &'a [u8]) -> Option<impl Iterator<Item = u64> + use<'a>> {
        let count = usize::try_from(self.count.number(event)?).ok()?;
        let (calls, _) = event.get(self.calls..)?.as_chunks::<8>();
        let calls = calls.get(..count)?.iter().copied();
        // Older kernels end a stack by a last one of ones.
        Some(calls.map(u64::from_le_bytes).filter(|&at| at != u64::MAX))
    }
}

/// The stacks that were met.
#[derive(Debug, Default)]
pub(super) struct Stacks {
    texts: BTreeSet<String>,
    addresses: BTreeSet<u64>,
}

impl Stacks {
    /// A stack as a text, a line for each call; `None` if it is cut short, or one too many.
    pub(super) fn text(&mut self, fields: &StackFields, event: &[u8]) -> Option<String> {
        let mut text = String::new();
        for address in fields.addresses(event)? {
            let separator = if text.is_empty() { "" } else { "\n" };
            let _ = write!(text, "{separator}{address:#x}");
        }
        if !self.texts.contains(&text) {
            if text.is_empty() || self.texts.len() == MOST_STACKS {
                return None;
            }
            self.addresses.extend(fields.addresses(event)?);
            self.texts.insert(text.clone());
        }
        Some(text)
    }

    /// Every address in a stack so far.
    pub(super) fn addresses(&self) -> &BTreeSet<u64> {
        &self.addresses
    }
}
