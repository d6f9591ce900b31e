use super::*;
use proptest::prelude::*;

fn any_load() -> impl Strategy<Value = Load> {
    let processes = proptest::option::of(1..=MOST_PROCESSES);
    prop_oneof![
        Just(Load::None),
        processes.prop_map(|count| Load::Cpu {
            processes: count.and_then(NonZeroUsize::new),
        }),
        Just(Load::Switch),
        Just(Load::Memory),
        Just(Load::Timers),
        "[^\0]*[^\0\\s][^\0]*".prop_map(Load::Command),
    ]
}

proptest! {
    #[test]
    fn reads_what_it_writes(load in any_load()) {
        prop_assert_eq!(&load.to_string().parse::<Load>().unwrap(), &load);
        let json = serde_json::to_string(&load).unwrap();
        prop_assert_eq!(serde_json::from_str::<Load>(&json).unwrap(), load);
    }

    #[test]
    fn any_text_is_read_as_itself_or_refused_in_a_sentence(text in ".*") {
        match text.parse::<Load>() {
            Ok(load) => prop_assert_eq!(load.to_string(), text.replace("cpu:+", "cpu:")),
            Err(error) => prop_assert!(error.is_invalid_input()),
        }
    }
}

#[test]
fn refusals_say_what_would_be_right() {
    let check = |text: &str, expected: &str| {
        let message = text.parse::<Load>().unwrap_err().to_string();
        assert!(message.contains(expected), "{text:?}: {message}");
    };
    check("cpu:0", "N from 1 to 1024, or cpu for one per processor");
    check("cpu:1025", "N from 1 to 1024");
    check("cpu:", "cpu:N");
    check("cpu:-1", "cpu:N");
    check("command", "command:'make -j4'");
    check("command: ", "command:'make -j4'");
    check("command:a\0", "zero byte");
    check("disk", "there is no load \"disk\"");
    check(
        "",
        "none, cpu, cpu:N, switch, memory, timers or command:'…'",
    );
    check("switch:2", "there is no load \"switch:2\"");
    check("CPU", "there is no load \"CPU\"");
}

#[test]
fn a_recording_with_a_bad_load_is_refused() {
    assert!(serde_json::from_str::<Load>("\"cpu:0\"").is_err());
}
