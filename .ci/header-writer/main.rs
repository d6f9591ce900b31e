//! Prints the C header of the crate whose folder is the argument.

use std::process::ExitCode;

fn main() -> ExitCode {
    let Some(folder) = std::env::args().nth(1) else {
        eprintln!("usage: header-writer FOLDER");
        return ExitCode::from(2);
    };
    match cbindgen::generate(&folder) {
        Ok(header) => {
            header.write(std::io::stdout());
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{folder}: {error}");
            ExitCode::FAILURE
        }
    }
}
