//! Flags, file and settings.

use super::settings;
use punctual_command::failure::Failure;
use punctual_lab::environment::ProcessorSet;
use punctual_watch::settings::{Address, Settings};
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

fn of(words: &[&str]) -> Result<Settings, Failure> {
    let words = ["punctual-watch"].iter().chain(words);
    settings::of(&words.map(Into::into).collect::<Vec<_>>())
}

#[track_caller]
fn refused(words: &[&str]) -> String {
    match of(words).unwrap_err() {
        Failure::Usage(problem) => problem,
        other => panic!("{other:?}"),
    }
}

#[test]
fn without_flags_it_is_the_default() {
    assert_eq!(of(&[]).unwrap(), Settings::default());
}

#[test]
fn what_is_shown_is_a_file_that_says_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("conf");
    for words in [
        &[][..],
        &[
            "--rate",
            "20",
            "--budget",
            "0.1%",
            "--listen",
            "unix:/run/a b.sock",
            "--listen",
            "[::1]:1",
        ],
        &[
            "--pin",
            "0",
            "--method",
            "std-sleep",
            "--listen",
            "none",
            "--textfile",
            "/var/x",
        ],
        &[
            "--explain-late",
            "1.5ms",
            "--folder",
            "/var/y",
            "--keep",
            "7",
            "--keep-bytes",
            "5M",
        ],
    ] {
        let wanted = of(words).unwrap();
        let lines = settings::lines(&wanted);
        let lines = lines
            .iter()
            .map(|(name, value)| format!("{name} = {value}\n"));
        fs::write(&file, lines.collect::<String>()).unwrap();
        assert_eq!(of(&["--config", file.to_str().unwrap()]).unwrap(), wanted);
    }
}

#[test]
fn the_command_line_wins_over_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("conf");
    fs::write(
        &file,
        "processors = 0\nrate = 20\nlisten = none\ntextfile = /a\n",
    )
    .unwrap();
    let file = file.to_str().unwrap();
    let settings = of(&["--config", file, "--rate", "30", "--listen", "127.0.0.1:1"]).unwrap();
    assert_eq!(settings.rate_hertz, 30);
    assert_eq!(
        settings.listen,
        [Address::Tcp("127.0.0.1:1".parse().unwrap())]
    );
    assert_eq!(settings.textfile, Some(PathBuf::from("/a")));
    let settings = of(&["--config", file, "--pin", "0"]).unwrap();
    assert_eq!(settings.processors, ProcessorSet::from_iter([0]));
    fs::write(file, "keep = 7\nfolder = /x\n").unwrap();
    let settings = of(&["--config", file, "--explain-late", "5ms"]).unwrap();
    assert_eq!(settings.late.unwrap().keep, 7);
}

#[test]
fn contradictions_are_refused() {
    for (words, problem) in [
        (&["--keep", "3"][..], "not provided: --explain-late"),
        (&["--folder", "/x"], "not provided: --explain-late"),
        (&["--listen", "none"], "it would tell nothing"),
        (
            &["--listen", "none", "--listen", "127.0.0.1:1"],
            "contradicts",
        ),
        (&["--method", "spin"], "'--method <METHOD>': spin spins"),
        (&["--method", "nap"], "use one of"),
        (&["--config", "/nowhere/conf"], "cannot read /nowhere/conf"),
    ] {
        let said = refused(words);
        assert!(said.contains(problem), "{words:?}: {said}");
    }
}

#[test]
fn the_threshold_brings_its_defaults() {
    let settings = of(&["--explain-late", "5ms", "--folder", "/x"]).unwrap();
    let late = settings.late.unwrap();
    assert_eq!(late.threshold, Duration::from_millis(5));
    assert_eq!((late.keep, late.keep_bytes), (100, 256 << 20));
}
