//! A run of the command to which a signal is sent, seen from `/proc`.

use super::super::processes::{eventually, has_in_mask};
use super::SIGNALS;
use crate::command::punctual;
use rustix::pipe::fcntl_getpipe_size;
use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::io::{self, PipeReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::{self, JoinHandle};

/// When to send a signal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// As soon as signals are heard.
    StartUp,
    /// When it has measured, computed, or started something.
    Running,
    /// When it prints: its standard output takes nothing.
    Finishing,
}

impl Phase {
    pub const ALL: [Self; 3] = [Self::StartUp, Self::Running, Self::Finishing];
}

/// All processes of a run have this in their environment, with the folder of the run.
const MARK: &str = "PUNCTUAL_SIGNALS_RUN";

/// The numbers of `write` and `writev`.
///
/// <https://man7.org/linux/man-pages/man2/syscall.2.html>
const WRITES: [u32; 2] = if cfg!(target_arch = "x86_64") {
    [1, 20]
} else {
    [64, 66]
};

pub struct Run {
    child: Child,
    printed: JoinHandle<String>,
    complaint: JoinHandle<String>,
    mark: String,
    /// Of a standard output that takes nothing.
    _unread: Option<PipeReader>,
}

/// What a run left.
pub struct Ended {
    pub status: ExitStatus,
    pub printed: String,
    pub complaint: String,
    id: u32,
    mark: String,
}

impl Run {
    pub fn start(words: &[&str], folder: &Path, is_blocked: bool) -> Self {
        let mut command = punctual();
        command.args(words);
        Self::of(command, folder, is_blocked)
    }

    pub fn of(mut command: Command, folder: &Path, is_blocked: bool) -> Self {
        command
            .current_dir(folder)
            .env(MARK, folder)
            // A terminal's Ctrl-C is for the tests.
            .process_group(0)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let unread = is_blocked.then(|| {
            let (unread, full) = full_pipe();
            command.stdout(full);
            unread
        });
        let mut child = command.spawn().unwrap();
        Self {
            printed: gather(child.stdout.take()),
            complaint: gather(child.stderr.take()),
            child,
            mark: format!("{MARK}={}", folder.display()),
            _unread: unread,
        }
    }

    /// Waits until it has come so far. `false` if it has ended before: this machine does not permit
    /// it.
    pub fn reach(&self, phase: Phase) -> bool {
        let mut has_ended = false;
        eventually(&format!("{phase:?}"), || {
            has_ended = self.state().is_none_or(|state| state == "Z");
            has_ended
                || match phase {
                    Phase::StartUp => self.listens(),
                    Phase::Running => self.listens() && (self.is_busy() || self.is_blocked()),
                    Phase::Finishing => self.is_blocked() || self.is_finishing(),
                }
        });
        !has_ended
    }

    pub fn send(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    /// Waits for its end, and for the end of all that it has started.
    pub fn end(mut self) -> Ended {
        let mut status = None;
        let what = self.file("cmdline").replace('\0', " ");
        eventually(&format!("{what}ends"), || {
            status = self.child.try_wait().unwrap();
            status.is_some()
        });
        eventually("what it has started ends", || !lives(&self.mark));
        Ended {
            status: status.unwrap(),
            printed: self.printed.join().unwrap(),
            complaint: self.complaint.join().unwrap(),
            id: self.child.id(),
            mark: self.mark,
        }
    }

    fn file(&self, name: &str) -> String {
        fs::read_to_string(format!("/proc/{}/{name}", self.child.id())).unwrap_or_default()
    }

    /// The words of `/proc/ID/stat` after the name.
    fn stat(&self) -> Vec<String> {
        let text = self.file("stat");
        let after_name = text.rsplit_once(')').map_or("", |(_, after)| after);
        after_name.split_whitespace().map(str::to_owned).collect()
    }

    fn state(&self) -> Option<String> {
        self.stat().into_iter().next()
    }

    /// Whether it catches each of the signals, or was started to ignore it.
    fn listens(&self) -> bool {
        let has = |mask, signal| has_in_mask(self.child.id(), mask, signal);
        let handles = |&signal: &Signal| has("SigCgt:", signal) || has("SigIgn:", signal);
        SIGNALS.iter().all(handles)
    }

    /// Whether it measures, has started a process, or has computed for 50 ms.
    fn is_busy(&self) -> bool {
        const TICKS: u64 = 5;
        let tasks = fs::read_dir(format!("/proc/{}/task", self.child.id()));
        let names = tasks.into_iter().flatten().flatten();
        let mut names =
            names.map(|task| fs::read_to_string(task.path().join("comm")).unwrap_or_default());
        let stat = self.stat();
        let ticks = |index: usize| stat.get(index).and_then(|word| word.parse::<u64>().ok());
        let used = ticks(11).unwrap_or(0) + ticks(12).unwrap_or(0);
        names.any(|name| name.trim() == "measure") || self.has_children() || used >= TICKS
    }

    fn has_children(&self) -> bool {
        let id = self.child.id();
        let children = self.file(&format!("task/{id}/children"));
        !children.trim().is_empty()
    }

    /// Whether it waits in a call that writes to standard output.
    fn is_blocked(&self) -> bool {
        let call = self.file("syscall");
        let mut words = call.split_whitespace();
        let call = words.next().and_then(|number| number.parse().ok());
        call.is_some_and(|number| WRITES.contains(&number)) && words.next() == Some("0x1")
    }

    /// Whether it writes no standard output, but a file: then there is no telling.
    fn is_finishing(&self) -> bool {
        self.file("cmdline").contains("\0report\0") && self.has_children()
    }
}

impl Ended {
    /// What should not be there any more: temporary files, pages, and instances of the kernel's
    /// trace.
    pub fn left_in(&self, folder: &Path) -> Vec<String> {
        let trace = Path::new("/sys/kernel/tracing/instances");
        let mine = format!("punctual-{}", self.id);
        let is_mine = |name: &String| name.split('-').take(2).eq(mine.split('-'));
        let is_half = |name: &String| name.starts_with(".punctual-") || name.ends_with(".html");
        let mut left: Vec<_> = names(trace).into_iter().filter(is_mine).collect();
        left.extend(names(folder).into_iter().filter(is_half));
        left.extend(lives(&self.mark).then(|| "a process".to_owned()));
        left
    }
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.collect()
}

/// Whether any process that has not ended is of this run.
fn lives(mark: &str) -> bool {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let mut marked = processes.filter(|process| {
        let environment = fs::read(process.path().join("environ")).unwrap_or_default();
        let mut variables = environment.split(|byte| *byte == 0);
        variables.any(|variable| variable == mark.as_bytes())
    });
    marked.next().is_some()
}

/// A pipe that takes nothing, as long as its reader lives.
fn full_pipe() -> (PipeReader, Stdio) {
    let (reader, mut writer) = io::pipe().unwrap();
    let size = fcntl_getpipe_size(&writer).unwrap();
    writer.write_all(&vec![0; size]).unwrap();
    (reader, writer.into())
}

fn gather(pipe: Option<impl Read + Send + 'static>) -> JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            pipe.read_to_end(&mut bytes).unwrap();
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}
