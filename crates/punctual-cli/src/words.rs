//! Questions as command lines that ask them again. Each command builds its own from these parts.

use punctual::margin::{Budget, LateRate};
use punctual_data::escape::is_plain;
use punctual_data::quantity::write_share;
use punctual_lab::conditions::{Companion, Load, Priority, Standing};
use punctual_lab::question::{Conditions, Simulated};
use std::fmt;

/// The words of a command line, without the program's own name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Words(Vec<String>);

impl Words {
    /// The words of a command without flags.
    pub fn of(command: &str) -> Self {
        Self(vec![command.to_owned()])
    }

    /// A word that is no flag.
    pub fn word(&mut self, word: impl ToString) {
        self.0.push(word.to_string());
    }

    /// A flag with a value.
    pub fn flag(&mut self, name: &str, value: impl ToString) {
        self.0.extend([name.to_owned(), value.to_string()]);
    }

    /// A flag with a value, if the value is set.
    pub fn optional(&mut self, name: &str, value: Option<impl ToString>) {
        if let Some(value) = value {
            self.flag(name, value);
        }
    }

    /// A flag, once for each of its values.
    pub fn each(&mut self, name: &str, values: impl IntoIterator<Item = impl ToString>) {
        for value in values {
            self.flag(name, value);
        }
    }

    /// A flag without a value.
    pub fn switch(&mut self, name: &str, is_on: bool) {
        if is_on {
            self.0.push(name.to_owned());
        }
    }

    /// `--on` and `--seed`.
    pub fn on(&mut self, simulated: Option<&Simulated>) {
        if let Some(Simulated { machine, seed }) = simulated {
            self.flag("--on", machine);
            self.flag("--seed", seed);
        }
    }

    /// `--with`.
    pub fn with(&mut self, companions: &[Companion]) {
        self.each("--with", companions);
    }

    /// `--hidden` and `--throttling`.
    pub fn standing(&mut self, standing: Standing) {
        self.switch("--hidden", standing.hidden);
        self.optional("--throttling", standing.throttling);
    }

    /// `--load`, `--with`, `--hidden`, `--throttling`, `--priority`, `--pin` and `--slice`.
    pub fn conditions(&mut self, conditions: &Conditions) {
        if conditions.load != Load::None {
            self.flag("--load", &conditions.load);
        }
        self.with(&conditions.with);
        self.standing(conditions.standing);
        if conditions.priority != Priority::Normal {
            self.flag("--priority", conditions.priority);
        }
        self.optional("--pin", conditions.pin);
        if !conditions.slices.is_empty() {
            let slices: Vec<_> = conditions.slices.iter().map(ToString::to_string).collect();
            self.flag("--slice", slices.join(","));
        }
    }

    /// `--late-rate` and `--budget`.
    pub fn learning(&mut self, late_rate: Option<LateRate>, budget: Option<Budget>) {
        let late_rate = late_rate.map(|rate| write_share(rate.share()));
        self.optional("--late-rate", late_rate);
        self.optional("--budget", budget.map(|budget| write_share(budget.share())));
    }

    /// The words one by one, to start a process.
    pub fn as_slice(&self) -> &[String] {
        &self.0
    }
}

/// The words for a shell, with the program's name.
impl fmt::Display for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("punctual")?;
        self.0
            .iter()
            .try_for_each(|word| write!(f, " {}", quoted(word)))
    }
}

/// A word in a shell's syntax.
fn quoted(word: &str) -> String {
    let needs_nothing =
        |character: char| character.is_ascii_alphanumeric() || "-_=.,:/%+".contains(character);
    if !word.is_empty() && word.chars().all(needs_nothing) {
        return word.to_owned();
    }
    if word.chars().all(is_plain) {
        return format!("'{}'", word.replace('\'', r"'\''"));
    }
    let shown = word.chars().map(|character| match character {
        '\\' | '\'' => format!("\\{character}"),
        plain if is_plain(plain) => plain.to_string(),
        other => octal(other),
    });
    format!("$'{}'", shown.collect::<String>())
}

/// A character's bytes in octal digits, which all shells with `$'…'` read.
fn octal(character: char) -> String {
    let bytes = character.to_string().into_bytes().into_iter();
    bytes.map(|byte| format!("\\{byte:03o}")).collect()
}

#[cfg(test)]
mod tests;
