//! What makes the program late before it waits.

use crate::failure::Failure;
use crate::os::waits::{self, Mapped};
use crate::truth::condition::Before;
use std::fs::{self, File};
use std::io::{PipeReader, Read, Seek, Write, pipe};
use std::path::PathBuf;
use std::process;
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::{env, thread};

/// Something that takes a while.
pub enum Delay {
    Nothing,
    Work,
    Disk(File),
    Fault(Mapped),
    /// Another thread is asked to write after some nanoseconds.
    Pipe(Sender<u64>, PipeReader),
    /// Another thread is asked to hold the lock for some nanoseconds, and says when it has it.
    Lock(Sender<u64>, Receiver<()>, Arc<Mutex<()>>),
}

/// Far more than what the disk reads ahead.
const FILE_BYTES: usize = 16 << 20;

/// What a disk needs is not known: less than any.
const SOON: u64 = 20_000;

impl Delay {
    pub fn new(before: Before) -> Result<Self, Failure> {
        Ok(match before {
            Before::Nothing => Self::Nothing,
            Before::Work => Self::Work,
            Before::Disk => Self::Disk(temporary()?),
            Before::Fault => {
                let mut file = temporary()?;
                file.write_all(&vec![1; FILE_BYTES])?;
                file.sync_all()?;
                Self::Fault(Mapped::new(file)?)
            }
            Before::Pipe => late_pipe()?,
            Before::Lock => held_lock(),
        })
    }

    /// How long after now the deadline is, so that the program is late for it, where it should be.
    pub fn deadline_after(&self, usual: u64) -> u64 {
        match self {
            Self::Disk(_) | Self::Fault(_) => SOON,
            _ => usual,
        }
    }

    /// Lets it pass: about so long, where this program decides.
    pub fn pass(&mut self, nanos: u64) -> Result<(), Failure> {
        match self {
            Self::Nothing => {}
            Self::Work => {
                let until = waits::now() + nanos;
                while waits::now() < until {}
            }
            Self::Disk(file) => {
                file.rewind()?;
                file.write_all(&[2; 4096])?;
                file.sync_data()?;
            }
            Self::Fault(mapped) => {
                mapped.read_from_disk(fastrand::usize(..FILE_BYTES));
            }
            Self::Pipe(writer, pipe) => {
                writer.send(nanos)?;
                pipe.read_exact(&mut [0])?;
            }
            Self::Lock(holder, held, lock) => {
                holder.send(nanos)?;
                held.recv()?;
                drop(lock.lock().unwrap_or_else(PoisonError::into_inner));
            }
        }
        Ok(())
    }
}

fn late_pipe() -> Result<Delay, Failure> {
    let (reader, mut writer) = pipe()?;
    let (sender, requests) = mpsc::channel();
    thread::spawn(move || {
        for nanos in requests {
            waits::sleep_for(nanos);
            if writer.write_all(&[0]).is_err() {
                break;
            }
        }
    });
    Ok(Delay::Pipe(sender, reader))
}

fn held_lock() -> Delay {
    let lock = Arc::new(Mutex::new(()));
    let (sender, requests) = mpsc::channel();
    let (has_it, held) = mpsc::channel();
    let theirs = Arc::clone(&lock);
    thread::spawn(move || {
        for nanos in requests {
            let guard = theirs.lock();
            if has_it.send(()).is_err() {
                break;
            }
            waits::sleep_for(nanos);
            drop(guard);
        }
    });
    Delay::Lock(sender, held, lock)
}

/// A file without a name.
fn temporary() -> Result<File, Failure> {
    let path: PathBuf = env::temp_dir().join(format!("punctual-truth-{}", process::id()));
    let options = File::options()
        .read(true)
        .write(true)
        .create(true)
        .truncate(true)
        .open(&path)?;
    fs::remove_file(&path)?;
    Ok(options)
}
