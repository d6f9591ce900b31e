use super::instance::maker;
use super::*;
use punctual::Instant;

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

#[test]
fn the_stacks_of_a_thread_are_recorded_with_its_switches() {
    let mut capture = match Capture::prepare() {
        Ok(capture) => capture,
        Err(error) => return println!("skipped: {error}"),
    };
    if let Err(error) = capture.record_stacks(&[]) {
        return println!("skipped: {error}");
    }
    let mut raw = capture.raw().clone();
    let starter = capture.starter();
    let sleeper = std::thread::spawn(move || {
        let thread = std::fs::read_link("/proc/thread-self").unwrap();
        let thread = thread.file_name().unwrap().to_str().unwrap();
        let thread = ThreadId(thread.parse().unwrap());
        starter.start(Some(thread)).unwrap();
        (0..5).for_each(|_| std::thread::sleep(Duration::from_millis(1)));
        thread
    });
    let thread = sleeper.join().unwrap();
    raw.pages = capture.take().unwrap().pages;
    let trace = crate::tracefs::decode(&raw).unwrap();
    let chronicle = crate::Chronicle::new(&trace, &[thread]);
    let stacks = chronicle.stacks(thread, Instant::ZERO, Instant::MAX);
    let own = stacks.iter().filter(|stack| stack.thread == thread);
    assert!(own.count() >= 5, "{stacks:?}");
    let depths = stacks
        .iter()
        .map(|stack| trace.names.text(stack.text).lines().count());
    assert!(depths.min() > Some(2));
}

/// Says so, where the kernel may not be asked: every other test of traces reads recorded ones.
#[test]
fn a_capture_leaves_nothing_behind() {
    let mut capture = match Capture::prepare() {
        Ok(capture) => capture,
        Err(error) => return println!("skipped: {error}"),
    };
    let path = capture.instance.path().to_owned();
    assert!(path.exists());
    capture.starter().start(None).unwrap();
    std::fs::read("/proc/self/stat").unwrap();
    let mut raw = capture.raw().clone();
    capture.starter().pause().unwrap();
    raw.pages = capture.take().unwrap().pages;
    drop(capture);
    assert!(!path.exists(), "{}", path.display());
    let trace = crate::tracefs::decode(&raw).unwrap();
    // Even a quiet machine had a thread on the processor that turned the trace off.
    let times: Vec<_> = trace.events().iter().map(|event| event.at).collect();
    assert!(times.is_sorted());
}

#[test]
fn only_our_own_probes_are_ours() {
    let ours = "p:punctual_12_1/punctual_frame /proc/self/fd/3:0x1139";
    let event = "punctual_12_1/punctual_frame";
    assert_eq!(probe::event_and_maker(ours), Some((event, 12)));
    for other in [
        "p:uprobes/punctual_frame /bin/game:0x1139",
        "p:punctual_12/other /bin/game:0x1139",
        "r:punctual_12/punctual_frame /bin/game:0x1139",
        "",
    ] {
        assert_eq!(probe::event_and_maker(other), None, "{other}");
    }
}

#[test]
fn a_probe_is_removed_with_its_capture() {
    let mut capture = match Capture::prepare() {
        Ok(capture) => capture,
        Err(error) => return println!("skipped: {error}"),
    };
    let own = std::env::current_exe().unwrap();
    let place = Place::of_function(&own, "main").unwrap();
    if let Err(error) = capture.probe(&place) {
        return println!("skipped: {error}");
    }
    let (root, process) = (capture.root.clone(), std::process::id());
    let made = || {
        let probes = std::fs::read_to_string(root.join("uprobe_events")).unwrap();
        let ours = probes.lines().filter_map(probe::event_and_maker);
        ours.filter(|&(_, maker)| maker == process).count()
    };
    assert_eq!(made(), 1);
    drop(capture);
    assert_eq!(made(), 0);
}
