//! Links, pipes, devices and modes.

#![cfg(unix)]

use crate::command::{RECORDED, folder, punctual};
use crate::output_files::page;
use std::fs::{self, File};
use std::io::Read;
use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
#[cfg(target_os = "linux")]
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

const END: &str = "</html>\n";

#[test]
fn a_link_is_followed_and_stays_a_link() {
    let folder = folder("files-link");
    let (target, link) = (folder.join("target.html"), folder.join("link.html"));
    fs::write(&target, "before").unwrap();
    symlink("target.html", &link).unwrap();
    assert!(page(link.to_str().unwrap()).status.success());
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(fs::read_to_string(&target).unwrap().ends_with(END));

    // A link to a file that does not exist yet is followed; a link to itself is refused.
    let (later, circle) = (folder.join("later.html"), folder.join("circle.html"));
    symlink("made.html", &later).unwrap();
    symlink("circle.html", &circle).unwrap();
    assert!(page(later.to_str().unwrap()).status.success());
    assert!(folder.join("made.html").is_file());
    assert_eq!(page(circle.to_str().unwrap()).status.code(), Some(2));
}

#[test]
fn a_planted_link_next_to_it_is_not_followed() {
    let folder = folder("files-prepared");
    let victim = folder.join("victim");
    fs::write(&victim, "untouched").unwrap();
    for prepared in ["y.html.part", ".y.html", "y.html.tmp", "y.html~"] {
        symlink("victim", folder.join(prepared)).unwrap();
    }
    assert!(
        page(folder.join("y.html").to_str().unwrap())
            .status
            .success()
    );
    assert_eq!(fs::read_to_string(&victim).unwrap(), "untouched");
}

#[test]
fn a_mode_is_kept_and_a_new_file_has_an_ordinary_one() {
    let folder = folder("files-mode");
    let (kept, new) = (folder.join("kept.html"), folder.join("new.html"));
    fs::write(&kept, "before").unwrap();
    fs::set_permissions(&kept, fs::Permissions::from_mode(0o600)).unwrap();
    File::create(folder.join("ordinary")).unwrap();
    for file in [&kept, &new] {
        assert!(page(file.to_str().unwrap()).status.success());
    }
    let mode = |name: &str| {
        fs::metadata(folder.join(name))
            .unwrap()
            .permissions()
            .mode()
            & 0o777
    };
    assert_eq!(mode("kept.html"), 0o600);
    assert_eq!(mode("new.html"), mode("ordinary"));
}

#[test]
fn a_pipe_is_written_into() {
    let folder = folder("files-pipe");
    let pipe = folder.join("pipe");
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    let reader = thread::spawn({
        let pipe = pipe.clone();
        move || fs::read_to_string(pipe).unwrap()
    });
    assert!(page(pipe.to_str().unwrap()).status.success());
    assert!(reader.join().unwrap().ends_with(END));
    assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
}

#[test]
fn standard_output_by_name_is_a_pipe_like_any_other() {
    let made = page("/dev/stdout");
    assert!(made.status.success(), "{made:?}");
    assert!(String::from_utf8(made.stdout).unwrap().ends_with(END));
}

/// A device that takes everything, or that is always full. It is a device of the test's own if
/// permitted: a user who may make devices may also destroy the system's.
#[cfg(target_os = "linux")]
fn device(folder: &Path, name: &str, minor: &str) -> PathBuf {
    let own = folder.join(name);
    let mut mknod = Command::new("mknod");
    let made = mknod
        .arg(&own)
        .args(["c", "1", minor])
        .stderr(Stdio::null());
    if made.status().is_ok_and(|status| status.success()) {
        own
    } else {
        Path::new("/dev").join(name)
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_device_stays_a_device() {
    let folder = folder("files-device");
    let null = device(&folder, "null", "3");
    let full = device(&folder, "full", "7");
    assert!(page(null.to_str().unwrap()).status.success());
    assert_eq!(page(full.to_str().unwrap()).status.code(), Some(1));
    for device in [null, full] {
        let found = fs::metadata(device).unwrap();
        assert!(found.file_type().is_char_device());
    }
}

#[test]
fn a_reader_who_goes_does_not_leave_a_file_behind() {
    let folder = folder("files-reader");
    let mut command = punctual();
    command.args(["report", "/dev/stdout", "--from", RECORDED]);
    command
        .current_dir(&folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let mut first = [0; 16];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    let _ = child.wait().unwrap();
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
}

#[cfg(target_os = "linux")]
#[test]
fn who_cannot_be_told_anything_is_told_by_the_exit_status() {
    let full = || File::options().write(true).open("/dev/full").unwrap();
    let run = |args: &[&str]| {
        let mut command = punctual();
        command.args(args).stdout(full()).stderr(full());
        command.status().unwrap().code()
    };
    assert_eq!(run(&["compare", "/nonexistent", "x"]), Some(2));
    assert_eq!(run(&["measure", "--period", "never"]), Some(2));
    assert_eq!(run(&["--help"]), Some(1));
    assert_eq!(run(&["report", "--version"]), Some(2));
}
