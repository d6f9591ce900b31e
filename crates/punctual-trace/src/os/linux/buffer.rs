//! A processor's buffer, read as the pages it consists of.

use super::instance::failed;
use crate::event::ProcessorId;
use crate::tracefs::PageLayout;
use punctual::{Error, Instant};
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

    pub(super) fn processor(&self) -> ProcessorId {
        self.processor
    }

    /// Takes the pages that begin before an instant, and one more if there is one, the one that is being written among them. While it reads, a busy processor
    /// may write as fast: each page would have a few new events, and there would be no end.
    pub(super) fn take(
        &mut self,
        until: Instant,
        layout: &PageLayout,
    ) -> Result<(ProcessorId, Vec<u8>), Error> {
        let mut pages = Vec::new();
        while self.take_page(&mut pages)? {
            if layout
                .begins(&self.page)
                .is_none_or(|begins| begins >= until)
            {
                break;
            }
        }
        Ok((self.processor, pages))
    }

    /// Returns whether there was one.
    fn take_page(&mut self, pages: &mut Vec<u8>) -> Result<bool, Error> {
        loop {
            match self.file.read(&mut self.page) {
                Ok(0) => return Ok(false),
                Ok(length) => {
                    // Each page stands at a multiple of its size.
                    self.page[length..].fill(0);
                    pages.extend_from_slice(&self.page);
                    return Ok(true);
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(false),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(failed(&self.path, "read", &error)),
            }
        }
    }
}
