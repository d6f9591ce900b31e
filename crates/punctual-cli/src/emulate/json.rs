//! What a run was, as JSON.

use super::{Run, RunArgs};
use punctual_data::quantity::whole_nanos;
use punctual_emulate::session::Status;
use punctual_emulate::summary::{SCHEMA, Summary};
use serde::Serialize;

/// A run: what was asked, how it ended, and what the waits were.
#[derive(Serialize)]
pub(super) struct Document {
    schema: &'static str,
    punctual_version: &'static str,
    question: Question,
    exited: Option<i32>,
    signal: Option<i32>,
    took_ns: u64,
    #[serde(flatten)]
    summary: Summary,
    tracer: Tracer,
}

#[derive(Serialize)]
struct Question {
    machine: String,
    persona: String,
    with: Vec<String>,
    request_ns: Option<u64>,
    hidden: bool,
    phase_ns: u64,
    seed: u64,
    command: Vec<String>,
}

/// What it took to steer the waits.
#[derive(Serialize)]
struct Tracer {
    processes: u64,
    threads: u64,
    stops: u64,
    steered: u64,
    one_stop: u64,
    left: u64,
    revised: u64,
    failed: u64,
}

/// The document of a run.
pub(super) fn document(args: &RunArgs, run: &Run) -> Document {
    let counts = run.ended.counts;
    let (exited, signal) = match run.ended.status {
        Status::Exited(code) => (Some(code), None),
        Status::Signalled(signal) => (None, Some(signal)),
    };
    let words = args
        .command
        .iter()
        .map(|word| word.to_string_lossy().into_owned());
    Document {
        schema: SCHEMA,
        punctual_version: env!("CARGO_PKG_VERSION"),
        question: Question {
            machine: run.version.name(),
            persona: args.persona.name().to_owned(),
            with: args.with.iter().map(ToString::to_string).collect(),
            request_ns: args.request.map(whole_nanos),
            hidden: args.hidden,
            phase_ns: whole_nanos(run.phase),
            seed: args.seed,
            command: words.collect(),
        },
        exited,
        signal,
        took_ns: whole_nanos(run.took),
        summary: Summary::of(&run.windows),
        tracer: Tracer {
            processes: counts.processes,
            threads: counts.threads,
            stops: counts.stops,
            steered: counts.steered,
            one_stop: counts.one_stop,
            left: counts.left,
            revised: counts.revised,
            failed: counts.failed,
        },
    }
}
