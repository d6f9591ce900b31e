//! Two groups of made-up machines, compared as if Prometheus kept them.

use punctual_watch::fleet::client::Ask;
use punctual_watch::fleet::reply::{Sample, Value};
use punctual_watch::fleet::resampling::Verdict;
use punctual_watch::fleet::{Error, Percentile, Question, compare};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::time::Duration;

const BOUNDS: [f64; 6] = [1e-5, 1e-4, 1e-3, 1e-2, 1e-1, f64::INFINITY];

/// Knows machines by their kernel: `old` and `new` ones, whose lateness differs by a factor.
struct Fake {
    /// The names of the machines with each kernel.
    kernels: BTreeMap<&'static str, Vec<String>>,
    /// Whether histograms are native.
    native: bool,
    asked: RefCell<Vec<String>>,
}

impl Fake {
    fn new(old: usize, new: usize) -> Self {
        let named =
            |kernel: &str, count| (0..count).map(|at| format!("{kernel}-{at}:9836")).collect();
        Self {
            kernels: [("old", named("old", old)), ("new", named("new", new))].into(),
            native: false,
            asked: RefCell::default(),
        }
    }

    /// Counts of each bucket alone. Machines differ a little.
    fn counts(instance: &str) -> Vec<(f64, f64)> {
        let (kernel, number) = instance.trim_end_matches(":9836").split_once('-').unwrap();
        let varied = 1.0 + f64::from(number.parse::<u32>().unwrap() % 7) / 10.0;
        let late = if kernel == "new" { 900.0 } else { 100.0 };
        let counts = [0.0, 5_000.0, late * varied, 20.0, 3.0, 0.0];
        BOUNDS.into_iter().zip(counts).collect()
    }
}

impl Ask for Fake {
    fn ask(&self, question: &str, _: Option<f64>) -> Result<Vec<Sample>, Error> {
        self.asked.borrow_mut().push(question.to_owned());
        let sample = |instance: &str, le: Option<f64>, value| {
            let mut labels: BTreeMap<_, _> = [("job", "punctual"), ("instance", instance)]
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .into();
            labels.extend(le.map(|le| ("le".to_owned(), le.to_string())));
            Sample { labels, value }
        };
        if question == "time()" {
            return Ok(vec![sample("", None, Value::Number(1_000.0))]);
        }
        let machines = self
            .kernels
            .iter()
            .flat_map(|(kernel, names)| names.iter().map(move |name| (kernel, name)));
        if question.contains("punctual_machine_info") {
            let matching = machines.filter(|(kernel, _)| question.contains(*kernel));
            return Ok(matching
                .map(|(_, name)| sample(name, None, Value::Number(1.0)))
                .collect());
        }
        let asked_for = machines.filter(|(_, name)| {
            let quoted = name.as_str();
            question.contains(&format!("\"{quoted}|"))
                || question.contains(&format!("|{quoted}|"))
                || question.contains(&format!("|{quoted}\""))
                || question.contains(&format!("\"{quoted}\""))
        });
        let names = asked_for.map(|(_, name)| name);
        let is_classic = question.contains("_bucket");
        Ok(match (self.native, is_classic) {
            (false, true) => names
                .flat_map(|name| {
                    let mut sum = 0.0;
                    Self::counts(name).into_iter().map(move |(bound, count)| {
                        sum += count;
                        sample(name, Some(bound), Value::Number(sum))
                    })
                })
                .collect(),
            (true, false) => names
                .map(|name| sample(name, None, Value::Histogram(Self::counts(name))))
                .collect(),
            _ => Vec::new(),
        })
    }
}

fn question(matching: &str, against: &str) -> Question {
    Question {
        matching: matching.parse().unwrap(),
        against: against.parse().unwrap(),
        window: Duration::from_secs(86_400),
        percentiles: vec![Percentile::P50, Percentile::P99],
        deadlines: false,
        method: None,
        seed: 1,
    }
}

fn go_on(_: usize, _: usize) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

#[test]
fn the_later_group_is_found_and_classic_and_native_histograms_agree() {
    let mut fake = Fake::new(45, 30);
    let question = question(r#"kernel="new""#, r#"kernel="old""#);
    let mut steps = Vec::new();
    let found = compare(&fake, &question, &mut |done, all| {
        steps.push((done, all));
        ControlFlow::Continue(())
    });
    let found = found.unwrap();
    assert_eq!(steps, [(20, 75), (30, 75), (50, 75), (70, 75), (75, 75)]);
    assert_eq!((found.matching.machines, found.against.machines), (30, 45));
    assert_eq!((found.matching.silent, found.in_both), (0, 0));
    let [p50, p99] = found.percentiles[..] else {
        panic!("{found:?}")
    };
    assert_eq!(p99.ratio.verdict(), Verdict::Later);
    assert!(p99.matching > p99.against);
    assert!((p99.matching / p99.against - p99.ratio.ratio).abs() < 1e-9);
    assert!(p50.ratio.ratio < p99.ratio.ratio);
    fake.native = true;
    assert_eq!(compare(&fake, &question, &mut go_on).unwrap(), found);
}

#[test]
fn what_is_asked_names_the_window_the_method_and_the_machines() {
    let fake = Fake::new(8, 8);
    let mut question = question(r#"kernel="new""#, r#"kernel="old""#);
    question.method = Some("a\"b".to_owned());
    question.deadlines = true;
    question.window = Duration::from_secs(600);
    compare(&fake, &question, &mut go_on).unwrap();
    let asked = fake.asked.borrow();
    assert_eq!(
        asked[1],
        r#"group by (job, instance) (last_over_time(punctual_machine_info{kernel="new"}[600s]))"#
    );
    assert!(
        asked[3].contains(
            r#"increase(punctual_deadline_lateness_seconds_bucket{instance=~"new-0:9836|"#
        )
    );
    assert!(
        asked[3].ends_with(r#",method="a\"b"}[600s]))"#),
        "{}",
        asked[3]
    );
}

#[test]
fn a_machine_that_was_in_both_groups_is_in_neither() {
    let mut fake = Fake::new(10, 10);
    let rebooted = fake.kernels["old"][0].clone();
    fake.kernels.get_mut("new").unwrap().push(rebooted);
    let found = compare(
        &fake,
        &question(r#"kernel="new""#, r#"kernel="old""#),
        &mut go_on,
    )
    .unwrap();
    assert_eq!(
        (
            found.in_both,
            found.matching.machines,
            found.against.machines
        ),
        (1, 10, 9)
    );
}

#[test]
fn too_few_machines_are_refused() {
    let few = compare(
        &Fake::new(20, 7),
        &question("kernel=\"new\"", "kernel=\"old\""),
        &mut go_on,
    );
    let refused = few.unwrap_err();
    assert!(
        matches!(
            refused,
            Error::TooFew {
                found: 7,
                least: 8,
                ..
            }
        ),
        "{refused}"
    );
    let nothing = compare(
        &Fake::new(20, 20),
        &question("kernel=\"none\"", "kernel=\"old\""),
        &mut go_on,
    );
    assert_eq!(
        nothing,
        Err(Error::Nothing {
            selector: "{kernel=\"none\"}".to_owned()
        })
    );
    // Everyone in both.
    let same = compare(
        &Fake::new(20, 20),
        &question("kernel=\"old\"", "kernel=\"old\""),
        &mut go_on,
    );
    let refused = same.unwrap_err().to_string();
    assert!(refused.contains("20 more match both groups"), "{refused}");
}

#[test]
fn machines_with_fewer_wake_ups_than_the_percentile_needs_are_silent() {
    let mut question = question("kernel=\"new\"", "kernel=\"old\"");
    question.percentiles = vec!["p99.99".parse().unwrap()];
    let refused = compare(&Fake::new(20, 20), &question, &mut go_on);
    assert!(
        matches!(refused, Err(Error::TooFew { found: 0, .. })),
        "{refused:?}"
    );
}

#[test]
fn who_follows_can_stop_it() {
    let question = question("kernel=\"new\"", "kernel=\"old\"");
    let stopped = compare(&Fake::new(20, 20), &question, &mut |_, _| {
        ControlFlow::Break(())
    });
    assert_eq!(stopped, Err(Error::Stopped));
}
