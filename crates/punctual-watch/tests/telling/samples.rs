//! A reader of both text formats, strict and apart from what writes them.

use std::collections::BTreeMap;

/// A name and its labels.
type Sample = (String, Vec<(String, String)>);

/// A text that has been read.
#[derive(Debug, Default, PartialEq)]
pub struct Read {
    /// The types of families, by their names.
    pub types: BTreeMap<String, String>,
    /// The values of samples, by their names and labels.
    pub samples: BTreeMap<Sample, String>,
    /// The exemplars of samples: labels, value, and time.
    pub exemplars: BTreeMap<Sample, (String, f64, f64)>,
    /// Whether it ends with the mark.
    pub has_end: bool,
    /// How many lines tell a unit.
    pub units: usize,
}

/// Reads a text, or panics at what is not allowed.
pub fn read(text: &str) -> Read {
    let mut read = Read::default();
    assert!(text.ends_with('\n') && !text.contains('\r'));
    for line in text.lines() {
        assert!(!read.has_end, "after the end: {line}");
        if line == "# EOF" {
            read.has_end = true;
        } else if let Some(rest) = line.strip_prefix("# TYPE ") {
            let (name, kind) = rest.split_once(' ').unwrap();
            let before = read.types.insert(name.to_owned(), kind.to_owned());
            assert_eq!(before, None, "{name} twice");
        } else if line.starts_with("# UNIT ") {
            read.units += 1;
        } else if !line.starts_with("# HELP ") {
            assert!(!line.starts_with('#'), "{line}");
            sample(&mut read, line);
        }
    }
    read
}

fn sample(read: &mut Read, line: &str) {
    let end = line.find(['{', ' ']).unwrap();
    let name = &line[..end];
    assert!(name.starts_with("punctual_"), "{line}");
    let mut rest = &line[end..];
    let mut labels = Vec::new();
    if let Some(inside) = rest.strip_prefix('{') {
        (labels, rest) = self::labels(inside);
    }
    let rest = rest.strip_prefix(' ').unwrap();
    let (value, exemplar) = rest
        .split_once(" # {")
        .map_or((rest, None), |(value, exemplar)| (value, Some(exemplar)));
    assert!(value.parse::<f64>().unwrap().is_finite(), "{line}");
    let key = (name.to_owned(), labels);
    if let Some(exemplar) = exemplar {
        let (labels, numbers) = self::labels(exemplar);
        let (lateness, time) = numbers.trim_start().split_once(' ').unwrap();
        let [(name, id)] = labels.as_slice() else {
            panic!("{line}")
        };
        assert_eq!(name, "late_id");
        let exemplar = (id.clone(), lateness.parse().unwrap(), time.parse().unwrap());
        read.exemplars.insert(key.clone(), exemplar);
    }
    let before = read.samples.insert(key, value.to_owned());
    assert_eq!(before, None, "twice: {line}");
}

/// Labels up to the brace that ends them, and what follows it.
fn labels(mut rest: &str) -> (Vec<(String, String)>, &str) {
    let mut labels = Vec::new();
    loop {
        let (name, value) = rest.split_once("=\"").unwrap();
        assert!(
            name.chars()
                .all(|letter| letter.is_ascii_lowercase() || letter == '_'),
            "{name}"
        );
        let mut chars = value.char_indices();
        let mut text = String::new();
        let end = loop {
            match chars.next().unwrap() {
                (at, '"') => break at,
                (_, '\\') => text.push(match chars.next().unwrap().1 {
                    'n' => '\n',
                    letter @ ('"' | '\\') => letter,
                    other => panic!("\\{other}"),
                }),
                (_, letter) => text.push(letter),
            }
        };
        labels.push((name.to_owned(), text));
        rest = &value[end + 1..];
        if let Some(after) = rest.strip_prefix('}') {
            return (labels, after);
        }
        rest = rest.strip_prefix(',').unwrap();
    }
}
