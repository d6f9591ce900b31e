//! The worst wake-ups as a timeline: from the deadline until the thread ran, with the causes.

use super::document::{Explanation, Segment, WakeUp};
use punctual_data::figure::Figure;
use punctual_data::markup::{Markup, table};
use punctual_data::quantity::{nanos, percent_in_words};
use punctual_data::scale::Scale;
use punctual_data::svg::{self, LINE};

/// The number of wake-ups that are drawn.
const WORST: usize = 6;
const CAUSES: usize = 12;
const LEFT: f64 = 8.0;
const RIGHT: f64 = svg::WIDTH - 8.0;
const ROW: f64 = 62.0;
const THICK: f64 = 30.0;
/// The number of entries that fit side by side on a phone.
const LEGEND_COLUMNS: usize = 3;
/// The width of a bold character on a phone, in most fonts.
const CHARACTER: f64 = 11.5;
/// A narrower segment has no room for its number.
const ROOM_FOR_NUMBER: f64 = 22.0;

/// Writes the section.
pub(super) fn write(out: &mut Markup, id: &str, explanation: &Explanation) {
    out.leaf("h3", &[], &explanation.subject);
    out.leaf("p", &[], known(explanation));
    if let Some(figure) = figure(explanation) {
        figure.write(out, id);
        in_words(out, &worst(explanation));
    }
    let rows = explanation.causes.iter().take(CAUSES).map(|row| {
        let (cause, total) = (row.cause.to_string(), nanos(row.total_ns));
        let share = percent_in_words(row.share);
        vec![cause, row.occupant.clone(), total, share]
    });
    let rows = rows.collect::<Vec<_>>();
    if !rows.is_empty() {
        let title = "Where the lateness of all wake-ups went";
        table(out, title, &["cause", "occupant", "total", "share"], &rows);
    }
}

/// The figure alone, if there is a wake-up to draw.
pub(super) fn figure(explanation: &Explanation) -> Option<Figure> {
    let worst = worst(explanation);
    (!worst.is_empty()).then(|| draw(&worst))
}

/// The worst first.
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
            "The kernel's trace could not be read ({reason}). So lateness is split in two parts: \
             until the timer had made the thread ready (timer), and until the thread had a \
             processor (queue)."
        ),
        None => format!(
            "{} of {} wake-ups are explained. In {} of them one switch of threads was not recorded.",
            explanation.exact.saturating_add(explanation.ambiguous),
            explanation.of,
            explanation.ambiguous
        ),
    }
}

fn draw(worst: &[&WakeUp]) -> Figure {
    let most = worst.first().map_or(1, |worst| worst.lateness_ns.max(1));
    let x = Scale {
        values: (0.0, most as f64),
        places: (LEFT, RIGHT),
    };
    let all: Vec<_> = worst
        .iter()
        .map(|wake_up| wake_up.segments.clone())
        .collect();
    let causes = causes(&all);
    let title = "The worst wake-ups, from deadline until they ran";
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

/// A description of the figure, a line for each wake-up.
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

/// The number of a part, and its name if there is room.
fn inside(part: &Segment, number: usize, width: f64) -> String {
    let named = format!("{number} {}", part.occupant);
    let needed = named.chars().count() as f64 * CHARACTER;
    if part.occupant.is_empty() || needed > width {
        number.to_string()
    } else {
        named
    }
}

/// The legend of numbers, colours and dashes.
fn legend(out: &mut Markup, causes: &[String], top: f64) {
    /// Wide enough for a dash and a gap of every kind.
    const SWATCH: (f64, f64) = (26.0, 15.0);
    for (number, cause) in causes.iter().enumerate() {
        let (column, row) = (number % LEGEND_COLUMNS, number / LEGEND_COLUMNS);
        let x = LEFT + (RIGHT - LEFT) / LEGEND_COLUMNS as f64 * column as f64;
        let y = top + LINE * (row + 1) as f64;
        svg::block(out, number, (x, y - SWATCH.1 + 3.0), SWATCH, cause);
        let name = format!("{} {cause}", number + 1);
        svg::label(out, (x + SWATCH.0 + 6.0, y), "start", "name", &name);
    }
}

/// Every cause, in the order of first occurrence. Its place gives its number, its colour and its
/// dashes.
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
    let occupant = match part.occupant.as_str() {
        "" => String::new(),
        occupant => format!(" ({occupant})"),
    };
    format!("[{number}] {} {}{occupant}", nanos(part.ns), part.cause)
}

fn bar(out: &mut Markup, parts: &[Segment], causes: &[String], x: &Scale, top: f64) {
    let mut passed = 0.0;
    for part in parts {
        let from = x.place(passed);
        passed += part.ns as f64;
        let width = x.place(passed) - from;
        let number = number(part, causes);
        let size = (width.max(0.5), THICK);
        svg::block(out, number, (from, top), size, &words(part, causes));
        if width >= ROOM_FOR_NUMBER {
            let middle = (from + width / 2.0, top + THICK / 2.0 + 4.0);
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

#[cfg(test)]
mod tests {
    use super::*;
    use punctual_trace::Cause;
    use std::collections::BTreeSet;

    /// All names in a timeline: the causes of a trace, and the two parts that are known without
    /// one.
    fn all_causes() -> Vec<String> {
        let known_without = ["timer", "queue"].map(str::to_owned);
        let of_a_trace = Cause::ALL.map(|cause| cause.name().to_owned());
        of_a_trace.into_iter().chain(known_without).collect()
    }

    #[test]
    fn no_two_causes_share_a_colour() {
        let causes = all_causes();
        let segment = |cause: &String| Segment {
            cause: cause.clone(),
            occupant: String::new(),
            ns: 1_000,
        };
        let wake_up = WakeUp {
            lateness_ns: 1_000 * causes.len() as u64,
            segments: causes.iter().map(segment).collect(),
        };
        let picture = draw(&[&wake_up]).alone("");
        let parsed = roxmltree::Document::parse(&picture).unwrap();
        let parts = parsed.descendants().filter(|node| {
            let class = node.attribute("class").unwrap_or_default();
            node.has_tag_name("rect") && class.ends_with(" part")
        });
        let look = |node: roxmltree::Node| {
            let next = node.next_sibling_element().unwrap();
            let dashes = match next.attribute("class") {
                Some("dashes") => next.attribute("stroke-dasharray").unwrap().to_owned(),
                _ => String::new(),
            };
            (node.attribute("class").unwrap().to_owned(), dashes)
        };
        let looks: Vec<_> = parts.map(look).collect();
        let (in_bar, in_legend) = looks.split_at(causes.len());
        assert_eq!(in_bar, in_legend, "the legend shows what is in the bar");
        let colours: BTreeSet<_> = in_bar.iter().map(|(colour, _)| colour).collect();
        assert_eq!(colours.len(), causes.len(), "{in_bar:?}");
        // Neighbours differ for readers who see no colours, too.
        assert!(in_bar.windows(2).all(|pair| pair[0].1 != pair[1].1));
    }
}
