//! What a watch says about itself.

use crate::board::Board;
use crate::settings::{Address, Settings};
use punctual_lab::environment::ProcessorSet;

/// What it does, and what is switched off: a line each.
pub(super) fn of(settings: &Settings, addresses: &[Address], board: &Board) -> Vec<String> {
    let processors = board.series.iter().map(|series| series.processor);
    let processors: ProcessorSet = processors.flat_map(u32::try_from).collect();
    let mut lines = vec![format!(
        "watches {} {processors} by {}, {} times a second each, for at most {} % of a processor",
        if processors.count() == 1 {
            "processor"
        } else {
            "processors"
        },
        settings.methods.join(", "),
        settings.rate_hertz,
        settings.budget * 100.0,
    )];
    lines.extend(addresses.iter().map(|address| match address {
        Address::Tcp(address) => format!("answers at http://{address}/ and /metrics"),
        Address::Unix(_) => format!("answers at {address}"),
    }));
    if let Some(folder) = &settings.textfile {
        lines.push(format!("writes punctual.prom into {}", folder.display()));
    }
    lines.push(match &settings.late {
        Some(late) => format!(
            "saves wake-ups later than {:?} in {}, at most {}",
            late.threshold,
            late.folder.display(),
            late.keep
        ),
        None => "saves no late wake-ups: that needs a threshold, and the right to trace the kernel"
            .to_owned(),
    });
    lines
}

/// How it goes, in a line.
pub(super) fn status(board: &Board) -> String {
    let (running, wakes) = (board.running(), board.wakes());
    let all = board.series.len();
    let mut status = format!("{running} of {all} samplers wait, {wakes} wake-ups counted");
    if let Some(lates) = &board.lates {
        status += &format!(", {} late ones kept", lates.saved.list().len());
    }
    status
}
