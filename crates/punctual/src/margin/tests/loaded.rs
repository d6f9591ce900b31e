//! Loaded machines: spins that lose their processor, made up and recorded.

use super::streams::Random;
use super::{Loop, saturating_nanos, tolerance, unlimited, with_budget};
use std::collections::BTreeMap;
use std::time::Duration;

const MILLISECOND: u64 = 1_000_000;
const RATES: [f64; 4] = [0.10, 0.03, 0.01, 0.003];

/// A wait of a loop at 1 kHz beside other threads. One wait in thirty is woken so late that only a
/// spin of milliseconds would cover it. A thread that spins for 4 ms has used up its turn, wherever
/// its waits begin.
fn beside_others(run: &mut Loop, random: &mut Random, loses_turns: bool) -> bool {
    let latency = if random.share() < 0.03 {
        MILLISECOND / 5 + random.below(4 * MILLISECOND)
    } else {
        random.around(17.0, 0.1)
    };
    let early = saturating_nanos(run.margin.before(Duration::from_millis(1))).min(MILLISECOND);
    let spin = early.saturating_sub(if early < MILLISECOND { latency } else { 0 });
    let lost = loses_turns && random.below(4 * MILLISECOND) < spin;
    run.meet(MILLISECOND, latency, if lost { 3 * MILLISECOND } else { 0 })
}

#[test]
fn a_spin_is_no_longer_than_helps() {
    for late_rate in [0.01, 0.003] {
        let spun = |loses_turns| {
            let mut random = Random::of(1);
            let mut run = Loop::new(unlimited(late_rate));
            for _ in 0..10_000 {
                beside_others(&mut run, &mut random, loses_turns);
            }
            (run.spinning_share(), run.late_share())
        };
        // What is the timer's doing is spun for, if there is no budget.
        let (share, late) = spun(false);
        assert!(share > 0.5, "{share} spun at {late_rate}");
        assert!(late < 0.02, "{late} late at {late_rate}");
        // What a spin makes worse is not. No margin has fewer late than one in thirty.
        let (share, late) = spun(true);
        assert!(share < 0.1, "{share} spun at {late_rate}");
        assert!(late < 0.05, "{late} late at {late_rate}");
    }
}

#[test]
fn what_the_budget_leaves_is_not_spun_for_nothing() {
    // One in twenty is later than a budget of 5 % pays for, and one in two hundred is between.
    let mut random = Random::of(3);
    let mut run = Loop::new(with_budget(0.01, 0.05));
    for _ in 0..20_000 {
        let latency = match random.share() {
            ..0.05 => MILLISECOND / 5 + random.below(4 * MILLISECOND),
            ..0.055 => random.around(50.0, 0.1),
            _ => random.around(17.0, 0.1),
        };
        run.wait(MILLISECOND, latency);
    }
    let (share, late) = (run.spinning_share(), run.late_share());
    assert!(share < 0.01, "{share} spun");
    assert!(late < 0.065, "{late} late");
}

#[test]
fn late_spins_count_toward_the_late_rate() {
    // A short interrupt at one deadline in 200, whatever the margin.
    let mut random = Random::of(2);
    let mut run = Loop::new(unlimited(0.01));
    for _ in 0..20_000 {
        let overrun = if random.share() < 0.005 { 3_000 } else { 0 };
        run.meet(MILLISECOND, random.around(40.0, 0.2), overrun);
    }
    let late = run.late_share();
    assert!((late - 0.01).abs() <= tolerance(0.01, 20_000), "{late}");
}

#[test]
fn when_the_others_have_gone_the_late_rate_is_met_again() {
    let mut random = Random::of(3);
    let mut run = Loop::new(unlimited(0.01));
    for _ in 0..5_000 {
        beside_others(&mut run, &mut random, true);
    }
    let mut quiet = |run: &mut Loop| {
        let late = (0..10_000).filter(|_| run.wait(MILLISECOND, random.around(40.0, 0.2)));
        late.count() as f64 / 10_000.0
    };
    quiet(&mut run);
    let late = quiet(&mut run);
    assert!((late - 0.01).abs() <= tolerance(0.01, 10_000), "{late}");
}

/// What waits met with one slice, by the recorded margin in nanoseconds: latency and overrun.
type Sliced = BTreeMap<u64, Vec<(u64, u64)>>;

/// The blocks of a recording with this slice; `bench -- record` makes such files.
fn sliced(text: &str, slice: &str) -> Sliced {
    let tenth_micros = |word: &str| 100 * word.parse::<u64>().unwrap();
    let mut margins = Sliced::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let mut words = line.split(' ');
        if words.next() != Some(slice) {
            continue;
        }
        let margin = 1000 * words.next().unwrap().parse::<u64>().unwrap();
        let met = words.map(|word| {
            let (latency, overrun) = word.split_once('+').unwrap_or((word, "0"));
            let latency = if latency == "-" { "0" } else { latency };
            (tenth_micros(latency), tenth_micros(overrun))
        });
        margins.entry(margin).or_default().extend(met);
    }
    margins
}

/// The same waits with this margin: each meets what the one of its turn met with the nearest.
fn replay(margin: crate::Margin, period: u64, sliced: &Sliced) -> Loop {
    let mut run = Loop::new(margin);
    let waits = sliced.values().map(Vec::len).min().unwrap();
    for turn in 0..waits {
        let early = saturating_nanos(run.margin.before(Duration::from_nanos(period)));
        let nearest = sliced
            .iter()
            .min_by_key(|(margin, _)| margin.abs_diff(early));
        let (latency, overrun) = nearest.unwrap().1[turn];
        run.meet(period, latency, overrun);
    }
    run
}

struct Recording {
    name: &'static str,
    period: u64,
    text: &'static str,
}

macro_rules! recording {
    ($name:literal, $period:expr) => {
        Recording {
            name: $name,
            period: $period,
            text: include_str!(concat!("../../../tests/traces/", $name, ".policies")),
        }
    };
}

const RECORDINGS: [Recording; 8] = [
    recording!("spin1-1ms", MILLISECOND),
    recording!("spin2-1ms", MILLISECOND),
    recording!("compile-1ms", MILLISECOND),
    recording!("memory-1ms", MILLISECOND),
    recording!("network-1ms", MILLISECOND),
    recording!("mix-1ms", MILLISECOND),
    recording!("spin1-0.25ms", MILLISECOND / 4),
    recording!("spin2-4ms", 4 * MILLISECOND),
];

#[test]
fn no_more_waits_are_late_than_with_the_best_fixed_margin() {
    // A longer margin must save one in seven. The slowest has 750 waits with each margin, a few bursts of late ones among them: chance says
    // which margin had the fewest.
    for recording in RECORDINGS
        .iter()
        .filter(|recording| recording.period <= MILLISECOND)
    {
        let short = sliced(recording.text, "100");
        let late_shares = short.keys().map(|&margin| {
            let fixed = crate::Margin::fixed(Duration::from_nanos(margin));
            let run = replay(fixed, recording.period, &short);
            (run.spinning_share(), run.late_share())
        });
        let affordable = late_shares.filter(|&(spun, _)| spun <= 0.05);
        let best = affordable.map(|(_, late)| late).fold(1.0, f64::min);
        for late_rate in RATES {
            let run = replay(with_budget(late_rate, 0.05), recording.period, &short);
            let (late, asked) = (run.late_share(), late_rate + tolerance(late_rate, 3000));
            assert!(
                late <= asked.max(1.15 * best),
                "{} at {late_rate}: {late}, {best} possible",
                recording.name
            );
        }
    }
}

#[test]
fn without_a_budget_a_loaded_machine_is_not_spun_away() {
    for recording in &RECORDINGS {
        let short = sliced(recording.text, "100");
        for late_rate in RATES {
            let run = replay(unlimited(late_rate), recording.period, &short);
            let spun = run.spinning_share();
            // The lower the rate, the longer it takes to believe that no margin meets it.
            let allowed = if late_rate < 0.01 { 0.4 } else { 0.2 };
            assert!(spun < allowed, "{} at {late_rate}: {spun}", recording.name);
        }
    }
}
