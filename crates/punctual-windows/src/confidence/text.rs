//! How far the figures of simulated machines can be trusted: a line per reason, and signs after
//! figures.

use super::{Confidence, Ground, Level};
use punctual_data::text::{Text, beside, heading};
use std::io;

/// The title of the lines.
pub const TITLE: &str = "How far these predictions can be trusted";

/// The width of a level's words, and some space.
const LEVEL: usize = 25;

/// The sign after a figure; nothing after one of a real machine.
pub fn sign(confidence: Option<&Confidence>) -> &'static str {
    confidence.map_or("", |confidence| confidence.level.sign())
}

/// The words for CSV; nothing on a real machine.
pub fn word(confidence: Option<&Confidence>) -> String {
    confidence.map_or(String::new(), |confidence| confidence.level.to_string())
}

/// The meaning of the signs that occur.
pub fn legend<'a>(of: impl Iterator<Item = &'a Confidence>) -> Vec<String> {
    let levels: Vec<_> = of.map(|confidence| confidence.level).collect();
    let occurring = Level::ALL
        .into_iter()
        .filter(|level| levels.contains(level));
    let meaning = |level: Level| match level {
        Level::Published => "no sign: agrees with a published value".to_owned(),
        Level::MeasuredElsewhere => {
            format!("{}: its rules were measured elsewhere", level.sign())
        }
        Level::Inferred => format!(
            "{}: a rule that it rests on is inferred or disputed",
            level.sign()
        ),
        Level::Contradicted => {
            format!(
                "{}: a published value contradicts it, or a rule that it rests on",
                level.sign()
            )
        }
    };
    occurring.map(meaning).collect()
}

/// What has the same confidence for the same reason, the best first.
struct Reason {
    level: Level,
    names: Vec<String>,
    because: String,
}

impl Reason {
    fn text(&self) -> String {
        let names = self.names.join(", ");
        match self.because.is_empty() {
            true => names,
            false => format!("{names}: {}", self.because),
        }
    }
}

fn reasons(named: &[(impl AsRef<str>, &Confidence)]) -> Vec<Reason> {
    let mut reasons: Vec<Reason> = Vec::new();
    for (name, confidence) in named {
        let because = because(confidence);
        let alike =
            |reason: &&mut Reason| reason.level == confidence.level && reason.because == because;
        match reasons.iter_mut().find(alike) {
            Some(reason) => reason.names.push(name.as_ref().to_owned()),
            None => reasons.push(Reason {
                level: confidence.level,
                names: vec![name.as_ref().to_owned()],
                because,
            }),
        }
    }
    reasons.sort_by_key(|reason| reason.level);
    reasons
}

/// Why the confidence is no better: the rules that decide, or what is unusual about the machine.
pub fn because(confidence: &Confidence) -> String {
    if let Some(case) = &confidence.case {
        return case.clone();
    }
    let grounds = confidence.rests_on.iter();
    let decide = grounds.filter(|ground| {
        ground.level == confidence.level && ground.level > Level::MeasuredElsewhere
    });
    let mut words: Vec<_> = decide.map(ground).collect();
    if confidence.level == Level::Inferred && !confidence.unusual.is_empty() {
        let unusual = confidence.unusual.join(", ");
        words.push(format!("nobody has measured with {unusual}"));
    }
    words.join("; ")
}

/// Why a rule is no better: `due-time is inferred`.
pub fn ground(ground: &Ground) -> String {
    let cases = match (ground.level, &ground.cases[..]) {
        (_, []) => String::new(),
        (Level::Contradicted, cases) => format!(" by {}", cases.join(", ")),
        (_, cases) => format!(" ({})", cases.join(", ")),
    };
    format!("{} is {}{cases}", ground.rule, ground.basis)
}

/// Writes a line per reason, under a heading, if anything is predicted.
pub fn write(out: &mut Text, named: &[(impl AsRef<str>, &Confidence)]) -> io::Result<()> {
    if named.is_empty() {
        return Ok(());
    }
    heading(out, TITLE)?;
    for reason in reasons(named) {
        beside(out, reason.level.name(), LEVEL, &reason.text())?;
    }
    Ok(())
}

/// The same as sentences for a page.
pub fn remarks(named: &[(impl AsRef<str>, &Confidence)]) -> Vec<String> {
    let sentence = |reason: Reason| format!("{}: {}", reason.level, reason.text());
    reasons(named).into_iter().map(sentence).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn confidence(level: Level, rule: &str, basis: &str, cases: &[&str]) -> Confidence {
        Confidence {
            level,
            case: None,
            rests_on: vec![Ground {
                rule: rule.to_owned(),
                basis: basis.to_owned(),
                level,
                cases: cases.iter().map(ToString::to_string).collect(),
            }],
            unusual: Vec::new(),
        }
    }

    #[test]
    fn figures_with_the_same_reason_share_a_line() {
        let inferred = confidence(Level::Inferred, "due-time", "inferred", &[]);
        let refuted = confidence(
            Level::Contradicted,
            "high-resolution",
            "contradicted",
            &["a", "b"],
        );
        let named = [("x", &refuted), ("y", &inferred), ("z", &refuted)];
        assert_eq!(
            remarks(&named),
            [
                "inferred: y: due-time is inferred",
                "contradicted: x, z: high-resolution is contradicted by a, b"
            ]
        );
        assert_eq!(legend(named.iter().map(|(_, found)| *found)).len(), 2);
    }

    #[test]
    fn an_unusual_machine_is_named() {
        let measured = confidence(Level::MeasuredElsewhere, "lattice", "measured", &["a"]);
        assert_eq!(because(&measured), "");
        let unusual = Confidence {
            level: Level::Inferred,
            unusual: vec!["processors=2".to_owned()],
            ..measured
        };
        assert_eq!(because(&unusual), "nobody has measured with processors=2");
    }
}
