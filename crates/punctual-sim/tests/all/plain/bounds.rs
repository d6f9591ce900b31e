//! Many threads, and much time: neither may grow what a machine takes.

use punctual::Os;
use punctual_sim::random::Random;
use punctual_sim::{Plain, Setup, simulate};
use std::time::Duration;

#[test]
fn ten_thousand_threads_sleep_and_end() {
    let run = simulate(Setup::default(), Plain::default(), |os| {
        let threads: Vec<_> = (0..10_000)
            .map(|thread| {
                let body = move || {
                    let bell = os.bell();
                    let mut random = Random::new(thread);
                    for _ in 0..5 {
                        let until = os.now() + Duration::from_micros(random.between(1, 2_000));
                        os.wait(Some(until), Duration::ZERO, &bell);
                        assert!(os.now() >= until);
                    }
                };
                os.spawn("sleeper", Box::new(body)).unwrap()
            })
            .collect();
        let count = threads.len();
        threads
            .into_iter()
            .for_each(|thread| thread.join(&os).unwrap());
        count
    });
    let run = run.unwrap();
    assert_eq!(run.value, 10_000);
    assert!(run.wakes >= 50_000, "{}", run.wakes);
}
