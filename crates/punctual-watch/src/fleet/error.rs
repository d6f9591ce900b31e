//! Why there is no answer.

use std::fmt;

/// Why groups of machines could not be compared.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// Nothing answers at the address.
    Unreachable {
        /// Who was asked.
        address: String,
        /// What went wrong, in the client's words.
        why: String,
    },
    /// What answers is not Prometheus, or not its HTTP interface.
    Foreign {
        /// Who was asked.
        address: String,
        /// What was wrong with the answer.
        why: String,
    },
    /// Prometheus understood, and refused or failed.
    Refused {
        /// What it calls this kind of error, such as `timeout` or `bad_data`.
        kind: String,
        /// Its own words.
        message: String,
    },
    /// No machine matches.
    Nothing {
        /// The group.
        selector: String,
    },
    /// Machines match, and too few of them have wake-ups in the window.
    TooFew {
        /// The group.
        selector: String,
        /// How many have.
        found: usize,
        /// How many match both groups, and were left out.
        in_both: usize,
        /// How many are needed.
        least: usize,
    },
    /// Who follows the progress has asked to stop.
    Stopped,
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreachable { address, why } => write!(
                out,
                "cannot ask Prometheus at {address}: {why}; see whether it runs there, and whether a proxy is in \
                 the way"
            ),
            Self::Foreign { address, why } => write!(
                out,
                "{address} does not answer as Prometheus does: {why}; give the address under which its page is \
                 found, such as http://localhost:9090"
            ),
            Self::Refused { kind, message } => match kind.as_str() {
                "timeout" | "execution" | "canceled" => write!(
                    out,
                    "Prometheus could not answer ({kind}): {message}; a shorter window asks less of it"
                ),
                _ => write!(out, "Prometheus refused the question ({kind}): {message}"),
            },
            Self::Nothing { selector } => write!(
                out,
                "no machine matches {selector}: look at `punctual_machine_info{selector}` in Prometheus, whose labels \
                 can be asked for"
            ),
            Self::TooFew {
                selector,
                found,
                in_both,
                least,
            } => {
                write!(
                    out,
                    "{found} machines that match {selector} have wake-ups in the window, and {least} are needed to \
                     know how machines vary"
                )?;
                match in_both {
                    0 => Ok(()),
                    _ => write!(
                        out,
                        "; {in_both} more match both groups and were left out: end the window before a rollout, or \
                         begin it after"
                    ),
                }
            }
            Self::Stopped => write!(out, "stopped before there was an answer"),
        }
    }
}

impl std::error::Error for Error {}
