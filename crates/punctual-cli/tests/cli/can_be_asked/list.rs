//! A list of what can be asked, and what an answer lacks of it. Every command's tests have one.

/// A line of the list.
pub struct Line {
    pub kind: &'static str,
    pub name: &'static str,
    /// The command, the file that declares it, or the function that asks.
    pub asked: &'static str,
    /// What the answer has, in this order.
    pub figures: &'static str,
}

impl Line {
    /// The lines of a file, whose first says what they are.
    pub fn all(list: &'static str) -> impl Iterator<Item = Self> {
        list.lines().skip(1).map(|line| {
            let cells: Vec<_> = line.split('\t').collect();
            let [kind, name, asked, figures] = cells[..] else {
                panic!("four cells: {line}");
            };
            Self {
                kind,
                name,
                asked,
                figures,
            }
        })
    }

    /// What an answer lacks of the figures, in words.
    pub fn lacks(&self, answer: &str) -> Option<String> {
        let lacks = lacks(answer, self.figures)?;
        Some(format!(
            "{} {}: {}: no {lacks}",
            self.kind, self.name, self.asked
        ))
    }
}

/// The first figure that an answer does not have after those before it.
fn lacks<'a>(answer: &str, figures: &'a str) -> Option<&'a str> {
    let mut rest = answer;
    figures.split(' ').find(|figure| {
        let is_whole = |&(at, _): &(usize, &str)| {
            let joins = |next: Option<char>| {
                next.is_some_and(|next| next.is_alphanumeric() || "-.".contains(next))
            };
            !joins(rest[..at].chars().next_back())
                && !joins(rest[at + figure.len()..].chars().next())
        };
        let found = rest.match_indices(figure).find(is_whole);
        match found {
            Some((at, _)) => rest = &rest[at + figure.len()..],
            None => return true,
        }
        false
    })
}
