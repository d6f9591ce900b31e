//! A build without simulated machines says so wherever one is asked for.
#![cfg(not(feature = "sim"))]

use std::process::Command;

#[test]
fn what_needs_a_simulated_machine_is_refused_with_the_reason() {
    for arguments in [
        &["sweep", "--on", "windows-7"][..],
        &["machines", "--help"],
        &["evidence"],
        &["measure", "--on", "windows-xp"],
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_punctual"))
            .args(arguments)
            .output()
            .unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
        assert!(
            message.contains("feature `sim`"),
            "{arguments:?}: {message}"
        );
    }
}

#[test]
fn the_help_does_not_offer_them() {
    let help = Command::new(env!("CARGO_BIN_EXE_punctual"))
        .arg("--help")
        .output();
    let help = String::from_utf8(help.unwrap().stdout).unwrap();
    assert!(
        help.contains("measure") && !help.contains("evidence"),
        "{help}"
    );
}

/// What needs no simulated machine is there without them.
#[test]
fn this_machine_is_swept_and_asked_for_its_interval() {
    let run = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_punctual"))
            .args(arguments)
            .output()
            .unwrap();
        let text = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8(text).unwrap())
    };
    let (status, text) = run(&["resolution"]);
    assert_eq!(status, Some(0), "{text}");
    let (status, text) = run(&["sweep", "--native", "--slack", "1ns", "--interval", "1ms"]);
    assert_eq!(status, Some(2), "{text}");
    assert!(text.contains("varies what it has"), "{text}");
    let (status, text) = run(&["sweep"]);
    assert_eq!(status, Some(2), "{text}");
    assert!(
        text.contains("--native") && text.contains("feature `sim`"),
        "{text}"
    );
    if std::env::consts::OS == "windows" {
        return;
    }
    for lacks in [&["resolution", "sweep"][..], &["pace", "--request", "1ms"]] {
        let (status, text) = run(lacks);
        assert_eq!(status, Some(2), "{text}");
        assert!(
            text.contains("interval") && !text.contains("try --on"),
            "{text}"
        );
    }
}
