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

#[test]
fn what_cannot_be_written_or_read_is_refused_before_anything_is() {
    let folder = folder("report-refused");
    let wrong = folder.join("wrong.json");
    fs::write(&wrong, "{\"schema\": \"punctual.machines/1\"}").unwrap();
    let page = folder.join("page.html");
    let page = page.to_str().unwrap();
    let missing = folder.join("missing.json");
    let nowhere = folder.join("none/page.html");
    let copy = folder.join("copy.html");
    fs::copy(RECORDED, &copy).unwrap();
    let copy = copy.to_str().unwrap();
    let picture = folder.join("picture.svg");
    let picture = picture.to_str().unwrap();
    let figure = |file, name| [file, "--figure", name, "--from", RECORDED];
    let drawing = folder.join("page.png");
    let cases: [(&[&str], &str); 12] = [
        (&[nowhere.to_str().unwrap()], "FILE"),
        (&[folder.to_str().unwrap()], "FILE"),
        (&[page, "--from", missing.to_str().unwrap()], "missing.json"),
        (
            &[page, "--from", RECORDED, wrong.to_str().unwrap()],
            "punctual.machines/1",
        ),
        (&[copy, "--from", copy], "replaced"),
        (&[page, "--quick", "--from", RECORDED], "--quick"),
        (&[picture, "--from", RECORDED], "--figure"),
        (&[drawing.to_str().unwrap(), "--from", RECORDED], ".html"),
        (&[picture, "--figure", "lateness"], "--from"),
        (&figure(page, "lateness"), ".svg"),
        (&figure(picture, "vary"), "'measure --vary'"),
        (&figure(picture, "nonsense"), "timeline"),
    ];
    for (args, named) in cases {
        REPORT.refuses(args, named, "");
    }
    assert!(!folder.join("page.html").exists() && !folder.join("picture.svg").exists());
    assert_eq!(fs::read(copy).unwrap(), fs::read(RECORDED).unwrap());
}
