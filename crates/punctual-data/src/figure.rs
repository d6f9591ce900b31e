//! A figure: its title, a description in words, and its drawing. On a page it has a caption; alone
//! it is a picture with its own colours.

use crate::markup::{Attributes, Markup};
use crate::svg::{self, At, LINE, WIDTH};
use crate::text::wrapped;
use crate::theme;

/// A drawing with a title and a description for readers who cannot see it.
#[derive(Debug)]
pub struct Figure {
    title: String,
    about: String,
    height: f64,
    inside: Markup,
}

impl Figure {
    /// Draws a figure of this height.
    pub fn draw(
        title: impl Into<String>,
        about: impl Into<String>,
        height: f64,
        inside: impl FnOnce(&mut Markup),
    ) -> Self {
        let mut drawn = Markup::default();
        inside(&mut drawn);
        Self {
            title: title.into(),
            about: about.into(),
            height,
            inside: drawn,
        }
    }

    /// Puts it onto a page, with an `id` that is unique there.
    pub fn write(self, out: &mut Markup, id: &str) {
        let title = self.title.clone();
        out.element("figure", &[], |out| {
            let height = self.height;
            self.frame(out, id, height, |out, inside| out.append(inside));
            out.leaf("figcaption", &[], &title);
        });
        out.line();
    }

    /// The figure as a file of its own. It fetches nothing, and has a background of its own,
    /// because the page that shows it may have any colour. `setting` is the line below its title.
    pub fn alone(self, setting: &str) -> String {
        let mut out = Markup::default();
        let titles: Vec<_> = wrapped(&self.title, TITLE_LENGTH).collect();
        let settings: Vec<_> = wrapped(setting, SETTING_LENGTH).collect();
        let lines = titles
            .iter()
            .chain(&settings)
            .filter(|line| !line.is_empty());
        let head = MARGIN + LINE * lines.count() as f64;
        let height = head + self.height + MARGIN;
        self.frame(&mut out, "figure", height, |out, inside| {
            out.element("style", &[], theme::of_picture);
            let paper: Attributes = &[
                ("class", &"paper"),
                ("width", &"100%"),
                ("height", &"100%"),
                ("rx", &"6"),
            ];
            out.empty("rect", paper);
            let titles = titles.iter().map(|line| ("title", line));
            let settings = settings.iter().map(|line| ("axis", line));
            let mut y = MARGIN;
            for (class, line) in titles.chain(settings).filter(|(_, line)| !line.is_empty()) {
                y += LINE;
                svg::label(out, (MARGIN, y - 6.0), "start", class, line);
            }
            let below = format!("translate(0 {})", At(head));
            out.element("g", &[("transform", &below)], |out| out.append(inside));
        });
        out.line();
        out.finish()
    }

    /// The drawing's element with its names, and its contents.
    fn frame(
        self,
        out: &mut Markup,
        id: &str,
        height: f64,
        fill: impl FnOnce(&mut Markup, Markup),
    ) {
        let (title_id, description_id) = (format!("{id}-title"), format!("{id}-description"));
        let attributes: Attributes = &[
            ("role", &"img"),
            ("width", &WIDTH),
            ("height", &format!("{height:.0}")),
            ("viewBox", &format!("0 0 {WIDTH} {height:.0}")),
            ("aria-labelledby", &format!("{title_id} {description_id}")),
            ("xmlns", &"http://www.w3.org/2000/svg"),
        ];
        out.element("svg", attributes, |out| {
            out.leaf("title", &[("id", &title_id)], &self.title);
            out.leaf("desc", &[("id", &description_id)], &self.about);
            fill(out, self.inside);
        });
    }
}

const MARGIN: f64 = 12.0;
/// The most characters in a line of a title, with the width of text on a phone.
const TITLE_LENGTH: usize = 54;
/// The same for the line below it, which is smaller.
const SETTING_LENGTH: usize = 66;
