//! Every test that docs/reliability.md names exists.

use super::{files_below, read, root};

const DOCUMENT: &str = "docs/reliability.md";

/// The tests in the last column of the document's tables. The other names there are scripts.
fn named(text: &str) -> Vec<&str> {
    let rows = text.lines().filter_map(|line| line.strip_suffix(" |"));
    let last = rows.filter_map(|row| row.rsplit_once(" | "));
    let code = last.flat_map(|(_, cell)| cell.split('`').skip(1).step_by(2));
    code.filter(|name| name.contains('_') && !name.contains(['.', ' ']))
        .collect()
}

#[test]
fn every_promise_has_the_test_that_is_named() {
    let document = read(&root().join(DOCUMENT));
    let names = named(&document);
    assert!(names.len() > 50, "{DOCUMENT} names {} tests", names.len());
    let sources =
        ["crates", "fuzz"].map(|folder| files_below(folder, &|name| name.ends_with(".rs")));
    let code: String = sources
        .concat()
        .iter()
        .map(|file| read(&root().join(file)))
        .collect();
    for name in names {
        // Some are made by a macro, which is given their names.
        let named = [format!("fn {name}("), format!("=> {name},")];
        let has_it = named.iter().any(|named| code.contains(named));
        assert!(has_it, "there is no test {name}");
    }
}
