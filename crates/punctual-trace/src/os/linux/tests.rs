use super::instance::maker;
use super::*;

#[test]
fn only_our_own_instances_are_ours() {
    assert_eq!(maker("punctual-12"), Some(12));
    assert_eq!(maker("punctual-12-1"), Some(12));
    assert_eq!(maker("punctual-x"), None);
    assert_eq!(maker("12"), None);
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
    let raw = capture.finish().unwrap();
    assert!(!path.exists(), "{}", path.display());
    let trace = crate::tracefs::decode(&raw).unwrap();
    // Even a quiet machine had a thread on the processor that turned the trace off.
    let times: Vec<_> = trace.events().iter().map(|event| event.at).collect();
    assert!(times.is_sorted());
}
