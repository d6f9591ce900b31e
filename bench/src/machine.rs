//! What a figure was measured on, and how to measure it again.

use serde::{Serialize, Serializer};
use std::env;
use std::fmt;
use std::fs;
use std::num::NonZero;
use std::thread;

/// The machine, as far as it matters to waiting.
#[derive(Debug, Serialize)]
pub struct Machine {
    processor_model: String,
    processors: usize,
    kernel: String,
    /// Whether it is a virtual machine, as far as the processor tells.
    hypervisor: bool,
}

impl Machine {
    pub fn here() -> Self {
        let processor = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
        Self {
            processor_model: field(&processor, "model name")
                .unwrap_or("unknown")
                .to_owned(),
            processors: processors(),
            kernel: format!("Linux {}", kernel.trim()),
            hypervisor: field(&processor, "flags")
                .is_some_and(|flags| flags.split(' ').any(|flag| flag == "hypervisor")),
        }
    }
}

/// How many processors this process may use.
pub fn processors() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

/// The value of the first line of this name in `/proc/cpuinfo`.
fn field<'a>(processor: &'a str, name: &str) -> Option<&'a str> {
    processor
        .lines()
        .filter_map(|line| line.split_once(':'))
        .find(|(key, _)| key.trim() == name)
        .map(|(_, value)| value.trim())
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = if self.processors == 1 { "" } else { "s" };
        writeln!(
            f,
            "{}, {} processor{plural}",
            self.processor_model, self.processors
        )?;
        let hypervisor = if self.hypervisor { "a" } else { "no" };
        write!(f, "{}, {hypervisor} virtual machine", self.kernel)
    }
}

const RUN: &str = "cargo run --release --manifest-path bench/Cargo.toml --";

/// The command that makes the same figures.
#[derive(Debug)]
pub struct Invocation(Vec<String>);

impl Invocation {
    /// This one.
    pub fn this() -> Self {
        Self(env::args().skip(1).map(quoted).collect())
    }
}

/// As a shell takes it for one word.
fn quoted(argument: String) -> String {
    match argument.contains(' ') {
        true => format!("'{argument}'"),
        false => argument,
    }
}

impl From<&Invocation> for String {
    fn from(Invocation(arguments): &Invocation) -> Self {
        format!("{RUN} {}", arguments.join(" "))
    }
}

impl Serialize for Invocation {
    /// As one line.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&String::from(self))
    }
}

impl fmt::Display for Invocation {
    /// In lines of at most 80 columns, as long as no argument is longer, that a shell takes as one.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut column = RUN.len();
        f.write_str(RUN)?;
        for argument in &self.0 {
            let length = argument.chars().count();
            // The blank before it, and what it takes to continue after it.
            if column + 1 + length + 2 > 80 {
                f.write_str(" \\\n   ")?;
                column = 3;
            }
            write!(f, " {argument}")?;
            column += 1 + length;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_command_is_continued() {
        let arguments = "waiting --rate 1000 --load busy --seconds 0.5";
        let command = Invocation(arguments.split(' ').map(str::to_owned).collect());
        assert_eq!(
            command.to_string(),
            format!("{RUN} waiting --rate 1000 \\\n    --load busy --seconds 0.5")
        );
        assert_eq!(String::from(&command), format!("{RUN} {arguments}"));
    }

    #[test]
    fn a_name_of_several_words_is_one_argument() {
        assert_eq!(quoted("async-io".to_owned()), "async-io");
        assert_eq!(quoted("pure spin".to_owned()), "'pure spin'");
    }

    #[test]
    fn finds_a_field_by_its_whole_name() {
        let processor = "model\t\t: 17\nmodel name\t: AMD EPYC\nflags\t\t: fpu hypervisor\n";
        assert_eq!(field(processor, "model name"), Some("AMD EPYC"));
        assert_eq!(field(processor, "model"), Some("17"));
        assert_eq!(field(processor, "bugs"), None);
    }
}
