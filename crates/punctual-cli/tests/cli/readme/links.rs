//! Every relative link of the documents leads to a file, and every anchor to a heading. Links to
//! other sites are not followed.

use super::{files_below, read, root};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use std::path::{Path, PathBuf};

/// The links of a document, and its anchors.
struct Document {
    links: Vec<String>,
    anchors: Vec<String>,
}

impl Document {
    fn parse(text: &str) -> Self {
        let mut document = Self {
            links: Vec::new(),
            anchors: Vec::new(),
        };
        let mut heading: Option<String> = None;
        for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
            match event {
                Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                    document.links.push(dest_url.into_string());
                }
                Event::Html(html) | Event::InlineHtml(html) => {
                    document.links.extend(sources(&html).map(str::to_owned));
                }
                Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
                Event::End(TagEnd::Heading(_)) => {
                    document
                        .anchors
                        .extend(heading.take().as_deref().map(anchor));
                }
                Event::Text(text) | Event::Code(text) => {
                    if let Some(heading) = &mut heading {
                        *heading += &text;
                    }
                }
                _ => {}
            }
        }
        document
    }
}

/// The pictures in a piece of HTML.
fn sources(html: &str) -> impl Iterator<Item = &str> {
    let after = html.split("src=\"").skip(1);
    after.filter_map(|after| after.split('"').next())
}

/// The anchor that GitHub makes from a heading.
fn anchor(heading: &str) -> String {
    let kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
    let lower = heading.to_lowercase();
    lower
        .chars()
        .filter(kept)
        .collect::<String>()
        .replace(' ', "-")
}

/// The error in a document's link, if there is one.
fn problem(document: &Path, link: &str) -> Option<String> {
    if link.contains("://") || link.starts_with("mailto:") {
        return None;
    }
    let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
    let target = if file.is_empty() {
        document.to_owned()
    } else {
        document.parent().unwrap_or(Path::new("")).join(file)
    };
    if !root().join(&target).exists() {
        return Some(format!("{}: no file {link}", document.display()));
    }
    let has = || Document::parse(&read(&root().join(&target))).anchors;
    let is_found = anchor.is_empty() || has().iter().any(|heading| heading == anchor);
    (!is_found).then(|| format!("{}: no heading {link}", document.display()))
}

#[test]
fn every_link_of_the_documents_leads_somewhere() {
    if !crate::os::IS_LINUX {
        println!("skipped: documents that link to others are not told from them here");
        return;
    }
    let documents = files_below("", &|name| name.ends_with(".md"));
    assert!(documents.contains(&PathBuf::from("docs/README.md")));
    let mut problems = Vec::new();
    // A link to a document elsewhere is read where that one is.
    let is_file = |document: &&PathBuf| !root().join(document).is_symlink();
    for document in documents.iter().filter(is_file) {
        let links = Document::parse(&read(&root().join(document))).links;
        problems.extend(links.iter().filter_map(|link| problem(document, link)));
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn every_page_is_in_the_index() {
    let index = Document::parse(&read(&root().join("docs/README.md"))).links;
    for name in super::files_in("docs") {
        let page = name.trim_start_matches("docs/").to_owned();
        let is_listed = page == "README.md" || index.contains(&page);
        assert!(is_listed || !page.ends_with(".md"), "{name} is not in it");
    }
}

#[test]
fn broken_links_are_found() {
    let readme = Path::new("README.md");
    let of = |link| problem(readme, link);
    assert_eq!(of("https://example.com/none"), None);
    assert_eq!(of("docs/library.md"), None);
    assert_eq!(of("docs/library.md#many-waits-sleeper"), None);
    assert!(of("docs/none.md").unwrap().contains("no file"));
    assert!(of("docs/library.md#none").unwrap().contains("no heading"));
    let linked = Document::parse("# `a` B: c\n[x](y) <img src=\"z\">").links;
    assert_eq!(linked, ["y", "z"]);
}
