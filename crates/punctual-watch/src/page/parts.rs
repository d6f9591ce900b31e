//! The parts of the page, from the top down.

use super::chart::{self, LINES};
use super::figures::{percentile, time};
use super::html::Html;
use crate::board::{Board, Series};
use crate::faults::Fault;
use crate::history::{History, Minute};
use crate::locked::locked;
use punctual_data::quantity::{ago, date};
use punctual_trace::recorder::LateWakeUp;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// So many saved wake-ups are on the page. `/late` has all.
const LATES: usize = 10;

/// So many causes of each.
const CAUSES: usize = 4;

/// What this is, and since when.
pub fn head(out: &mut Html, board: &Board, now: SystemTime) {
    out.raw("<h1>Punctual watch</h1><p class=\"dim\">");
    let running = now.duration_since(board.started).unwrap_or_default();
    out.text(format_args!(
        "Version {}, running for {}; {} UTC.",
        env!("CARGO_PKG_VERSION"),
        ago(running),
        date(now),
    ));
    out.raw(" <a href=\"/metrics\">metrics</a>, <a href=\"/late\">late wake-ups</a>, <a href=\"/healthz\">health</a></p>\n");
    let idle: Vec<_> = board
        .series
        .iter()
        .filter(|series| !series.is_running.load(Relaxed))
        .collect();
    if !idle.is_empty() {
        let names: Vec<_> = idle
            .iter()
            .map(|series| format!("{} ({})", series.processor, series.method))
            .collect();
        out.element(
            "p class=\"bad\"",
            format_args!("Not watched at the moment: processor {}.", names.join(", ")),
        );
    }
}

/// The last minute, or everything while no minute is over: its figures and its histogram.
pub fn now(out: &mut Html, board: &Board, history: &History) {
    let last = history.minutes().next_back();
    let (minute, when) = match last.filter(|minute| minute.wakes.total() > 0) {
        Some(minute) => (minute.clone(), "The last minute"),
        None => (Minute::so_far(board), "Since the start"),
    };
    out.element("h2", when);
    if minute.wakes.total() == 0 {
        out.element("p class=\"dim\"", "Nothing has been counted yet.");
        return;
    }
    let figure =
        |thousandths| percentile(&minute.wakes, thousandths).map_or_else(String::new, time);
    out.raw("<dl class=\"big\">");
    for (name, figure) in [
        ("half within", figure(500)),
        ("99 % within", figure(990)),
        ("99.9 % within", figure(999)),
        ("the latest within", figure(1000)),
        ("deadlines missed", minute.missed.to_string()),
    ] {
        out.raw("<div>");
        out.element("dt", name);
        out.element("dd", figure);
        out.raw("</div>");
    }
    out.raw("</dl>\n");
    chart::histogram(out, &minute.wakes);
    out.element(
        "p class=\"dim\"",
        format_args!(
            "How late {} wake-ups of all processors and methods were. The height is the square root of how many.",
            minute.wakes.total()
        ),
    );
}

/// Percentiles minute by minute.
pub fn last_hour(out: &mut Html, history: &History) {
    out.element("h2", "The last hour");
    if history.minutes().all(|minute| minute.wakes.total() == 0) {
        out.element("p class=\"dim\"", "The first minute is not over yet.");
        return;
    }
    chart::last_hour(out, history.minutes());
    out.raw("<p class=\"key dim\">");
    for (class, _, name) in LINES {
        out.markup(format_args!(
            "<span><svg viewBox=\"0 0 28 10\"><path class=\"{class}\" d=\"M2 5H26\"/></svg>{name}</span>"
        ));
    }
    let missed: u64 = history.minutes().map(|minute| minute.missed).sum();
    out.text(format_args!("{missed} deadlines missed"));
    out.raw("</p>\n");
}

/// Each processor and method since the start.
pub fn processors(out: &mut Html, board: &Board) {
    out.element("h2", "Each processor since the start");
    out.raw("<div class=\"wide\"><table><tr>");
    for head in [
        "processor",
        "method",
        "half",
        "99 %",
        "99.9 %",
        "latest",
        "missed",
        "timer",
        "queue",
        "Hz",
    ] {
        out.element("th", head);
    }
    out.raw("</tr>\n");
    for series in &board.series {
        row(out, series);
    }
    out.raw("</table></div>\n");
    out.element(
        "p class=\"dim\"",
        "Percentiles are upper bounds of buckets. Timer: the share of all lateness until a thread was ready; queue: while it was ready and another ran.",
    );
}

fn row(out: &mut Html, series: &Series) {
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
    out.raw("<tr>");
    out.element("td", series.processor);
    out.element("td", series.method);
    for thousandths in [500, 990, 999, 1000] {
        out.element("td", figure(thousandths));
    }
    out.element("td", series.missed.load(Relaxed));
    out.element("td", percent(timer));
    out.element("td", percent(queue));
    out.element("td", format_args!("{}", rate / 1000));
    out.raw("</tr>\n");
}

/// The latest saved wake-ups, the latest first.
pub fn lates(out: &mut Html, board: &Board, now: SystemTime) {
    let Some(lates) = &board.lates else {
        return;
    };
    out.element("h2", "Late wake-ups that were saved");
    let list = lates.saved.list();
    if list.is_empty() {
        out.element("p class=\"dim\"", "None yet.");
        return;
    }
    out.raw("<ol class=\"late\">");
    for late in list.iter().rev().take(LATES) {
        self::late(out, late, now);
    }
    out.raw("</ol>\n");
    if list.len() > LATES {
        out.markup(format_args!(
            "<p class=\"dim\"><a href=\"/late\">All {}</a></p>\n",
            list.len()
        ));
    }
}

fn late(out: &mut Html, late: &LateWakeUp, now: SystemTime) {
    let woke = UNIX_EPOCH + Duration::from_nanos(late.woke_unix_ns);
    out.raw("<li>");
    out.element("b", time(late.lateness_ns));
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
    if !late.causes.is_empty() {
        out.raw("<ul>");
        for part in late.causes.iter().take(CAUSES) {
            out.element("li", format_args!("{}: {part}", time(part.lateness_ns)));
        }
        if late.causes.len() > CAUSES {
            out.element(
                "li",
                format_args!("and {} smaller parts", late.causes.len() - CAUSES),
            );
        }
        out.raw("</ul>");
    }
    if let Some(note) = &late.note {
        out.element("p class=\"dim\"", note);
    }
    for (file, ending, name) in [
        (&late.recording, "", "recording"),
        (&late.perfetto, ".perfetto", "for Perfetto"),
    ] {
        if file.is_some() {
            out.raw("<a href=\"/late/");
            out.text(&late.id);
            out.markup(format_args!("{ending}\">{name}</a> "));
        }
    }
    out.raw("</li>\n");
}

/// What the system says about itself.
pub fn machine(out: &mut Html, board: &Board) {
    let readings = locked(&board.readings).clone();
    if readings.facts.is_empty() {
        return;
    }
    out.element("h2", "The machine");
    out.raw("<dl class=\"facts\">");
    for (name, fact) in &readings.facts {
        out.element("dt", name.replace('_', " "));
        out.element("dd", fact);
    }
    out.raw("</dl>\n");
}

/// What went wrong, if anything.
pub fn faults(out: &mut Html, board: &Board) {
    let happened: Vec<_> = Fault::ALL
        .into_iter()
        .map(|fault| (fault.name(), board.faults.count(fault)))
        .filter(|(_, count)| *count > 0)
        .collect();
    if happened.is_empty() {
        return;
    }
    out.element("h2", "What went wrong since the start");
    out.raw("<dl class=\"facts\">");
    for (name, count) in happened {
        out.element("dt", name);
        out.element("dd", count);
    }
    out.raw("</dl>\n");
    out.element("p class=\"dim\"", "The log says more.");
}
