//! Scenes as perf prints them, of which the answer is plain. Times are in microseconds.

use super::*;
use std::fmt::Write;

const PROGRAM: u32 = 7;

/// Lines of a file of `perf script`, all on processor 0.
#[derive(Default)]
struct Scene(String);

impl Scene {
    fn line(mut self, micros: u64, thread: u32, event: &str) -> Self {
        writeln!(self.0, "some one {thread} [000] 0.{micros:06}000: {event}").unwrap();
        self
    }

    fn switch(self, micros: u64, from: u32, state: &str, to: u32) -> Self {
        let event = format!(
            "sched:sched_switch: prev_comm=some prev_pid={from} prev_prio=120 prev_state={state} \
             ==> next_comm=one next_pid={to} next_prio=120"
        );
        self.line(micros, from, &event)
    }

    fn call(self, micros: u64, number: u32) -> Self {
        let event = format!("raw_syscalls:sys_enter: NR {number} (1, 1, 0, 0, 0, 0)");
        self.line(micros, PROGRAM, &event)
    }

    fn returned(self, micros: u64, number: u32) -> Self {
        let event = format!("raw_syscalls:sys_exit: NR {number} = 0");
        self.line(micros, PROGRAM, &event)
    }

    /// A timer that may expire `soft` to `hard`.
    fn arm(self, micros: u64, soft: u64, hard: u64) -> Self {
        let event = format!(
            "timer:hrtimer_start: hrtimer=0xff function=hrtimer_wakeup expires={hard}000 \
             softexpires={soft}000 mode=0x0"
        );
        self.line(micros, PROGRAM, &event)
    }

    /// An interrupt of 10 µs, in which the timer expires after 2 and the program is ready after 3.
    fn expire(self, micros: u64, during: u32) -> Self {
        self.line(micros, during, "irq_vectors:local_timer_entry: vector=236")
            .line(
                micros + 2,
                during,
                "timer:hrtimer_expire_entry: hrtimer=0xff function=hrtimer_wakeup now=1",
            )
            .wake(micros + 3, during)
            .line(
                micros + 10,
                during,
                "irq_vectors:local_timer_exit: vector=236",
            )
    }

    fn wake(self, micros: u64, by: u32) -> Self {
        let event = format!("comm=one pid={PROGRAM} prio=120 target_cpu=000");
        self.line(micros, by, &format!("sched:sched_waking: {event}"))
            .line(micros, by, &format!("sched:sched_wakeup: {event}"))
    }

    /// What is said of a wait, from when to when.
    fn says(&self, asked: u64, woke: u64) -> Verdict {
        let entry = Entry {
            thread: PROGRAM,
            name: "one".to_owned(),
            asked: asked * 1_000,
            deadline: 0,
            woke: woke * 1_000,
            throttled: true,
        };
        interpret(&Timeline::new(&self.0).unwrap(), &entry)
    }

    /// The parts of a wait that a timer ended.
    fn parts(&self, asked: u64, woke: u64) -> String {
        match self.says(asked, woke) {
            Verdict::Timer(truth) => truth.parts.to_string().replace("000 ", " "),
            other => panic!("{other:?}"),
        }
    }
}

/// The program waits for its deadline at 1000 µs, with 50 µs of slack, and 9 has the processor.
fn asleep() -> Scene {
    Scene::default()
        .switch(10, 9, "S", PROGRAM)
        .call(20, 230)
        .arm(21, 1_000, 1_050)
        .switch(22, PROGRAM, "S", 9)
}

#[test]
fn a_plain_wait() {
    let scene = asleep()
        .expire(1_060, 9)
        .switch(1_090, 9, "R", PROGRAM)
        .returned(1_095, 230);
    let parts =
        "5 after + 10 interrupt-late + 7 interrupts + 3 irq-handler + 50 slack + 20 thread-9";
    assert_eq!(scene.parts(15, 1_097), parts);
}

#[test]
fn who_had_the_processor_is_named_one_by_one() {
    let scene = asleep()
        .expire(1_050, 9)
        .switch(1_100, 9, "R", 11)
        .switch(1_300, 11, "S", 0)
        .switch(1_304, 0, "R", PROGRAM)
        .returned(1_306, 230);
    let parts =
        "2 after + 4 idle + 7 interrupts + 3 irq-handler + 50 slack + 200 thread-11 + 40 thread-9";
    assert_eq!(scene.parts(15, 1_310), parts);
}

#[test]
fn a_program_without_quota_goes_on_when_its_group_has_more() {
    let refill = "timer:hrtimer_expire_entry: hrtimer=0xee function=sched_cfs_period_timer now=1";
    // It has used 10 ms since the group last got some, and 9 has the processor until it gets more.
    let scene = Scene::default()
        .line(1, 9, refill)
        .switch(2, 9, "S", PROGRAM)
        .call(10_002, 230)
        .arm(10_002, 11_000, 11_050)
        .switch(10_003, PROGRAM, "S", 9)
        .expire(11_050, 9)
        .switch(11_061, 9, "R", PROGRAM)
        .returned(11_063, 230)
        .switch(11_065, PROGRAM, "R+", 9)
        .line(50_000, 9, refill)
        .switch(50_100, 9, "R", PROGRAM);
    let parts =
        "4 after + 7 interrupts + 3 irq-handler + 50 slack + 101 thread-9 + 38935 throttled";
    assert_eq!(scene.parts(9_999, 50_105), parts);
}

#[test]
fn a_program_that_was_stopped_waits_again_for_what_has_passed() {
    let scene = asleep()
        .wake(500, 9)
        .switch(502, 9, "R", PROGRAM)
        .switch(504, PROGRAM, "T", 9)
        .wake(3_000, 9)
        .switch(3_006, 9, "R", PROGRAM)
        .arm(3_010, 1_000, 1_050)
        .expire(3_012, PROGRAM)
        .returned(3_025, 230);
    let parts = "3 after + 2 interrupt-late + 7 interrupts + 3 irq-handler + 4 own + 2000 stopped + 6 thread-9";
    assert_eq!(scene.parts(15, 3_026), parts);
}

#[test]
fn what_comes_before_the_wait_is_told_apart() {
    for (state, call, part) in [
        ("D", 1, "blocked"),
        ("S", 0, "sleeping"),
        ("S", 202, "lock"),
    ] {
        let scene = Scene::default()
            .switch(900, 9, "S", PROGRAM)
            .call(990, call)
            .switch(995, PROGRAM, state, 9)
            .wake(2_000, 9)
            .switch(2_005, 9, "R", PROGRAM)
            .returned(2_006, call)
            .call(2_008, 230)
            .arm(2_010, 1_000, 1_000)
            .expire(2_012, PROGRAM)
            .returned(2_025, 230);
        let mut expected =
            "3 after + 2 interrupt-late + 7 interrupts + 3 irq-handler + 5 own + 5 thread-9"
                .split(" + ")
                .map(str::to_owned)
                .collect::<Vec<_>>();
        expected.push(format!("1000 {part}"));
        expected.sort_by_key(|part| part.split(' ').nth(1).unwrap().to_owned());
        assert_eq!(scene.parts(950, 2_030), expected.join(" + "));
    }
}

#[test]
fn a_switch_that_is_missing_leaves_the_wait_out() {
    let lost = asleep().expire(1_060, 9).returned(1_095, 230);
    assert_eq!(lost.says(15, 1_097), Verdict::Unseen);
    // 9 had the processor, and then 12 leaves it.
    let between = asleep()
        .expire(1_060, 9)
        .switch(1_090, 12, "R", PROGRAM)
        .returned(1_095, 230);
    assert_eq!(between.says(15, 1_097), Verdict::Unseen);
}

#[test]
fn a_wait_without_a_timer_is_none() {
    let scene = Scene::default()
        .switch(10, 9, "S", PROGRAM)
        .call(20, 45)
        .switch(22, PROGRAM, "S", 9)
        .wake(1_060, 9)
        .switch(1_090, 9, "R", PROGRAM)
        .returned(1_095, 45);
    assert_eq!(scene.says(15, 1_097), Verdict::NoTimer);
}
