//! Files are replaced as a whole, and other files are not touched.

use super::*;
use std::sync::Barrier;
use std::thread;
use tempfile::TempDir;

fn write(name: &Path, contents: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut out = Growing::begin(Place::of(name)?)?;
    contents(&mut out)?;
    out.complete()
}

fn put(name: &Path, text: &str) -> io::Result<()> {
    write(name, |out| out.write_all(text.as_bytes()))
}

fn text(name: &Path) -> String {
    fs::read_to_string(name).unwrap()
}

fn names(folder: &TempDir) -> Vec<String> {
    let entries = fs::read_dir(folder.path()).unwrap();
    let mut names: Vec<_> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn what_goes_wrong_leaves_everything_as_it_was() {
    let folder = TempDir::new().unwrap();
    let page = folder.path().join("page.html");
    let full = || Err(io::ErrorKind::StorageFull.into());
    assert!(write(&page, |_| full()).is_err());
    assert!(names(&folder).is_empty());
    put(&page, "before").unwrap();
    let half = |out: &mut dyn Write| out.write_all(b"half").and_then(|()| full());
    assert!(write(&page, half).is_err());
    assert_eq!((text(&page).as_str(), names(&folder).len()), ("before", 1));
}

#[test]
fn a_file_of_the_users_beside_it_is_left_alone() {
    let folder = TempDir::new().unwrap();
    let page = folder.path().join("page.html");
    let part = folder.path().join("page.html.part");
    put(&part, "mine").unwrap();
    put(&page, "page").unwrap();
    assert_eq!(
        (text(&part).as_str(), text(&page).as_str()),
        ("mine", "page")
    );
}

#[test]
fn a_replaced_file_keeps_whether_it_may_be_written() {
    let folder = TempDir::new().unwrap();
    let page = folder.path().join("page.html");
    put(&page, "before").unwrap();
    let found = fs::metadata(&page).unwrap().permissions();
    put(&page, "after").unwrap();
    assert_eq!(fs::metadata(&page).unwrap().permissions(), found);
    assert_eq!(text(&page), "after");
}

#[test]
fn of_many_who_write_at_once_each_writes_a_whole_file() {
    const WRITERS: usize = 30;
    let folder = TempDir::new().unwrap();
    let page = folder.path().join("page.html");
    let start = Barrier::new(WRITERS);
    let whole = |writer: usize| format!("{writer:02}").repeat(10_000);
    thread::scope(|scope| {
        for writer in 0..WRITERS {
            let (page, start) = (&page, &start);
            scope.spawn(move || {
                start.wait();
                // Windows refuses to replace a file while another is replacing it.
                let _ = put(page, &whole(writer));
            });
        }
    });
    let written = text(&page);
    assert!((0..WRITERS).any(|writer| written == whole(writer)));
    assert_eq!(names(&folder), ["page.html"]);
}

#[test]
fn a_services_file_is_whole_or_as_it_was_and_what_it_left_is_removed() {
    let folder = TempDir::new().unwrap();
    let page = folder.path().join("list.json");
    replace(&page, b"one", File::sync_data).unwrap();
    let refuse = |_: &File| Err(io::ErrorKind::StorageFull.into());
    assert!(replace(&page, b"two", refuse).is_err());
    assert_eq!((text(&page).as_str(), names(&folder).len()), ("one", 1));
    for name in [".punctual-Ab1234.new", ".punctual-of-a-command", "a.new"] {
        put(&folder.path().join(name), "").unwrap();
    }
    tidy(folder.path());
    let left = [".punctual-of-a-command", "a.new", "list.json"];
    assert_eq!(names(&folder), left);
}

#[test]
fn a_folder_with_files_is_refused_and_a_missing_one_is_made() {
    let folder = TempDir::new().unwrap();
    let new = folder.path().join("new");
    ensure_empty_folder(&new).unwrap();
    ensure_empty_folder(&new).unwrap();
    put(&new.join("file"), "").unwrap();
    assert!(ensure_empty_folder(&new).is_err());
    assert!(ensure_empty_folder(&new.join("file")).is_err());
}
