//! Replays the corpus, and what a few changes make of it.

use fuzz::Reader;
use std::fs;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};

/// Changed copies of each file: with so many, all readers together take some seconds.
const CHANGED: u64 = 60;

/// Long files are changed less often, because each takes as long as many short ones.
const LONG: usize = 20_000;
const LONG_CHANGED: u64 = 20;

fn files(reader: &str) -> Vec<PathBuf> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = vec![here.join("corpus").join(reader)];
    // What other tests have, so that it is not kept twice.
    match reader {
        "recording" => folders.push(here.join("../crates/punctual-trace/tests/traces")),
        "energy_report" => {
            folders
                .push(here.join("../crates/punctual-windows/src/requesters/energy_report/tests"));
        }
        "etl" => folders.push(here.join("../crates/punctual-trace/tests/logs")),
        "document" => folders.push(here.join("../crates/punctual-lab/tests/recordings")),
        _ => {}
    }
    let files = folders.iter().flat_map(|folder| {
        let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{folder:?}: {error}"));
        entries.map(|entry| entry.unwrap().path())
    });
    let mut files: Vec<_> = files.collect();
    files.sort();
    files
}

/// A few bytes are replaced, removed, or repeated.
fn change(bytes: &mut Vec<u8>, random: &mut fastrand::Rng) {
    for _ in 0..random.u32(1..=4) {
        let at = random.usize(..=bytes.len());
        let end = (at + random.usize(..40)).min(bytes.len());
        match random.u32(..4) {
            0 => drop(bytes.drain(at..end)),
            1 => bytes.extend_from_within(at..end),
            2 => bytes.insert(at, random.u8(..)),
            _ if at < bytes.len() => bytes[at] = random.u8(..),
            _ => {}
        }
    }
}

/// Says which bytes a reader could not bear, so that they can be added to the corpus.
fn try_out(name: &str, read: Reader, bytes: &[u8], of: &str) -> bool {
    panic::catch_unwind(AssertUnwindSafe(|| read(bytes))).unwrap_or_else(|_| {
        let kept = std::env::temp_dir().join(format!("punctual-{name}-failed"));
        let _ = fs::write(&kept, bytes);
        panic!("{name}: {of}; the bytes are in {}", kept.display());
    })
}

#[test]
fn every_reader_bears_its_corpus_and_changes_of_it() {
    for (name, read) in fuzz::READERS {
        let mut were_accepted = false;
        for (number, file) in (0..).zip(&files(name)) {
            let whole = fs::read(file).unwrap();
            were_accepted |= try_out(name, read, &whole, &file.display().to_string());
            let copies = if whole.len() > LONG {
                LONG_CHANGED
            } else {
                CHANGED
            };
            for copy in 0..copies {
                let seed = number * CHANGED + copy;
                let mut bytes = whole.clone();
                change(&mut bytes, &mut fastrand::Rng::with_seed(seed));
                let of = format!("{} changed with seed {seed}", file.display());
                try_out(name, read, &bytes, &of);
            }
        }
        assert!(were_accepted, "{name} accepts nothing of its corpus");
    }
}
