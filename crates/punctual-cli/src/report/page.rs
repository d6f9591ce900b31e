//! The page and the order of its parts.

use super::document::{Document, described, found, simulated};
use super::{
    Material, commands, languages, lateness, machine, pace, predictions, timeline, varied, verdict,
};
use punctual_data::markup::{self, Markup};
use punctual_data::theme;
use punctual_lab::confidence::Confidence;
use punctual_lab::measure::Recording;
use punctual_windows::confidence::text as confidence;

const TITLE: &str = "How punctual is this machine?";

/// The page as text. The same material gives the same text.
pub(super) fn page(material: &Material) -> String {
    markup::page(TITLE, theme::of_page, |out| body(out, material))
}

fn body(out: &mut Markup, material: &Material) {
    let documents = &material.documents;
    out.leaf("h1", &[], TITLE);
    let sentences = verdict::sentences(documents);
    out.element("section", &[("class", &"verdict")], |out| {
        sentences
            .iter()
            .for_each(|sentence| out.leaf("p", &[], sentence));
    });
    out.element("section", &[], |out| machine::write(out, documents));
    out.element("section", &[], |out| measured(out, documents));
    let causes = found!(documents, Explanation);
    let title = "The worst wake-ups and their causes";
    section(out, (title, "timeline"), causes, timeline::write);
    let paces = found!(documents, Pace);
    section(out, ("Pace over time", "pace"), paces, |out, id, found| {
        pace::write(out, id, found);
        let ways = found.series.iter();
        let ways = ways.map(|way| (way.way.as_str(), way.confidence.as_ref()));
        trusted(out, ways);
    });
    let found = found!(documents, Clocks);
    section(out, ("Clocks", "clocks"), found, machine::write_clocks);
    out.element("section", &[], |out| predictions::write(out, documents));
    varied_ones(out, documents);
    let languages = found!(documents, Languages);
    let title = "The sleeps of languages";
    section(out, (title, "languages"), languages, languages::write);
    out.element("section", &[], |out| how(out, material));
}

fn measured(out: &mut Markup, documents: &[Document]) {
    let recordings: Vec<_> = found!(documents, Recording).collect();
    if recordings.is_empty() {
        return;
    }
    out.leaf("h2", &[], "Lateness");
    let are_many = recordings.len() > 1;
    for (number, recording) in recordings.into_iter().enumerate() {
        let name = described(recording);
        // Next to real machines, simulated ones are collapsed: they have an overview further below.
        if are_many && simulated(recording).is_some() {
            out.element("details", &[], |out| {
                out.leaf("summary", &[], &name);
                lateness(out, number, recording);
            });
        } else {
            out.leaf("h3", &[], &name);
            lateness(out, number, recording);
        }
    }
}

fn lateness(out: &mut Markup, number: usize, recording: &Recording) {
    let measured = recording.series.iter().filter(|series| series.count > 0);
    let measured: Vec<_> = measured.collect();
    if measured.is_empty() {
        out.leaf("p", &[], "Stopped before anything was measured.");
        return;
    }
    lateness::write(out, number, &measured);
    let named = measured.iter();
    let named = named.map(|series| (series.method.as_str(), series.confidence.as_ref()));
    trusted(out, named);
}

/// How far predictions can be trusted.
fn trusted<'a>(out: &mut Markup, named: impl Iterator<Item = (&'a str, Option<&'a Confidence>)>) {
    let named: Vec<_> = named
        .filter_map(|(name, said)| Some((name, said?)))
        .collect();
    let remarks = confidence::remarks(&named);
    if remarks.is_empty() {
        return;
    }
    out.leaf("p", &[], format!("{}:", confidence::TITLE));
    out.element("ul", &[], |out| {
        remarks
            .iter()
            .for_each(|remark| out.leaf("li", &[], remark));
    });
}

/// A section with a title for the documents of a kind, each with an id that begins with the name of the kind.
fn section<'a, T: 'a>(
    out: &mut Markup,
    (title, kind): (&str, &str),
    found: impl Iterator<Item = &'a T>,
    write: impl Fn(&mut Markup, &str, &'a T),
) {
    let mut found = found.enumerate().peekable();
    if found.peek().is_some() {
        out.element("section", &[], |out| {
            out.leaf("h2", &[], title);
            found.for_each(|(number, document)| write(out, &format!("{kind}-{number}"), document));
        });
    }
}

fn varied_ones(out: &mut Markup, documents: &[Document]) {
    for (number, group) in varied::groups(documents).into_iter().enumerate() {
        out.element("section", &[], |out| {
            out.leaf("h2", &[], group.title());
            group.write(out, &format!("varied-{number}"));
        });
    }
}

fn how(out: &mut Markup, material: &Material) {
    out.leaf("h2", &[], "How each part was measured");
    out.element("ol", &[], |out| {
        for document in &material.documents {
            let made = commands::made(document);
            out.element("li", &[], |out| {
                out.leaf("code", &[], &made.command);
                out.leaf(
                    "p",
                    &[],
                    format!("{}. Punctual {}.", made.remark, made.by_version),
                );
            });
        }
    });
    for lacking in &material.lacking {
        out.leaf("p", &[], lacking);
    }
}
