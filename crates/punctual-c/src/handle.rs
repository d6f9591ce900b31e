//! What C holds: pointers to objects that begin with a word that says what they are.
//!
//! The word is checked at every use. It tells the kinds apart, and whether another thread is in the
//! object. A handle that was freed is a pointer to memory of others, which C cannot check and nor
//! can this: but in debug builds the word stays where it was, so that the next use finds an error.

use crate::status::{
    Failure, PUNCTUAL_ERROR_BUSY, PUNCTUAL_ERROR_HANDLE, PUNCTUAL_ERROR_NULL, PUNCTUAL_OK, Status,
    of,
};
use std::cell::UnsafeCell;
use std::ffi::{CStr, c_char};
use std::mem::ManuallyDrop;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicU32, Ordering};

/// A type that C knows only by name, and points to.
pub trait Opaque {
    /// What is really there. Any thread may use it, if not at once.
    type Inside: Send;
    /// The word that an object of this kind begins with: even, and of no other kind.
    const WORD: u32;
    /// What every parameter of this kind is called.
    const NAME: &'static str;
}

/// Added to the word while something uses the object alone.
const IN_USE: u32 = 1;
/// The word of an object that was freed.
const FREED: u32 = u32::from_le_bytes(*b"free");

#[repr(C)]
struct Object<T> {
    word: AtomicU32,
    inside: UnsafeCell<ManuallyDrop<T>>,
}

/// Makes an object, and writes its handle where C wants it.
pub fn make<K: Opaque>(
    out: *mut *mut K,
    inside: impl FnOnce() -> Result<K::Inside, Failure>,
) -> Result<Status, Failure> {
    let out = NotNull::new(out, K::NAME)?;
    out.write(std::ptr::null_mut());
    let object = Box::new(Object {
        word: AtomicU32::new(K::WORD),
        inside: UnsafeCell::new(ManuallyDrop::new(inside()?)),
    });
    out.write(Box::into_raw(object).cast());
    Ok(PUNCTUAL_OK)
}

/// A place that C gave for a result.
pub struct NotNull<T>(*mut T);

impl<T> NotNull<T> {
    pub fn new(place: *mut T, name: &str) -> Result<Self, Failure> {
        if place.is_null() || !place.is_aligned() {
            return Err(of(name)(PUNCTUAL_ERROR_NULL));
        }
        Ok(Self(place))
    }

    pub fn write(&self, value: T) {
        // SAFETY: not null, and the header's promise: a place for a value of this type.
        unsafe { self.0.write(value) };
    }
}

/// An array of numbers that C passes.
pub fn numbers<'a>(first: *const u32, count: usize, name: &str) -> Result<&'a [u32], Failure> {
    if count == 0 {
        return Ok(&[]);
    }
    if first.is_null() || !first.is_aligned() {
        return Err(of(name)(PUNCTUAL_ERROR_NULL));
    }
    // SAFETY: not null, and the header's promise: so many numbers are there during the call.
    Ok(unsafe { std::slice::from_raw_parts(first, count) })
}

/// A string that C passes.
pub fn text<'a>(text: *const c_char, name: &str) -> Result<&'a CStr, Failure> {
    if text.is_null() {
        return Err(of(name)(PUNCTUAL_ERROR_NULL));
    }
    // SAFETY: not null, and the header's promise: a string that ends with a zero, there during the call.
    Ok(unsafe { CStr::from_ptr(text) })
}

/// The word at the beginning of whatever the handle points to.
fn word<'a, K: Opaque>(handle: *const K) -> Result<&'a AtomicU32, Failure> {
    let word = handle.cast::<AtomicU32>();
    if word.is_null() {
        return Err(of(K::NAME)(PUNCTUAL_ERROR_NULL));
    }
    if !word.is_aligned() {
        return Err(of(K::NAME)(PUNCTUAL_ERROR_HANDLE));
    }
    // SAFETY: the header's promise: a pointer that is not null is a handle, and every handle points to
    // an object that begins with this word and lives until it is freed.
    Ok(unsafe { &*word })
}

/// An object of a kind that any number of threads use at once.
pub fn shared<'a, K: Opaque>(handle: *const K) -> Result<&'a K::Inside, Failure>
where
    K::Inside: Sync,
{
    if word(handle)?.load(Ordering::Acquire) != K::WORD {
        return Err(of(K::NAME)(PUNCTUAL_ERROR_HANDLE));
    }
    let object = handle.cast::<Object<K::Inside>>();
    // SAFETY: the word says that it is an object of this kind, which was not freed.
    let inside = unsafe { &raw const (*object).inside };
    // SAFETY: objects of this kind are only ever lent out like this, until the header's promise ends
    // all uses: that nothing frees what another thread still uses.
    Ok(unsafe { &*inside.cast::<K::Inside>() })
}

/// An object of a shared kind, or none for null.
pub fn shared_or_none<'a, K: Opaque>(handle: *const K) -> Result<Option<&'a K::Inside>, Failure>
where
    K::Inside: Sync,
{
    if handle.is_null() {
        return Ok(None);
    }
    shared(handle).map(Some)
}

/// An object that the caller has for itself, until this is dropped.
pub struct Held<'a, T> {
    word: &'a AtomicU32,
    was: u32,
    inside: &'a mut T,
}

/// An object of a kind that one thread uses at a time.
pub fn held<'a, K: Opaque>(handle: *mut K) -> Result<Held<'a, K::Inside>, Failure> {
    let word = word(handle)?;
    take(word, K::WORD).map_err(of(K::NAME))?;
    let object = handle.cast::<Object<K::Inside>>();
    // SAFETY: the word says that it is an object of this kind, which was not freed.
    let inside = unsafe { &raw mut (*object).inside };
    Ok(Held {
        word,
        was: K::WORD,
        // SAFETY: nothing else takes it while the word says that it is in use.
        inside: unsafe { &mut *inside.cast::<K::Inside>() },
    })
}

impl<T> Deref for Held<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.inside
    }
}

impl<T> DerefMut for Held<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        self.inside
    }
}

impl<T> Drop for Held<'_, T> {
    fn drop(&mut self) {
        self.word.store(self.was, Ordering::Release);
    }
}

fn take(word: &AtomicU32, is: u32) -> Result<(), Status> {
    match word.compare_exchange(is, is | IN_USE, Ordering::Acquire, Ordering::Relaxed) {
        Ok(_) => Ok(()),
        Err(found) if found == is | IN_USE => Err(PUNCTUAL_ERROR_BUSY),
        Err(_) => Err(PUNCTUAL_ERROR_HANDLE),
    }
}

/// Frees an object; null is nothing to free.
pub fn free<K: Opaque>(handle: *mut K) -> Result<Status, Failure> {
    free_if(handle, |_| Ok(()))
}

/// Frees an object if that is permitted.
pub fn free_if<K: Opaque>(
    handle: *mut K,
    permitted: impl FnOnce(&K::Inside) -> Result<(), Failure>,
) -> Result<Status, Failure> {
    if handle.is_null() {
        return Ok(PUNCTUAL_OK);
    }
    let held = held(handle)?;
    permitted(&held)?;
    // It stays in use: whoever comes now is told so.
    std::mem::forget(held);
    let object = handle.cast::<Object<K::Inside>>();
    // SAFETY: the word says that it is an object of this kind, and this thread has it for itself.
    let inside = unsafe { (*object).inside.get() };
    // SAFETY: as above.
    let inside = unsafe { &mut *inside };
    // SAFETY: the word becomes `FREED`, and until then it is in use: nothing looks inside again.
    let inside = unsafe { ManuallyDrop::take(inside) };
    drop(inside);
    word(handle)?.store(FREED, Ordering::Release);
    release(object);
    Ok(PUNCTUAL_OK)
}

/// Gives the memory of a freed object back.
#[cfg(not(debug_assertions))]
fn release<T>(object: *mut Object<T>) {
    // SAFETY: `make` had it from a box, and it is freed once: the word says so.
    drop(unsafe { Box::from_raw(object) });
}

/// Keeps the memory of a freed object, so that its word can be read for as long as the process
/// runs.
#[cfg(debug_assertions)]
fn release<T>(object: *mut Object<T>) {
    use std::sync::atomic::AtomicPtr;
    use std::sync::{Mutex, PoisonError};
    /// Reachable, so that a leak checker takes no freed handle for a leak.
    static FREED_ONES: Mutex<Vec<AtomicPtr<()>>> = Mutex::new(Vec::new());
    let mut freed = FREED_ONES.lock().unwrap_or_else(PoisonError::into_inner);
    freed.push(AtomicPtr::new(object.cast()));
}
