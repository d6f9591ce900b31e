//! A place in a program: where a function begins in its file.

use object::{Object, ObjectSegment, ObjectSymbol};
use punctual::Error;
use std::path::{Path, PathBuf};

/// Where a function begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The program or library.
    pub file: PathBuf,
    /// How far from the beginning of the file, in bytes.
    pub offset: u64,
}

/// The number of names that an error lists.
const MOST_NAMES: usize = 5;

impl Place {
    /// The file and the function of a name such as `/usr/lib/libSDL2.so:SDL_GL_SwapWindow`. Names of functions may
    /// have double colons.
    pub fn split(frame: &str) -> Option<(&str, &str)> {
        let (file, function) = frame.rsplit_once(':')?;
        let is_file = !file.is_empty() && !file.ends_with(':') && !function.is_empty();
        is_file.then_some((file, function))
    }

    /// The beginning of the function with this name, as the program's symbol table has it: names of C++
    /// and Rust are mangled there.
    ///
    /// # Errors
    /// If the file cannot be read or is no program, or if it has no such function. Then the message
    /// lists similar names.
    pub fn of_function(file: &Path, function: &str) -> Result<Self, Error> {
        let bytes = std::fs::read(file).map_err(|error| Error::system(error.to_string()))?;
        let offset = offset_of(&bytes, function)?;
        let file = file.to_owned();
        Ok(Self { file, offset })
    }
}

fn offset_of(program: &[u8], function: &str) -> Result<u64, Error> {
    let program = object::File::parse(program)
        .map_err(|error| Error::invalid_input(format!("it is no program: {error}")))?;
    let symbols = || program.symbols().chain(program.dynamic_symbols());
    let is_defined =
        |symbol: &object::Symbol<'_, '_>| symbol.is_definition() && symbol.address() > 0;
    let mut named = symbols().filter(|symbol| symbol.name() == Ok(function));
    let address = named
        .find(is_defined)
        .map(|symbol| symbol.address())
        .ok_or_else(|| {
            let names = symbols().filter(is_defined).filter_map(|it| it.name().ok());
            unknown(function, names)
        })?;
    let offset = program.segments().find_map(|segment| {
        let (offset, bytes) = segment.file_range();
        let into = address.checked_sub(segment.address())?;
        (into < bytes).then_some(offset + into)
    });
    offset.ok_or_else(|| Error::invalid_input(format!("'{function}' is not in the file")))
}

fn unknown<'a>(function: &str, names: impl Iterator<Item = &'a str>) -> Error {
    let mut names: Vec<_> = names.collect();
    names.sort_unstable();
    names.dedup();
    if names.is_empty() {
        return Error::invalid_input(format!(
            "'{function}' cannot be found: it has no symbols, because it was stripped"
        ));
    }
    names.retain(|name| name.contains(function));
    let similar = match names.as_slice() {
        [] => String::new(),
        names => {
            let names = &names[..names.len().min(MOST_NAMES)];
            format!("; there is {}", names.join(", "))
        }
    };
    Error::invalid_input(format!("it has no function '{function}'{similar}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_may_have_a_file_before_it() {
        let file = Some(("/usr/lib/libSDL2.so", "SDL_GL_SwapWindow"));
        assert_eq!(Place::split("/usr/lib/libSDL2.so:SDL_GL_SwapWindow"), file);
        for function in ["draw", "game::draw", ":draw", "draw:"] {
            assert_eq!(Place::split(function), None, "{function}");
        }
    }
}
