//! Colours, light and dark, and the rules that use them.

use super::markup::Markup;

/// A colour's name in the rules, its value on light paper, and its value on dark paper. Text has a
/// contrast of at least 4.5 to 1 with its paper.
const COLOURS: [(&str, &str, &str); 13] = [
    ("paper", "#ffffff", "#14171b"),
    ("ink", "#1c1f23", "#e8eaed"),
    ("quiet", "#5a6169", "#a3abb5"),
    ("grid", "#dfe3e8", "#333a43"),
    ("soft", "#f3f5f8", "#1e2329"),
    ("c0", "#0063a5", "#6cb8ff"),
    ("c1", "#b84500", "#ff9a52"),
    ("c2", "#007a55", "#3fd0a0"),
    ("c3", "#a3388a", "#f29bd3"),
    ("c4", "#755c00", "#e5cf4a"),
    ("c5", "#3f4750", "#cbd2da"),
    ("c6", "#5a4fcf", "#b0a5ff"),
    ("c7", "#b3123a", "#ff8095"),
];

/// Looks of pages.
const PAGE: &str = include_str!("style.css");
/// Colours of figures, on pages and alone.
const FIGURE: &str = include_str!("figure.css");
/// Sizes and strokes of figures.
const STROKES: &str = include_str!("strokes.css");

const DARK: &str = "@media (prefers-color-scheme: dark) {\n";
const REFERENCE: &str = "var(--";

/// Which colours.
#[derive(Clone, Copy)]
enum Paper {
    Light,
    Dark,
}

/// The style of a page, whose colours are variables.
pub(super) fn of_page(out: &mut Markup) {
    out.constant("\n:root { color-scheme: light dark; }\n");
    variables(out, Paper::Light);
    out.constant(DARK);
    variables(out, Paper::Dark);
    out.constant("}\n");
    [PAGE, FIGURE, STROKES]
        .into_iter()
        .for_each(|rules| out.constant(rules));
}

/// The style of a picture, without variables: what is no browser knows none, and shows it on light
/// paper.
pub(super) fn of_picture(out: &mut Markup) {
    out.constant("\n");
    coloured(out, Paper::Light);
    out.constant(DARK);
    coloured(out, Paper::Dark);
    out.constant("}\n");
    out.constant(STROKES);
}

fn variables(out: &mut Markup, paper: Paper) {
    out.constant(":root {");
    for (name, light, dark) in COLOURS {
        [" --", name, ": ", paper.of(light, dark), ";"]
            .into_iter()
            .for_each(|text| out.constant(text));
    }
    out.constant(" }\n");
}

/// The rules of figures with each variable replaced by its value.
fn coloured(out: &mut Markup, paper: Paper) {
    let mut parts = FIGURE.split(REFERENCE);
    out.constant(parts.next().unwrap_or_default());
    for part in parts {
        let (name, rest) = part.split_once(')').unwrap_or((part, ""));
        let colour = COLOURS.iter().find(|colour| colour.0 == name);
        let &(_, light, dark) = colour.expect("rules use colours that there are: a test says so");
        out.constant(paper.of(light, dark));
        out.constant(rest);
    }
}

impl Paper {
    fn of(self, light: &'static str, dark: &'static str) -> &'static str {
        match self {
            Self::Light => light,
            Self::Dark => dark,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn written(write: fn(&mut Markup)) -> String {
        let mut out = Markup::default();
        write(&mut out);
        out.finish()
    }

    #[test]
    fn a_picture_has_every_colour_twice_and_no_variable() {
        let style = written(of_picture);
        assert!(!style.contains("--"), "{style}");
        assert!(style.contains("#1c1f23") && style.contains("#e8eaed"));
        assert_eq!(style.matches('{').count(), style.matches('}').count());
    }

    #[test]
    fn a_page_names_every_colour_and_no_other() {
        let style = written(of_page);
        let used = style.split(REFERENCE).skip(1);
        let used: BTreeSet<_> = used.map(|rest| rest.split(')').next().unwrap()).collect();
        assert_eq!(used, COLOURS.map(|colour| colour.0).into());
    }
}
