//! Colours, light and dark, and the style rules that use them.

use crate::markup::Markup;

/// A colour's name in the rules, its value on a light background, and its value on a dark one. Text
/// has a contrast of at least 4.5 to 1 with its background.
const COLOURS: [(&str, &str, &str); 28] = [
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
    ("c8", "#7b3f00", "#d9a066"),
    ("c9", "#006d77", "#5fd3dc"),
    ("c10", "#4d6b00", "#b5d334"),
    ("c11", "#7a1fa2", "#d58cff"),
    ("c12", "#6b6f76", "#989fa8"),
    ("c13", "#1f2f7a", "#8fa3ff"),
    ("c14", "#8a4a5a", "#e0b0b8"),
    ("c15", "#1b4d2e", "#8fcf9f"),
    ("c16", "#8f5f00", "#ffc266"),
    ("c17", "#2e6f9e", "#9cc9e8"),
    ("c18", "#5b1a1a", "#ffb3a0"),
    ("c19", "#444c8c", "#c0c6ff"),
    ("c20", "#5c3d2e", "#cfb09a"),
    ("c21", "#6a4b7c", "#d6c1e6"),
    ("c22", "#2f5a2f", "#b9e0c4"),
];

/// The style of pages.
const PAGE: &str = include_str!("theme/page.css");
/// The colours of figures, on pages and alone.
const FIGURE: &str = include_str!("theme/figure.css");
/// The sizes and strokes of figures.
const STROKES: &str = include_str!("theme/strokes.css");

const DARK: &str = "@media (prefers-color-scheme: dark) {\n";
const REFERENCE: &str = "var(--";

/// The theme.
#[derive(Clone, Copy)]
enum Paper {
    Light,
    Dark,
}

/// The style of a page, whose colours are variables.
pub fn of_page(out: &mut Markup) {
    out.constant("\n:root { color-scheme: light dark; }\n");
    variables(out, Paper::Light);
    out.constant(DARK);
    variables(out, Paper::Dark);
    out.constant("}\n");
    [PAGE, FIGURE, STROKES]
        .into_iter()
        .for_each(|rules| out.constant(rules));
}

/// The style of a picture, without variables: programs other than browsers do not support them and
/// show the picture on a light background.
pub fn of_picture(out: &mut Markup) {
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

/// The rules of figures, with each variable replaced by its value.
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

    /// The contrast of two colours, by the formula of the Web Content Accessibility Guidelines.
    fn contrast(one: &str, other: &str) -> f64 {
        let luminance = |colour: &str| {
            let part = |at: usize| {
                let value = u8::from_str_radix(&colour[at..at + 2], 16).unwrap();
                let share = f64::from(value) / 255.0;
                if share <= 0.04045 {
                    share / 12.92
                } else {
                    ((share + 0.055) / 1.055).powf(2.4)
                }
            };
            0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
        };
        let (one, other) = (luminance(one), luminance(other));
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    #[test]
    fn names_in_colour_can_be_read_on_either_paper() {
        let (_, light_paper, dark_paper) = COLOURS[0];
        for (name, light, dark) in COLOURS {
            let is_numbered = name
                .strip_prefix('c')
                .is_some_and(|rest| rest.parse::<u8>().is_ok());
            if is_numbered || ["ink", "quiet"].contains(&name) {
                assert!(contrast(light, light_paper) >= 4.5, "{name}, light");
                assert!(contrast(dark, dark_paper) >= 4.5, "{name}, dark");
            }
        }
    }

    #[test]
    fn a_page_names_every_colour_and_no_other() {
        let style = written(of_page);
        let used = style.split(REFERENCE).skip(1);
        let used: BTreeSet<_> = used.map(|rest| rest.split(')').next().unwrap()).collect();
        assert_eq!(used, COLOURS.map(|colour| colour.0).into());
    }
}
