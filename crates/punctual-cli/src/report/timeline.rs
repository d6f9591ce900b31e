//! The latest wake-ups as a timeline: from the deadline until the thread ran, and why it took so
//! long.

use super::document::{Explanation, Segment, WakeUp};
use super::figure::Figure;
use super::markup::{Attributes, Markup, table};
use super::svg::{self, At, LINE, Scale};
use super::text::{nanos, percent};

/// How many of the latest are drawn.
const WORST: usize = 6;
const CAUSES: usize = 12;
const LEFT: f64 = 8.0;
const RIGHT: f64 = svg::WIDTH - 8.0;
const ROW: f64 = 62.0;
const THICK: f64 = 30.0;
/// What has room side by side on a phone.
const LEGEND_COLUMNS: usize = 3;
/// What a bold character takes on a phone, in most fonts.
const CHARACTER: f64 = 11.5;
/// A segment as narrow as this has no room for its number.
const ROOM_FOR_NUMBER: f64 = 22.0;

/// Writes the section.
pub(super) fn write(out: &mut Markup, id: &str, explanation: &Explanation) {
    out.leaf("h3", &[], &explanation.subject);
    out.leaf("p", &[], &known(explanation));
    if let Some(figure) = figure(explanation) {
        figure.write(out, id);
        in_words(out, &worst(explanation));
    }
    let causes = explanation.causes.iter().take(CAUSES);
    let rows: Vec<_> = causes
        .map(|row| {
            let who = row.who.clone();
            vec![
                row.cause.clone(),
                who,
                nanos(row.total_ns),
                percent(row.share),
            ]
        })
        .collect();
    if !rows.is_empty() {
        let caption = "Where the lateness of all wake-ups went";
        table(out, caption, &["cause", "who", "total", "share"], &rows);
    }
}

/// The figure alone, if there is a wake-up to draw.
pub(super) fn figure(explanation: &Explanation) -> Option<Figure> {
    let worst = worst(explanation);
    (!worst.is_empty()).then(|| draw(&worst))
}

/// The latest first.
fn worst(explanation: &Explanation) -> Vec<&WakeUp> {
    let mut worst: Vec<_> = explanation.wakeups.iter().collect();
    worst.retain(|wake_up| !wake_up.segments.is_empty());
    worst.sort_by_key(|wake_up| std::cmp::Reverse(wake_up.lateness_ns));
    worst.truncate(WORST);
    worst
}

fn known(explanation: &Explanation) -> String {
    match &explanation.refused {
        Some(reason) => format!(
            "The kernel's trace could not be read ({reason}), so lateness is known in two parts: \
             until the timer had made the thread ready, and until it had a processor."
        ),
        None => format!(
            "{} of {} wake-ups explained, {} of them with one switch unseen.",
            explanation.exact.saturating_add(explanation.merged),
            explanation.of,
            explanation.merged
        ),
    }
}

fn draw(worst: &[&WakeUp]) -> Figure {
    let most = worst.first().map_or(1, |latest| latest.lateness_ns.max(1));
    let x = Scale {
        values: (0.0, most as f64),
        places: (LEFT, RIGHT),
    };
    let all: Vec<_> = worst
        .iter()
        .map(|wake_up| wake_up.segments.clone())
        .collect();
    let causes = causes(&all);
    let title = "The latest wake-ups, from deadline until they ran";
    let about = lines(worst).join("; ") + ".";
    let floor = ROW * worst.len() as f64;
    let legend_rows = causes.len().div_ceil(LEGEND_COLUMNS) as f64;
    Figure::draw(title, about, floor + LINE * (legend_rows + 0.5), |out| {
        for (row, (wake_up, parts)) in worst.iter().zip(&all).enumerate() {
            let top = ROW * row as f64 + LINE;
            let late = format!("{} late", nanos(wake_up.lateness_ns));
            svg::label(out, (LEFT, top - 4.0), "start", "name", &late);
            bar(out, parts, &causes, &x, top);
        }
        legend(out, &causes, floor);
    })
}

/// What the figure shows, a line for each wake-up.
fn in_words(out: &mut Markup, worst: &[&WakeUp]) {
    out.element("ol", &[("class", &"worst")], |out| {
        lines(worst)
            .iter()
            .for_each(|line| out.leaf("li", &[], line));
    });
}

fn lines(worst: &[&WakeUp]) -> Vec<String> {
    let all: Vec<_> = worst
        .iter()
        .map(|wake_up| wake_up.segments.clone())
        .collect();
    let causes = causes(&all);
    let line = |(wake_up, parts): (&&WakeUp, &Vec<Segment>)| {
        let parts: Vec<_> = parts.iter().map(|part| words(part, &causes)).collect();
        format!("{} = {}", nanos(wake_up.lateness_ns), parts.join(" + "))
    };
    worst.iter().zip(&all).map(line).collect()
}

/// The number of a part, and who it was where there is room for that.
fn inside(part: &Segment, number: usize, width: f64) -> String {
    let named = format!("{number} {}", part.who);
    let needed = named.chars().count() as f64 * CHARACTER;
    if part.who.is_empty() || needed > width {
        number.to_string()
    } else {
        named
    }
}

/// What the numbers and colours stand for.
fn legend(out: &mut Markup, causes: &[String], top: f64) {
    const SIDE: f64 = 13.0;
    for (number, cause) in causes.iter().enumerate() {
        let (column, row) = (number % LEGEND_COLUMNS, number / LEGEND_COLUMNS);
        let x = LEFT + (RIGHT - LEFT) / LEGEND_COLUMNS as f64 * column as f64;
        let y = top + LINE * (row + 1) as f64;
        let swatch: Attributes = &[
            ("class", &svg::filled(number)),
            ("x", &At(x)),
            ("y", &At(y - SIDE + 2.0)),
            ("width", &At(SIDE)),
            ("height", &At(SIDE)),
        ];
        out.empty("rect", swatch);
        let name = format!("{} {cause}", number + 1);
        svg::label(out, (x + SIDE + 6.0, y), "start", "name", &name);
    }
}

/// Every cause that occurs, in the order in which they do: its place is its number and its colour.
fn causes(all: &[Vec<Segment>]) -> Vec<String> {
    let mut causes: Vec<String> = Vec::new();
    for part in all.iter().flatten() {
        if !causes.contains(&part.cause) {
            causes.push(part.cause.clone());
        }
    }
    causes
}

fn number(part: &Segment, causes: &[String]) -> usize {
    let place = causes.iter().position(|cause| *cause == part.cause);
    place.unwrap_or_default()
}

fn words(part: &Segment, causes: &[String]) -> String {
    let number = number(part, causes) + 1;
    let who = match part.who.as_str() {
        "" => String::new(),
        who => format!(" ({who})"),
    };
    format!("[{number}] {} {}{who}", nanos(part.ns), part.cause)
}

fn bar(out: &mut Markup, parts: &[Segment], causes: &[String], x: &Scale, top: f64) {
    let mut passed = 0.0;
    for part in parts {
        let from = x.place(passed);
        passed += part.ns as f64;
        let width = x.place(passed) - from;
        let number = number(part, causes);
        let attributes: Attributes = &[
            ("class", &(svg::filled(number) + " part")),
            ("x", &At(from)),
            ("y", &At(top)),
            ("width", &At(width.max(0.5))),
            ("height", &At(THICK)),
        ];
        out.element("rect", attributes, |out| {
            out.leaf("title", &[], &words(part, causes));
        });
        if width >= ROOM_FOR_NUMBER {
            let middle = (from + width / 2.0, top + THICK / 2.0 + 6.0);
            svg::label(
                out,
                middle,
                "middle",
                "number",
                &inside(part, number + 1, width),
            );
        }
    }
}
