//! A build without simulated machines says so for every flag and command that needs one.

use crate::command::Punctual;

const PUNCTUAL: Punctual = Punctual(&[]);

#[test]
fn the_help_does_not_offer_them() {
    let help = PUNCTUAL.text(&["--help"]);
    assert!(
        help.contains("measure") && !help.contains("Windows"),
        "{help}"
    );
}

/// Commands that need no simulated machine work.
#[test]
fn this_machine_is_asked_for_its_interval() {
    PUNCTUAL.text(&["resolution"]);
}
