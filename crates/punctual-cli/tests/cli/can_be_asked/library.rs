//! Each way in which a program waits with the library, on a simulated machine: when it woke.

use super::lines;
use punctual::os::windows::WindowsOs;
use punctual::{
    Budget, Cancel, Driver, Handle, Instant, LateRate, MissedTicks, Notify, Period, Rest, Schedule,
    Sleeper, Ticker, Timers, Window, block_on,
};
use punctual_sim::windows::{SimWin32, WindowsMachine};
use punctual_windows::Version;
use std::collections::BTreeSet;
use std::future::{pending, poll_fn};
use std::sync::{Arc, Mutex};
use std::time::Duration;

type Machine = WindowsOs<SimWin32>;

const MS: Duration = Duration::from_millis(1);

/// The instants at which a program woke, in nanoseconds.
type Woke = Vec<u64>;

type Wait = fn(Machine) -> Woke;

const WAITS: [(&str, Wait); 27] = [
    ("Sleeper::sleep", |os| {
        slept(Sleeper::on(os), |sleeper| sleeper.sleep(5 * MS).woke)
    }),
    ("Sleeper::coarse", |os| {
        slept(Sleeper::on(os).coarse(), |sleeper| {
            sleeper.sleep(5 * MS).woke
        })
    }),
    ("Sleeper::exact", |os| {
        slept(Sleeper::on(os).exact(), |sleeper| {
            sleeper.sleep(5 * MS).woke
        })
    }),
    ("Sleeper::aiming_at", |os| {
        let late = LateRate::new(0.001).unwrap();
        let sleeper = Sleeper::on(os).aiming_at(late, Budget::new(0.5).unwrap());
        slept(sleeper, |sleeper| sleeper.sleep(5 * MS).woke)
    }),
    ("Sleeper::sleep_until", |os| {
        slept(Sleeper::on(os), |sleeper| {
            let until = sleeper.now() + 5 * MS;
            sleeper.sleep_until(until).woke
        })
    }),
    ("Sleeper::sleep_within", |os| {
        slept(Sleeper::on(os), |sleeper| {
            let from = sleeper.now() + 5 * MS;
            sleeper.sleep_within(Window::tolerating(from, 20 * MS)).woke
        })
    }),
    ("Sleeper::sleep_unless", |os| {
        let cancel = Cancel::on(os.clone());
        slept(Sleeper::on(os), |sleeper| {
            sleeper.sleep_unless(5 * MS, &cancel).unwrap().woke
        })
    }),
    ("Sleeper::sleep_until_unless", |os| {
        let cancel = Cancel::on(os.clone());
        cancel.cancel();
        slept(Sleeper::on(os), |sleeper| {
            let until = sleeper.now() + 5 * MS;
            sleeper.sleep_until_unless(until, &cancel).unwrap_err();
            sleeper.now()
        })
    }),
    ("Sleeper::sleep_or_notified", |os| {
        let notify = Notify::on(os.clone());
        slept(Sleeper::on(os), |sleeper| {
            sleeper.sleep_or_notified(5 * MS, &notify).unwrap().woke
        })
    }),
    ("Sleeper::sleep_until_or_notified", |os| {
        let notify = Notify::on(os.clone());
        slept(Sleeper::on(os), |sleeper| {
            notify.notify();
            let until = sleeper.now() + 5 * MS;
            sleeper.sleep_until_or_notified(until, &notify).unwrap_err();
            sleeper.now()
        })
    }),
    ("Sleeper::begin", |os| {
        slept(Sleeper::on(os), |sleeper| {
            let until = sleeper.now() + 5 * MS;
            let mut wait = sleeper.begin(until);
            assert_eq!(wait.rest(Duration::ZERO, None), Rest::Ended);
            wait.finish().woke
        })
    }),
    ("Ticker::tick", |os| {
        ticked(os, MissedTicks::Skip, Duration::ZERO)
    }),
    ("Ticker::tick_or_signal", |os| {
        // Windows has no signals.
        let mut ticker = Ticker::with_sleeper(Sleeper::on(os), Period::from_hertz(100));
        let woke = [(); 4].map(|()| ticker.tick_or_signal().unwrap().woke);
        nanoseconds(&woke)
    }),
    ("MissedTicks::Burst", |os| {
        ticked(os, MissedTicks::Burst, 25 * MS)
    }),
    ("MissedTicks::BurstOf", |os| {
        ticked(os, MissedTicks::BurstOf(1), 25 * MS)
    }),
    ("MissedTicks::Delay", |os| {
        ticked(os, MissedTicks::Delay, 25 * MS)
    }),
    ("MissedTicks::Skip", |os| {
        ticked(os, MissedTicks::Skip, 25 * MS)
    }),
    ("Ticker::set_period", |os| {
        let mut ticker = Ticker::with_sleeper(Sleeper::on(os), Period::from_hertz(100));
        let mut woke = vec![ticker.tick().unwrap().woke, ticker.tick().unwrap().woke];
        ticker.set_period(Period::from_hertz_fraction(30_000, 1_001));
        woke.push(ticker.tick().unwrap().woke);
        nanoseconds(&woke)
    }),
    ("Ticker::restart", |os| {
        let mut ticker = Ticker::with_sleeper(Sleeper::on(os), Period::from_hertz(100));
        let mut woke = vec![ticker.tick().unwrap().woke];
        ticker.restart();
        woke.extend([ticker.tick().unwrap().woke, ticker.tick().unwrap().woke]);
        nanoseconds(&woke)
    }),
    ("Handle::once", |os| {
        driven(os, |timers, woke| {
            let at = timers.now() + 5 * MS;
            let timer = timers.once(at, move |firing| woke.lock().unwrap().push(firing.woke));
            timer.unwrap();
        })
    }),
    ("Handle::every", |os| {
        driven(os, |timers, woke| {
            let note = move |tick: punctual::Tick| woke.lock().unwrap().push(tick.woke);
            timers.every(Period::from_hertz(100), note).unwrap();
        })
    }),
    ("Handle::tolerating", |os| {
        driven(os, |timers, woke| {
            let timers = timers.tolerating(20 * MS);
            let timer = timers.after(5 * MS, move |firing| woke.lock().unwrap().push(firing.woke));
            timer.unwrap();
        })
    }),
    ("Handle::sleep", |os| {
        let driver = Driver::on(os.clone()).start().unwrap();
        let timers = driver.handle();
        block_on(&os, async { timers.sleep(5 * MS).await.unwrap() });
        nanoseconds(&[timers.now()])
    }),
    ("Handle::timeout", |os| {
        let driver = Driver::on(os.clone()).start().unwrap();
        let timers = driver.handle();
        let ended = block_on(&os, timers.timeout(5 * MS, pending::<()>()));
        assert!(ended.is_err());
        nanoseconds(&[timers.now()])
    }),
    ("Handle::ticks", |os| {
        let driver = Driver::on(os.clone()).start().unwrap();
        let timers = driver.handle();
        let mut ticks = timers.ticks(Schedule::new(timers.now(), Period::from_hertz(100)));
        let mut next = || {
            block_on(&os, poll_fn(|context| ticks.poll_next(context)))
                .unwrap()
                .woke
        };
        nanoseconds(&[next(), next()])
    }),
    ("Driver::block_on", |os| {
        let mut driver = Driver::on(os.clone());
        let timers = driver.handle();
        let mut sleeper = Sleeper::on(os);
        driver.block_on(&mut sleeper, timers.sleep(5 * MS)).unwrap();
        nanoseconds(&[timers.now()])
    }),
    ("Timers::expire", |os| {
        let mut sleeper = Sleeper::on(os);
        let mut timers = Timers::new();
        for ms in [9, 3, 6] {
            timers.insert(sleeper.now() + ms * MS, ms);
        }
        let mut woke = Vec::new();
        while let Some(next) = timers.next_wakeup() {
            woke.push(sleeper.sleep_until(next).woke);
            timers.expire(sleeper.now()).for_each(drop);
        }
        nanoseconds(&woke)
    }),
];

fn nanoseconds(woke: &[Instant]) -> Woke {
    woke.iter().map(|woke| woke.as_nanos()).collect()
}

/// Three waits with the same sleeper.
fn slept(mut sleeper: Sleeper<Machine>, wait: impl Fn(&mut Sleeper<Machine>) -> Instant) -> Woke {
    nanoseconds(&[(); 3].map(|()| wait(&mut sleeper)))
}

/// Four ticks of 100 Hz, with work after the first.
fn ticked(os: Machine, missed: MissedTicks, work: Duration) -> Woke {
    let mut other = Sleeper::on(os.clone()).coarse();
    let ticker = Ticker::with_sleeper(Sleeper::on(os), Period::from_hertz(100));
    let mut ticker = ticker.with_missed_ticks(missed);
    let first = ticker.tick().unwrap().woke;
    other.sleep(work);
    let later = [(); 3].map(|()| ticker.tick().unwrap().woke);
    nanoseconds(&[&[first], &later[..]].concat())
}

/// What timers of a driver note within 50 ms.
fn driven(os: Machine, set: impl FnOnce(Handle<Machine>, Arc<Mutex<Vec<Instant>>>)) -> Woke {
    let driver = Driver::on(os.clone()).start().unwrap();
    let woke = Arc::default();
    set(driver.handle(), Arc::clone(&woke));
    Sleeper::on(os).sleep(50 * MS);
    driver.shut_down().unwrap();
    nanoseconds(&woke.lock().unwrap())
}

/// What a wait answers on a Windows 11.
fn answer(wait: Wait) -> String {
    let machine = WindowsMachine::new(Version::named("windows-11").unwrap());
    let woke = machine
        .run(move |win32| wait(WindowsOs::on(win32)))
        .unwrap()
        .value;
    let woke: Vec<_> = woke.iter().map(u64::to_string).collect();
    woke.join(" ")
}

#[test]
fn every_wait_of_the_library_ends_as_it_did() {
    let wrong: Vec<_> = WAITS
        .into_iter()
        .filter_map(|(name, wait)| {
            let line = lines().find(|line| line.kind == "library" && line.name == name);
            let answer = answer(wait);
            match line {
                Some(line) if line.figures == answer => None,
                _ => Some(format!("library\t{name}\t{name}\t{answer}")),
            }
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_list_has_no_wait_that_is_not_asked() {
    let listed: BTreeSet<_> = lines()
        .filter(|line| line.kind == "library")
        .map(|line| line.name)
        .collect();
    assert_eq!(listed, WAITS.map(|(name, _)| name).into());
}
