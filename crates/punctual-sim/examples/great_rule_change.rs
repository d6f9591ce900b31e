//! How long `Sleep(1)` takes while another program asks for an interval, on every Windows: the
//! program with which Bruce Dawson found "the great rule change" of Windows 10 version 2004.
//!
//! Up to version 1909 the request helps everybody; from 2004 on only who made it. What becomes of
//! everybody else there at 1, 3, 4 and 5 ms is a prediction: the article shows those as pictures.

use punctual_sim::windows::{SimWin32, WindowsMachine};
use punctual_windows::os::windows::Win32Lab;
use punctual_windows::{Companion, VERSIONS, Version};
use std::time::Duration;

fn main() -> Result<(), punctual_sim::Error> {
    print!("requested");
    for version in VERSIONS {
        print!("{:>17}", version.name);
    }
    println!();
    for milliseconds in 1..=15 {
        print!("{milliseconds:6} ms");
        for version in VERSIONS {
            print!("{:>14.1} ms", sleep_1(version, milliseconds)?);
        }
        println!();
    }
    Ok(())
}

/// In milliseconds, on average.
fn sleep_1(version: Version, requested: u64) -> Result<f64, punctual_sim::Error> {
    let interval = Duration::from_millis(requested);
    let machine = WindowsMachine::new(version).with_companion(Companion::requester(interval));
    Ok(machine.run(measure)?.value)
}

/// Begins when `timeGetTime` has just changed and sleeps until it has advanced by a second.
fn measure(win32: SimWin32) -> f64 {
    win32.sleep(100);
    let start = win32.time_get_time();
    let mut sleeps = 0.0;
    while win32.time_get_time() < start + 1_000 {
        win32.sleep(1);
        sleeps += 1.0;
    }
    f64::from(win32.time_get_time() - start) / sleeps
}
