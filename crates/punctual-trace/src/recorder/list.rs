//! The list of the late wake-ups that were saved, as it stands in `late.json`.

use crate::names::Names;
use crate::recording::Head;
use crate::segment::{Cause, Verdict, Wait, WakeUp};
use punctual::Error;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt;
use std::time::{Duration, SystemTime};

/// The name and the version of the format.
pub const SCHEMA: &str = "punctual.late-wake-ups/2";

/// How many parts are told. Of a lateness of seconds, thousands of threads may have one.
const MOST_PARTS: usize = 16;

/// A wake-up that was later than the threshold.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct LateWakeUp {
    /// Unique in its folder; made of letters, digits and hyphens.
    pub id: String,
    /// When it woke, in nanoseconds since 1970 UTC.
    pub woke_unix_ns: u64,
    /// The processor on which it woke, if that is known.
    pub processor: Option<u16>,
    /// What waited: a thread of a program, or a way of waiting of a watch.
    pub subject: String,
    /// How late it was.
    pub lateness_ns: u64,
    /// The explanation: `exact`, `ambiguous`, `unexplained`.
    pub verdict: String,
    /// What made it late, the greatest part first.
    pub causes: Vec<Part>,
    /// The file of the recording, in the folder; `None` where it was not kept.
    pub recording: Option<String>,
    /// The file for Perfetto beside it.
    pub perfetto: Option<String>,
    /// How many bytes the two have.
    pub bytes: u64,
    /// Why there is no recording, or why it explains less.
    pub note: Option<String>,
}

/// A part of a lateness.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Part {
    /// What it was, as in reports: `run-queue-wait`.
    pub cause: String,
    /// What brought it about: `cc1plus-4711`. Empty if nothing else did.
    pub occupant: String,
    /// How much of the lateness.
    pub lateness_ns: u64,
}

impl LateWakeUp {
    /// A late wake-up as it is on the list, as long as nothing more is known of it. The head of its trace says how far the
    /// wall clock is ahead.
    pub fn of(wait: &Wait, processor: Option<u16>, subject: String, head: &Head) -> Self {
        let ahead = head.realtime_ahead_ns.unwrap_or(0);
        let woke_unix_ns = wait.woke.as_nanos().saturating_add_signed(ahead);
        Self {
            id: id(woke_unix_ns, processor),
            woke_unix_ns,
            processor,
            subject,
            lateness_ns: wait.lateness_ns(),
            verdict: "unexplained".to_owned(),
            ..Self::default()
        }
    }

    /// Says what made it late.
    pub(super) fn explain(&mut self, wake_up: &WakeUp, names: &Names) {
        let (verdict, note) = match wake_up.verdict {
            Verdict::Exact => ("exact", None),
            Verdict::Ambiguous => ("ambiguous", None),
            Verdict::Unexplained(reason) => ("unexplained", Some(reason.to_string())),
        };
        (self.verdict, self.note) = (verdict.to_owned(), note);
        let mut parts: BTreeMap<_, u64> = BTreeMap::new();
        for (at, segment) in wake_up.timed_segments() {
            let names_it = segment.cause.names_occupant() || segment.cause == Cause::Ambiguous;
            let occupant = names_it.then(|| segment.occupant.name(names, at));
            *parts
                .entry((segment.cause, occupant.unwrap_or_default()))
                .or_default() += segment.ns;
        }
        let mut parts: Vec<_> = parts.into_iter().collect();
        parts.sort_by_key(|&(_, ns)| Reverse(ns));
        let part = |((cause, occupant), lateness_ns): ((Cause, String), u64)| Part {
            cause: cause.to_string(),
            occupant,
            lateness_ns,
        };
        self.causes = parts.into_iter().map(part).collect();
        if self.causes.len() > MOST_PARTS {
            let rest = self.causes.split_off(MOST_PARTS - 1);
            self.causes.push(Part {
                cause: format!("{} more causes", rest.len()),
                occupant: String::new(),
                lateness_ns: rest.iter().map(|part| part.lateness_ns).sum(),
            });
        }
    }

    /// With its files, or with the reason why there are none.
    pub(super) fn with<F>(mut self, files: Result<F, Error>) -> (Self, Option<F>) {
        match files {
            Ok(files) => (self, Some(files)),
            Err(error) => {
                self.add_note(format!("its events could not be understood: {error}"));
                (self, None)
            }
        }
    }

    /// Says one more thing of it.
    pub(super) fn add_note(&mut self, more: String) {
        self.note = Some(match self.note.take() {
            Some(note) => format!("{note}; {more}"),
            None => more,
        });
    }

    /// Its files in the folder.
    pub(super) fn files(&self) -> impl Iterator<Item = &String> {
        self.recording.iter().chain(&self.perfetto)
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.occupant.is_empty() {
            true => f.write_str(&self.cause),
            false => write!(f, "{} ({})", self.cause, self.occupant),
        }
    }
}

/// Such as `2026-11-23T03-12-07-512Z-cpu3`: when it woke, and where if that is known.
fn id(woke_unix_ns: u64, processor: Option<u16>) -> String {
    // All that 64 bits of nanoseconds can say is a year of four digits.
    let at = SystemTime::UNIX_EPOCH + Duration::from_nanos(woke_unix_ns);
    let at = humantime::format_rfc3339_millis(at).to_string();
    let processor = processor.map(|processor| format!("-cpu{processor}"));
    at.replace([':', '.'], "-") + &processor.unwrap_or_default()
}

/// Whether a name is one that [`id`] gives.
pub(super) fn is_id(name: &str) -> bool {
    let after_time = "2026-11-23T03-12-07-512".len();
    is_plain(name)
        && name.starts_with(|c: char| c.is_ascii_digit())
        && name.as_bytes().get(after_time) == Some(&b'Z')
}

/// Whether a name has only letters, digits and hyphens, and so leads nowhere else.
pub(super) fn is_plain(name: &str) -> bool {
    name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
}

/// The list as a file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Document {
    schema: String,
    /// The last at the end.
    pub(super) late_wake_ups: Vec<LateWakeUp>,
}

impl Document {
    pub(super) fn of(list: &[LateWakeUp]) -> Self {
        Self {
            schema: SCHEMA.to_owned(),
            late_wake_ups: list.to_vec(),
        }
    }

    /// Understands a document, or says why not.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let document: Self = serde_json::from_str(text).map_err(|error| error.to_string())?;
        match document.schema == SCHEMA {
            true => Ok(document),
            false => Err(format!(
                "its schema is {:?}, and this version reads {SCHEMA:?}",
                document.schema
            )),
        }
    }

    pub(super) fn to_json(&self) -> String {
        // Strings, numbers and lists of them: nothing that JSON could not say.
        serde_json::to_string_pretty(self).unwrap_or_default()
    }
}
