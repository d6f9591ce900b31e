//! One process of a load or a companion: what the hidden subcommand does.

use crate::children::{PROGRESS, Part, READY};
use crate::conditions::{Load, MOST_WORK, SLEEP_MILLIS, Throttling};
use crate::limits::with_limit;
use crate::machine::OnWindows;
use crate::os::{self, process};
use crate::resolution;
use fastrand::Rng;
use punctual::Error;
use punctual::os::windows::WindowsOs;
use punctual_windows::os::windows::Win32Lab;
use punctual_windows::resolution::Held;
use std::convert::Infallible;
use std::hint::{self, black_box};
use std::io::{self, PipeReader, PipeWriter, Read, Write};
use std::num::NonZeroUsize;
use std::process::{ExitCode, Stdio};
use std::sync::{Arc, RwLock};
use std::thread;
use std::time::{Duration, Instant};

/// Does the work of one process, until standard input ends. `kind` is the argument of
/// [`CHILD_SUBCOMMAND`](crate::children::CHILD_SUBCOMMAND).
///
/// Returns only if the work cannot be done. It has printed the reason then.
pub fn run(kind: &str) -> ExitCode {
    let Err(error) = serve(kind);
    complain(&error.to_string());
    ExitCode::FAILURE
}

fn serve(kind: &str) -> Result<Infallible, Error> {
    let part = kind.parse()?;
    let end: fn() -> ! = match part {
        Part::Load(Load::Command(_)) => {
            lead_own_group()?;
            process::end_own_group
        }
        _ => end_alone,
    };
    end_with_starter(end)?;
    match part {
        Part::Load(Load::None) => Err(Error::invalid_input("the load 'none' has no process")),
        Part::Load(Load::Cpu { .. }) => spin(),
        Part::Load(Load::Switch) => bounce(),
        Part::Load(Load::Memory) => stream(),
        Part::Load(Load::Timers) => set_timers(),
        Part::Load(Load::Command(command)) => run_command(&command),
        Part::Requester {
            interval,
            throttling,
        } => hold_request(interval, throttling),
        Part::Sleepers { threads, number } => run_sleepers(threads, number),
    }
}

/// Whatever this process starts is in a group with it from now on. On Windows the group ends with this process.
///
/// # Errors
/// If the system has no such groups or makes none.
pub fn lead_own_group() -> Result<(), Error> {
    process::lead_own_group()
}

/// Ends this process when the pipe from the program that started it closes. The system also closes
/// it when that program ends or is killed.
fn end_with_starter(end: fn() -> !) -> Result<(), Error> {
    spawn("load-end", move || {
        // An error counts as an end: nothing could hear of it.
        let _ = io::copy(&mut io::stdin(), &mut io::sink());
        end()
    })
}

fn end_alone() -> ! {
    std::process::exit(0)
}

/// Tells the starter that the work has begun.
fn say_ready() -> Result<(), Error> {
    say(READY)
}

/// Tells the starter that a step towards it is done.
fn say_progress() -> Result<(), Error> {
    say(&[PROGRESS])
}

fn say(word: &[u8]) -> Result<(), Error> {
    let mut output = io::stdout();
    output
        .write_all(word)
        .and_then(|()| output.flush())
        .map_err(|error| {
            Error::system(format!(
                "cannot tell the program that started the load: {error}"
            ))
        })
}

/// Prints for the starter to read. Unlike `eprintln!`, it does not panic when the starter is gone.
/// A panic here would leave the command running.
fn complain(message: &str) {
    let _ = writeln!(io::stderr(), "{message}");
}

fn spawn(name: &str, body: impl FnOnce() + Send + 'static) -> Result<(), Error> {
    thread::Builder::new()
        .name(name.to_owned())
        .spawn(body)
        .map(drop)
        .map_err(|error| {
            let error = with_limit(&error);
            Error::system(format!("cannot start a thread of the load: {error}"))
        })
}

// Endless arithmetic: a thread that always wants its processor.

/// Multiplies floating-point numbers, as rendering and signal processing do. A loop of pauses would
/// not work: it would leave a sibling hyperthread undisturbed.
fn spin() -> Result<Infallible, Error> {
    say_ready()?;
    let mut angle = (1.0_f64, 0.0_f64);
    // A rotation by one radian: the results stay bounded and keep changing.
    let (sine, cosine) = 1.0_f64.sin_cos();
    loop {
        let (x, y) = angle;
        angle = black_box((x * cosine - y * sine, x * sine + y * cosine));
    }
}

// Streams through memory: this empties caches and keeps the memory bus busy.

/// More than the last-level cache of nearly every machine: 8 to 64 MB are common, and one group of
/// cores shares 256 MB at most. Small enough for a machine with one gigabyte.
const BUFFER_BYTES: usize = 256 << 20;

fn stream() -> Result<Infallible, Error> {
    // Ones: the system does not allocate pages of zeros until they are written.
    let (mut buffer, words) = (Vec::new(), BUFFER_BYTES / size_of::<u64>());
    // Without this, a process without memory would abort.
    buffer.try_reserve_exact(words).map_err(|_| no_memory())?;
    buffer.resize(words, 1_u64);
    say_ready()?;
    loop {
        for word in &mut buffer {
            *word = word.wrapping_add(1);
        }
        black_box(&mut buffer);
    }
}

fn no_memory() -> Error {
    let megabytes = BUFFER_BYTES >> 20;
    Error::system(format!(
        "there is no memory for its {megabytes} MiB; free some, or raise the limit ('ulimit -v', or the \
         memory.max of the cgroup)"
    ))
}

// Two threads that wake each other all the time: nothing but context switches.

/// Uses pipes, because a read or write of a pipe always enters the kernel. Channels and condition
/// variables spin first, and then do not switch.
fn bounce() -> Result<Infallible, Error> {
    let (hears_ping, sends_ping) = io::pipe().map_err(|error| broken(&error))?;
    let (hears_pong, mut sends_pong) = io::pipe().map_err(|error| broken(&error))?;
    spawn("load-switch", move || {
        // A pipe breaks only if the other thread has failed, which ends the process.
        let _ = echo(hears_ping, &mut sends_pong);
    })?;
    say_ready()?;
    ping(sends_ping, hears_pong).map_err(|error| broken(&error))
}

fn ping(mut sends: PipeWriter, mut hears: PipeReader) -> io::Result<Infallible> {
    let mut ball = [0; 1];
    loop {
        sends.write_all(&ball)?;
        hears.read_exact(&mut ball)?;
    }
}

fn echo(mut hears: PipeReader, sends: &mut PipeWriter) -> io::Result<Infallible> {
    let mut ball = [0; 1];
    loop {
        hears.read_exact(&mut ball)?;
        sends.write_all(&ball)?;
    }
}

fn broken(error: &io::Error) -> Error {
    Error::system(format!("the load's pipe failed: {error}"))
}

// Many threads with short sleeps: they cause timer interrupts, and wake-ups on every processor.

/// A few hundred, as on a desktop in use.
const THREADS: u32 = 200;

/// The shortest sleep.
const SHORTEST_MICROS: u32 = 500;

/// The longest sleep. Sleeps average five milliseconds, which makes forty thousand wake-ups a
/// second. They take a fifth of one processor (AMD EPYC, Linux 6.18). Many more would load the
/// processors instead.
const LONGEST_MICROS: u32 = 9_500;

fn set_timers() -> Result<Infallible, Error> {
    os::std_sleeps()?;
    for number in 1..THREADS {
        spawn("load-timer", move || sleep_often(number))?;
        say_progress()?;
    }
    say_ready()?;
    sleep_often(THREADS)
}

fn sleep_often(number: u32) -> ! {
    let mut chance = Rng::with_seed(number.into());
    loop {
        let micros = chance.u32(SHORTEST_MICROS..=LONGEST_MICROS);
        thread::sleep(Duration::from_micros(micros.into()));
    }
}

// A program that asks for a timer interval and does nothing else.

/// The system ends the request when the process ends.
fn hold_request(interval: Duration, throttling: Option<Throttling>) -> Result<Infallible, Error> {
    resolution::native(Ask {
        interval,
        throttling,
    })?
}

struct Ask {
    interval: Duration,
    throttling: Option<Throttling>,
}

impl OnWindows for Ask {
    type Output = Result<Infallible, Error>;

    fn on<W: Win32Lab>(self, os: &WindowsOs<W>) -> Self::Output {
        let _held = match self.throttling {
            // A process without a window counts as hidden, and its request is to count.
            None => Held::ask(os, self.interval)?,
            Some(throttling) => {
                throttling.tell(os.win32())?;
                Held::ask_as_it_stands(os, self.interval)?
            }
        };
        say_ready()?;
        loop {
            thread::park();
        }
    }
}

// Other programs' threads: they sleep for whole milliseconds, and work a little after each sleep.

/// The distance between the random streams of two companions. It is more than the threads that one
/// companion can have.
const STREAMS: u32 = 1 << 16;

fn run_sleepers(threads: NonZeroUsize, number: u32) -> Result<Infallible, Error> {
    os::std_sleeps()?;
    let first = number.wrapping_mul(STREAMS);
    // Nothing works before all are there. Otherwise the first hundreds would keep the processors from this
    // thread, which starts the others.
    let all_are_there = Arc::new(RwLock::new(()));
    let starting = all_are_there.write();
    for stream in (first..).take(threads.get()).skip(1) {
        let all_are_there = Arc::clone(&all_are_there);
        spawn("sleeper", move || {
            drop(all_are_there.read());
            sleep_without_end(stream)
        })?;
        say_progress()?;
    }
    say_ready()?;
    drop(starting);
    sleep_without_end(first)
}

fn sleep_without_end(stream: u32) -> ! {
    let most_work_micros = u32::try_from(MOST_WORK.as_micros()).expect("it is short");
    let mut chance = Rng::with_seed(stream.into());
    loop {
        let millis = chance.u32(SLEEP_MILLIS);
        thread::sleep(Duration::from_millis(millis.into()));
        let micros = chance.u32(..=most_work_micros);
        work_until(Instant::now() + Duration::from_micros(micros.into()));
    }
}

fn work_until(end: Instant) {
    while Instant::now() < end {
        hint::spin_loop();
    }
}

// A command of the user's, wrapped by this process, which ends it.

/// Runs the command in this process's group. The whole group ends when the load ends or the command
/// ends, including processes that the command left behind.
fn run_command(command: &str) -> Result<Infallible, Error> {
    let mut shell = process::shell(command)?
        .stdin(Stdio::null())
        // Our standard output carries one word to the starter.
        .stdout(Stdio::null())
        .spawn()
        .map_err(|error| {
            let error = with_limit(&error);
            Error::system(format!("cannot start a shell: {error}"))
        })?;
    say_ready()?;
    match shell.wait() {
        Ok(status) => complain(&format!("the command ended by itself ({status})")),
        Err(error) => complain(&format!("the command cannot be waited for: {error}")),
    }
    process::end_own_group()
}
