//! The page: whole, without scripts, and with every text escaped.

use super::client::{get, served};
use punctual_watch::board::Readings;
use punctual_watch::history::{History, MINUTES};
use punctual_watch::page::page;
use punctual_watch::sample;
use std::sync::Arc;
use std::time::SystemTime;

/// Each opened tag is closed, in order.
fn check(html: &str) {
    const EMPTY: [&str; 1] = ["!DOCTYPE"];
    let mut open = Vec::new();
    let mut rest = html;
    while let Some((_, tag)) = rest.split_once('<') {
        let (tag, after) = tag.split_once('>').expect("a tag ends");
        rest = after;
        let name = tag.split([' ', '\n']).next().unwrap();
        if let Some(name) = name.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "…{}", &after[..after.len().min(80)]);
        } else if !tag.ends_with('/') && !EMPTY.contains(&name) {
            open.push(name);
        }
        assert!(!name.eq_ignore_ascii_case("script"));
        assert!(!tag.contains(" on"), "{tag}");
    }
    assert_eq!(open, Vec::<&str>::new());
    // Names of the languages, which nothing asks for.
    let html = ["1999/xhtml", "2000/svg"]
        .into_iter()
        .fold(html.to_owned(), |html, name| {
            html.replace(&format!("http://www.w3.org/{name}"), "")
        });
    for word in ["http:", "https:", "//", "javascript", "NaN", "inf "] {
        assert!(!html.contains(word), "{word}");
    }
}

#[test]
fn the_page_is_served_whole() {
    let served = served();
    let answer = get(served.at, "/", "");
    assert_eq!(
        answer.header("content-type"),
        Some("text/html; charset=utf-8")
    );
    let html = answer.text();
    check(html);
    assert!(html.contains("Late wake-ups that were saved"));
    assert!(
        html.contains("&lt;cc1plus&gt; &amp; co"),
        "causes are escaped"
    );
    assert!(html.contains("clock-stepped"));
    assert!(html.contains("name=\"viewport\""));
}

#[test]
fn an_hour_is_drawn_with_its_gaps() {
    let board = sample::board();
    let mut history = History::from_now(&board);
    for minute in 0..2 * MINUTES as u64 {
        if minute % 10 != 3 {
            board.series[0].wakes.count(1 << (minute % 40));
        }
        history.minute(&board);
    }
    let html = page(&board, &history, SystemTime::now());
    check(&html);
    let half = html.split_once("<path class=\"line c0\"").unwrap().1;
    let half = half.split_once(" d=\"").unwrap().1;
    let path = half.split_once('"').unwrap().0;
    assert_eq!(
        path.matches('M').count(),
        7,
        "a gap each ten minutes: {path}"
    );
}

#[test]
fn a_board_with_nothing_on_it_has_a_page() {
    let board = sample::Machine::new(3).board(std::time::Duration::ZERO);
    *board.readings.lock().unwrap() = Readings::default();
    let html = page(&board, &History::from_now(&board), SystemTime::UNIX_EPOCH);
    check(&html);
    assert!(html.contains("Nothing has been counted yet."));
    assert!(html.contains("The first minute is not over yet."));
}

#[test]
fn no_reading_can_write_markup() {
    let board = Arc::new(sample::board());
    let evil = "\"><script>alert(1)</script>' onload=x".to_owned();
    board.readings.lock().unwrap().facts.insert("kernel", evil);
    let html = page(&board, &History::from_now(&board), SystemTime::now());
    assert!(html.contains("&lt;script&gt;alert(1)"));
    assert!(!html.contains("<script"));
}
