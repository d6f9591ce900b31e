//! On `thread-priority`, `rustix` and `spin_sleep_util`.

use rustix::mm::{MlockAllFlags, mlockall, munlockall};
use spin_sleep_util::interval;
use std::time::{Duration, Instant};
use thread_priority::unix::{
    RealtimeThreadSchedulePolicy, ThreadSchedulePolicy, set_thread_priority_and_policy,
    thread_native_id,
};
use thread_priority::{ThreadPriority, ThreadPriorityValue};

pub fn main() {
    let fifo = ThreadSchedulePolicy::Realtime(RealtimeThreadSchedulePolicy::Fifo);
    let priority = ThreadPriorityValue::try_from(50).map(ThreadPriority::Crossplatform);
    let raised =
        priority.map(|priority| set_thread_priority_and_policy(thread_native_id(), priority, fifo));
    if !matches!(raised, Ok(Ok(()))) {
        eprintln!("at an ordinary priority: {raised:?}");
    }
    let locked = mlockall(MlockAllFlags::CURRENT | MlockAllFlags::FUTURE);
    if let Err(error) = &locked {
        eprintln!("memory can be paged out: {error}");
    }

    let mut motor = Motor::default();
    let mut ticks = interval(Duration::from_millis(1));
    let mut latenesses = Vec::new();
    let mut last = Instant::now();
    for _ in 0..1_000 {
        let deadline = ticks.tick();
        let woke = Instant::now();
        motor.control((woke - last).as_secs_f64());
        last = woke;
        latenesses.push(woke - deadline);
    }
    latenesses.sort();
    let (median, worst) = (latenesses[latenesses.len() / 2], latenesses.last());
    println!(
        "{:.3} turns a second; late {median:?} (p50), {worst:?} (worst)",
        motor.speed
    );
    if locked.is_ok() {
        let _ = munlockall();
    }
}

#[derive(Default)]
struct Motor {
    speed: f64,
}

impl Motor {
    fn control(&mut self, seconds: f64) {
        const WANTED: f64 = 50.0;
        const GAIN: f64 = 20.0;
        self.speed += (WANTED - self.speed) * GAIN * seconds;
    }
}
