//! A page for people: what is late now, in the last hour, and what was saved.
//!
//! It has no script and loads nothing. It is as wide as a phone, and dark where the reader's system is.

mod chart;
mod figures;
mod html;
mod parts;
mod style;

use crate::board::Board;
use crate::history::History;
use html::Html;
use std::time::SystemTime;

/// The page as HTML.
pub fn page(board: &Board, history: &History, now: SystemTime) -> String {
    let mut out = Html::default();
    out.raw("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n");
    out.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    out.raw("<title>Punctual watch</title>\n<style>");
    out.raw(style::STYLE);
    out.raw("</style></head><body>\n");
    parts::head(&mut out, board, now);
    parts::now(&mut out, board, history);
    parts::last_hour(&mut out, history);
    parts::processors(&mut out, board);
    parts::lates(&mut out, board, now);
    parts::machine(&mut out, board);
    parts::faults(&mut out, board);
    out.raw("</body></html>\n");
    out.into_string()
}
