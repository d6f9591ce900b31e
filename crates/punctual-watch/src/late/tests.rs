use super::*;
use std::fs;
use tempfile::TempDir;

fn settings(folder: &TempDir, keep: usize, keep_bytes: u64) -> LateSettings {
    LateSettings {
        threshold: std::time::Duration::from_millis(5),
        keep,
        folder: folder.path().join("late"),
        keep_bytes,
    }
}

fn late(number: u64) -> LateWakeUp {
    LateWakeUp {
        id: format!("2026-11-23T03-12-07-{number:03}Z-cpu3"),
        woke_unix_ns: 1_700_000_000_000_000_000 + number,
        processor: 3,
        method: "nanosleep".to_owned(),
        lateness_ns: 7_000_000,
        verdict: "exact".to_owned(),
        causes: vec![Part {
            cause: "another thread ran: cc1plus (4711)".to_owned(),
            lateness_ns: 7_000_000,
        }],
        ..LateWakeUp::default()
    }
}

/// Ten bytes in all.
const FILES: Files<'_> = Files {
    recording: b"punctu",
    perfetto: b"perf",
};

fn ids(lates: &Lates) -> Vec<String> {
    lates.list().into_iter().map(|late| late.id).collect()
}

fn files(folder: &TempDir) -> Vec<String> {
    let entries = fs::read_dir(folder.path().join("late")).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = names.collect();
    names.sort();
    names
}

#[test]
fn the_list_and_its_files_outlive_the_watch() {
    let folder = TempDir::new().unwrap();
    let settings = settings(&folder, 100, 1_000);
    let lates = Lates::open(&settings).unwrap();
    lates.save(late(1), Some(FILES)).unwrap();
    lates.save(late(1), Some(FILES)).unwrap();
    lates.save(late(2), None).unwrap();
    let list = lates.list();
    assert_eq!(lates.counts().kept, 3);
    drop(lates);

    let lates = Lates::open(&settings).unwrap();
    assert_eq!(lates.list(), list);
    assert!(lates.take_remarks().is_empty());
    assert_eq!(lates.counts().bytes, 20);
    let [first, second, third] = &ids(&lates)[..] else {
        panic!("{list:?}");
    };
    // Two in the same millisecond have ids of their own.
    assert_eq!(second, &format!("{first}-2"));
    let recording = fs::read(lates.recording_path(second).unwrap()).unwrap();
    let perfetto = fs::read(lates.perfetto_path(second).unwrap()).unwrap();
    assert_eq!(
        (&recording[..], &perfetto[..]),
        (&b"punctu"[..], &b"perf"[..])
    );
    assert_eq!(lates.recording_path(third), None);
    assert_eq!(lates.recording_path("../late"), None);
}

#[test]
fn the_oldest_make_room_when_there_are_too_many() {
    let folder = TempDir::new().unwrap();
    let lates = Lates::open(&settings(&folder, 3, 1_000)).unwrap();
    for number in 1..=10 {
        lates.save(late(number), Some(FILES)).unwrap();
    }
    let left: Vec<_> = (8..=10).map(|number| late(number).id).collect();
    assert_eq!(ids(&lates), left);
    assert_eq!(lates.counts().bytes, 30);
    assert_eq!(files(&folder).len(), 6 + 2);
}

#[test]
fn the_oldest_make_room_when_their_files_are_too_large() {
    let folder = TempDir::new().unwrap();
    let lates = Lates::open(&settings(&folder, 100, 25)).unwrap();
    for number in 1..=10 {
        lates.save(late(number), Some(FILES)).unwrap();
    }
    assert_eq!(ids(&lates), [late(9).id, late(10).id]);
    assert_eq!(files(&folder).len(), 4 + 2);
    // One that is too large alone is listed without its files, and drives out no other.
    let large = [0; 26];
    let files = Files {
        recording: &large,
        perfetto: b"",
    };
    lates.save(late(11), Some(files)).unwrap();
    let list = lates.list();
    assert_eq!(list.len(), 3);
    assert!(list[2].recording.is_none() && list[2].note.as_ref().unwrap().contains("larger"));
}

#[test]
fn a_later_run_that_keeps_fewer_removes_the_others() {
    let folder = TempDir::new().unwrap();
    let lates = Lates::open(&settings(&folder, 100, 1_000)).unwrap();
    (1..=10).for_each(|number| lates.save(late(number), Some(FILES)).unwrap());
    drop(lates);
    let lates = Lates::open(&settings(&folder, 2, 1_000)).unwrap();
    assert_eq!(ids(&lates), [late(9).id, late(10).id]);
    assert_eq!(files(&folder).len(), 4 + 2);
}

#[test]
fn what_a_killed_watch_left_half_done_is_removed_and_nothing_else() {
    let folder = TempDir::new().unwrap();
    let settings = settings(&folder, 100, 1_000);
    let lates = Lates::open(&settings).unwrap();
    lates.save(late(1), Some(FILES)).unwrap();
    drop(lates);
    let path = |name: &str| settings.folder.join(name);
    let (orphan, _) = store::names(&late(2).id);
    let ours = [".punctual-half.new", &orphan];
    let others = ["notes.txt", "my.punctual", "2026-11-23.perfetto-trace"];
    for name in ours.iter().chain(&others) {
        fs::write(path(name), b"x").unwrap();
    }
    let lates = Lates::open(&settings).unwrap();
    assert_eq!(ids(&lates), [late(1).id]);
    assert!(lates.recording_path(&late(1).id).unwrap().is_file());
    assert_eq!(ours.map(|name| path(name).exists()), [false, false]);
    assert_eq!(others.map(|name| path(name).exists()), [true, true, true]);
}

#[test]
fn a_list_that_is_not_understood_is_put_aside_with_all_its_files() {
    for text in [
        "not json",
        "{}",
        r#"{"schema": "punctual.late-wake-ups/2", "late_wake_ups": []}"#,
        "\u{0}",
    ] {
        let folder = TempDir::new().unwrap();
        let settings = settings(&folder, 100, 1_000);
        let lates = Lates::open(&settings).unwrap();
        lates.save(late(1), Some(FILES)).unwrap();
        drop(lates);
        fs::write(settings.folder.join("late.json"), text).unwrap();
        let lates = Lates::open(&settings).unwrap();
        assert_eq!(lates.list(), []);
        let remarks = lates.take_remarks();
        assert!(remarks[0].contains("was not understood"), "{remarks:?}");
        let aside = fs::read_to_string(settings.folder.join("late.json.not-understood"));
        assert_eq!(aside.unwrap(), text);
        let (recording, _) = store::names(&late(1).id);
        assert!(settings.folder.join(recording).is_file());
    }
}

#[test]
fn an_older_list_with_fewer_keys_and_a_newer_one_with_more_are_read() {
    let folder = TempDir::new().unwrap();
    let settings = settings(&folder, 100, 1_000);
    drop(Lates::open(&settings).unwrap());
    let text = format!(
        r#"{{"schema": "{SCHEMA}", "late_wake_ups": [{{"id": "a", "lateness_ns": 5, "mood": 1}}]}}"#
    );
    fs::write(settings.folder.join("late.json"), text).unwrap();
    let lates = Lates::open(&settings).unwrap();
    assert_eq!((lates.list()[0].lateness_ns, lates.list().len()), (5, 1));
}

/// Whoever may write to the list by hand must not make the watch give away the machine's files.
#[test]
fn a_list_names_no_files_but_its_own() {
    let folder = TempDir::new().unwrap();
    let settings = settings(&folder, 100, 1_000);
    drop(Lates::open(&settings).unwrap());
    let mut forged = late(1);
    forged.recording = Some("../../../../etc/passwd".to_owned());
    forged.perfetto = Some("/etc/passwd".to_owned());
    let text = Document::of(&[forged]).to_json();
    fs::write(settings.folder.join("late.json"), text).unwrap();
    let lates = Lates::open(&settings).unwrap();
    assert_eq!(lates.recording_path(&late(1).id), None);
    assert_eq!(lates.perfetto_path(&late(1).id), None);
}

#[test]
fn a_recording_that_somebody_removed_is_said_to_be_gone() {
    let folder = TempDir::new().unwrap();
    let settings = settings(&folder, 100, 1_000);
    let lates = Lates::open(&settings).unwrap();
    lates.save(late(1), Some(FILES)).unwrap();
    fs::remove_file(lates.recording_path(&late(1).id).unwrap()).unwrap();
    drop(lates);
    let list = Lates::open(&settings).unwrap().list();
    assert_eq!(list[0].note.as_deref(), Some("its recording is gone"));
    assert!(list[0].recording.is_none());
}

#[test]
fn a_folder_that_is_gone_costs_the_files_and_not_the_list() {
    let folder = TempDir::new().unwrap();
    let settings = settings(&folder, 100, 1_000);
    let lates = Lates::open(&settings).unwrap();
    fs::remove_dir_all(&settings.folder).unwrap();
    let error = lates.save(late(1), Some(FILES)).unwrap_err();
    assert!(error.to_string().contains("cannot write"), "{error}");
    let list = lates.list();
    assert!(
        list[0]
            .note
            .as_ref()
            .unwrap()
            .contains("could not be written")
    );
    assert_eq!((list[0].bytes, lates.counts().kept), (0, 1));
    fs::create_dir_all(&settings.folder).unwrap();
    lates.save(late(2), Some(FILES)).unwrap();
    assert_eq!(ids(&lates), [late(1).id, late(2).id]);
}

#[test]
fn two_watches_do_not_share_a_folder() {
    let folder = TempDir::new().unwrap();
    let settings = settings(&folder, 100, 1_000);
    let first = Lates::open(&settings).unwrap();
    match Lates::open(&settings) {
        Ok(_) => println!("skipped: this system does not lock folders"),
        Err(error) => assert!(error.to_string().contains("another watch"), "{error}"),
    }
    drop(first);
    Lates::open(&settings).unwrap();
}

#[test]
fn an_exemplar_is_the_latest_of_its_series_and_bucket_and_is_on_the_list() {
    let folder = TempDir::new().unwrap();
    let lates = Lates::open(&settings(&folder, 2, 1_000)).unwrap();
    let series = Series::new(3, "nanosleep", 100);
    let another = Series::new(2, "nanosleep", 100);
    let (seven, nine) = (bucket(7_000_000), bucket(9_000_000));
    let id = |series: &Series, bucket| lates.exemplar(series, bucket).map(|it| it.id);
    assert_eq!(id(&series, seven), None);
    lates.save(late(1), None).unwrap();
    lates.save(late(2), None).unwrap();
    assert_eq!(id(&series, seven), Some(late(2).id));
    assert_eq!(id(&another, seven), None);
    let mut later = late(3);
    later.lateness_ns = 9_000_000;
    lates.save(later.clone(), None).unwrap();
    assert_eq!(id(&series, nine), Some(later.id));
    lates.save(late(4), None).unwrap();
    lates.save(late(5), None).unwrap();
    // It has left the list.
    assert_eq!(id(&series, nine), None);
    assert_eq!(id(&series, seven), Some(late(5).id));
    assert_eq!(id(&series, BOUNDED + 7), None);
}

proptest::proptest! {
    /// Whatever is in the folder, opening it neither fails nor gives away a file that is not its own.
    #[test]
    fn any_list_is_read_or_put_aside(
        text in proptest::prelude::prop_oneof![
            ".{0,200}",
            r#"\{"schema": "punctual.late-wake-ups/1", "late_wake_ups": \[\{"id": "[a./]{0,9}", "recording": "[a./]{0,9}(\.punctual)?", "bytes": [0-9]{1,20}\}\]\}"#,
        ],
    ) {
        let folder = TempDir::new().unwrap();
        let settings = settings(&folder, 100, 1_000);
        fs::create_dir_all(&settings.folder).unwrap();
        fs::write(settings.folder.join("late.json"), text).unwrap();
        let lates = Lates::open(&settings).unwrap();
        for late in lates.list() {
            assert_eq!(lates.recording_path(&late.id), None);
        }
        lates.save(late(1), Some(FILES)).unwrap();
        assert!(lates.recording_path(&late(1).id).is_some());
    }
}
