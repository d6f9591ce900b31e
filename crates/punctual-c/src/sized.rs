//! Structs that begin with their size, so that later versions can add fields at the end.

use crate::status::{Failure, PUNCTUAL_ERROR_NULL, of};

/// A struct of the header that begins with `size`, and is valid when all its bytes are zero.
///
/// # Safety
/// It is `repr(C)`, has no padding, its first field is a `usize`, and any bytes are a value of it.
pub unsafe trait Sized: Copy + Default {
    /// What every parameter of this type is called. The type is `punctual_` and this.
    const NAME: &'static str;
}

/// Reads a struct that the caller filled in.
pub fn read<T: Sized>(from: *const T) -> Result<T, Failure> {
    check_size(from)?;
    // SAFETY: the header's promise: at least `size` bytes are there, and that is enough for a `T`.
    Ok(unsafe { from.read() })
}

/// Where the caller wants a struct.
pub struct Place<T>(*mut T);

/// Checks the place for a result before anything is done.
pub fn place<T: Sized>(to: *mut T) -> Result<Place<T>, Failure> {
    check_size(to)?;
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
    /// Writes all fields but the size. Fields that only the caller's version has are left alone.
    pub fn write(self, mut value: T) {
        // SAFETY: `place` found that it is not null, and its size enough for a `T`.
        let size = unsafe { self.0.cast::<usize>().read() };
        // SAFETY: a `T` begins with its size.
        unsafe { (&raw mut value).cast::<usize>().write(size) };
        // SAFETY: as above.
        unsafe { self.0.write(value) };
    }
}

fn check_size<T: Sized>(from: *const T) -> Result<(), Failure> {
    if from.is_null() || !from.is_aligned() {
        return Err(of(T::NAME)(PUNCTUAL_ERROR_NULL));
    }
    // SAFETY: the header's promise: not null, so a struct that begins with its size.
    let size = unsafe { from.cast::<usize>().read() };
    // There is one version of each struct, so nothing has a shorter one.
    if size < size_of::<T>() {
        return Err(of(T::NAME)(too_small(T::NAME, size_of::<T>(), size)));
    }
    Ok(())
}

#[cold]
fn too_small(name: &str, least: usize, size: usize) -> Failure {
    Failure::invalid(format!(
        "size is {size}, and a punctual_{name} has {least} bytes: set {name}.size to sizeof(punctual_{name})"
    ))
}
