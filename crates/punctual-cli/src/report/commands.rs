//! How each part was measured: the commands that would do it again.

use super::document::{Document, Explanation, Pace, Sweep};
use super::text::{exact, shell_word};
use punctual_lab::clocks::ClocksRecording;
use punctual_lab::recording::Asked;
use punctual_lab::slack::SlackSweep;
use punctual_lab::{Load, Recording};

/// A command, and what must be known beside it.
pub(super) struct Made {
    pub(super) command: String,
    pub(super) by_version: String,
    pub(super) remark: String,
}

/// How a document came about.
pub(super) fn made(document: &Document) -> Made {
    match document {
        Document::Recording(recording) => measured(recording),
        Document::Sweep(sweep) => swept(sweep),
        Document::Explanation(explanation) => explained(explanation),
        Document::Pace(pace) => paced(pace),
        Document::Slack(sweep) => slackened(sweep),
        Document::Clocks(found) => clocked(found),
    }
}

fn measured(recording: &Recording) -> Made {
    let asked = &recording.asked;
    let mut remark = format!(
        "{} waits of each method in turns of {}, after {} that are not counted",
        asked.count, asked.block_count, asked.warm_up_count
    );
    if recording.interrupted {
        remark += "; stopped early";
    }
    for change in &recording.environment_changes {
        remark += &format!("; meanwhile {change}");
    }
    for missing in &recording.unavailable {
        remark += &format!("; no {} here: {}", missing.method, missing.reason);
    }
    Made {
        command: measure(asked),
        by_version: recording.punctual_version.clone(),
        remark,
    }
}

fn measure(asked: &Asked) -> String {
    let mut words = vec!["measure".to_owned()];
    let mut flag = |name: &str, value: String| words.extend([name.to_owned(), value]);
    if let Some(machine) = &asked.on {
        flag("--on", machine.clone());
    }
    flag("--period", exact(asked.period_ns));
    flag("--count", asked.count.to_string());
    for method in &asked.methods {
        flag("--method", method.clone());
    }
    if asked.load != Load::None {
        flag("--load", asked.load.to_string());
    }
    if asked.priority != "normal" {
        flag("--priority", asked.priority.clone());
    }
    if let Some(processor) = asked.pin {
        flag("--pin", processor.to_string());
    }
    for companion in &asked.with {
        flag("--with", companion.clone());
    }
    if let Some(interval) = asked.request_ns {
        flag("--request", exact(interval));
    }
    if let Some(seed) = asked.seed {
        flag("--seed", seed.to_string());
    }
    words.push("--json".to_owned());
    punctual(&words)
}

fn swept(sweep: &Sweep) -> Made {
    let mut words = vec!["sweep".to_owned()];
    if sweep.is_native() {
        words.push("--native".to_owned());
    } else {
        for machine in &sweep.machines {
            words.extend(["--on".to_owned(), machine.machine.clone()]);
        }
    }
    let rows = sweep.machines.first().map(|machine| &machine.rows);
    let asked = rows
        .into_iter()
        .flatten()
        .map(|row| exact(row.requested_ns));
    let asked: Vec<_> = asked.collect();
    words.extend(["--interval".to_owned(), asked.join(",")]);
    for companion in &sweep.with {
        words.extend(["--with".to_owned(), companion.clone()]);
    }
    if sweep.by != "other" {
        words.extend(["--by".to_owned(), sweep.by.clone()]);
    }
    if !sweep.is_native() {
        words.extend(["--seed".to_owned(), sweep.seed.to_string()]);
    }
    words.push("--json".to_owned());
    Made {
        command: punctual(&words),
        by_version: sweep.punctual_version.clone(),
        remark: match sweep.is_native() {
            true => "on this machine itself",
            false => "in virtual time, on simulated machines",
        }
        .to_owned(),
    }
}

fn slackened(sweep: &SlackSweep) -> Made {
    let slacks = sweep.rows.iter().map(|row| exact(row.slack_ns));
    let slacks: Vec<_> = slacks.collect();
    let words = ["sweep", "--native", "--slack", &slacks.join(","), "--json"];
    let stopped = if sweep.interrupted {
        "; stopped early"
    } else {
        ""
    };
    Made {
        command: punctual(&words.map(str::to_owned)),
        by_version: sweep.punctual_version.clone(),
        remark: format!(
            "{} sleeps of {} by each call under each slack, in turns{stopped}",
            sweep.sleeps,
            exact(sweep.sleep_ns)
        ),
    }
}

fn clocked(found: &ClocksRecording) -> Made {
    let mut words = vec!["clocks".to_owned()];
    if let Some(machine) = &found.asked.on {
        words.extend(["--on".to_owned(), machine.clone()]);
    }
    words.extend(["--duration".to_owned(), exact(found.asked.duration_ns)]);
    words.push("--json".to_owned());
    let unavailable = found.unavailable.iter();
    let unavailable = unavailable.map(|missing| format!("; no {} here", missing.method));
    Made {
        command: punctual(&words),
        by_version: found.punctual_version.clone(),
        remark: "each clock read alone, and against the first".to_owned()
            + &unavailable.collect::<String>(),
    }
}

fn explained(explanation: &Explanation) -> Made {
    let refused = explanation.refused.as_ref();
    let refused = refused.map(|reason| format!("; without the kernel's trace: {reason}"));
    Made {
        // Its JSON says what was asked in words, not in flags.
        command: "punctual explain … --json".to_owned(),
        by_version: explanation.punctual_version.clone(),
        remark: explanation.subject.clone() + &refused.unwrap_or_default(),
    }
}

fn paced(pace: &Pace) -> Made {
    let mut words = vec!["pace".to_owned()];
    if let Some(machine) = &pace.asked.on {
        words.extend(["--on".to_owned(), machine.clone()]);
    }
    words.extend(["--period".to_owned(), period(pace.asked.period_ns)]);
    words.extend(["--duration".to_owned(), exact(pace.asked.duration_ns)]);
    words.extend(["--work".to_owned(), exact(pace.asked.work_ns)]);
    for way in &pace.ways {
        words.extend(["--way".to_owned(), way.way.clone()]);
    }
    for companion in &pace.asked.with {
        words.extend(["--with".to_owned(), companion.clone()]);
    }
    words.push("--json".to_owned());
    Made {
        command: punctual(&words),
        by_version: pace.punctual_version.clone(),
        remark: format!("a beat every {:.6} ms", pace.asked.period_ns / 1e6),
    }
}

/// A period as a flag takes it: one that is no whole number of nanoseconds is a frequency.
fn period(nanos: f64) -> String {
    if nanos.fract() == 0.0 {
        format!("{nanos:.0}ns")
    } else {
        format!("{:.6}Hz", 1e9 / nanos)
    }
}

fn punctual(words: &[String]) -> String {
    let words: Vec<_> = words.iter().map(|word| shell_word(word)).collect();
    format!("punctual {}", words.join(" "))
}
