//! Reports that we wrote after public descriptions, and arbitrary input.

use super::*;
use proptest::prelude::*;

/// Written by us after public descriptions of reports; it contains no real report.
const HTML: &str = include_str!("tests/made-by-us.html");
/// Like [`HTML`].
const XML: &str = include_str!("tests/made-by-us.xml");

fn process(interval_ns: u64, process_id: u32, program: &str) -> Requested {
    Requested {
        interval_ns,
        who: Who::Process {
            process_id: Some(process_id),
            program: Some(program.to_owned()),
        },
    }
}

fn expected() -> Requesters {
    Requesters {
        platform_interval_ns: Some(500_000),
        maximum_ns: Some(15_625_000),
        requests: vec![
            Requested {
                interval_ns: 500_000,
                who: Who::Kernel,
            },
            process(
                1_000_000,
                4_242,
                r"\Device\HarddiskVolume3\Program Files\Player & Co\player.exe",
            ),
            process(10_000_000, 77, r"\Device\HarddiskVolume3\tools\clock.exe"),
        ],
    }
}

#[test]
fn both_forms_say_the_same() {
    assert_eq!(parse(HTML.as_bytes()), Ok(expected()));
    assert_eq!(parse(XML.as_bytes()), Ok(expected()));
}

#[test]
fn xml_may_be_utf_16() {
    let units = std::iter::once(0xFEFF).chain(XML.encode_utf16());
    let bytes: Vec<u8> = units.flat_map(u16::to_le_bytes).collect();
    assert_eq!(parse(&bytes), Ok(expected()));
}

#[test]
fn a_copy_as_plain_text_is_read_too() {
    let text = "Platform Timer Resolution:Platform Timer Resolution\n\
                Current Timer Resolution (100ns units) 156250\n\
                Maximum Timer Period (100ns units)\t156250\n\
                Platform Timer Resolution:Outstanding Timer Request\n\
                Requested Period 10000\nRequesting Process ID: 7\n\
                Requesting Process Path \\a b.exe\n";
    let found = parse(text.as_bytes()).unwrap();
    assert_eq!(found.platform_interval_ns, Some(15_625_000));
    assert_eq!(found.maximum_ns, Some(15_625_000));
    assert_eq!(found.requests, [process(1_000_000, 7, r"\a b.exe")]);
}

#[test]
fn a_report_without_requests_is_a_report() {
    let text = "Current Timer Resolution (100ns units)\n156250";
    assert_eq!(parse(text.as_bytes()).unwrap().requests, []);
}

#[test]
fn other_files_are_not() {
    for other in ["", "<html>Requested Period</html>", "%PDF-1.7", "hello"] {
        assert_eq!(parse(other.as_bytes()), Err(NotAReport), "{other}");
    }
}

fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;");
    text.replace('<', "&lt;").replace('>', "&gt;")
}

proptest! {
    #[test]
    fn no_bytes_are_too_much(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = parse(&bytes);
    }

    /// Damage as in real files: a part is missing, or a part is there twice.
    #[test]
    fn a_damaged_report_is_read_as_far_as_it_goes(from in 0..3_000_usize, to in 0..3_000_usize) {
        for whole in [HTML.as_bytes(), XML.as_bytes()] {
            let (from, to) = (from.min(whole.len()), to.min(whole.len()));
            let damaged = [&whole[..from], &whole[to..]].concat();
            if let Ok(found) = parse(&damaged) {
                prop_assert!(found.requests.len() <= 2 * expected().requests.len());
            }
        }
    }

    #[test]
    fn every_request_comes_out(
        mut requests in prop::collection::vec(
            (1_u64..200_000, any::<u32>(), "[a-zA-Z\\\\][a-zA-Z0-9 .&<>\\\\_]{0,30}[a-z]"),
            1..20,
        ),
        xml: bool,
    ) {
        let mut report = String::new();
        for (units, id, path) in &requests {
            let path = escaped(path);
            report += &if xml {
                format!(
                    "<LogEntry><Name>Outstanding Timer Request</Name><Details>\
                     <Detail><Name>Requested Period</Name><Value>{units}</Value></Detail>\
                     <Detail><Name>Requesting Process ID</Name><Value>{id}</Value></Detail>\
                     <Detail><Name>Requesting Process Path</Name><Value>{path}</Value></Detail>\
                     </Details></LogEntry>"
                )
            } else {
                format!(
                    "<div>Platform Timer Resolution:Outstanding Timer Request</div><table>\
                     <tr><td>Requested Period</td><td>{units}</td></tr>\
                     <tr><td>Requesting Process ID</td><td>{id}</td></tr>\
                     <tr><td>Requesting Process Path</td><td>{path}</td></tr></table>"
                )
            };
        }
        let found = parse(report.as_bytes()).unwrap();
        requests.sort();
        let wanted: Vec<_> = requests
            .iter()
            .map(|(units, id, path)| process(units * 100, *id, path))
            .collect();
        prop_assert_eq!(found.requests, wanted);
    }
}

#[test]
fn text_is_what_is_between_tags() {
    let markup = "<style>p { a: b }</STYLE><p>one &amp; two</p><!-- <p>no</p> -->\
                  <script>if (a<b) {}</script>three\tfour\n<br/> 1 < 2 <![CDATA[five";
    assert_eq!(
        pieces(markup),
        ["one & two", "three", "four", "1 < 2", "five"]
    );
}

#[test]
fn what_has_no_end_is_left_out() {
    assert_eq!(pieces("a<b"), ["a"]);
    assert_eq!(pieces("a<!-- b"), ["a"]);
    assert_eq!(pieces("a<script>b"), ["a"]);
    assert_eq!(pieces("<"), ["<"]);
}

#[test]
fn entities() {
    assert_eq!(
        unescaped("&lt;&#65;&#x42;&unknown;&;&&gt"),
        "<AB&unknown;&;&&gt"
    );
    assert_eq!(unescaped("&#xD800;"), "&#xD800;");
}

#[test]
fn marks_at_the_beginning_say_how_it_is_encoded() {
    assert_eq!(decode(b"\xFF\xFEa\0b\0"), "ab");
    assert_eq!(decode(b"\xFE\xFF\0a\0b\0"), "ab");
    assert_eq!(decode(b"\xEF\xBB\xBFab"), "ab");
    assert_eq!(decode(b"ab"), "ab");
}

proptest! {
    #[test]
    fn any_text_survives_being_escaped_and_put_between_tags(text in "[^\t\r\n\u{85}\u{2028}\u{2029}]{0,40}") {
        let escaped = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let found = pieces(&format!("<td class=\"x\">{escaped}</td>"));
        let wanted = text.trim();
        prop_assert_eq!(found.concat(), wanted);
    }
}
