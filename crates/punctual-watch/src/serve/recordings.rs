//! Recordings of late wake-ups, as files to download.

use super::limits::RECORDINGS;
use crate::late::Lates;
use hyper::body::Bytes;
use punctual_trace::recorder::SCHEMA;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, LazyLock};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

static TURNS: LazyLock<Arc<Semaphore>> = LazyLock::new(|| Arc::new(Semaphore::new(RECORDINGS)));

/// Why there is no recording.
#[derive(Debug)]
pub enum Missing {
    /// No such wake-up was saved, or its recording was not kept.
    Unknown,
    /// Others are being read.
    Busy,
    /// The file cannot be read.
    Unreadable(String),
}

/// The bytes of a recording, and the turn that they took.
struct Held {
    bytes: Vec<u8>,
    _turn: OwnedSemaphorePermit,
}

impl AsRef<[u8]> for Held {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// Reads the file on another thread, so that a slow disk does not stop the server.
/// No other recording is read until the answer has been written or its client is gone, if there are as many as may be.
pub async fn read(file: Option<PathBuf>) -> Result<Bytes, Missing> {
    let file = file.ok_or(Missing::Unknown)?;
    let turn = Arc::clone(&TURNS)
        .try_acquire_owned()
        .map_err(|_| Missing::Busy)?;
    let read = tokio::task::spawn_blocking(move || {
        let bytes = std::fs::read(&file).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => Missing::Unknown,
            _ => Missing::Unreadable(error.to_string()),
        })?;
        Ok(Bytes::from_owner(Held { bytes, _turn: turn }))
    });
    read.await
        .unwrap_or_else(|error| Err(Missing::Unreadable(error.to_string())))
}

/// The saved wake-ups as JSON, the latest last: as in `late.json`.
pub fn list(lates: Option<&Lates>) -> String {
    match lates {
        Some(lates) => lates.saved.to_json(),
        None => serde_json::json!({ "schema": SCHEMA, "late_wake_ups": [] }).to_string(),
    }
}
