//! Loads end when the program that started them ends, for any reason.
//!
//! This test is a program of its own (`harness = false`), because it has three roles: the tests,
//! the starter of a load that is then killed, and the processes of the load.

#[path = "os/linux.rs"]
mod os;

use os::{children_of, group_of, lives, threads_of};
use punctual::Error;
use punctual_lab::child;
use punctual_lab::children::{self, CHILD_SUBCOMMAND, Running};
use punctual_lab::conditions::{Companion, Load};
use punctual_lab::question::Conditions;
use std::cell::Cell;
use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// The subcommand that makes this program the starter.
const STARTER: &str = "starter";

/// Events come within this time on any working machine.
const EVENTUALLY: Duration = Duration::from_secs(10);

const TESTS: [(&str, fn()); 12] = [
    (
        "every_load_runs_until_it_is_dropped",
        every_load_runs_until_it_is_dropped,
    ),
    (
        "a_companion_has_the_threads_it_was_asked_for",
        a_companion_has_the_threads_it_was_asked_for,
    ),
    (
        "a_companion_that_cannot_be_had_is_refused_with_the_reason",
        a_companion_that_cannot_be_had_is_refused_with_the_reason,
    ),
    (
        "a_killed_starter_leaves_nothing",
        a_killed_starter_leaves_nothing,
    ),
    (
        "a_returning_starter_leaves_nothing",
        a_returning_starter_leaves_nothing,
    ),
    (
        "a_panicking_starter_leaves_nothing",
        a_panicking_starter_leaves_nothing,
    ),
    (
        "a_terminals_interrupt_reaches_only_the_starter",
        a_terminals_interrupt_reaches_only_the_starter,
    ),
    (
        "all_that_a_command_started_ends",
        all_that_a_command_started_ends,
    ),
    (
        "a_command_that_ends_is_noticed",
        a_command_that_ends_is_noticed,
    ),
    (
        "what_a_killed_process_leaves_is_ended",
        what_a_killed_process_leaves_is_ended,
    ),
    (
        "a_program_that_is_no_load_is_refused",
        a_program_that_is_no_load_is_refused,
    ),
    (
        "who_is_told_to_stop_starts_no_more_and_leaves_nothing",
        who_is_told_to_stop_starts_no_more_and_leaves_nothing,
    ),
];

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        [CHILD_SUBCOMMAND, kind] => child::run(kind),
        [STARTER, load] => starter(load),
        _ => run_tests(&arguments),
    }
}

/// Arguments as `cargo test` has them: flags are ignored, other words select tests by a part of
/// their names.
fn run_tests(arguments: &[&str]) -> ExitCode {
    let words: Vec<_> = arguments
        .iter()
        .filter(|word| !word.starts_with('-'))
        .collect();
    for (name, test) in TESTS {
        let chosen = words.is_empty() || words.iter().any(|word| name.contains(**word));
        if arguments.contains(&"--list") {
            println!("{name}: test");
        } else if chosen {
            // A panic ends the program. The name is printed before it.
            print!("test {name} ... ");
            io::stdout().flush().unwrap();
            test();
            println!("ok");
        }
    }
    ExitCode::SUCCESS
}

/// Starts a load, prints its processes, and ends in the way that it is told.
fn starter(load: &str) -> ExitCode {
    let running = start(load);
    let ids: Vec<_> = running.process_ids().map(|id| id.to_string()).collect();
    println!("{}", ids.join(" "));
    let mut order = String::new();
    io::stdin().read_line(&mut order).unwrap();
    assert_eq!(order.trim(), "return", "told to panic");
    ExitCode::SUCCESS
}

fn every_load_runs_until_it_is_dropped() {
    for load in [
        "cpu:3",
        "switch",
        "memory",
        "timers",
        "command:sleep 1000",
        "sleepers=3",
    ] {
        let running = start(load);
        assert!(running.name().ends_with(load));
        running.check().unwrap();
        let ids: Vec<_> = running.process_ids().collect();
        assert_eq!(ids.len(), if load == "cpu:3" { 3 } else { 1 });
        assert!(ids.iter().all(|&id| lives(id)), "{load}");
        drop(running);
        // At once: the drop waits for them.
        assert!(!ids.iter().any(|&id| lives(id)), "{load}");
    }
}

fn a_companion_has_the_threads_it_was_asked_for() {
    // In a long run the most that may be asked for. They work, too, which takes seconds then.
    let is_long = std::env::var_os("PUNCTUAL_LONG").is_some();
    let threads = if is_long { 1_000 } else { 100 };
    let running = start(&format!("sleepers={threads}"));
    let id = running.process_ids().next().unwrap();
    // And one that waits for the end.
    assert_eq!(threads_of(id), threads + 1);
}

fn a_companion_that_cannot_be_had_is_refused_with_the_reason() {
    let interval = Duration::from_millis(1);
    for (companion, reason) in [
        (Companion::Driver { interval }, "only a kernel driver"),
        (
            Companion::requester(interval),
            "cannot start the companion requester=1ms",
        ),
    ] {
        let refusal = started(Load::None, vec![companion], &this_program());
        let refusal = refusal.unwrap_err().to_string();
        assert!(refusal.contains(reason), "{refusal}");
    }
}

fn a_killed_starter_leaves_nothing() {
    for load in [
        "cpu:2",
        "switch",
        "memory",
        "timers",
        "command:sleep 1000",
        "sleepers=3",
    ] {
        let mut starter = Starter::of(load);
        assert!(starter.load.iter().all(|&id| lives(id)), "{load}");
        // By force, like `kill -9`.
        starter.process.kill().unwrap();
        starter.process.wait().unwrap();
        starter.await_end_of_load();
    }
}

fn a_returning_starter_leaves_nothing() {
    let mut starter = Starter::of("cpu:1");
    starter.tell("return");
    assert!(starter.process.wait().unwrap().success());
    starter.await_end_of_load();
}

fn a_panicking_starter_leaves_nothing() {
    let mut starter = Starter::of("cpu:1");
    starter.tell("panic");
    assert!(!starter.process.wait().unwrap().success());
    starter.await_end_of_load();
}

fn a_terminals_interrupt_reaches_only_the_starter() {
    for load in ["cpu:1", "command:sleep 1000"] {
        let starter = Starter::of(load);
        let group = group_of(starter.process.id());
        assert!(
            starter.load.iter().all(|&id| group_of(id) != group),
            "{load}"
        );
    }
}

fn all_that_a_command_started_ends() {
    let told = Told::new("all");
    // A background process, one of a pipeline, and the shell itself.
    let command = told.by("sleep 1000 & echo $! $$; sleep 1000 | cat");
    let mut starter = Starter::of(&format!("command:{command}"));
    let started = told.ids();
    assert_eq!(started.len(), 2);
    assert!(started.iter().all(|&id| lives(id)));
    starter.process.kill().unwrap();
    starter.process.wait().unwrap();
    starter.await_end_of_load();
    eventually("what the command started ends", || {
        !started.iter().any(|&id| lives(id))
    });
}

fn a_command_that_ends_is_noticed() {
    let told = Told::new("ends");
    let command = told.by("sleep 1000 & echo $!; echo all is lost >&2; exit 3");
    let running = start(&format!("command:{command}"));
    let mut error = None;
    eventually("the end is noticed", || {
        error = running.check().err();
        error.is_some()
    });
    let message = error.unwrap().to_string();
    assert!(message.contains("ended during the run"), "{message}");
    assert!(message.contains("all is lost"), "{message}");
    assert!(message.contains("exit status: 3"), "{message}");
    // Every check reports it, and what the command left behind is gone, too.
    assert!(running.check().is_err());
    eventually("what it left behind ends", || !lives(told.ids()[0]));
}

fn what_a_killed_process_leaves_is_ended() {
    let told = Told::new("leaves");
    let running = start(&format!("command:{}", told.by("echo $$; sleep 1000; true")));
    let shell = told.ids()[0];
    let wrapper = running.process_ids().next().unwrap();
    let killed = Command::new("sh")
        .args(["-c", &format!("kill -9 {wrapper}")])
        .status();
    assert!(killed.unwrap().success());
    eventually("the end is noticed", || running.check().is_err());
    assert!(lives(shell));
    drop(running);
    eventually("what it started ends", || !lives(shell));
}

fn a_program_that_is_no_load_is_refused() {
    let refusal = |program: &str| {
        let load: Load = "cpu:2".parse().unwrap();
        started(load, Vec::new(), Path::new(program))
            .unwrap_err()
            .to_string()
    };
    let missing = refusal("/nowhere/punctual");
    assert!(
        missing.contains("cannot start /nowhere/punctual"),
        "{missing}"
    );
    // `cat` gets file names that do not exist, and complains.
    let other = refusal("cat");
    assert!(other.contains("cannot start the load cpu:2"), "{other}");
    assert!(other.contains(CHILD_SUBCOMMAND), "{other}");
}

/// It is asked before each of the three processes, and again while they become ready.
fn who_is_told_to_stop_starts_no_more_and_leaves_nothing() {
    let conditions = Conditions {
        load: "cpu:3".parse().unwrap(),
        ..Conditions::default()
    };
    for answers in 1..=4 {
        let asked = Cell::new(0);
        let stops = || {
            asked.set(asked.get() + 1);
            asked.get() == answers
        };
        let started = children::start(&conditions, &this_program(), &stops);
        assert!(started.unwrap().is_none());
        assert_eq!(asked.get(), answers);
        assert_eq!(children_of(std::process::id()), Vec::<u32>::new());
    }
}

/// A process of this program that has started a load.
struct Starter {
    process: Child,
    load: Vec<u32>,
}

impl Starter {
    fn of(load: &str) -> Self {
        let mut process = Command::new(this_program())
            .args([STARTER, load])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut told = String::new();
        let output = process.stdout.take().unwrap();
        BufReader::new(output).read_line(&mut told).unwrap();
        let load = numbers(&told);
        assert!(!load.is_empty());
        Self { process, load }
    }

    fn tell(&mut self, order: &str) {
        writeln!(self.process.stdin.take().unwrap(), "{order}").unwrap();
    }

    fn await_end_of_load(&self) {
        eventually("the load ends", || !self.load.iter().any(|&id| lives(id)));
    }
}

impl Drop for Starter {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A file into which a command writes the ids of processes.
struct Told(PathBuf);

impl Told {
    fn new(test: &str) -> Self {
        let name = format!("punctual-load-{}-{test}", std::process::id());
        Self(std::env::temp_dir().join(name))
    }

    /// The command, with its `echo` into the file.
    fn by(&self, command: &str) -> String {
        let file = self.0.display();
        let (before, after) = command.split_once("echo").unwrap();
        let (told, after) = after.split_once(';').unwrap();
        format!("{before}echo{told} > '{file}';{after}")
    }

    fn ids(&self) -> Vec<u32> {
        let mut text = String::new();
        eventually("the command tells", || {
            text = fs::read_to_string(&self.0).unwrap_or_default();
            text.ends_with('\n')
        });
        numbers(&text)
    }
}

impl Drop for Told {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// Starts a load, or the one companion that any machine can have.
fn start(text: &str) -> Running {
    let (load, with) = match text.parse() {
        Ok(companion) => (Load::None, vec![companion]),
        Err(_) => (text.parse().unwrap(), Vec::new()),
    };
    started(load, with, &this_program()).unwrap()
}

/// The one of these that there is.
fn started(load: Load, with: Vec<Companion>, program: &Path) -> Result<Running, Error> {
    let conditions = Conditions {
        load,
        with,
        ..Conditions::default()
    };
    let running = children::start(&conditions, program, &|| false)?;
    Ok(running.unwrap().remove(0))
}

fn this_program() -> PathBuf {
    std::env::current_exe().unwrap()
}

fn numbers(text: &str) -> Vec<u32> {
    text.split_whitespace()
        .map(|number| number.parse().unwrap())
        .collect()
}

fn eventually(what: &str, mut happened: impl FnMut() -> bool) {
    let deadline = Instant::now() + EVENTUALLY;
    while !happened() {
        assert!(
            Instant::now() < deadline,
            "{what}: not within {EVENTUALLY:?}"
        );
        thread::sleep(Duration::from_millis(5));
    }
}
