//! What only some systems have.

mod unix;
