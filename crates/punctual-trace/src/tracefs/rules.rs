//! What each of Linux' events means.

use super::format::{EventFormat, Field};
use super::stacks::{StackFields, Stacks};
use super::tables::Tables;
use crate::event::{Kind, Left, Priority, ProcessorId, Symbol, ThreadId, TimerId};
use crate::names::Names;
use punctual::{Error, Instant};
use std::collections::HashMap;

/// The name of the event that tells of a frame's beginning.
pub const FRAME_EVENT: &str = "punctual_frame";

/// How to read one kind of event.
#[derive(Debug)]
pub(super) enum Rule {
    TimerArmed([Field; 3]),
    TimerExpired {
        timer: Field,
        now: Field,
        function: Option<Field>,
    },
    TimerHandled(Field),
    TimerCancelled(Field),
    LineEntry {
        number: Field,
        name: Field,
    },
    Vector(Symbol),
    InterruptExit,
    SoftirqEntry(Field),
    SoftirqExit,
    Waking(Field),
    Ready {
        thread: Field,
        processor: Field,
    },
    Switch(Box<Switch>),
    Migrated {
        thread: Field,
        to: Field,
    },
    Started {
        thread: Field,
        name: Field,
    },
    Exited(Field),
    Renamed {
        thread: Field,
        name: Field,
    },
    /// The text is what follows these bytes.
    Marked {
        after: usize,
    },
    Framed,
    Stack(StackFields),
    CallEntered(Field),
    CallReturned,
}

#[derive(Debug)]
pub(super) struct Switch {
    previous: Field,
    previous_name: Field,
    state: Field,
    priority: Field,
    next: Field,
    next_name: Field,
    next_priority: Field,
}

/// An event, read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Read {
    pub(super) kind: Kind,
    /// For a timer that expires, what its own clock said.
    pub(super) timer_clock: Option<i64>,
}

impl Rule {
    /// How to read events of this format; `None` if explanations do without them.
    pub(super) fn new(format: &EventFormat, names: &mut Names) -> Result<Option<Self>, Error> {
        let field = |name| format.field(name).cloned();
        Ok(Some(match format.name.as_str() {
            "hrtimer_start" => {
                Self::TimerArmed([field("hrtimer")?, field("softexpires")?, field("expires")?])
            }
            "hrtimer_expire_entry" => Self::TimerExpired {
                timer: field("hrtimer")?,
                now: field("now")?,
                function: field("function").ok(),
            },
            "hrtimer_expire_exit" => Self::TimerHandled(field("hrtimer")?),
            "hrtimer_cancel" => Self::TimerCancelled(field("hrtimer")?),
            "irq_handler_entry" => Self::LineEntry {
                number: field("irq")?,
                name: field("name")?,
            },
            "softirq_entry" => Self::SoftirqEntry(field("vec")?),
            "softirq_exit" => Self::SoftirqExit,
            "sched_waking" => Self::Waking(field("pid")?),
            "sched_wakeup" => Self::Ready {
                thread: field("pid")?,
                processor: field("target_cpu")?,
            },
            "sched_switch" => Self::Switch(Box::new(Switch {
                previous: field("prev_pid")?,
                previous_name: field("prev_comm")?,
                state: field("prev_state")?,
                priority: field("prev_prio")?,
                next: field("next_pid")?,
                next_name: field("next_comm")?,
                next_priority: field("next_prio")?,
            })),
            "sched_migrate_task" => Self::Migrated {
                thread: field("pid")?,
                to: field("dest_cpu")?,
            },
            "sched_process_fork" => Self::Started {
                thread: field("child_pid")?,
                name: field("child_comm")?,
            },
            "sched_process_exit" => Self::Exited(field("pid")?),
            "task_rename" => Self::Renamed {
                thread: field("pid")?,
                name: field("newcomm")?,
            },
            "print" => Self::Marked {
                after: field("buf")?.offset,
            },
            FRAME_EVENT => Self::Framed,
            "kernel_stack" => Self::Stack(StackFields::of(format)?),
            "sys_enter" => Self::CallEntered(field("id")?),
            "sys_exit" => Self::CallReturned,
            name => return Ok(Self::interrupt(name, names)),
        }))
    }

    /// The other events of interrupts come in pairs, whose names say all.
    fn interrupt(event: &str, names: &mut Names) -> Option<Self> {
        if let Some(vector) = event.strip_suffix("_entry") {
            let name = match vector {
                "local_timer" => "timer interrupt".to_owned(),
                other => format!("{} interrupt", other.replace('_', " ")),
            };
            return Some(Self::Vector(names.symbol(&name)));
        }
        event.ends_with("_exit").then_some(Self::InterruptExit)
    }

    /// What the bytes of an event say; `None` if they are too few, or say no more than a name.
    pub(super) fn read(&self, event: &[u8], place: Place, known: &mut Known) -> Option<Read> {
        let mut timer_clock = None;
        let kind = match self {
            Self::TimerArmed([timer, earliest, latest]) => Kind::TimerArmed {
                timer: timer_id(timer, event)?,
                earliest: instant(earliest, event)?,
                latest: instant(latest, event)?,
            },
            Self::TimerExpired {
                timer,
                now,
                function,
            } => {
                let timer = timer_id(timer, event)?;
                let function = function.as_ref().and_then(|field| field.number(event));
                if function.is_some_and(|function| known.tables.refills(function)) {
                    Kind::QuotaRefilled { timer }
                } else {
                    timer_clock = Some(now.number(event)?);
                    Kind::expired(timer)
                }
            }
            Self::TimerHandled(timer) => Kind::TimerHandled {
                timer: timer_id(timer, event)?,
            },
            Self::TimerCancelled(timer) => Kind::TimerCancelled {
                timer: timer_id(timer, event)?,
            },
            Self::LineEntry { number, name } => {
                let name = known.line(number.number(event)?, name.text(event)?);
                Kind::InterruptEntry { name }
            }
            &Self::Vector(name) => Kind::InterruptEntry { name },
            Self::InterruptExit => Kind::InterruptExit,
            Self::SoftirqEntry(vector) => Kind::SoftirqEntry {
                name: known.softirq(vector.number(event)?),
            },
            Self::SoftirqExit => Kind::SoftirqExit,
            Self::Waking(thread) => Kind::Waking {
                thread: thread_id(thread, event)?,
            },
            Self::Ready { thread, processor } => Kind::Ready {
                thread: thread_id(thread, event)?,
                processor: processor_id(processor, event)?,
            },
            Self::Switch(switch) => switch.read(event, place, known)?,
            Self::Migrated { thread, to } => Kind::Migrated {
                thread: thread_id(thread, event)?,
                to: processor_id(to, event)?,
            },
            Self::Started { thread, name } => {
                let thread = thread_id(thread, event)?;
                known.rename(thread, place.1, name.text(event)?);
                Kind::Started { thread }
            }
            Self::Exited(thread) => Kind::Exited {
                thread: thread_id(thread, event)?,
            },
            Self::Renamed { thread, name } => {
                known.rename(thread_id(thread, event)?, place.1, name.text(event)?);
                return None;
            }
            &Self::Marked { after } => Kind::Marked {
                text: known.marked(event.get(after..)?)?,
            },
            Self::Framed => Kind::Framed,
            Self::Stack(fields) => {
                let text = known.stacks.text(fields, event)?;
                let text = known.names.symbol(&text);
                Kind::Stack { text }
            }
            Self::CallEntered(number) => known.entered(number.number(event)?),
            Self::CallReturned => Kind::CallReturned,
        };
        Some(Read { kind, timer_clock })
    }
}

impl Switch {
    fn read(&self, event: &[u8], place: Place, known: &mut Known) -> Option<Kind> {
        let previous = thread_id(&self.previous, event)?;
        let next = thread_id(&self.next, event)?;
        known.call(previous, place, self.previous_name.text(event)?);
        known.call(next, place, self.next_name.text(event)?);
        Some(Kind::Switch {
            previous,
            previous_state: left(self.state.number(event)?),
            previous_priority: Some(Priority::of_linux(self.priority.number(event)?)),
            next,
            next_priority: Some(Priority::of_linux(self.next_priority.number(event)?)),
        })
    }
}

/// `prev_state`: none of these bits, or preempted (a bit above them), is ready. From
/// `include/linux/sched.h`; the event's own `print fmt` lists them.
fn left(state: i64) -> Left {
    /// `TASK_UNINTERRUPTIBLE`.
    const BLOCKED: i64 = 0x02;
    /// `__TASK_STOPPED` and `__TASK_TRACED`.
    const STOPPED: i64 = 0x04 | 0x08;
    /// `EXIT_DEAD` and `EXIT_ZOMBIE`.
    const ENDED: i64 = 0x10 | 0x20;
    /// These and two more: `TASK_INTERRUPTIBLE`, and `TASK_REPORT_IDLE` of kernel threads that have
    /// nothing to do.
    const ANY: i64 = 0xff;
    match state & ANY {
        0 => Left::Ready,
        state if state & ENDED != 0 => Left::Ended,
        state if state & STOPPED != 0 => Left::Stopped,
        state if state & BLOCKED != 0 => Left::Blocked,
        _ => Left::Waiting,
    }
}

fn timer_id(field: &Field, event: &[u8]) -> Option<TimerId> {
    Some(TimerId(field.number(event)?.cast_unsigned()))
}

/// An instant before the clock's zero is one that has always passed.
fn instant(field: &Field, event: &[u8]) -> Option<Instant> {
    let nanos = u64::try_from(field.number(event)?).unwrap_or(0);
    Some(Instant::from_nanos(nanos))
}

fn thread_id(field: &Field, event: &[u8]) -> Option<ThreadId> {
    u32::try_from(field.number(event)?).ok().map(ThreadId)
}

fn processor_id(field: &Field, event: &[u8]) -> Option<ProcessorId> {
    u16::try_from(field.number(event)?).ok().map(ProcessorId)
}

/// Where and when an event happened.
pub(super) type Place = (ProcessorId, Instant);

/// Names that were met before, so that a name is only made anew when it changes. Processors are read
/// one after the other, so what one of them has shown last may be old for another.
#[derive(Debug, Default)]
pub(super) struct Known {
    pub(super) names: Names,
    tables: Tables,
    threads: HashMap<(ProcessorId, ThreadId), [u8; NAME_BYTES]>,
    marker: Option<(String, Symbol)>,
    pub(super) stacks: Stacks,
}

/// The kernel cuts thread names to this, with a zero byte at the end.
const NAME_BYTES: usize = 16;

impl Known {
    /// Texts that begin so are marks. All of them count as the same, or the names would never end.
    pub(super) fn expect_marker(&mut self, marker: &str) {
        self.marker = Some((marker.to_owned(), self.names.symbol(marker)));
    }

    fn marked(&self, text: &[u8]) -> Option<Symbol> {
        let (marker, symbol) = self.marker.as_ref()?;
        text.starts_with(marker.as_bytes()).then_some(*symbol)
    }

    pub(super) fn new(tables: Tables) -> Self {
        Self {
            tables,
            ..Self::default()
        }
    }

    fn entered(&mut self, number: i64) -> Kind {
        let call = match self.tables.call(number) {
            Some(name) => self.names.symbol(name),
            None => self.names.symbol(&format!("call {number}")),
        };
        let is_lock = self.tables.is_lock(number);
        Kind::CallEntered { call, is_lock }
    }

    fn line(&mut self, number: i64, name: &[u8]) -> Symbol {
        let name = String::from_utf8_lossy(name);
        self.names.symbol(&format!("irq {number} {name}"))
    }

    /// The names are those of `enum` in `include/linux/interrupt.h`.
    fn softirq(&mut self, vector: i64) -> Symbol {
        const VECTORS: [&str; 10] = [
            "softirq HI",
            "softirq TIMER",
            "softirq NET_TX",
            "softirq NET_RX",
            "softirq BLOCK",
            "softirq IRQ_POLL",
            "softirq TASKLET",
            "softirq SCHED",
            "softirq HRTIMER",
            "softirq RCU",
        ];
        let index = usize::try_from(vector).ok();
        match index.and_then(|index| VECTORS.get(index)) {
            Some(name) => self.names.symbol(name),
            None => self.names.symbol(&format!("softirq {vector}")),
        }
    }

    /// An event shows what a thread is called.
    fn call(&mut self, thread: ThreadId, (processor, at): Place, name: &[u8]) {
        let bytes = name_bytes(name);
        if self.threads.insert((processor, thread), bytes) != Some(bytes) {
            self.rename(thread, at, name);
        }
    }

    /// Forgets the names that can't be asked for any more: those from before an instant, and those of
    /// threads that had ended.
    pub(super) fn forget(&mut self, before: Instant, ended: &HashMap<ThreadId, Instant>) {
        self.names.forget(before);
        for (&thread, &ended_at) in ended {
            self.names.forget_thread(thread, ended_at);
        }
        self.threads
            .retain(|(_, thread), _| !ended.contains_key(thread));
    }

    /// A thread is called so from now on, whatever its processor has shown last.
    fn rename(&mut self, thread: ThreadId, at: Instant, name: &[u8]) {
        let name = String::from_utf8_lossy(name);
        self.names.rename_thread(thread, at, &name);
    }
}

fn name_bytes(name: &[u8]) -> [u8; NAME_BYTES] {
    let mut bytes = [0; NAME_BYTES];
    for (byte, &given) in bytes.iter_mut().zip(name) {
        *byte = given;
    }
    bytes
}
