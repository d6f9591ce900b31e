//! What kind of event a record tells of.

use super::bytes::Guid;
use super::kinds;
use std::fmt;

/// What kind of event a record tells of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// An event of the kernel's own logger, by its group and type.
    Kernel {
        /// The group, such as 5 for threads.
        group: u8,
        /// The type within the group, such as 36 for context switches.
        kind: u8,
        /// The version of its payload.
        version: u16,
    },
    /// An event of a provider with a manifest.
    Provider {
        /// The provider.
        provider: Guid,
        /// The event's id.
        id: u16,
        /// The version of its payload.
        version: u8,
    },
    /// An event of an older provider.
    Classic {
        /// The provider.
        provider: Guid,
        /// The type.
        kind: u8,
        /// The version of its payload.
        version: u16,
    },
    /// A message of a debugging provider, or a record of another kind, by the number of its header.
    Other(u8),
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kernel {
                group,
                kind,
                version,
            } => match kinds::name(*group, *kind) {
                Some(name) => write!(f, "{name}, version {version}"),
                None => write!(f, "kernel group {group} type {kind}, version {version}"),
            },
            Self::Provider {
                provider,
                id,
                version,
            } => write!(f, "{provider} event {id}, version {version}"),
            Self::Classic {
                provider,
                kind,
                version,
            } => write!(f, "{provider} type {kind}, version {version}"),
            Self::Other(kind) => write!(f, "header of type {kind}"),
        }
    }
}
