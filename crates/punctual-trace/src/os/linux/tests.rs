use super::instance::maker;
use super::*;

#[test]
fn only_our_own_instances_are_ours() {
    assert_eq!(maker("punctual-12"), Some(12));
    assert_eq!(maker("punctual-12-1"), Some(12));
    assert_eq!(maker("punctual-x"), None);
    assert_eq!(maker("12"), None);
}

/// The folders of a tracefs. No process has the first number: it is above the greatest.
#[test]
fn what_a_killed_process_left_is_removed_by_the_next() {
    let root = std::env::temp_dir().join(format!("punctual-instances-{}", std::process::id()));
    let instances = root.join("instances");
    let living = format!("punctual-{}", std::process::id());
    let names = ["punctual-4194305", "punctual-4194305-1", &living, "another"];
    for name in names {
        std::fs::create_dir_all(instances.join(name)).unwrap();
    }
    instance::remove_left_behind(&root);
    let left = names.map(|name| instances.join(name).exists());
    std::fs::remove_dir_all(&root).unwrap();
    assert_eq!(left, [false, false, true, true]);
}

/// Says so, where the kernel may not be asked: every other test of traces reads recorded ones.
#[test]
fn a_capture_leaves_nothing_behind() {
    let capture = match Capture::prepare() {
        Ok(capture) => capture,
        Err(error) => return println!("skipped: {error}"),
    };
    let path = capture.instance.path().to_owned();
    assert!(path.exists());
    capture.starter().start(None).unwrap();
    std::fs::read("/proc/self/stat").unwrap();
    let mut raw = capture.raw().clone();
    raw.pages = capture.finish().unwrap().pages;
    assert!(!path.exists(), "{}", path.display());
    let trace = crate::tracefs::decode(&raw).unwrap();
    // Even a quiet machine had a thread on the processor that turned the trace off.
    let times: Vec<_> = trace.events().iter().map(|event| event.at).collect();
    assert!(times.is_sorted());
}
