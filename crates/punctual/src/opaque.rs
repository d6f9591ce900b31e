//! What is shown of types whose contents are no business of their users: the name.

/// `Debug` for such types: `opaque!(NativeBell)`, `opaque!(PinGuard<O: Scheduling>)`.
macro_rules! opaque {
    ($($name:ident $(<$parameter:ident: $bound:path>)?),+) => {
        $(
            impl $(<$parameter: $bound>)? std::fmt::Debug for $name $(<$parameter>)? {
                fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                    f.debug_struct(stringify!($name)).finish_non_exhaustive()
                }
            }
        )+
    };
}

pub(crate) use opaque;
