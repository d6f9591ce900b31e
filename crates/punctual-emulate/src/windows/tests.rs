use super::*;
use crate::call::Call;
use punctual_lab::conditions::Companion;
use punctual_windows::Version;
use punctual_windows::personas::named;
use std::sync::Arc;

const MAIN: ProcessId = ProcessId(100);
const THREAD: ThreadId = ThreadId(100);

/// A program of one thread: its clock, and the Windows that it is under.
struct Program {
    windows: Windows,
    now: Instant,
}

impl Program {
    fn under(version: &str, persona: Option<&str>) -> Self {
        Self::with(version, persona, |_| {})
    }

    fn with(version: &str, persona: Option<&str>, set: impl FnOnce(&mut Conditions)) -> Self {
        let mut conditions = Conditions::new(Version::named(version).unwrap());
        conditions.personas = match persona {
            Some(name) => Personas::Named(Arc::new(named(name).unwrap())),
            None => Personas::None,
        };
        set(&mut conditions);
        let mut windows = Windows::new(conditions);
        let now = Instant::from_nanos(1_000_000_000_000);
        windows.process_began(now, MAIN, None);
        Self { windows, now }
    }

    /// Waits by a call as the kernel would, and says how long it took.
    fn wait(&mut self, call: Call, length: Duration) -> Duration {
        let began = self.now;
        let asked = Asked {
            call,
            end: began + length,
            length,
            period: None,
        };
        let mut begun = self.windows.begin(began, MAIN, THREAD, asked);
        loop {
            self.now = begun.end.max(self.now);
            let next = self.windows.over(self.now, begun.wait, Over::TimedOut);
            match next {
                Next::Nothing => return self.now.duration_since(began),
                Next::Again(again) => begun = again,
            }
        }
    }

    fn mean(&mut self, call: Call, length: Duration) -> Duration {
        let waits = 64;
        (0..waits)
            .map(|_| self.wait(call, length))
            .sum::<Duration>()
            / waits
    }
}

const MILLISECOND: Duration = Duration::from_millis(1);

#[test]
fn a_sleep_of_a_millisecond_takes_an_interval() {
    for version in ["windows-7", "windows-10-2004", "windows-11"] {
        let mut program = Program::under(version, None);
        let mean = program.mean(Call::Nanosleep, MILLISECOND);
        assert_eq!(mean, Duration::from_micros(15_625), "{version}");
    }
}

#[test]
fn another_process_request_helps_before_2004() {
    for (version, micros) in [("windows-10-1909", 2_500), ("windows-10-2004", 16_500)] {
        let mut program = Program::with(version, None, |conditions| {
            conditions.companions = vec![Companion::requester(2 * MILLISECOND)];
        });
        let mean = program.mean(Call::Poll, MILLISECOND);
        let most = Duration::from_micros(micros);
        assert!(most / 2 < mean && mean < most, "{version}: {mean:?}");
    }
}

#[test]
fn a_request_of_its_own_helps_everywhere() {
    for version in ["windows-7", "windows-10-2004", "windows-11"] {
        let mut program = Program::with(version, None, |conditions| {
            conditions.request = Some(MILLISECOND);
        });
        let mean = program.mean(Call::Nanosleep, MILLISECOND);
        // From 10 on an interval is a hair below a millisecond, so that two are needed.
        assert!(mean < Duration::from_micros(2_500), "{version}: {mean:?}");
    }
}

#[test]
fn a_hidden_program_has_no_request_on_windows_11() {
    let mut program = Program::with("windows-11", None, |conditions| {
        conditions.request = Some(MILLISECOND);
        conditions.hidden = true;
    });
    assert!(program.mean(Call::Nanosleep, MILLISECOND) > 15 * MILLISECOND);
}

#[test]
fn java_requests_an_interval_around_its_sleeps() {
    let mut program = Program::under("windows-10-2004", Some("java-thread-sleep"));
    let mean = program.mean(Call::FutexWaitBitset, 3 * MILLISECOND);
    assert!(mean < 5 * MILLISECOND, "{mean:?}");
    let mean = program.mean(Call::FutexWaitBitset, 10 * MILLISECOND);
    assert!(
        mean > 15 * MILLISECOND,
        "tens are without a request: {mean:?}"
    );
}

#[test]
fn a_wait_is_not_lengthened_by_more_than_it_may_be() {
    let mut program = Program::with("windows-7", None, |conditions| {
        conditions.longest = 2 * MILLISECOND;
    });
    assert!(program.wait(Call::Nanosleep, MILLISECOND) <= 3 * MILLISECOND);
}

#[test]
fn a_timer_repeats_no_more_often_than_ticks_come() {
    // By rule C8, in which ticks are 15.625 ms apart and those of a requester 1 ms.
    for (version, requester_ms, asked_ms, micros) in [
        ("windows-7", None, 1, 15_625),
        ("windows-7", None, 20, 20_000),
        ("windows-xp", None, 20, 31_250),
        ("windows-10-1909", Some(1), 1, 1_000),
        ("windows-10-1909", Some(1), 20, 20_000),
        ("windows-10-2004", None, 10, 15_625),
        ("windows-10-2004", None, 100, 100_000),
    ] {
        let mut program = Program::with(version, None, |conditions| {
            let request = |ms| Companion::requester(ms * MILLISECOND);
            conditions.companions = requester_ms.map(request).into_iter().collect();
        });
        let period = asked_ms * MILLISECOND;
        let asked = Asked {
            call: Call::TimerfdSettime,
            end: program.now + period,
            length: period,
            period: Some(period),
        };
        let begun = program.windows.begin(program.now, MAIN, THREAD, asked);
        let found = program.windows.period(begun.wait, period);
        assert_eq!(
            found,
            Duration::from_micros(micros),
            "{version}, {asked_ms} ms"
        );
    }
}
