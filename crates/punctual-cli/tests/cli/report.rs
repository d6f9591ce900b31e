//! `punctual report`: a page from recordings, written as a whole or not at all.

use crate::command::{Punctual, RECORDED, folder};
use std::fs;

const REPORT: Punctual = Punctual(&["report"]);

#[test]
fn a_page_is_made_of_recordings_and_stands_alone() {
    let folder = folder("report-page");
    let file = folder.join("page.html");
    let printed = REPORT.text(&[file.to_str().unwrap(), "--from", RECORDED]);
    assert!(printed.is_empty());
    let page = fs::read_to_string(&file).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
    assert!(page.contains("<h2>Lateness</h2>"));
    assert_eq!(
        fs::read_dir(&folder).unwrap().count(),
        1,
        "nothing is left beside it"
    );
}

#[test]
fn a_figure_alone_is_a_picture() {
    let folder = folder("report-picture");
    let file = folder.join("picture.svg");
    let name = file.to_str().unwrap();
    REPORT.text(&[name, "--figure", "lateness", "--from", RECORDED]);
    let picture = fs::read_to_string(&file).unwrap();
    assert!(picture.starts_with("<svg") && picture.ends_with("</svg>\n"));
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
}
