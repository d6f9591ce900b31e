//! OpenMetrics made Prometheus' older text format, line by line.

/// The text format 0.0.4 of what prometheus-client encoded.
///
/// The formats differ in five things. A counter is called `_total` in its head too, an information is a gauge
/// called `_info`, what is unknown is `untyped`, units have no line, and there is no end mark. Exemplars must not be
/// in it: [`super::openmetrics`] adds them last.
pub fn from_openmetrics(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let Some(head) = line.strip_prefix("# ") else {
            out.push_str(line);
            out.push('\n');
            continue;
        };
        let Some((keyword, rest)) = head.split_once(' ') else {
            continue;
        };
        let (name, text) = rest.split_once(' ').unwrap_or((rest, ""));
        match keyword {
            // The type decides the name, and stands in the next line.
            "HELP" => {
                let suffix = lines.peek().map_or("", |next| suffix(next));
                push(&mut out, "HELP", name, suffix, text);
            }
            "TYPE" => push(&mut out, "TYPE", name, suffix(line), kind(text)),
            _ => {}
        }
    }
    out
}

fn push(out: &mut String, keyword: &str, name: &str, suffix: &str, text: &str) {
    for part in ["# ", keyword, " ", name, suffix, " ", text, "\n"] {
        out.push_str(part);
    }
}

/// What the older format writes after the name in the head, by the line with the type.
fn suffix(line: &str) -> &'static str {
    match line
        .rsplit(' ')
        .next()
        .filter(|_| line.starts_with("# TYPE "))
    {
        Some("counter") => "_total",
        Some("info") => "_info",
        _ => "",
    }
}

fn kind(kind: &str) -> &str {
    match kind {
        "info" | "stateset" => "gauge",
        "unknown" => "untyped",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_and_informations_are_called_as_the_older_format_calls_them() {
        let text = "# HELP a_seconds How long.\n# TYPE a_seconds counter\n# UNIT a_seconds seconds\n\
            a_seconds_total{b=\"# HELP\"} 1\n# HELP c What.\n# TYPE c info\nc_info{d=\"e\"} 1\n# EOF\n";
        assert_eq!(
            from_openmetrics(text),
            "# HELP a_seconds_total How long.\n# TYPE a_seconds_total counter\n\
            a_seconds_total{b=\"# HELP\"} 1\n# HELP c_info What.\n# TYPE c_info gauge\nc_info{d=\"e\"} 1\n"
        );
    }
}
