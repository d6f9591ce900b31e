//! What can be tried without a compiler for C. `tests/c` has the rest, and `.ci/c` runs that.

use crate::callback::Context;
use crate::handle::{self, Opaque};
use crate::sized;
use crate::stats::{
    Stats, Summary, punctual_stats_free, punctual_stats_new, punctual_stats_record,
    punctual_stats_reset, punctual_stats_summary,
};
use crate::status::{
    PUNCTUAL_ERROR_BUSY, PUNCTUAL_ERROR_HANDLE, PUNCTUAL_ERROR_INVALID, PUNCTUAL_ERROR_NULL,
    PUNCTUAL_ERROR_PANIC, PUNCTUAL_ERROR_SYSTEM, PUNCTUAL_OK, border, of, punctual_last_error,
    punctual_status_message,
};
use std::ffi::{c_char, c_void};
use std::ptr::{null, null_mut};

fn text(text: *const c_char) -> &'static str {
    handle::text(text, "text")
        .ok()
        .and_then(|text| text.to_str().ok())
        .expect("a string in UTF-8")
}

fn stats() -> *mut Stats {
    let mut stats = null_mut();
    assert_eq!(punctual_stats_new(&raw mut stats), PUNCTUAL_OK);
    assert!(!stats.is_null());
    stats
}

#[test]
fn a_panic_ends_at_the_border() {
    let status = border(|| panic!("a test"));
    assert_eq!(status, PUNCTUAL_ERROR_PANIC);
    assert_eq!(
        text(punctual_last_error()),
        text(punctual_status_message(status))
    );
    assert!(text(punctual_last_error()).contains("bug"));
}

#[test]
fn what_is_made_is_used_and_freed() {
    let stats = stats();
    assert_eq!(punctual_stats_record(stats, 1, 3, 0), PUNCTUAL_OK);
    let mut summary = Summary {
        size: size_of::<Summary>(),
        ..Summary::default()
    };
    assert_eq!(punctual_stats_summary(stats, &raw mut summary), PUNCTUAL_OK);
    assert_eq!((summary.count, summary.worst_ns), (1, 2));
    assert_eq!(punctual_stats_free(stats), PUNCTUAL_OK);
    assert_eq!(punctual_stats_free(null_mut()), PUNCTUAL_OK);
}

#[test]
fn a_handle_in_use_is_busy() {
    let stats = stats();
    let held = handle::held(stats).ok().expect("nothing else has it");
    assert_eq!(punctual_stats_reset(stats), PUNCTUAL_ERROR_BUSY);
    assert_eq!(punctual_stats_free(stats), PUNCTUAL_ERROR_BUSY);
    drop(held);
    assert_eq!(punctual_stats_reset(stats), PUNCTUAL_OK);
    assert_eq!(punctual_stats_free(stats), PUNCTUAL_OK);
}

#[test]
#[cfg(debug_assertions)]
fn a_freed_handle_is_an_error() {
    let stats = stats();
    assert_eq!(punctual_stats_free(stats), PUNCTUAL_OK);
    assert_eq!(punctual_stats_free(stats), PUNCTUAL_ERROR_HANDLE);
    assert_eq!(punctual_stats_reset(stats), PUNCTUAL_ERROR_HANDLE);
}

#[test]
fn null_and_other_things_are_no_handles() {
    assert_eq!(punctual_stats_new(null_mut()), PUNCTUAL_ERROR_NULL);
    assert_eq!(punctual_stats_reset(null_mut()), PUNCTUAL_ERROR_NULL);
    let mut other = [0_u64; 4];
    let other = other.as_mut_ptr().cast::<Stats>();
    assert_eq!(punctual_stats_reset(other), PUNCTUAL_ERROR_HANDLE);
    let odd = other.wrapping_byte_add(1);
    assert_eq!(punctual_stats_free(odd), PUNCTUAL_ERROR_HANDLE);
}

#[test]
fn every_kind_has_a_word_of_its_own() {
    use crate::{cancel, driver, guard, sleeper, ticker, timer};
    let words = [
        cancel::Cancel::WORD,
        driver::Driver::WORD,
        guard::Guard::WORD,
        sleeper::Sleeper::WORD,
        Stats::WORD,
        ticker::Ticker::WORD,
        timer::Timer::WORD,
    ];
    for (n, word) in words.iter().enumerate() {
        assert_eq!(word % 2, 0, "the last bit says that it is in use");
        assert!(!words[..n].contains(word));
    }
}

#[test]
fn only_the_bytes_of_both_are_written() {
    #[repr(C)]
    struct Later {
        summary: Summary,
        more: u64,
    }
    let mut later = Later {
        summary: Summary {
            size: size_of::<Later>(),
            ..Summary::default()
        },
        more: 7,
    };
    let place = sized::place((&raw mut later).cast::<Summary>()).ok();
    place.expect("there is place").write(Summary {
        size: 1,
        count: 2,
        rate_hertz: 3.0,
        ..Summary::default()
    });
    assert_eq!(later.summary.size, size_of::<Later>());
    assert_eq!((later.summary.count, later.summary.rate_hertz), (2, 3.0));
    assert_eq!(later.more, 7);
}

/// Whether the sentence of the last error begins with a parameter.
fn blames(parameter: &str) -> bool {
    text(punctual_last_error()).starts_with(&format!("{parameter}: "))
}

#[test]
fn an_error_names_the_parameter() {
    let stats = stats();
    let mut summary = Summary::default();
    assert_eq!(punctual_stats_reset(null_mut()), PUNCTUAL_ERROR_NULL);
    assert!(blames("stats"));
    assert_eq!(
        punctual_stats_summary(stats, null_mut()),
        PUNCTUAL_ERROR_NULL
    );
    assert!(blames("summary"));
    assert_eq!(
        punctual_stats_summary(stats, &raw mut summary),
        PUNCTUAL_ERROR_INVALID
    );
    assert!(blames("summary"));
    assert_eq!(
        punctual_stats_reset((&raw mut summary).cast()),
        PUNCTUAL_ERROR_HANDLE
    );
    assert!(blames("stats"));
    assert_eq!(punctual_stats_free(stats), PUNCTUAL_OK);
    // What the system refuses is no parameter's fault.
    assert_eq!(border(|| Err(of("wake")(PUNCTUAL_ERROR_SYSTEM))), -7);
    assert!(!blames("wake"));
}

#[test]
fn a_size_that_is_too_small_is_refused_by_name() {
    let stats = stats();
    let mut summary = Summary::default();
    assert_eq!(
        punctual_stats_summary(stats, &raw mut summary),
        PUNCTUAL_ERROR_INVALID
    );
    assert!(text(punctual_last_error()).contains("sizeof(punctual_summary)"));
    assert!(sized::read(null::<Summary>()).is_err());
    assert_eq!(punctual_stats_free(stats), PUNCTUAL_OK);
}

extern "C" fn count(context: *mut c_void, _: *const crate::callback::Firing) {
    add_one(context);
}

extern "C" fn add_one(context: *mut c_void) {
    handle::NotNull::new(context.cast::<u32>(), "context")
        .ok()
        .expect("a number")
        .write(1);
}

#[test]
fn a_context_is_freed_whether_its_callback_is_called_or_not() {
    let mut freed = 0_u32;
    let context = Context::new((&raw mut freed).cast(), Some(add_one));
    let callback = context.once(Some(count)).ok().expect("a callback");
    drop(callback);
    assert_eq!(freed, 1);

    let mut freed = 0_u32;
    let context = Context::new((&raw mut freed).cast(), Some(add_one));
    assert!(context.every(None).is_err());
    assert_eq!(freed, 1);
}

#[test]
fn the_message_of_an_unknown_status_is_a_string() {
    let unknown = punctual_status_message(i32::MIN);
    assert!(!text(unknown).is_empty());
    assert_eq!(unknown, punctual_status_message(i32::MAX));
}
