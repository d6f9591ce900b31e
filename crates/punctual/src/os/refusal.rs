//! What is said on a system that has no folder yet.

use crate::Error;

/// Says that a system of this name and width is not supported. Some targets, such as
/// `wasm32-unknown-unknown`, have no name for a system, or the name `unknown`: the processor's is
/// what there is to tell.
pub(super) fn refusal(system: &str, architecture: &str, bits: u32) -> Error {
    let runs_on = "it runs on 64-bit Linux, on macOS and on Windows";
    Error::unsupported(match system {
        "" | "unknown" | "none" => format!(
            "Punctual needs an operating system, and this program was compiled for {architecture} \
             without one; {runs_on}"
        ),
        _ => format!("Punctual does not support {bits}-bit {system} yet; {runs_on}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_is_refused_by_its_name() {
        let said = refusal("freebsd", "x86_64", 64).to_string();
        assert!(
            said.starts_with("Punctual does not support 64-bit freebsd yet;"),
            "{said}"
        );
    }

    #[test]
    fn a_target_without_a_system_is_refused_by_its_processor() {
        for nameless in ["", "unknown", "none"] {
            let error = refusal(nameless, "wasm32", 32);
            assert!(error.is_unsupported());
            let said = error.to_string();
            assert!(said.contains("compiled for wasm32 without one;"), "{said}");
        }
    }
}
