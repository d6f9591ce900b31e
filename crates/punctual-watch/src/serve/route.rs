//! What a path asks for.

/// What there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Route<'a> {
    /// The page for people.
    Page,
    /// The exposition.
    Metrics,
    /// Whether the watch is well.
    Health,
    /// The saved wake-ups.
    Lates,
    /// The recording of the saved wake-up with this id.
    Recording(&'a str),
    /// The same for Perfetto.
    Perfetto(&'a str),
}

impl<'a> Route<'a> {
    /// What this path asks for, if that may exist. An id is such as a recorder gives, so it is never a path.
    pub fn of(path: &'a str) -> Option<Self> {
        match path {
            "/" => Some(Self::Page),
            "/metrics" => Some(Self::Metrics),
            "/healthz" => Some(Self::Health),
            "/late" => Some(Self::Lates),
            _ => {
                let file = path.strip_prefix("/late/")?;
                let (id, route): (_, fn(&'a str) -> Self) = match file.split_once('.') {
                    None => (file, Self::Recording),
                    Some((id, "trace")) => (id, Self::Recording),
                    Some((id, "perfetto" | "perfetto-trace")) => (id, Self::Perfetto),
                    Some(_) => return None,
                };
                is_id(id).then(|| route(id))
            }
        }
    }
}

/// Whether a text is an id: letters, digits and hyphens.
fn is_id(text: &str) -> bool {
    !text.is_empty()
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_but_ids_reaches_a_file() {
        assert_eq!(
            Route::of("/late/20251123-1"),
            Some(Route::Recording("20251123-1"))
        );
        assert_eq!(Route::of("/late/a.perfetto"), Some(Route::Perfetto("a")));
        for path in [
            "/late/",
            "/late/..",
            "/late/a/b",
            "/late/%2e%2e",
            "/late/a.b",
            "/late/..trace",
            "//",
            "",
        ] {
            assert_eq!(Route::of(path), None, "{path}");
        }
    }
}
