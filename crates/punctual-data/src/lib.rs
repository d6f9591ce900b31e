//! What comes in is a figure, or text from elsewhere. What goes out can be read by people and programs, and can do
//! nothing to them.
//!
//! | to change | open |
//! |---|---|
//! | how durations, frequencies and shares are read and written | [`quantity`] |
//! | which characters are shown as they are, on a terminal, in a log, on a page and in a metric | [`escape`] |
//! | how lines reach a terminal, and the parts that texts share | [`text`] |
//! | how durations are counted, and what a distribution is in JSON | [`histogram`], [`distribution`] |
//! | how late waits were, how steady a beat was, and what durations lie together | [`statistics`], [`pace`], [`clusters`] |
//! | how types are written as words, and durations and shares as numbers, in documents | [`written`] |
//! | what every result can be shown as | [`show`] |
//! | a table as text, Markdown and CSV | [`table`] |
//! | whether a mean has changed | [`means`] |
//! | a page of Markdown | [`markdown`] |
//! | a page of HTML, and tables on it | [`markup`] |
//! | a figure on a page or alone | [`figure`] |
//! | charts: axes, lines with their names, rows of bars | [`chart`] |
//! | charts of lateness | [`lateness`] |
//! | what figures are drawn of | [`svg`] |
//! | colours and sizes, light and dark | [`theme`] |
//! | where a value is drawn | [`scale`] |
//! | bars made of characters | [`bars`] |
//! | how JSON is written | [`json`] |
//! | files that are written whole or not at all | [`mod@file`] |

pub mod bars;
pub mod chart;
pub mod clusters;
mod csv;
pub mod distribution;
pub mod escape;
pub mod figure;
pub mod file;
pub mod histogram;
pub mod json;
pub mod lateness;
mod literal;
pub mod markdown;
pub mod markup;
pub mod means;
pub mod pace;
pub mod quantity;
pub mod scale;
pub mod show;
pub mod statistics;
pub mod svg;
pub mod table;
pub mod text;
pub mod theme;
pub mod written;
