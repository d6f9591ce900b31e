//! What is refused before anything runs. `tests/refusals` has a file for each command: each command line with the
//! exit status and all that is said. After an intended change, run
//! `TRYCMD=overwrite cargo test -p punctual-cli --test cli refusals` and look at the difference.

use crate::os::IS_LINUX;
use std::fs;
use std::path::Path;
use trycmd::TestCases;

/// The folder of this build, and what in it only this system says.
fn folders() -> impl Iterator<Item = String> {
    let folder = match cfg!(feature = "sim") {
        true => "tests/refusals",
        false => "tests/refusals/unsimulated",
    };
    let linux = IS_LINUX.then(|| format!("{folder}/linux"));
    [folder.to_owned()].into_iter().chain(linux)
}

#[test]
fn bad_input_is_refused_with_the_kept_words() {
    let cases = TestCases::new();
    // Whoever starts the tests may ask for colours.
    cases.env("CLICOLOR_FORCE", "0").env("NO_COLOR", "1");
    cases.register_bin("punctual", Path::new(env!("CARGO_BIN_EXE_punctual")));
    for folder in folders() {
        cases.case(format!("{folder}/*.trycmd"));
    }
}

/// What is overwritten may be anything.
#[test]
fn every_kept_case_is_a_refusal() {
    for folder in folders() {
        let files = fs::read_dir(folder)
            .unwrap()
            .map(|file| file.unwrap().path());
        for file in files.filter(|path| path.extension().is_some()) {
            let text = fs::read_to_string(&file).unwrap();
            let lines: Vec<_> = text.lines().collect();
            let mut pairs = lines.windows(2);
            let other = pairs.find(|pair| pair[0].starts_with("$ ") && pair[1] != "? 2");
            assert_eq!(other, None, "{}", file.display());
        }
    }
}
