//! The refusals of `punctual sweep --native`.

use crate::command::Punctual;

const SWEEP: Punctual = Punctual(&["sweep"]);

#[test]
fn what_cannot_be_asked_is_refused() {
    // A build without simulated machines cannot name any.
    let on = match cfg!(feature = "sim") {
        true => "cannot be used with",
        false => "feature `sim`",
    };
    for (arguments, flag, hint) in [
        (&["--native", "--on", "windows-7"][..], "--", on),
        (
            &["--native", "--with", "sleepers=2"],
            "--native",
            "cannot be used with",
        ),
        (&["--slack", "1ns"], "--native", "required"),
        (&["--quick"], "--native", "required"),
        (
            &["--native", "--quick", "--interval", "1ms"],
            "--interval",
            "cannot be used with",
        ),
        (&["--native", "--slack", "0ns"], "--slack", "least is 1ns"),
        (
            &["--native", "--slack", "1ms..1us"],
            "--slack",
            "smaller first",
        ),
        (&["--native", "--slack", "1ns..1s"], "--slack", "at most 20"),
    ] {
        SWEEP.refuses(arguments, flag, hint);
    }
}
