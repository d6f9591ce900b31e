//! What can be asked.

use crate::machine::processors;
use clap::Args;

#[derive(Debug, Args)]
pub struct Spinning {
    /// Prints one JSON object instead of tables.
    #[arg(long)]
    pub json: bool,

    /// Takes ten seconds. The figures are too rough to publish.
    #[arg(long)]
    pub quick: bool,

    /// Two processors to take for hyperthreads of one core [default: the first two that are].
    #[arg(long, value_name = "FIRST,SECOND", value_parser = parse_processors)]
    pub processors: Option<(usize, usize)>,
}

fn parse_processors(text: &str) -> Result<(usize, usize), String> {
    let here = 0..processors();
    match text.split_once(',').map(|(a, b)| (a.parse(), b.parse())) {
        Some((Ok(first), Ok(second)))
            if first != second && here.contains(&first) && here.contains(&second) =>
        {
            Ok((first, second))
        }
        _ => Err(format!(
            "not two different processors from 0 to {}, such as 0,1",
            here.end - 1
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_processors_are_two_that_are_here() {
        let here = processors();
        for refused in ["0", "0,0", "0,x", "", &format!("0,{here}")] {
            assert!(parse_processors(refused).is_err(), "{refused}");
        }
        if here > 1 {
            assert_eq!(parse_processors("1,0"), Ok((1, 0)));
        }
    }
}
