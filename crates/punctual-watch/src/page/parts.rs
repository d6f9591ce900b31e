//! The parts of the page, from the top down.

use super::chart;
use super::chart::{percentile, time};
use crate::board::{Board, Series};
use crate::faults::Fault;
use crate::history::{History, Minute};
use crate::locked;
use punctual_data::markup::{self, Attributes, Markup};
use punctual_data::quantity::{ago, date};
use punctual_trace::recorder::LateWakeUp;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// So many saved wake-ups are on the page. `/late` has all.
const LATES: usize = 10;

/// So many causes of each.
const CAUSES: usize = 4;

/// What is said beside.
const DIM: Attributes = &[("class", &"dim")];

/// What this is, and since when.
pub fn head(out: &mut Markup, board: &Board, now: SystemTime) {
    out.leaf("h1", &[], super::TITLE);
    out.element("p", DIM, |out| {
        let running = ago(now.duration_since(board.started).unwrap_or_default());
        let (version, date) = (env!("CARGO_PKG_VERSION"), date(now));
        out.text(format_args!(
            "Version {version}, running for {running}; {date} UTC."
        ));
        for (place, name) in [
            ("/metrics", "metrics"),
            ("/late", "late wake-ups"),
            ("/healthz", "health"),
        ] {
            link(out, place, name);
        }
        if let Some(manual) = manual(env!("CARGO_PKG_REPOSITORY"), version) {
            link(out, &manual, "what the numbers mean");
        }
    });
    let idle = board.series.iter();
    let idle = idle.filter(|series| !series.is_running.load(Relaxed));
    let idle: Vec<_> = idle
        .map(|series| format!("{} ({})", series.processor, series.method))
        .collect();
    if !idle.is_empty() {
        let idle = idle.join(", ");
        let words = format!("Not watched at the moment: processor {idle}.");
        out.leaf("p", &[("class", &"bad")], words);
    }
}

/// The page about the numbers of a version, if the repository has an address.
fn manual(repository: &str, version: &str) -> Option<String> {
    (!repository.is_empty()).then(|| format!("{repository}/blob/v{version}/docs/watch-numbers.md"))
}

fn link(out: &mut Markup, place: &str, name: &str) {
    out.text(" ");
    out.leaf("a", &[("href", &place)], name);
}

/// The last minute, or everything while no minute is over: its figures and its histogram.
pub fn now(out: &mut Markup, board: &Board, history: &History) {
    let last = history.minutes().next_back();
    let (minute, when) = match last.filter(|minute| minute.wakes.total() > 0) {
        Some(minute) => (minute.clone(), "The last minute"),
        None => (Minute::so_far(board), "Since the start"),
    };
    out.leaf("h2", &[], when);
    if minute.wakes.total() == 0 {
        return out.leaf("p", DIM, "Nothing has been counted yet.");
    }
    let figure =
        |thousandths| percentile(&minute.wakes, thousandths).map_or_else(String::new, time);
    out.element("dl", &[("class", &"big")], |out| {
        for (name, figure) in [
            ("half within", figure(500)),
            ("99 % within", figure(990)),
            ("99.9 % within", figure(999)),
            ("the worst within", figure(1000)),
            ("deadlines missed", minute.missed.to_string()),
        ] {
            out.element("div", &[], |out| {
                out.leaf("dt", &[], name);
                out.leaf("dd", &[], figure);
            });
        }
    });
    chart::histogram(&minute.wakes).write(out, "now");
}

/// Percentiles minute by minute.
pub fn last_hour(out: &mut Markup, history: &History) {
    out.leaf("h2", &[], "The last hour");
    if history.minutes().all(|minute| minute.wakes.total() == 0) {
        return out.leaf("p", DIM, "The first minute is not over yet.");
    }
    chart::last_hour(history.minutes()).write(out, "hour");
    let missed: u64 = history.minutes().map(|minute| minute.missed).sum();
    out.leaf("p", DIM, format_args!("{missed} deadlines missed"));
}

/// Each processor and method since the start.
pub fn processors(out: &mut Markup, board: &Board) {
    let head = [
        "processor",
        "method",
        "half",
        "99 %",
        "99.9 %",
        "worst",
        "missed",
        "timer",
        "queue",
        "Hz",
    ];
    let caption = "Percentiles are upper bounds of buckets. Timer: the share of all lateness until a thread was ready; \
                   queue: while it was ready and another ran.";
    out.leaf("h2", &[], "Each processor since the start");
    let rows: Vec<_> = board.series.iter().map(|series| row(series)).collect();
    markup::table(out, caption, &head, &rows);
}

fn row(series: &Series) -> Vec<String> {
    let counts = series.wakes.read();
    let figure = |thousandths| percentile(&counts, thousandths).map_or_else(String::new, time);
    let (timer, queue) = (series.timer_ns.load(Relaxed), series.queue_ns.load(Relaxed));
    let percent = |part: u64| {
        let all = u128::from(timer) + u128::from(queue);
        match all {
            0 => String::new(),
            _ => format!("{} %", (u128::from(part) * 100 + all / 2) / all),
        }
    };
    let rate = series.rate_millihertz.load(Relaxed);
    let mut cells = vec![series.processor.to_string(), series.method.to_owned()];
    cells.extend([500, 990, 999, 1000].map(figure));
    cells.extend([
        series.missed.load(Relaxed).to_string(),
        percent(timer),
        percent(queue),
        (rate / 1000).to_string(),
    ]);
    cells
}

/// The latest saved wake-ups, the latest first.
pub fn lates(out: &mut Markup, board: &Board, now: SystemTime) {
    let Some(lates) = &board.lates else {
        return;
    };
    out.leaf("h2", &[], "Late wake-ups that were saved");
    let list = lates.saved.list();
    if list.is_empty() {
        return out.leaf("p", DIM, "None yet.");
    }
    out.element("ol", &[("class", &"late")], |out| {
        for late in list.iter().rev().take(LATES) {
            out.element("li", &[], |out| self::late(out, late, now));
        }
    });
    if list.len() > LATES {
        out.element("p", DIM, |out| {
            link(out, "/late", &format!("All {}", list.len()));
        });
    }
}

fn late(out: &mut Markup, late: &LateWakeUp, now: SystemTime) {
    let woke = UNIX_EPOCH + Duration::from_nanos(late.woke_unix_ns);
    out.leaf("b", &[], time(late.lateness_ns));
    if let Some(processor) = late.processor {
        out.text(format_args!(" on processor {processor}"));
    }
    out.text(format_args!(
        ", {} UTC ({} ago), {}, {}",
        date(woke),
        ago(now.duration_since(woke).unwrap_or_default()),
        late.subject,
        late.verdict,
    ));
    let causes = late.causes.iter().take(CAUSES);
    let causes = causes.map(|part| format!("{}: {part}", time(part.lateness_ns)));
    let smaller = late.causes.len().saturating_sub(CAUSES);
    let smaller = (smaller > 0).then(|| format!("and {smaller} smaller parts"));
    out.element("ul", &[], |out| {
        for words in causes.chain(smaller) {
            out.leaf("li", &[], words);
        }
    });
    if let Some(note) = &late.note {
        out.leaf("p", DIM, note);
    }
    for (file, ending, name) in [
        (&late.recording, "", "recording"),
        (&late.perfetto, ".perfetto", "for Perfetto"),
    ] {
        if file.is_some() {
            link(out, &format!("/late/{}{ending}", late.id), name);
        }
    }
    out.line();
}

/// What the system says about itself.
pub fn machine(out: &mut Markup, board: &Board) {
    let readings = locked(&board.readings).clone();
    let facts = readings.facts.iter();
    let facts: Vec<_> = facts
        .map(|(name, fact)| (name.replace('_', " "), fact))
        .collect();
    if !facts.is_empty() {
        out.leaf("h2", &[], "The machine");
        markup::facts(out, &facts);
    }
}

/// What went wrong, if anything.
pub fn faults(out: &mut Markup, board: &Board) {
    let happened: Vec<_> = Fault::ALL
        .into_iter()
        .map(|fault| (fault.name(), board.faults.count(fault)))
        .filter(|(_, count)| *count > 0)
        .collect();
    if !happened.is_empty() {
        out.leaf("h2", &[], "What went wrong since the start");
        markup::facts(out, &happened);
        out.leaf("p", DIM, "The log says more.");
    }
}

#[cfg(test)]
mod tests {
    use super::manual;

    #[test]
    fn the_manual_has_an_address_once_the_repository_has() {
        assert_eq!(manual("", "0.1.0"), None);
        let address = "https://example.org/punctual/blob/v0.1.0/docs/watch-numbers.md";
        assert_eq!(
            manual("https://example.org/punctual", "0.1.0").as_deref(),
            Some(address)
        );
    }
}
