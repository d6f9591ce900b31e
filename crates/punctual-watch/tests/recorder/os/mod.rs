//! What only one system tells the tests.

/// The number of the calling thread.
#[cfg(target_os = "linux")]
pub fn own_thread() -> u32 {
    let own = std::fs::read_link("/proc/thread-self").unwrap();
    own.file_name().unwrap().to_str().unwrap().parse().unwrap()
}

/// Nothing is asked for it where the kernel's trace is not read.
#[cfg(not(target_os = "linux"))]
pub fn own_thread() -> u32 {
    0
}
