//! One figure of a page as a file of its own.

use super::document::{Document, described, found};
use super::{FigureArg, languages, lateness, pace, predictions, timeline, varied};
use punctual_data::figure::Figure;
use punctual_data::lateness::{Named, histograms, percentiles};
use punctual_data::quantity;
use punctual_lab::pace::PaceRecording;

/// A figure of the documents, as SVG; or what is missing for it.
pub(super) fn picture(wanted: FigureArg, documents: &[Document]) -> Result<String, String> {
    match wanted {
        FigureArg::Lateness => of_recording(documents, percentiles),
        FigureArg::Histogram => of_recording(documents, histograms),
        FigureArg::Timeline => {
            let explained = one(found!(documents, Explanation), "'explain'")?;
            drawn(timeline::figure(explained), "'explain'", &explained.subject)
        }
        FigureArg::Drift => of_pace(documents, |pace| Some(pace::drift(pace))),
        FigureArg::Pace => of_pace(documents, pace::figure),
        FigureArg::Vary => match &varied::groups(documents)[..] {
            [group] => drawn(group.figure(), "'measure --vary'", &group.setting()),
            groups => Err(format!(
                "it shows files that 'measure --vary' printed with --json, in which the same condition is varied, and {} \
                 conditions are given",
                groups.len()
            )),
        },
        FigureArg::Languages => {
            let found = one(found!(documents, Languages), "'windows'")?;
            Ok(languages::figure(found).alone(""))
        }
        FigureArg::Predictions => {
            let figure = predictions::figure(documents).ok_or(
                "it needs recordings of two machines or more, one of them simulated, from 'measure \
                 --on' and 'measure'",
            )?;
            Ok(figure.alone(&periods(documents)))
        }
    }
}

/// The only document of a kind, which this command printed.
fn one<T>(documents: impl Iterator<Item = T>, verb: &str) -> Result<T, String> {
    let found: Vec<_> = documents.collect();
    <[T; 1]>::try_from(found)
        .map(|[only]| only)
        .map_err(|several| {
            format!(
                "it shows one file that {verb} printed with --json, and {} such files are given",
                several.len()
            )
        })
}

fn drawn(figure: Option<Figure>, verb: &str, setting: &str) -> Result<String, String> {
    let figure = figure.ok_or_else(|| format!("the result of {verb} is empty: nothing to draw"))?;
    Ok(figure.alone(setting))
}

fn of_recording(
    documents: &[Document],
    figure: impl Fn(&Named<'_>) -> Figure,
) -> Result<String, String> {
    let recording = one(found!(documents, Recording), "'measure'")?;
    let series = recording.series.iter().filter(|series| series.count > 0);
    let series: Vec<_> = series.collect();
    let period = quantity::show(recording.question.schedule.period.to_duration());
    let processor = &recording.environment.processor;
    let on = processor.as_ref().map(|name| format!(", {name}"));
    let on = on.unwrap_or_default();
    let setting = format!("{}{on}, waits of {period}", described(recording));
    let figure = (!series.is_empty()).then(|| figure(&lateness::named(&series)));
    drawn(figure, "'measure'", &setting)
}

fn of_pace(
    documents: &[Document],
    figure: impl Fn(&PaceRecording) -> Option<Figure>,
) -> Result<String, String> {
    let paced = one(found!(documents, Pace), "'measure --beat'")?;
    let has_beats = paced.series.iter().any(|way| way.beats > 0);
    let figure = has_beats.then(|| figure(paced)).flatten();
    drawn(figure, "'measure --beat'", &pace::setting(paced))
}

/// The period of the waits, if it is the same in all recordings.
fn periods(documents: &[Document]) -> String {
    let periods = found!(documents, Recording);
    let periods = periods.map(|recording| recording.question.schedule.period);
    let mut periods: Vec<_> = periods.collect();
    periods.dedup();
    match periods[..] {
        [period] => format!("waits of {}", quantity::show(period.to_duration())),
        _ => String::new(),
    }
}
