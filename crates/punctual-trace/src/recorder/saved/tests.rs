use super::*;
use crate::recorder::{FirstToGo, Part, SCHEMA};
use std::fs;
use std::time::Duration;
use tempfile::TempDir;

/// At most so many, with so many bytes.
fn rules(most: usize, most_bytes: u64) -> Rules {
    Rules {
        threshold: Duration::from_millis(5),
        most,
        most_bytes,
        first_to_go: FirstToGo::Oldest,
    }
}

fn opened(folder: &TempDir, rules: Rules) -> Saved {
    Saved::open(&path(folder), rules).unwrap()
}

fn path(folder: &TempDir) -> PathBuf {
    folder.path().join("late")
}

fn late(number: u64) -> LateWakeUp {
    LateWakeUp {
        id: format!("2026-11-23T03-12-07-{number:03}Z-cpu3"),
        woke_unix_ns: 1_700_000_000_000_000_000 + number,
        processor: Some(3),
        subject: "nanosleep".to_owned(),
        lateness_ns: 7_000_000,
        verdict: "exact".to_owned(),
        causes: vec![Part {
            cause: "run-queue-wait".to_owned(),
            occupant: "cc1plus-4711".to_owned(),
            lateness_ns: 7_000_000,
        }],
        ..LateWakeUp::default()
    }
}

/// Ten bytes in all.
fn files() -> Option<Files> {
    Some(Files {
        recording: b"punctu".to_vec(),
        perfetto: b"perf".to_vec(),
    })
}

fn ids(saved: &Saved) -> Vec<String> {
    saved.list().into_iter().map(|late| late.id).collect()
}

fn names(folder: &TempDir) -> Vec<String> {
    let entries = fs::read_dir(path(folder)).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = names.collect();
    names.sort();
    names
}

#[test]
fn the_list_and_its_files_outlive_the_run() {
    let folder = TempDir::new().unwrap();
    let saved = opened(&folder, rules(100, 1_000));
    saved.save((late(1), files())).1.unwrap();
    saved.save((late(1), files())).1.unwrap();
    saved.save((late(2), None)).1.unwrap();
    let list = saved.list();
    assert_eq!(saved.listed(), 3);
    drop(saved);

    let saved = opened(&folder, rules(100, 1_000));
    assert_eq!(saved.list(), list);
    assert!(saved.take_remarks().is_empty());
    assert_eq!(saved.bytes(), 20);
    let [first, second, third] = &ids(&saved)[..] else {
        panic!("{list:?}");
    };
    // Two in the same millisecond have ids of their own.
    assert_eq!(second, &format!("{first}-2"));
    let recording = fs::read(saved.recording_path(second).unwrap()).unwrap();
    let perfetto = fs::read(saved.perfetto_path(second).unwrap()).unwrap();
    assert_eq!(
        (&recording[..], &perfetto[..]),
        (&b"punctu"[..], &b"perf"[..])
    );
    assert_eq!(saved.recording_path(third), None);
    assert_eq!(saved.recording_path("../late"), None);
}

#[test]
fn the_oldest_make_room_when_there_are_too_many() {
    let folder = TempDir::new().unwrap();
    let saved = opened(&folder, rules(3, 1_000));
    for number in 1..=10 {
        saved.save((late(number), files())).1.unwrap();
    }
    let left: Vec<_> = (8..=10).map(|number| late(number).id).collect();
    assert_eq!(ids(&saved), left);
    assert_eq!(saved.bytes(), 30);
    assert_eq!(names(&folder).len(), 6 + 2);
}

#[test]
fn the_oldest_make_room_when_their_files_are_too_large() {
    let folder = TempDir::new().unwrap();
    let saved = opened(&folder, rules(100, 25));
    for number in 1..=10 {
        saved.save((late(number), files())).1.unwrap();
    }
    assert_eq!(ids(&saved), [late(9).id, late(10).id]);
    assert_eq!(names(&folder).len(), 4 + 2);
    // One that is too large alone is listed without its files, and drives out no other.
    let files = Files {
        recording: vec![0; 26],
        ..Files::default()
    };
    saved.save((late(11), Some(files))).1.unwrap();
    let list = saved.list();
    assert_eq!(list.len(), 3);
    assert!(list[2].recording.is_none() && list[2].note.as_ref().unwrap().contains("larger"));
}

#[test]
fn a_later_run_that_keeps_fewer_removes_the_others() {
    let folder = TempDir::new().unwrap();
    let saved = opened(&folder, rules(100, 1_000));
    (1..=10).for_each(|number| saved.save((late(number), files())).1.unwrap());
    drop(saved);
    let saved = opened(&folder, rules(2, 1_000));
    assert_eq!(ids(&saved), [late(9).id, late(10).id]);
    assert_eq!(names(&folder).len(), 4 + 2);
}

#[test]
fn what_a_killed_run_left_half_done_is_removed_and_nothing_else() {
    let folder = TempDir::new().unwrap();
    let saved = opened(&folder, rules(100, 1_000));
    saved.save((late(1), files())).1.unwrap();
    drop(saved);
    let in_folder = |name: &str| path(&folder).join(name);
    let (orphan, _) = folder::names(&late(2).id);
    let ours = [".punctual-half.new", &orphan];
    let others = ["notes.txt", "my.trace", "2026-11-23.perfetto-trace"];
    for name in ours.iter().chain(&others) {
        fs::write(in_folder(name), b"x").unwrap();
    }
    let saved = opened(&folder, rules(100, 1_000));
    assert_eq!(ids(&saved), [late(1).id]);
    assert!(saved.recording_path(&late(1).id).unwrap().is_file());
    assert_eq!(ours.map(|name| in_folder(name).exists()), [false, false]);
    assert_eq!(
        others.map(|name| in_folder(name).exists()),
        [true, true, true]
    );
}

#[test]
fn a_list_that_is_not_understood_is_put_aside_with_all_its_files() {
    for text in [
        "not json",
        "{}",
        r#"{"schema": "punctual.late-wake-ups/9", "late_wake_ups": []}"#,
        "\u{0}",
    ] {
        let folder = TempDir::new().unwrap();
        let saved = opened(&folder, rules(100, 1_000));
        saved.save((late(1), files())).1.unwrap();
        drop(saved);
        fs::write(path(&folder).join("late.json"), text).unwrap();
        let saved = opened(&folder, rules(100, 1_000));
        assert_eq!(saved.list(), []);
        let remarks = saved.take_remarks();
        assert!(remarks[0].contains("was not understood"), "{remarks:?}");
        let aside = fs::read_to_string(path(&folder).join("late.json.not-understood"));
        assert_eq!(aside.unwrap(), text);
        let (recording, _) = folder::names(&late(1).id);
        assert!(path(&folder).join(recording).is_file());
    }
}

#[test]
fn an_older_list_with_fewer_keys_and_a_newer_one_with_more_are_read() {
    let folder = TempDir::new().unwrap();
    drop(opened(&folder, rules(100, 1_000)));
    let text = format!(
        r#"{{"schema": "{SCHEMA}", "late_wake_ups": [{{"id": "a", "lateness_ns": 5, "mood": 1}}]}}"#
    );
    fs::write(path(&folder).join("late.json"), text).unwrap();
    let saved = opened(&folder, rules(100, 1_000));
    assert_eq!((saved.list()[0].lateness_ns, saved.list().len()), (5, 1));
}

/// Whoever may write to the list by hand must not make the watch give away the machine's files.
#[test]
fn a_list_names_no_files_but_its_own() {
    let folder = TempDir::new().unwrap();
    drop(opened(&folder, rules(100, 1_000)));
    let mut forged = late(1);
    forged.recording = Some("../../../../etc/passwd".to_owned());
    forged.perfetto = Some("/etc/passwd".to_owned());
    let mut outside = late(2);
    outside.id = "../outside".to_owned();
    outside.recording = Some("../outside.trace".to_owned());
    fs::write(folder.path().join("outside.trace"), b"x").unwrap();
    let text = Document::of(&[forged, outside]).to_json();
    fs::write(path(&folder).join("late.json"), text).unwrap();
    let saved = opened(&folder, rules(100, 1_000));
    assert_eq!(saved.recording_path(&late(1).id), None);
    assert_eq!(saved.perfetto_path(&late(1).id), None);
    assert_eq!(saved.recording_path("../outside"), None);
}

#[test]
fn a_recording_that_was_removed_is_said_to_be_gone() {
    let folder = TempDir::new().unwrap();
    let saved = opened(&folder, rules(100, 1_000));
    saved.save((late(1), files())).1.unwrap();
    fs::remove_file(saved.recording_path(&late(1).id).unwrap()).unwrap();
    drop(saved);
    let list = opened(&folder, rules(100, 1_000)).list();
    assert_eq!(list[0].note.as_deref(), Some("its recording is gone"));
    assert!(list[0].recording.is_none());
}

#[test]
fn a_folder_that_is_gone_costs_the_files_and_not_the_list() {
    let folder = TempDir::new().unwrap();
    let saved = opened(&folder, rules(100, 1_000));
    if let Err(error) = fs::remove_dir_all(path(&folder)) {
        return println!("skipped: a folder in use cannot be removed here: {error}");
    }
    let (listed, written) = saved.save((late(1), files()));
    let error = written.unwrap_err();
    assert!(error.to_string().contains("cannot write"), "{error}");
    assert!(
        listed
            .note
            .as_ref()
            .unwrap()
            .contains("could not be written")
    );
    assert_eq!((listed.bytes, saved.listed()), (0, 1));
    assert_eq!(saved.list(), [listed]);
    fs::create_dir_all(path(&folder)).unwrap();
    saved.save((late(2), files())).1.unwrap();
    assert_eq!(ids(&saved), [late(1).id, late(2).id]);
}

#[test]
fn two_recorders_do_not_share_a_folder() {
    let folder = TempDir::new().unwrap();
    let first = opened(&folder, rules(100, 1_000));
    match Saved::open(&path(&folder), rules(100, 1_000)) {
        Ok(_) => println!("skipped: this system does not lock folders"),
        Err(error) => assert!(error.to_string().contains("another recorder"), "{error}"),
    }
    drop(first);
    opened(&folder, rules(100, 1_000));
}

#[test]
fn the_least_late_make_room_and_the_last_of_those_that_are_as_late() {
    let folder = TempDir::new().unwrap();
    let saved = opened(
        &folder,
        Rules {
            first_to_go: FirstToGo::LeastLate,
            ..rules(2, 1_000)
        },
    );
    let save = |number, lateness_ns| {
        let late = LateWakeUp {
            lateness_ns,
            ..late(number)
        };
        saved.save((late, files())).1.unwrap();
    };
    assert!(saved.has_place_for(6));
    save(1, 7);
    save(2, 9);
    assert!(!saved.has_place_for(7) && saved.has_place_for(8));
    save(3, 8);
    assert_eq!(ids(&saved), [late(2).id, late(3).id]);
    save(4, 8);
    assert_eq!(ids(&saved), [late(2).id, late(3).id]);
    save(5, 10);
    assert_eq!(ids(&saved), [late(2).id, late(5).id]);
    assert_eq!((names(&folder).len(), saved.listed()), (4 + 2, 5));
}

#[test]
fn without_a_folder_there_is_a_list() {
    let saved = Saved::without_files(rules(2, 1_000));
    for number in 1..=3 {
        saved.save((late(number), files())).1.unwrap();
    }
    assert_eq!(ids(&saved), [late(2).id, late(3).id]);
    assert_eq!(
        (saved.recording_path(&late(3).id), saved.bytes()),
        (None, 0)
    );
}

proptest::proptest! {
    /// Whatever is in the folder, opening it neither fails nor gives away a file that is not its own.
    #[test]
    fn any_list_is_read_or_put_aside(
        text in proptest::prelude::prop_oneof![
            ".{0,200}",
            r#"\{"schema": "punctual.late-wake-ups/2", "late_wake_ups": \[\{"id": "[a./]{0,9}", "recording": "[a./]{0,9}(\.trace)?", "bytes": [0-9]{1,20}\}\]\}"#,
        ],
    ) {
        let folder = TempDir::new().unwrap();
        fs::create_dir_all(path(&folder)).unwrap();
        fs::write(path(&folder).join("late.json"), text).unwrap();
        let saved = opened(&folder, rules(100, 1_000));
        for late in saved.list() {
            assert_eq!(saved.recording_path(&late.id), None);
        }
        saved.save((late(1), files())).1.unwrap();
        assert!(saved.recording_path(&late(1).id).is_some());
    }
}
