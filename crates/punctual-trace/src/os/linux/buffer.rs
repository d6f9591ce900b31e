//! A processor's buffer, read as the pages it consists of.

use super::instance::failed;
use crate::event::ProcessorId;
use punctual::Error;
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// One processor's.
#[derive(Debug)]
pub(super) struct Buffer {
    processor: ProcessorId,
    path: PathBuf,
    file: File,
    page: Vec<u8>,
}

impl Buffer {
    /// Those of all processors, the ones that are offline among them.
    pub(super) fn open_all(instance: &Path, page_bytes: usize) -> Result<Vec<Self>, Error> {
        let folder = instance.join("per_cpu");
        let entries = fs::read_dir(&folder).map_err(|error| failed(&folder, "read", &error))?;
        let mut buffers = Vec::new();
        for entry in entries.flatten() {
            let name = entry.file_name();
            let number = name.to_str().and_then(|name| name.strip_prefix("cpu"));
            if let Some(number) = number.and_then(|number| number.parse().ok()) {
                buffers.push(Self::open(ProcessorId(number), &entry.path(), page_bytes)?);
            }
        }
        buffers.sort_by_key(|buffer| buffer.processor);
        Ok(buffers)
    }

    fn open(processor: ProcessorId, folder: &Path, page_bytes: usize) -> Result<Self, Error> {
        let path = folder.join("trace_pipe_raw");
        let file = OpenOptions::new()
            .read(true)
            .custom_flags(libc::O_NONBLOCK)
            .open(&path)
            .map_err(|error| failed(&path, "open", &error))?;
        Ok(Self {
            processor,
            path,
            file,
            page: vec![0; page_bytes],
        })
    }

    /// Takes every page there is, the one that is being written among them.
    pub(super) fn drain(&mut self) -> Result<(ProcessorId, Vec<u8>), Error> {
        let mut pages = Vec::new();
        loop {
            match self.file.read(&mut self.page) {
                Ok(0) => return Ok((self.processor, pages)),
                Ok(length) => {
                    // Each page stands at a multiple of its size.
                    self.page[length..].fill(0);
                    pages.extend_from_slice(&self.page);
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    return Ok((self.processor, pages));
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(failed(&self.path, "read", &error)),
            }
        }
    }
}
