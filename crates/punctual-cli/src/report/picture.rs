//! One figure of a page as a file of its own.

use super::document::{Document, described};
use super::flags::FigureArg;
use super::{languages, lateness, pace, predictions, timeline, varied};
use punctual_data::figure::Figure;
use punctual_data::quantity;
use punctual_lab::measure::Recording;
use punctual_lab::measure::SeriesRecord;
use punctual_lab::pace::PaceRecording;

/// A figure of the documents, as SVG; or what is missing for it.
pub(super) fn picture(wanted: FigureArg, documents: &[Document]) -> Result<String, String> {
    match wanted {
        FigureArg::Lateness => of_recording(documents, lateness::percentiles),
        FigureArg::Histogram => of_recording(documents, lateness::histograms),
        FigureArg::Timeline => of_one(documents, "'explain'", |document| match document {
            Document::Explanation(explained) => {
                let figure = timeline::figure(explained);
                Some(figure.map(|figure| figure.alone(&explained.subject)))
            }
            _ => None,
        }),
        FigureArg::Drift => of_pace(documents, |pace| Some(pace::drift(pace))),
        FigureArg::Pace => of_pace(documents, pace::figure),
        FigureArg::Vary => match &varied::groups(documents)[..] {
            [group] => {
                let figure = group.figure().map(|figure| figure.alone(&group.setting()));
                figure.ok_or("the result of 'measure --vary' is empty: nothing to draw".to_owned())
            }
            groups => Err(format!(
                "it shows files that 'measure --vary' printed with --json, in which the same condition is varied, and {} \
                 conditions are given",
                groups.len()
            )),
        },
        FigureArg::Languages => of_one(documents, "'windows'", |document| match document {
            Document::Languages(found) => Some(Some(languages::figure(found).alone(""))),
            _ => None,
        }),
        FigureArg::Predictions => {
            let figure = predictions::figure(documents).ok_or(
                "it needs recordings of two machines or more, one of them simulated, from 'measure \
                 --on' and 'measure'",
            )?;
            Ok(figure.alone(&periods(documents)))
        }
    }
}

/// Draws the only document of a kind. `draw` returns `None` for documents of other kinds, and
/// `Some(None)` if there is nothing to draw.
fn of_one(
    documents: &[Document],
    verb: &str,
    draw: impl Fn(&Document) -> Option<Option<String>>,
) -> Result<String, String> {
    let drawn: Vec<_> = documents.iter().filter_map(draw).collect();
    match <[_; 1]>::try_from(drawn) {
        Ok([Some(picture)]) => Ok(picture),
        Ok([None]) => Err(format!("the result of {verb} is empty: nothing to draw")),
        Err(several) => Err(format!(
            "it shows one file that {verb} printed with --json, and {} such files are given",
            several.len()
        )),
    }
}

fn of_recording(
    documents: &[Document],
    figure: impl Fn(&[&SeriesRecord]) -> Figure,
) -> Result<String, String> {
    of_one(documents, "'measure'", |document| match document {
        Document::Recording(recording) => {
            let series: Vec<_> = measured(recording).collect();
            Some((!series.is_empty()).then(|| {
                let period = quantity::show(recording.question.schedule.period.to_duration());
                let processor = &recording.environment.processor;
                let on = processor.as_ref().map(|name| format!(", {name}"));
                let on = on.unwrap_or_default();
                let setting = format!("{}{on}, waits of {period}", described(recording));
                figure(&series).alone(&setting)
            }))
        }
        _ => None,
    })
}

fn of_pace(
    documents: &[Document],
    figure: impl Fn(&PaceRecording) -> Option<Figure>,
) -> Result<String, String> {
    of_one(documents, "'measure --beat'", |document| match document {
        Document::Pace(paced) => {
            let has_beats = paced.series.iter().any(|way| way.beats > 0);
            let figure = has_beats.then(|| figure(paced)).flatten();
            Some(figure.map(|figure| figure.alone(&pace::setting(paced))))
        }
        _ => None,
    })
}

fn measured(recording: &Recording) -> impl Iterator<Item = &SeriesRecord> {
    recording.series.iter().filter(|series| series.count > 0)
}

/// The period of the waits, if it is the same in all recordings.
fn periods(documents: &[Document]) -> String {
    let mut periods: Vec<_> = documents
        .iter()
        .filter_map(|document| match document {
            Document::Recording(recording) => Some(recording.question.schedule.period),
            _ => None,
        })
        .collect();
    periods.dedup();
    match periods[..] {
        [period] => format!("waits of {}", quantity::show(period.to_duration())),
        _ => String::new(),
    }
}
