//! The name of what had the processor, with the priority if that says something.

/// What every thread has that asked for nothing.
const USUAL: &str = "nice 0";

/// A name with its priority.
pub fn named(occupant: &str, priority: Option<&String>) -> String {
    match priority {
        Some(priority) if priority != USUAL => format!("{occupant}, {priority}"),
        _ => occupant.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_unusual_priority_is_shown() {
        let named = |priority: &str| named("make", Some(&priority.to_owned()));
        assert_eq!(named("nice 0"), "make");
        assert_eq!(named("real-time 50"), "make, real-time 50");
        assert_eq!(super::named("idle", None), "idle");
    }
}
