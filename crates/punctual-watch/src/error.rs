//! Why a watch does not start.

use crate::settings::Address;
use std::fmt::{self, Display, Formatter};
use std::io;
use std::path::PathBuf;

/// Why a watch does not start, or does not take over new settings.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// It cannot answer there.
    Listen {
        /// Where.
        at: Address,
        /// What the system says.
        error: io::Error,
    },
    /// The recorder's folder cannot be used.
    Folder {
        /// The folder.
        folder: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The system gives no thread, or does not let this process wait.
    Start(io::Error),
}

impl Display for Error {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Listen { at, error } => {
                write!(f, "cannot listen on {at}: {error}; {}", instead(at, error))
            }
            Self::Folder { folder, error } => write!(
                f,
                "cannot use the folder {}: {error}; give one that this user may write, or make it",
                folder.display()
            ),
            Self::Start(error) => write!(f, "cannot start: {error}"),
        }
    }
}

/// What a person can do about an address at which this process may not listen.
fn instead(at: &Address, error: &io::Error) -> &'static str {
    match (at, error.kind()) {
        (Address::Unix(_), io::ErrorKind::AddrInUse) => {
            "another program listens there; stop it, or listen at another path"
        }
        (Address::Unix(_), _) => "give a path in a folder that this user may write",
        (_, io::ErrorKind::AddrInUse) => {
            "another program listens there, perhaps a watch; stop it, or listen on another port"
        }
        (_, io::ErrorKind::PermissionDenied) => {
            "ports below 1024 need a privilege; listen on a greater one"
        }
        (_, io::ErrorKind::AddrNotAvailable) => {
            "no interface of this machine has the address; listen on one that it has"
        }
        _ => "listen elsewhere",
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Listen { error, .. } | Self::Folder { error, .. } | Self::Start(error) => {
                Some(error)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_says_what_to_do() {
        let at = Address::Tcp("127.0.0.1:9836".parse().unwrap());
        let error = Error::Listen {
            at,
            error: io::ErrorKind::AddrInUse.into(),
        };
        let said = error.to_string();
        assert!(
            said.starts_with("cannot listen on 127.0.0.1:9836: "),
            "{said}"
        );
        assert!(said.ends_with("or listen on another port"), "{said}");
    }
}
