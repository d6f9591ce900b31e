//! The committed header against the code, as far as that goes without cbindgen: `.ci/c-header` compares all of it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The text of every file of the code, one after the other, and of the header.
fn texts() -> (String, String) {
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut code = String::new();
    for entry in fs::read_dir(crate_folder.join("src")).unwrap() {
        code += &fs::read_to_string(entry.unwrap().path()).unwrap();
    }
    let header = fs::read_to_string(crate_folder.join("include/punctual.h")).unwrap();
    (code, header)
}

/// What stands between a beginning and the next end, for every time that the beginning is found.
fn between<'a>(text: &'a str, begin: &str, end: &str) -> Vec<&'a str> {
    text.split(begin)
        .skip(1)
        .map(|rest| rest.split(end).next().unwrap())
        .collect()
}

/// Identifiers that are followed by a mark, as the names of parameters in Rust are by a colon.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| !word.is_empty())
}

/// The functions that the code exports, with the names of their parameters.
fn functions_of_the_code(code: &str) -> BTreeMap<String, Vec<String>> {
    between(code, "pub extern \"C\" fn ", ") ->")
        .into_iter()
        .map(|signature| {
            let (name, parameters) = signature.split_once('(').unwrap();
            let names = parameters.split(',').filter_map(|parameter| {
                let (name, _) = parameter.split_once(':')?;
                Some(name.trim().to_owned())
            });
            (name.to_owned(), names.collect())
        })
        .collect()
}

/// The functions that the header declares, with the names of their parameters.
fn functions_of_the_header(header: &str) -> BTreeMap<String, Vec<String>> {
    let (_, declarations) = header.split_once("extern \"C\" {").unwrap();
    let declarations: Vec<_> = declarations
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .collect();
    declarations
        .join(" ")
        .split(';')
        .filter_map(|declaration| {
            let (before, parameters) = declaration.split_once('(')?;
            let name = words(before).last()?;
            let names = parameters
                .trim_end_matches(')')
                .split(',')
                .filter_map(|parameter| words(parameter).last())
                .filter(|name| *name != "void");
            Some((name.to_owned(), names.map(str::to_owned).collect()))
        })
        .collect()
}

#[test]
fn the_header_has_the_functions_of_the_code() {
    let (code, header) = texts();
    let functions = functions_of_the_code(&code);
    assert!(functions.len() > 30, "{functions:?}");
    assert_eq!(functions, functions_of_the_header(&header));
}

/// Messages name a handle or a struct by its type.
#[test]
fn every_pointer_is_called_as_its_type() {
    let (_, header) = texts();
    let (_, declarations) = header.split_once("extern \"C\" {").unwrap();
    let mut pointers = 0;
    for parameters in between(declarations, "(", ");") {
        for parameter in parameters.split(',') {
            let mut words = words(parameter).filter(|word| *word != "const");
            let (of, name) = (words.next(), words.next());
            let of = of.and_then(|of| of.strip_prefix("punctual_"));
            if let (Some(of), Some(name), true) = (of, name, parameter.contains('*')) {
                assert_eq!(of, name, "{parameter}");
                pointers += 1;
            }
        }
    }
    assert!(pointers > 40, "{pointers}");
}

/// The names of functions that follow something.
fn names_after<'a>(text: &'a str, before: &'a str) -> BTreeSet<&'a str> {
    between(text, before, "(").into_iter().collect()
}

#[test]
fn whose_result_must_be_used_is_said_by_both() {
    let (code, header) = texts();
    let of_the_code = names_after(&code, "#[must_use]\npub extern \"C\" fn ");
    let header = header.replace("MUST_USE\n", "MUST_USE ");
    let of_the_header = names_after(&header, "PUNCTUAL_MUST_USE punctual_status ");
    assert_eq!(of_the_code, of_the_header);
    let all = functions_of_the_header(&header);
    for name in all.keys() {
        let makes = name.ends_with("_new") || name.starts_with("punctual_driver_start");
        let may_lack = name.ends_with("_or_signal") || name.starts_with("punctual_ticker_next");
        let is_plain = name == "punctual_delay" || name == "punctual_sleep_for";
        assert!(!(makes || may_lack) || of_the_code.contains(&**name));
        assert!(!is_plain || !of_the_code.contains(&**name));
    }
}

#[test]
fn the_header_has_the_numbers_of_the_code() {
    let (code, header) = texts();
    let numbers: BTreeMap<_, _> = between(&code, "pub const PUNCTUAL_", ";")
        .into_iter()
        .map(|constant| {
            let (name, value) = constant.split_once(" = ").unwrap();
            let (name, _) = name.split_once(':').unwrap();
            (name, value)
        })
        .collect();
    assert!(numbers.len() > 20, "{numbers:?}");
    let defined: BTreeMap<_, _> = between(&header, "#define PUNCTUAL_", "\n")
        .into_iter()
        .filter_map(|definition| definition.split_once(' '))
        .filter(|(_, value)| value.parse::<i32>().is_ok())
        .collect();
    assert_eq!(numbers, defined);
}

#[test]
fn the_header_has_the_fields_of_the_code() {
    let (code, header) = texts();
    let structs = between(
        &code,
        "#[repr(C)]\n#[derive(Clone, Copy, Default)]\n",
        "\n}",
    );
    assert!(structs.len() > 5, "{structs:?}");
    for text in structs {
        let (_, text) = text.split_once("pub struct ").unwrap();
        let (name, fields) = text.split_once(" {").unwrap();
        let name = format!("punctual_{}", name.to_lowercase());
        let fields: Vec<_> = between(fields, "pub ", ":");
        let (before, _) = header.split_once(&format!("}} {name};")).unwrap();
        let (_, body) = before.rsplit_once("typedef struct {").unwrap();
        let declared: Vec<_> = body
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"))
            .filter_map(|line| words(line).last())
            .collect();
        assert_eq!(fields, declared, "{name}");
    }
}
