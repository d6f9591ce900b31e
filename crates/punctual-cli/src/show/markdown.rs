//! A recording as Markdown, to paste into an issue tracker.

use super::table::{percent, shown};
use super::title;
use punctual_lab::recording::{Recording, SeriesRecord, Summary};
use std::io::{self, Write};

/// Writes all of it.
pub fn markdown(out: &mut dyn Write, recording: &Recording) -> io::Result<()> {
    writeln!(out, "### {}\n", escaped(&title(recording)))?;
    let measured: Vec<_> = recording
        .series
        .iter()
        .filter(|series| series.count > 0)
        .collect();
    per_wake(out, &measured)?;
    writeln!(
        out,
        "\nThe same per deadline, every missed deadline counted:\n"
    )?;
    per_deadline(out, &measured)?;
    notes(out, recording)?;
    machine(out, recording)
}

fn per_wake(out: &mut dyn Write, series: &[&SeriesRecord]) -> io::Result<()> {
    let head = "method | p50 | p90 | p99 | p99.9 | max | early | missed | cpu";
    writeln!(out, "| {head} |\n|---{}|", "|--:".repeat(8))?;
    for series in series {
        writeln!(
            out,
            "| {} | {} | {} | {} | {} |",
            escaped(&series.method),
            statistics(&series.per_wake),
            series.early,
            series.missed,
            percent(series.processor_share)
        )?;
    }
    Ok(())
}

fn per_deadline(out: &mut dyn Write, series: &[&SeriesRecord]) -> io::Result<()> {
    let head = "method | p50 | p90 | p99 | p99.9 | max";
    writeln!(out, "| {head} |\n|---{}|", "|--:".repeat(5))?;
    for series in series {
        let statistics = statistics(&series.per_deadline);
        writeln!(out, "| {} | {statistics} |", escaped(&series.method))?;
    }
    Ok(())
}

fn statistics(summary: &Summary) -> String {
    shown(summary).join(" | ")
}

/// What the reader of the tables has to know.
fn notes(out: &mut dyn Write, recording: &Recording) -> io::Result<()> {
    let changes = recording.environment_changes.iter();
    let changes = changes.map(|change| format!("During the run {change}."));
    let missing = recording.unavailable.iter();
    let missing = missing.map(|missing| format!("No {}: {}.", missing.method, missing.reason));
    for (index, note) in changes.chain(missing).enumerate() {
        if index == 0 {
            writeln!(out)?;
        }
        writeln!(out, "- {}", escaped(&note))?;
    }
    Ok(())
}

/// Folded: needed by whoever compares, in the way of whoever reads.
fn machine(out: &mut dyn Write, recording: &Recording) -> io::Result<()> {
    writeln!(out, "\n<details><summary>Machine</summary>\n")?;
    for line in recording.environment.lines() {
        writeln!(out, "- {}", escaped(line.trim()))?;
    }
    writeln!(out, "- Punctual {}", escaped(&recording.punctual_version))?;
    writeln!(out, "\n</details>")
}

/// Text that is to be seen as it is.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '<' => escaped.push_str("&lt;"),
            '&' => escaped.push_str("&amp;"),
            '\n' => escaped.push(' '),
            '|' | '*' | '_' | '`' | '[' | ']' | '\\' | '#' => {
                escaped.push('\\');
                escaped.push(character);
            }
            plain => escaped.push(plain),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_markdown_would_read_as_its_own_is_escaped() {
        let text = "a|b <script> *x* `y` [z](#) \\ &";
        let seen = "a\\|b &lt;script> \\*x\\* \\`y\\` \\[z\\](\\#) \\\\ &amp;";
        assert_eq!(escaped(text), seen);
    }
}
