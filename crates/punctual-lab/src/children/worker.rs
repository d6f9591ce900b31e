//! One process of a load, from the side of the program that started it.

use super::{CHILD_SUBCOMMAND, PROGRESS, READY};
use crate::limits::with_limit;
use crate::os::process;
use punctual::Error;
use std::io::{self, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, TryRecvError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How long a process may take from one sign of progress to the next. A quiet machine needs a few
/// milliseconds from one thread to the next, and a tenth of a second for the longest step, the memory of
/// `memory`. A machine on which a step takes longer than this is unfit for measuring. How many steps there
/// are does not matter.
const PATIENCE: Duration = Duration::from_secs(10);

/// How much of a process's last output is kept, to explain why it ended.
const MOST_PRINTED_BYTES: usize = 2048;

/// How long to wait for the last output of an ended process. There is a limit because another
/// process that it started may keep the output open.
const PRINTED_WITHIN: Duration = Duration::from_millis(200);

/// How often to ask whether to stop while a process becomes ready: a person notices no delay.
const LOOK: Duration = Duration::from_millis(50);

/// A process of a load. It is not waited for until it is [ended](Self::end). Until then no other
/// process can get its id, so its group can be ended by that id.
#[derive(Debug)]
pub(super) struct Worker {
    process: Child,
    /// Disconnects when the process's standard output closes, which only its end does.
    life: Receiver<Sign>,
    printed: Printed,
}

/// What a process says while it starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sign {
    /// A step is done, and more are to come.
    Progress,
    Ready,
}

impl Worker {
    pub(super) fn start(program: &Path, kind: &str) -> Result<Self, Error> {
        let mut command = Command::new(program);
        command
            .args([CHILD_SUBCOMMAND, kind])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        process::start_in_own_group(&mut command);
        let refused = |error: &io::Error| {
            let (program, error) = (program.display(), with_limit(error));
            Error::system(format!("cannot start {program} as a load: {error}"))
        };
        let mut process = command.spawn().map_err(|error| refused(&error))?;
        // Both pipes were asked for above, so both are there.
        let (output, errors) = (process.stdout.take(), process.stderr.take());
        let heard = listen(output).and_then(|life| Ok((life, Printed::gather(errors)?)));
        match heard {
            Ok((life, printed)) => Ok(Self {
                process,
                life,
                printed,
            }),
            Err(error) => {
                process::kill_group(&mut process);
                let _ = process.wait();
                Err(refused(&error))
            }
        }
    }

    pub(super) fn process_id(&self) -> u32 {
        self.process.id()
    }

    /// Waits until the process is ready, or returns the reason why it is not. `false` if `stops`
    /// said so first.
    pub(super) fn await_ready(&self, stops: &dyn Fn() -> bool) -> Result<bool, String> {
        match await_ready(|| self.life.recv_timeout(LOOK), stops) {
            Ok(is_ready) => Ok(is_ready),
            Err(RecvTimeoutError::Timeout) => {
                let (seconds, printed) = (PATIENCE.as_secs(), self.printed.so_far());
                Err(format!(
                    "a process made no progress for {seconds} seconds{printed}"
                ))
            }
            Err(RecvTimeoutError::Disconnected) => {
                let printed = self.printed.to_the_end();
                Err(format!("a process ended at once{printed}"))
            }
        }
    }

    /// What the process printed, if it was ready and has ended; `None` while it runs.
    pub(super) fn ended(&self) -> Option<String> {
        match self.life.try_recv() {
            Err(TryRecvError::Disconnected) => Some(self.printed.to_the_end()),
            Ok(_) | Err(TryRecvError::Empty) => None,
        }
    }

    /// Closes the pipe. The process then ends itself.
    pub(super) fn let_end(&mut self) {
        drop(self.process.stdin.take());
    }

    /// Waits for the process to end itself. After the deadline it kills the process; in any case it
    /// kills the rest of the group. Then it waits for the process.
    pub(super) fn end(&mut self, deadline: Instant) {
        loop {
            let remaining = deadline.saturating_duration_since(Instant::now());
            // It may become ready only now.
            if self.life.recv_timeout(remaining).is_err() {
                break;
            }
        }
        process::kill_group(&mut self.process);
        let _ = self.process.wait();
    }
}

/// Waits for readiness, one look after the other, as long as there is progress and nothing stops it.
fn await_ready(
    mut look: impl FnMut() -> Result<Sign, RecvTimeoutError>,
    stops: &dyn Fn() -> bool,
) -> Result<bool, RecvTimeoutError> {
    let mut silent = Duration::ZERO;
    while !stops() {
        match look() {
            Ok(Sign::Ready) => return Ok(true),
            Ok(Sign::Progress) => silent = Duration::ZERO,
            Err(RecvTimeoutError::Timeout) if silent < PATIENCE => silent += LOOK,
            Err(end) => return Err(end),
        }
    }
    Ok(false)
}

/// Listens for a process's progress, readiness and end, on a thread that ends with the process.
fn listen(output: Option<impl Read + Send + 'static>) -> io::Result<Receiver<Sign>> {
    let (sender, life) = mpsc::channel();
    let listen = move || {
        let Some(mut output) = output else { return };
        while let Some(sign) = read_sign(&mut output) {
            // The receiver is gone if the load was dropped.
            let _ = sender.send(sign);
            if sign == Sign::Ready {
                let _ = io::copy(&mut output, &mut io::sink());
            }
        }
    };
    thread::Builder::new()
        .name("load-life".to_owned())
        .spawn(listen)?;
    Ok(life)
}

/// `None` at the end of the output, and for what is no sign.
fn read_sign(output: &mut impl Read) -> Option<Sign> {
    let mut said = [0; READY.len()];
    output.read_exact(&mut said[..1]).ok()?;
    if said[0] == PROGRESS {
        return Some(Sign::Progress);
    }
    output.read_exact(&mut said[1..]).ok()?;
    (said == *READY).then_some(Sign::Ready)
}

/// The last output of a process on its standard error. A thread gathers it, so that the process
/// never has to wait for a reader.
#[derive(Debug)]
struct Printed {
    bytes: Arc<Mutex<Vec<u8>>>,
    /// Disconnects when the output is complete.
    complete: Receiver<()>,
}

impl Printed {
    fn gather(errors: Option<impl Read + Send + 'static>) -> io::Result<Self> {
        let (sender, complete) = mpsc::channel::<()>();
        let bytes = Arc::<Mutex<Vec<u8>>>::default();
        let gathered = Arc::clone(&bytes);
        let gather = move || {
            let Some(mut errors) = errors else { return };
            let mut buffer = [0; MOST_PRINTED_BYTES];
            while let Ok(length @ 1..) = errors.read(&mut buffer) {
                keep_last(&gathered, &buffer[..length]);
            }
            drop(sender);
        };
        thread::Builder::new()
            .name("load-printed".to_owned())
            .spawn(gather)?;
        Ok(Self { bytes, complete })
    }

    /// `: ` and its lines, or an empty string if nothing was printed.
    fn so_far(&self) -> String {
        let bytes = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&bytes);
        let lines = text.lines().map(str::trim);
        let lines: Vec<_> = lines.filter(|line| !line.is_empty()).collect();
        match &lines[..] {
            [] => String::new(),
            lines => format!(": {}", lines.join("; ")),
        }
    }

    /// The same for a process that has ended and whose last output may still arrive.
    fn to_the_end(&self) -> String {
        let _ = self.complete.recv_timeout(PRINTED_WITHIN);
        self.so_far()
    }
}

fn keep_last(bytes: &Mutex<Vec<u8>>, more: &[u8]) {
    let mut bytes = bytes.lock().unwrap_or_else(PoisonError::into_inner);
    bytes.extend_from_slice(more);
    let surplus = bytes.len().saturating_sub(MOST_PRINTED_BYTES);
    bytes.drain(..surplus);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_that_was_printed_is_kept() {
        let bytes = Mutex::new(Vec::new());
        keep_last(&bytes, &[b'a'; MOST_PRINTED_BYTES]);
        keep_last(&bytes, b"bc");
        let bytes = bytes.into_inner().unwrap();
        assert_eq!(bytes.len(), MOST_PRINTED_BYTES);
        assert!(bytes.ends_with(b"abc"));
    }

    #[test]
    fn only_the_right_word_is_readiness() {
        let said = |text: &'static [u8]| listen(Some(text)).unwrap().iter().collect::<Vec<_>>();
        assert_eq!(said(READY), [Sign::Ready]);
        assert_eq!(
            said(b"..ready\n"),
            [Sign::Progress, Sign::Progress, Sign::Ready]
        );
        for text in ["hello", "hello, world", "", "rea", "readyready"] {
            assert_eq!(said(text.as_bytes()), [], "{text}");
        }
    }

    /// What became of a process that gave these signs and then this one for ever.
    fn awaited(signs: Vec<Result<Sign, RecvTimeoutError>>) -> Result<bool, RecvTimeoutError> {
        let last = signs.last().copied().unwrap();
        let mut signs = signs.into_iter();
        await_ready(|| signs.next().unwrap_or(last), &|| false)
    }

    /// Each sign may take as long as the first: the number of steps does not matter.
    #[test]
    fn a_process_that_makes_progress_is_waited_for() {
        let step = [Err(RecvTimeoutError::Timeout), Ok(Sign::Progress)];
        let mut signs = step.repeat(100_000);
        signs.push(Ok(Sign::Ready));
        assert_eq!(awaited(signs), Ok(true));
    }

    #[test]
    fn a_process_that_makes_no_progress_is_given_up() {
        for end in [RecvTimeoutError::Timeout, RecvTimeoutError::Disconnected] {
            let signs = vec![Ok(Sign::Progress), Ok(Sign::Progress), Err(end)];
            assert_eq!(awaited(signs), Err(end));
        }
    }

    #[test]
    fn a_process_that_is_not_wanted_any_more_is_not_waited_for() {
        let silence = || Err(RecvTimeoutError::Timeout);
        assert_eq!(await_ready(silence, &|| true), Ok(false));
    }
}
