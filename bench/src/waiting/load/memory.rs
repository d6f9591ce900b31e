//! Copies memory that no cache holds.

use crate::failure::Failure;
use std::hint::black_box;

/// Each of the two parts. Both together are more than the largest caches of 2024 (96 MiB).
const BYTES: usize = 64 << 20;

/// Copies one part over the other, and back.
pub fn copy() -> Result<(), Failure> {
    // Written to, so that every page is there.
    let (mut from, mut to) = (vec![1_u8; BYTES], vec![2_u8; BYTES]);
    loop {
        to.copy_from_slice(&from);
        black_box(&to);
        std::mem::swap(&mut from, &mut to);
    }
}
