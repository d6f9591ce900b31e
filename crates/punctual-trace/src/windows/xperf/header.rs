//! Header lines: which field of a kind of line is what.

use punctual::Error;
use std::borrow::Cow;

/// The fields of a line.
#[derive(Debug)]
pub(super) struct Fields<'a> {
    pub(super) line: usize,
    fields: Vec<&'a str>,
}

impl<'a> Fields<'a> {
    /// Cuts a line at its commas, but for those within quotes.
    pub(super) fn cut(line: usize, text: &'a str) -> Self {
        let mut is_quoted = false;
        let fields = text.split(|character| {
            is_quoted ^= character == '"';
            character == ',' && !is_quoted
        });
        let fields = fields.map(str::trim).collect();
        Self { line, fields }
    }

    /// The kind of line it is.
    pub(super) fn kind(&self) -> &'a str {
        self.fields.first().copied().unwrap_or_default()
    }

    /// Whether it names the fields of its kind, rather than having them.
    pub(super) fn is_header(&self) -> bool {
        self.fields.get(1).copied() == Some("TimeStamp")
    }

    /// The field in a column.
    pub(super) fn get(&self, column: &Column) -> Result<&'a str, Error> {
        let field = self.fields.get(column.place).copied();
        field.ok_or_else(|| {
            let fields = self.fields.len();
            let problem = format!("has {fields} fields and none for '{}'", column.name);
            self.wrong(&problem)
        })
    }

    /// What a column must have to be read.
    pub(super) fn parse<T: std::str::FromStr>(
        &self,
        column: &Column,
        expected: &str,
    ) -> Result<T, Error> {
        let field = self.get(column)?;
        field.parse().map_err(|_| {
            let problem = format!(
                "has '{field}' for '{}', which is no {expected}",
                column.name
            );
            self.wrong(&problem)
        })
    }

    pub(super) fn wrong(&self, problem: &str) -> Error {
        let (line, kind) = (self.line, self.kind());
        Error::invalid_input(format!("line {line}: {kind} {problem}"))
    }

    /// Finds a column by a name of it: in lower case, without spaces.
    pub(super) fn find(&self, names: &[&str]) -> Option<Column> {
        names.iter().find_map(|wanted| {
            let place = self
                .fields
                .iter()
                .position(|name| is_called(name, wanted))?;
            let name = Cow::Owned(self.fields[place].to_owned());
            Some(Column { place, name })
        })
    }

    /// Finds a column that there must be.
    pub(super) fn need(&self, names: &[&str]) -> Result<Column, Error> {
        self.find(names).ok_or_else(|| {
            let problem = format!("has no column '{}' in this header", names[0]);
            self.wrong(&problem)
        })
    }
}

/// Versions differ in blanks, and a process's column may have its number's heading or not.
fn is_called(name: &str, wanted: &str) -> bool {
    let mut name: String = name.split_whitespace().collect();
    name.make_ascii_lowercase();
    name.strip_suffix("(pid)").unwrap_or(&name) == wanted
}

/// Where a field is, and what it is called.
#[derive(Debug, Clone)]
pub(super) struct Column {
    place: usize,
    name: Cow<'static, str>,
}

impl Column {
    /// The second of every line.
    pub(super) const TIME_STAMP: Self = Self {
        place: 1,
        name: Cow::Borrowed("TimeStamp"),
    };
}
