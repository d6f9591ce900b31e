//! The `format` file of an event: where its fields are.

use punctual::Error;

/// A field of an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Where it begins, in bytes from the event's own beginning.
    pub offset: usize,
    /// How many bytes it has.
    pub size: usize,
    /// Whether it can be negative.
    pub is_signed: bool,
    /// Whether it only says where its text is (`__data_loc`).
    pub is_elsewhere: bool,
}

/// What an event looks like.
///
/// ```
/// use punctual_trace::tracefs::EventFormat;
///
/// let format = EventFormat::parse(
///     "name: softirq_entry\nID: 223\nformat:\n\
///      \tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n\
///      \tfield:unsigned int vec;\toffset:8;\tsize:4;\tsigned:0;\n",
/// )?;
/// assert_eq!((format.name.as_str(), format.id), ("softirq_entry", 223));
/// assert_eq!(format.field("vec")?.offset, 8);
/// # Ok::<(), punctual::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventFormat {
    /// The event's name.
    pub name: String,
    /// The number by which pages refer to it.
    pub id: u16,
    /// Its fields, the ones that all events share among them.
    pub fields: Vec<Field>,
}

impl EventFormat {
    /// Reads a `format` file.
    ///
    /// # Errors
    /// Invalid input, when it has no name, no number, or a field that cannot be read.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let (mut name, mut id, mut fields) = (None, None, Vec::new());
        for (index, line) in text.lines().enumerate() {
            let line = line.trim();
            let wrong = || malformed(index, line);
            if let Some(given) = line.strip_prefix("name:") {
                name = Some(given.trim().to_owned());
            } else if let Some(given) = line.strip_prefix("ID:") {
                id = Some(given.trim().parse().map_err(|_| wrong())?);
            } else if let Some(given) = line.strip_prefix("field:") {
                fields.push(Field::parse(given).ok_or_else(wrong)?);
            }
        }
        let missing = |what| Error::invalid_input(format!("an event format has no {what}"));
        Ok(Self {
            name: name.ok_or_else(|| missing("name"))?,
            id: id.ok_or_else(|| missing("ID"))?,
            fields,
        })
    }

    /// The field of this name.
    ///
    /// # Errors
    /// Invalid input, when there is none.
    pub fn field(&self, name: &str) -> Result<&Field, Error> {
        let found = self.fields.iter().find(|field| field.name == name);
        found.ok_or_else(|| {
            let event = &self.name;
            Error::invalid_input(format!("event {event} has no field {name} on this kernel"))
        })
    }
}

impl Field {
    /// Reads what follows `field:`, as in `char comm[16]; offset:8; size:16; signed:0;`.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split(';').map(str::trim);
        let declaration = parts.next()?;
        let (mut offset, mut size, mut is_signed) = (None, None, None);
        for part in parts {
            match part.split_once(':') {
                Some(("offset", value)) => offset = Some(value.parse().ok()?),
                Some(("size", value)) => size = Some(value.parse().ok()?),
                Some(("signed", value)) => is_signed = Some(value != "0"),
                _ => {}
            }
        }
        let last = declaration.split_ascii_whitespace().next_back()?;
        let name = last.split('[').next()?.trim_start_matches('*');
        Some(Self {
            name: name.to_owned(),
            offset: offset?,
            size: size?,
            is_signed: is_signed?,
            is_elsewhere: declaration.contains("__data_loc"),
        })
    }

    /// The number in an event's bytes; `None` if the event is too short for it, or the field is no
    /// number.
    pub fn number(&self, event: &[u8]) -> Option<i64> {
        let bytes = event.get(self.offset..)?.get(..self.size)?;
        Some(match (bytes, self.is_signed) {
            (&[a], true) => i64::from(i8::from_le_bytes([a])),
            (&[a], false) => i64::from(a),
            (&[a, b], true) => i64::from(i16::from_le_bytes([a, b])),
            (&[a, b], false) => i64::from(u16::from_le_bytes([a, b])),
            (&[a, b, c, d], true) => i64::from(i32::from_le_bytes([a, b, c, d])),
            (&[a, b, c, d], false) => i64::from(u32::from_le_bytes([a, b, c, d])),
            _ => i64::from_le_bytes(bytes.try_into().ok()?),
        })
    }

    /// The text in an event's bytes, without what follows its first zero byte.
    pub fn text<'a>(&self, event: &'a [u8]) -> Option<&'a [u8]> {
        let bytes = if self.is_elsewhere {
            // Sixteen bits of length over sixteen of offset.
            let place = u32::try_from(Self::number(&self.unsigned(), event)?).ok()?;
            let (offset, length) = (place & 0xffff, place >> 16);
            event.get(offset as usize..)?.get(..length as usize)?
        } else {
            event.get(self.offset..)?.get(..self.size)?
        };
        bytes.split(|&byte| byte == 0).next()
    }

    fn unsigned(&self) -> Self {
        Self {
            name: String::new(),
            is_signed: false,
            ..*self
        }
    }
}

fn malformed(index: usize, line: &str) -> Error {
    let number = index + 1;
    Error::invalid_input(format!("line {number} of an event format is '{line}'"))
}
