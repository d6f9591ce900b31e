//! A rule with a closed set of values, each of which has a name.

/// One rule's value, whatever its type: what a table shows and a flag sets.
pub(super) trait Choice {
    /// The name of the value it has.
    fn name(&self) -> &'static str;

    /// The names of all values it can have.
    fn names(&self) -> &'static [&'static str];

    /// Gives it the value of that name; `false` if there is none.
    fn choose(&mut self, name: &str) -> bool;
}

/// Declares an enumeration whose values have names, in one place.
macro_rules! choice {
    (
        $(#[$about:meta])*
        pub enum $type:ident { $( $(#[$says:meta])* $variant:ident = $name:literal, )+ }
    ) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $type { $(
            #[doc = concat!("`", $name, "`: ")]
            $(#[$says])*
            $variant,
        )+ }

        impl $crate::choice::Choice for $type {
            fn name(&self) -> &'static str {
                match self { $( Self::$variant => $name, )+ }
            }

            fn names(&self) -> &'static [&'static str] {
                &[ $( $name ),+ ]
            }

            fn choose(&mut self, name: &str) -> bool {
                *self = match name {
                    $( $name => Self::$variant, )+
                    _ => return false,
                };
                true
            }
        }
    };
}

pub(super) use choice;
