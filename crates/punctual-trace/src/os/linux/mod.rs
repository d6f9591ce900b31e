//! A private instance of tracefs, with its own buffers, which is independent of all other tracing. It
//! needs only files, and no program or library.
//!
//! <https://docs.kernel.org/trace/ftrace.html>, "Instances"

mod buffer;
mod calls;
mod functions;
mod instance;
mod place;
mod probe;
mod ring;
mod stacks;
mod symbols;

pub use symbols::KernelFunctions;

use crate::event::ThreadId;
use crate::place::Place;
use crate::tracefs::{EVENTS, NEEDED_EVENTS, PageLayout, Portion, Raw};
use buffer::Buffer;
use instance::Instance;
use probe::Probe;
use punctual::{Error, Native};
use std::path::PathBuf;
use std::time::Duration;

/// A trace that the kernel records, until this is dropped. The drop removes it from the kernel. If a
/// process ends without the drop, the next capture removes it.
#[derive(Debug)]
pub struct Capture {
    raw: Raw,
    // Before the instance, which cannot be removed while they are open.
    buffers: Vec<Buffer>,
    instance: Instance,
    /// Which records system calls, if any are recorded.
    of_calls: Option<Instance>,
    // After the instance, which uses it.
    probe: Option<Probe>,
    /// Which records stacks, if any are recorded.
    of_stacks: Option<Instance>,
    root: PathBuf,
    clock: Native,
}

/// How much each processor's buffer holds: at 40 bytes an event, and drained ten times a second, a
/// million events per second and processor.
const BUFFER_KIB: u64 = 4096;

/// The same of the calls of one program, which are fewer: at 100 bytes a call, a hundred thousand calls
/// per second and processor.
const CALLS_BUFFER_KIB: u64 = 1024;

/// The same of the stacks of one program: at 150 bytes a stack, seventy thousand per second and processor.
const STACKS_BUFFER_KIB: u64 = 1024;

/// How long an event may take from its time stamp until it can be read. Interrupts that write events may
/// come in between, and a hypervisor may take the processor away.
const WRITTEN_WITHIN: Duration = Duration::from_millis(50);

/// Clocks of tracefs: `mono` is `CLOCK_MONOTONIC`, on which timers and deadlines are.
const CLOCK: &str = "mono";

/// The events of wake-ups, which are recorded of some threads only.
const OF_WAKE_UPS: [&str; 3] = ["sched_waking", "sched_wakeup", "sched_migrate_task"];

impl Capture {
    /// Prepares a trace, without recording yet.
    ///
    /// # Errors
    /// [Unsupported](Error::is_unsupported) or [not permitted](Error::is_not_permitted), if tracefs is not
    /// mounted, refused or lacks events; the message has the command that helps.
    pub fn prepare() -> Result<Self, Error> {
        Self::prepare_with(BUFFER_KIB)
    }

    fn prepare_with(kib_per_processor: u64) -> Result<Self, Error> {
        let root = place::tracefs()?;
        instance::remove_left_behind(&root);
        probe::remove_left_behind(&root);
        let instance = Instance::make(&root)?;
        instance.set("trace_clock", CLOCK)?;
        instance.set("buffer_size_kb", &kib_per_processor.to_string())?;
        // Events carry their names themselves; keeping a table of them besides costs every switch.
        // Where there is no such option, the kernel keeps none.
        let _ = instance.set("trace_options", "norecord-cmd");
        let mut formats = Vec::new();
        for event in EVENTS {
            match instance.enable(event)? {
                Some(format) => formats.push(format),
                None if NEEDED_EVENTS.contains(event) => {
                    let message = format!("this kernel has no event {event}");
                    return Err(Error::unsupported(message));
                }
                None => {}
            }
        }
        let raw = Raw {
            header_page: instance.read("events/header_page")?,
            formats,
            page_bytes: instance.page_bytes(),
            calls: Vec::new(),
            functions: functions::addresses(),
            marker: None,
            pages: Vec::new(),
        };
        let buffers = Buffer::open_all(instance.path(), raw.page_bytes)?;
        Ok(Self {
            raw,
            buffers,
            instance,
            of_calls: None,
            probe: None,
            of_stacks: None,
            root,
            clock: Native::new(),
        })
    }

    /// Also records the system calls in which these threads wait, and those of all threads that they
    /// will start. They say when a wait ended, and what else a thread waited for. The calls of one thread
    /// are left out: of that which only starts the others. Call it before anything is started. Where the kernel does not record
    /// system calls, nothing changes.
    ///
    /// While the trace lasts, it makes each system call of these threads slower by about a microsecond,
    /// and each other system call on the machine by some tenths of one.
    ///
    /// # Errors
    /// When the kernel refuses, as for a thread that has ended.
    pub fn record_calls(&mut self, threads: &[ThreadId], except: ThreadId) -> Result<(), Error> {
        let Some((instance, formats)) = calls::instance(&self.root, threads, except)? else {
            return Ok(());
        };
        instance.set("trace_clock", CLOCK)?;
        instance.set("buffer_size_kb", &CALLS_BUFFER_KIB.to_string())?;
        let _ = instance.set("trace_options", "norecord-cmd");
        let buffers = Buffer::open_all(instance.path(), self.raw.page_bytes)?;
        self.buffers.extend(buffers);
        self.raw.formats.extend(formats);
        self.raw.calls = calls::table();
        self.of_calls = Some(instance);
        Ok(())
    }

    /// Also records when threads come to a place in a program. Whichever process runs that file is
    /// slowed down there by some microseconds while the trace lasts.
    ///
    /// # Errors
    /// When the kernel refuses, or has no such probes.
    pub fn probe(&mut self, place: &Place) -> Result<(), Error> {
        let probe = Probe::make(&self.root, &self.instance, place)?;
        let format = self.instance.enable(&probe.event())?;
        self.raw.formats.extend(format);
        self.probe = Some(probe);
        Ok(())
    }

    /// Also records the texts that programs write to `trace_marker`, if they begin so.
    ///
    /// # Errors
    /// [Unsupported](Error::is_unsupported) where the kernel does not copy them into an instance.
    pub fn expect_marker(&mut self, marker: &str) -> Result<(), Error> {
        let set = self.instance.set("trace_options", "copy_trace_marker");
        set.map_err(|_| {
            Error::unsupported(
                "this kernel does not give markers to others than their writer (there is no trace \
                 option copy_trace_marker)",
            )
        })?;
        self.raw
            .formats
            .push(self.instance.read("events/ftrace/print/format")?);
        self.raw.marker = Some(marker.to_owned());
        Ok(())
    }

    /// Also records where in the kernel these threads are when they leave a processor, and where others are
    /// that leave one to them; and the same of all threads that they will start. Call it before anything is
    /// started. Instead of these threads, it is the one with which the trace is
    /// [started](Starter::start), if that is given.
    ///
    /// It makes each such switch slower by some microseconds while the trace lasts.
    ///
    /// # Errors
    /// Unsupported, if this kernel has no stacks.
    pub fn record_stacks(&mut self, threads: &[ThreadId]) -> Result<(), Error> {
        let (instance, format) = stacks::instance(&self.root, threads)?;
        instance.set("trace_clock", CLOCK)?;
        instance.set("buffer_size_kb", &STACKS_BUFFER_KIB.to_string())?;
        let _ = instance.set("trace_options", "norecord-cmd");
        let buffers = Buffer::open_all(instance.path(), self.raw.page_bytes)?;
        self.buffers.extend(buffers);
        self.raw.formats.push(format);
        self.of_stacks = Some(instance);
        Ok(())
    }

    /// The command that helps where [`prepare`](Self::prepare) has failed, if one does.
    pub fn remedy() -> Option<&'static str> {
        place::remedy()
    }

    /// What begins the trace, on whichever thread.
    pub fn starter(&self) -> Starter {
        Starter {
            instances: self.instances().map(|it| it.path().to_owned()).collect(),
            of_stacks: self.of_stacks.as_ref().map(|it| it.path().to_owned()),
        }
    }

    fn instances(&self) -> impl Iterator<Item = &Instance> {
        let more = self.of_calls.iter().chain(&self.of_stacks);
        [&self.instance].into_iter().chain(more)
    }

    /// The descriptions of the pages that it will give. It has no pages.
    pub fn raw(&self) -> &Raw {
        &self.raw
    }

    /// Takes what the kernel has written since the last time, as far back as its buffers reach. It goes on recording. Where
    /// the buffers do not reach back to the last time, as they do if this is called several times a second, the trace
    /// says that events were lost. What happened until [`complete_until`](Portion::complete_until) is all there.
    ///
    /// # Errors
    /// When a buffer cannot be read.
    pub fn take(&mut self) -> Result<Portion, Error> {
        let layout = PageLayout::parse(&self.raw.header_page)?;
        let now = self.clock.now();
        let pages = self.buffers.iter_mut().map(|it| it.take(now, &layout));
        Ok(Portion {
            pages: pages.collect::<Result<_, _>>()?,
            complete_until: Some(now - WRITTEN_WITHIN),
        })
    }
}

/// Begins what a capture has prepared.
#[derive(Debug, Clone)]
pub struct Starter {
    /// The first is that which records threads.
    instances: Vec<PathBuf>,
    of_stacks: Option<PathBuf>,
}

impl Starter {
    /// Begins. Of wake-ups, only those of the one thread are recorded, if one is given; which thread has
    /// which processor is always recorded.
    ///
    /// # Errors
    /// When the kernel refuses, or the capture has ended.
    pub fn start(&self, thread: Option<ThreadId>) -> Result<(), Error> {
        if let Some(ThreadId(thread)) = thread {
            let only = format!("pid == {thread}");
            for event in OF_WAKE_UPS {
                let file = format!("events/sched/{event}/filter");
                instance::write(&self.instances[0].join(file), &only)?;
            }
            if let Some(instance) = &self.of_stacks {
                stacks::follow(instance, &[ThreadId(thread)])?;
            }
        }
        self.set_on("1")
    }

    /// Pauses. [`start`](Self::start) goes on.
    ///
    /// # Errors
    /// When the kernel refuses, or the capture has ended.
    pub fn pause(&self) -> Result<(), Error> {
        self.set_on("0")
    }

    fn set_on(&self, value: &str) -> Result<(), Error> {
        for instance in &self.instances {
            instance::write(&instance.join("tracing_on"), value)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
