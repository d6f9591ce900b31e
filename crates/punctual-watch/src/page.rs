//! A page for people: what is late now, in the last hour, and what was saved.
//!
//! It has no script and loads nothing. It is as wide as a phone, and dark where the reader's system is.

mod chart;
mod parts;

use crate::board::Board;
use crate::history::History;
use punctual_data::{markup, theme};
use std::time::SystemTime;

const TITLE: &str = "Punctual watch";

/// What only this page has: figures in boxes, and wake-ups in a list.
const STYLE: &str = "
a { color: var(--c0); }
.dim { color: var(--quiet); }
.bad { color: var(--c7); font-weight: 600; }
dl.big { grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr)); gap: .6rem; margin: 1rem 0; }
dl.big div { border: 1px solid var(--grid); border-radius: .5rem; padding: .5rem .7rem; }
dl.big dd { font-size: 1.3rem; font-variant-numeric: tabular-nums; }
ol.late { list-style: none; padding: 0; }
ol.late > li { border-bottom: 1px solid var(--grid); padding: .5rem 0; }
";

/// The page as HTML.
pub fn page(board: &Board, history: &History, now: SystemTime) -> String {
    let style = |out: &mut markup::Markup| {
        theme::of_page(out);
        out.constant(STYLE);
    };
    markup::page(TITLE, style, |out| {
        parts::head(out, board, now);
        parts::now(out, board, history);
        parts::last_hour(out, history);
        parts::processors(out, board);
        parts::lates(out, board, now);
        parts::machine(out, board);
        parts::faults(out, board);
    })
}
