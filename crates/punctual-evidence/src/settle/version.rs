//! Which Windows a recording is of, and whether it can settle anything.

use punctual_lab::Environment;
use punctual_lab::question::Simulated;
use std::fmt;

/// Why a recording settles nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unfit {
    /// It is of Wine, of this version.
    Wine(String),
    /// It is of a system whose rules are not open.
    NotOpen(String),
    /// Whatever is true, the result would be the same.
    TellsNothing,
    /// It has no waits.
    Empty,
    /// No simulated machine can answer the question, for this reason.
    NotSimulated(String),
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Wine(version) => write!(
                f,
                "it was recorded under Wine {version}, whose timing is that of the system below it; it \
                 takes a real Windows"
            ),
            Self::NotOpen(system) => write!(
                f,
                "it was recorded on {system}, and the open rules are those of Windows 10 and 11"
            ),
            Self::TellsNothing => f.write_str(
                "every hypothesis predicts the same for its question, so it settles nothing",
            ),
            Self::Empty => f.write_str("it has no waits"),
            Self::NotSimulated(reason) => {
                write!(f, "no simulated machine can answer its question: {reason}")
            }
        }
    }
}

impl std::error::Error for Unfit {}

/// The first build of Windows 10.
const FIRST_BUILD_OF_10: u32 = 10_240;
/// Version 2004, in which a request began to reach its own process only.
const FIRST_BUILD_OF_2004: u32 = 19_041;
/// Windows 11 still calls itself version 10.0.
const FIRST_BUILD_OF_11: u32 = 22_000;

/// The name of the simulated version that a machine runs.
///
/// # Errors
/// If it is not a real or simulated Windows 10 or 11.
pub fn subject(environment: &Environment, on: Option<&Simulated>) -> Result<&'static str, Unfit> {
    if let Some(simulated) = on {
        let name = simulated.machine.split(',').next().unwrap_or_default();
        let open = ["windows-10-1909", "windows-10-2004", "windows-11"];
        let version = open.into_iter().find(|&version| version == name);
        return version.ok_or_else(|| Unfit::NotOpen(simulated.machine.clone()));
    }
    let build = match environment.wine.as_deref() {
        None => None,
        Some("none") => build(environment.kernel.as_deref().unwrap_or_default()),
        Some(version) => return Err(Unfit::Wine(version.to_owned())),
    };
    match build {
        Some(FIRST_BUILD_OF_11..) => Ok("windows-11"),
        Some(FIRST_BUILD_OF_2004..) => Ok("windows-10-2004"),
        Some(FIRST_BUILD_OF_10..) => Ok("windows-10-1909"),
        _ => {
            let system = environment.system.as_deref();
            Err(Unfit::NotOpen(
                system.unwrap_or("an unknown system").to_owned(),
            ))
        }
    }
}

/// The build in `NT 10.0.19045.5965`.
fn build(kernel: &str) -> Option<u32> {
    kernel
        .strip_prefix("NT 10.0.")?
        .split('.')
        .next()?
        .parse()
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(system: &str, kernel: &str, wine: Option<&str>) -> Result<&'static str, Unfit> {
        let environment = Environment {
            system: Some(system.to_owned()),
            kernel: Some(kernel.to_owned()),
            wine: wine.map(str::to_owned),
            ..Environment::default()
        };
        subject(&environment, None)
    }

    #[test]
    fn the_build_says_which_rules_are_asked_for() {
        let windows = |kernel| of("Windows", kernel, Some("none"));
        assert_eq!(windows("NT 10.0.18363.1"), Ok("windows-10-1909"));
        assert_eq!(windows("NT 10.0.19041"), Ok("windows-10-2004"));
        assert_eq!(windows("NT 10.0.19045.5965"), Ok("windows-10-2004"));
        assert_eq!(windows("NT 10.0.26100.4349"), Ok("windows-11"));
        assert_eq!(
            windows("NT 6.1.7601"),
            Err(Unfit::NotOpen("Windows".to_owned()))
        );
    }

    #[test]
    fn what_is_no_real_windows_is_refused() {
        let wine = of("Windows 10", "NT 10.0.19043", Some("8.0"));
        assert!(wine.unwrap_err().to_string().contains("under Wine 8.0"));
        let linux = of("Debian GNU/Linux 12", "Linux 6.1", None).unwrap_err();
        assert!(linux.to_string().contains("on Debian GNU/Linux 12"));
    }

    #[test]
    fn a_simulated_machine_is_of_its_version() {
        let on = |machine: &str| {
            let machine = machine.to_owned();
            subject(
                &Environment::default(),
                Some(&Simulated { machine, seed: 1 }),
            )
        };
        assert_eq!(on("windows-11,due-time=coarse"), Ok("windows-11"));
        assert!(on("windows-7").is_err());
    }
}
