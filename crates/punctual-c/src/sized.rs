//! Structs that begin with their size, so that later versions can add fields at the end.

use crate::status::{Failure, PUNCTUAL_ERROR_NULL};

/// A struct of the header that begins with `size`, and is valid when all its bytes are zero.
///
/// # Safety
/// It is `repr(C)`, has no padding, its first field is a `usize`, and any bytes are a value of it.
pub unsafe trait Sized: Copy + Default {
    /// What it is called in C.
    const NAME: &'static str;
}

/// Reads a struct that the caller filled in. Fields that the caller's version does not have are
/// zero.
pub fn read<T: Sized>(from: *const T) -> Result<T, Failure> {
    let size = given_size(from)?;
    let mut value = T::default();
    // SAFETY: the header's promise: at least `size` bytes are there, and no more than those of a `T` are
    // written. Any bytes are a `T`.
    unsafe {
        std::ptr::copy_nonoverlapping(
            from.cast::<u8>(),
            (&raw mut value).cast::<u8>(),
            size.min(size_of::<T>()),
        );
    };
    Ok(value)
}

/// Where the caller wants a struct, if anywhere.
pub struct Place<T>(*mut T);

/// Checks the place for a result before anything is done.
pub fn place<T: Sized>(to: *mut T) -> Result<Place<T>, Failure> {
    given_size(to)?;
    Ok(Place(to))
}

/// As `place`, for a caller that may pass null.
pub fn place_or_none<T: Sized>(to: *mut T) -> Result<Option<Place<T>>, Failure> {
    if to.is_null() {
        return Ok(None);
    }
    place(to).map(Some)
}

impl<T: Sized> Place<T> {
    /// Writes the fields that both versions have. Those that only the caller has are left alone,
    /// and so is the size.
    pub fn write(self, value: T) {
        let skipped = size_of::<usize>();
        // A constant: a call of memcpy after a wait is a way to a page that is in no cache.
        let bytes = size_of::<T>() - skipped;
        // SAFETY: a `T` is longer than its size.
        let from = unsafe { (&raw const value).cast::<u8>().add(skipped) };
        // SAFETY: the header's promise: at least `size` bytes are there, which are no fewer than a `T`'s.
        let to = unsafe { self.0.cast::<u8>().add(skipped) };
        // SAFETY: as above, and `value` is of this function.
        unsafe { std::ptr::copy_nonoverlapping(from, to, bytes) };
    }
}

fn given_size<T: Sized>(from: *const T) -> Result<usize, Failure> {
    if from.is_null() || !from.is_aligned() {
        return Err(PUNCTUAL_ERROR_NULL.into());
    }
    // SAFETY: the header's promise: not null, so a struct that begins with its size.
    let size = unsafe { from.cast::<usize>().read() };
    // The first version of each is the one there is.
    if size < size_of::<T>() {
        return Err(Failure::invalid(format!(
            "the size of a {name} is {least} bytes at least, not {size}: set it to sizeof({name})",
            name = T::NAME,
            least = size_of::<T>(),
        )));
    }
    Ok(size)
}
