//! What steering a Linux program on x86-64 consists of, as data: nothing here touches a program, so it is
//! tested on every system.

pub(crate) mod abi;
pub(crate) mod decode;
pub(crate) mod filter;
pub(crate) mod outcome;
pub(crate) mod rewrite;
pub(crate) mod stub;
