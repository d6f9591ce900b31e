//! The timer interval as text, at most 80 columns wide.

mod asked;
mod now;
mod swept;

pub(super) use asked::asked;
pub(super) use now::now;

use punctual_data::text::{HEADING, Text, WIDTH, heading, note, styled_line, wrapped};
use punctual_lab::conditions::Companion;
use punctual_lab::question::Simulated;
use punctual_lab::resolution::InForce;
use punctual_lab::resolution::recording::Origin;
use std::io;

/// The effect of a held request. With a command, these lines stand above the command's output.
pub fn held(out: &mut Text, in_force: &InForce, with_command: bool) -> io::Result<()> {
    writeln!(
        out,
        "requested {}, in force {}; Sleep(1) takes {:.2} ms here",
        ms(in_force.requested_ns),
        ms(in_force.interval_ns),
        in_force.sleep_1_mean_ns as f64 / 1e6,
    )?;
    if !in_force.honoured {
        note(out, &refusal(in_force))?;
    }
    if with_command {
        let reach = "since Windows 10 version 2004, a request shortens only the waits of the process \
                     that made it: this one, and not the command (Windows 11: unless \
                     GlobalTimerResolutionRequests is set)";
        return note(out, reach);
    }
    writeln!(out, "held until Ctrl-C")
}

fn refusal(in_force: &InForce) -> String {
    if in_force.requested_ns < in_force.minimum_ns {
        let least = ms(in_force.minimum_ns);
        return format!("not honoured: {least} is the shortest possible interval (try {least})");
    }
    "not honoured: the interval is longer than requested. Windows 11 does that to processes without a \
     visible window, and Wine to all"
        .to_owned()
}

/// An interval in the format of `clockres`, with a fourth digit if it needs one: `0.500 ms`.
fn ms(nanos: u64) -> String {
    let digits = format!("{:.4}", nanos as f64 / 1e6);
    let digits = digits.strip_suffix('0').unwrap_or(&digits);
    format!("{digits} ms")
}

/// The machine, for the end of a title.
fn place(origin: &Origin) -> String {
    machine_and_company(origin.on.as_ref(), &origin.with)
}

/// The simulated machine and its companions.
fn machine_and_company(on: Option<&Simulated>, with: &[Companion]) -> String {
    let on = on
        .into_iter()
        .map(|simulated| format!(" on {}", simulated.machine));
    let with = with.iter().map(|who| format!(", with {who}"));
    on.chain(with).collect()
}

/// A title of any length.
fn title(out: &mut Text, text: &str) -> io::Result<()> {
    // A machine's settings have commas without spaces. Lines may break there.
    let text = text.replace(',', ", ").replace(",  ", ", ");
    let mut lines = wrapped(&text, WIDTH);
    heading(out, &lines.next().unwrap_or_default())?;
    lines.try_for_each(|line| styled_line(out, HEADING, &line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_have_three_digits_or_four() {
        assert_eq!(ms(500_000), "0.500 ms");
        assert_eq!(ms(15_625_000), "15.625 ms");
        assert_eq!(ms(999_700), "0.9997 ms");
    }
}
