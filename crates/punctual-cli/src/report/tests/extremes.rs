//! Documents with one absurd value. A page is made or the document is refused; nothing panics.

use super::{checked, everything};
use crate::report::document::Document;
use serde_json::{Value, json};
use std::panic::catch_unwind;

/// A place in a document.
type Pointer = String;

/// All places. Of a list only the first and the last: the others are alike.
fn places(value: &Value, here: &str, found: &mut Vec<Pointer>) {
    found.push(here.to_owned());
    match value {
        Value::Array(items) => {
            let last = items.len().saturating_sub(1);
            for (index, item) in items.iter().enumerate() {
                if index == 0 || index == last {
                    places(item, &format!("{here}/{index}"), found);
                }
            }
        }
        Value::Object(fields) => {
            for (name, field) in fields {
                places(field, &format!("{here}/{name}"), found);
            }
        }
        _ => {}
    }
}

fn absurd() -> [Value; 6] {
    [
        json!(0),
        json!(u64::MAX),
        json!(-0.5),
        json!(f64::MAX),
        json!(""),
        json!([]),
    ]
}

#[test]
fn one_absurd_value_makes_a_page_or_is_refused() {
    // In a quick run each place has a third of the values, and its neighbours have the others.
    let step = crate::effort(3, 1) as usize;
    let mut pages = 0;
    for whole in everything() {
        let whole: Value = serde_json::from_str(&whole).unwrap();
        let mut pointers = Vec::new();
        places(&whole, "", &mut pointers);
        for (place, pointer) in pointers.into_iter().enumerate() {
            for value in absurd().into_iter().skip(place % step).step_by(step) {
                let mut document = whole.clone();
                *document.pointer_mut(&pointer).unwrap() = value.clone();
                let text = document.to_string();
                if Document::from_json(&text).is_err() {
                    continue;
                }
                pages += 1;
                let made = catch_unwind(|| drop(checked(&[text])));
                assert!(made.is_ok(), "{} at {pointer}: {value}", whole["schema"]);
            }
        }
    }
    assert!(pages > 0);
}
