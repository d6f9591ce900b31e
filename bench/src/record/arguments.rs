//! The command line of `record`.

use clap::Args;
use clap::builder::RangedU64ValueParser;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub struct Recordings {
    /// What the recording is called: letters, digits and hyphens. The period is added to it.
    #[arg(value_name = "NAME", value_parser = parse_name)]
    pub name: String,

    /// Where the file goes. A file that is there already is not replaced.
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    pub folder: PathBuf,

    /// How many times a second to wait.
    #[arg(
        long,
        value_name = "HERTZ",
        default_value_t = 1_000,
        value_parser = RangedU64ValueParser::<u32>::new().range(10..=10_000)
    )]
    pub rate: u32,

    /// A shell command that runs meanwhile and does not end, such as `while :; do :; done`; may be
    /// given several times.
    #[arg(long = "load", value_name = "COMMAND")]
    pub loads: Vec<String>,

    /// How many blocks of 50 waits each policy has.
    #[arg(
        long,
        value_name = "NUMBER",
        default_value_t = 60,
        value_parser = RangedU64ValueParser::<u32>::new().range(1..=10_000)
    )]
    pub rounds: u32,
}

fn parse_name(text: &str) -> Result<String, String> {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    if !text.is_empty() && text.bytes().all(allowed) {
        return Ok(text.to_owned());
    }
    Err("not a name of letters, digits and hyphens".to_owned())
}

#[cfg(test)]
mod tests {
    use crate::arguments::Arguments;
    use clap::Parser;

    #[test]
    fn bad_input_is_refused() {
        for refused in [
            "",
            " some/where",
            " --load",
            " busy --rate 0",
            " busy --rounds 0",
        ] {
            let line = format!("bench record{refused}");
            let error = Arguments::try_parse_from(line.split(' ')).unwrap_err();
            assert_eq!(error.exit_code(), 2, "{line}");
        }
    }
}
