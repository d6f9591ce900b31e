//! Puts the hostile text into JSON, wherever a reader accepts it.

use super::HOSTILE;
use serde_json::Value;
use std::collections::BTreeSet;

/// Keys, and `*` for every element of an array.
type Place = Vec<String>;

/// Where a document has text, or could have it: strings, nulls and empty arrays.
pub fn places(document: &Value) -> BTreeSet<Place> {
    let mut places = BTreeSet::new();
    gather(document, &mut Vec::new(), &mut places);
    places
}

fn gather(value: &Value, place: &mut Place, places: &mut BTreeSet<Place>) {
    let mut below = |key: &str, value: &Value| {
        place.push(key.to_owned());
        gather(value, place, places);
        place.pop();
    };
    match value {
        Value::Object(values) => values.iter().for_each(|(key, value)| below(key, value)),
        Value::Array(values) if !values.is_empty() => {
            values.iter().for_each(|value| below("*", value));
        }
        Value::String(_) | Value::Null | Value::Array(_) => drop(places.insert(place.clone())),
        Value::Bool(_) | Value::Number(_) => {}
    }
}

/// The same document with the hostile text at a place.
pub fn damaged(document: &Value, place: &[String]) -> Value {
    let mut damaged = document.clone();
    put(&mut damaged, place);
    damaged
}

fn put(value: &mut Value, place: &[String]) {
    match (value, place) {
        (Value::Object(values), [key, rest @ ..]) => {
            if let Some(value) = values.get_mut(key) {
                put(value, rest);
            }
        }
        (Value::Array(values), [_, rest @ ..]) => {
            values.iter_mut().for_each(|value| put(value, rest));
        }
        (Value::Array(values), []) if values.is_empty() => values.push(HOSTILE.into()),
        (value @ (Value::String(_) | Value::Null), []) => *value = HOSTILE.into(),
        _ => {}
    }
}

/// The document with the hostile text at every place where it is accepted, tried one by one.
pub fn damaged_where(document: &Value, mut accepts: impl FnMut(&Value) -> bool) -> Value {
    let mut all = document.clone();
    for place in places(document) {
        let tried = damaged(&all, &place);
        if accepts(&tried) {
            all = tried;
        }
    }
    all
}
