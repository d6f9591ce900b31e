//! Every test that docs/reliability.md names exists, where it says.

use super::{read, root};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use std::path::Path;

const DOCUMENT: &str = "docs/reliability.md";

/// The links of the document: their texts, and where they lead.
fn links(text: &str) -> Vec<(String, String)> {
    let mut links = Vec::new();
    let mut open = None;
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::Link { dest_url, .. }) => {
                open = Some((String::new(), dest_url.into_string()));
            }
            Event::End(TagEnd::Link) => links.extend(open.take()),
            Event::Text(text) | Event::Code(text) => {
                if let Some((so_far, _)) = &mut open {
                    *so_far += &text;
                }
            }
            _ => {}
        }
    }
    links
}

#[test]
fn every_promise_has_the_test_that_is_named() {
    let links = links(&read(&root().join(DOCUMENT)));
    let tests = links.iter().filter(|(_, to)| to.ends_with(".rs"));
    let mut count = 0;
    for (name, to) in tests {
        count += 1;
        let file = Path::new(DOCUMENT).parent().unwrap().join(to);
        let code = std::fs::read_to_string(root().join(&file)).unwrap();
        // Some are made by a macro, which is given their names.
        let named = [format!("fn {name}("), format!("=> {name},")];
        let has_it = named.iter().any(|named| code.contains(named));
        assert!(has_it, "{}: there is no test {name}", file.display());
    }
    assert!(count > 0, "{DOCUMENT} names no test");
}
