//! The program whose wake-ups are explained. It knows when it should have woken, and when it did.

use super::condition::{self, Before, Condition, SOCKET, UNTIL};
use crate::beside::wait_of_lab;
use crate::failure::Failure;
use crate::os::calls;
use fastrand::usize;
use punctual::{Instant, Native};
use rustix::buffer::spare_capacity;
use rustix::event::epoll::{self, CreateFlags, EventData, EventFlags};
use rustix::thread::{gettid, set_name};
use rustix::time::{Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, Timespec};
use rustix::time::{timerfd_create, timerfd_settime};
use serde::{Deserialize, Serialize};
use std::ffi::CString;
use std::fs::{self, File};
use std::io::{self, Read, Seek, Write};
use std::net::UdpSocket;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::Duration;

/// The hidden subcommand.
pub const SUBCOMMAND: &str = "be-explained";

/// Where the kernel's files about the program's group are, if it has one of its own.
pub const GROUP: &str = "TRUTH_GROUP";

/// How long each wait is; `poll` takes whole milliseconds.
const WAIT: Duration = Duration::from_millis(2);

/// How long it takes what comes before a wait, where this program decides.
const LATE: Duration = Duration::from_micros(2_500);

/// What a disk needs is not known: less than any.
const SOON: Duration = Duration::from_micros(20);

/// Far more than what the disk reads ahead.
const FILE_BYTES: usize = 16 << 20;

#[derive(Debug, Clone, clap::Args)]
pub struct Program {
    #[arg(long, value_parser = condition::named)]
    condition: Condition,
    /// How many waits each thread makes.
    #[arg(long)]
    count: usize,
    #[arg(long)]
    log: PathBuf,
}

/// A wait as its own thread saw it, in nanoseconds of the monotonic clock.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Entry {
    pub thread: u32,
    pub name: String,
    /// When the wait began.
    pub asked: u64,
    /// When it should have ended.
    pub deadline: u64,
    /// When it had ended.
    pub woke: u64,
    /// Whether the kernel has counted since the last wait that the program's group was out of processor time.
    pub throttled: bool,
}

impl Program {
    pub fn run(self) -> Result<(), Failure> {
        name_thread("truth");
        let others = (1..self.condition.threads).map(|index| {
            let program = self.clone();
            thread::spawn(move || {
                name_thread(&format!("truth-{index}"));
                program.waited().map_err(|error| error.to_string())
            })
        });
        let others: Vec<_> = others.collect();
        let mut entries = self.waited()?;
        for other in others {
            entries.extend(other.join().map_err(|_| "a thread has panicked")??);
        }
        Ok(fs::write(&self.log, serde_json::to_vec(&entries)?)?)
    }

    fn waited(&self) -> Result<Vec<Entry>, Failure> {
        let (os, Condition { way, before, .. }) = (Native::new(), self.condition);
        let (mut wait, mut pass) = (waiter(way, &os)?, passing(before, os.clone(), self.count)?);
        let length = match before {
            Before::Disk | Before::Fault => SOON,
            _ => WAIT,
        };
        let (mut entries, mut throttled) = (Vec::new(), times_throttled()?);
        for _ in 0..self.count {
            let asked = os.now();
            let mut deadline = asked + length;
            pass()?;
            if way != UNTIL {
                // It begins after what comes before it, and is late for other reasons.
                deadline = os.now() + length;
            }
            wait(deadline)?;
            let woke = os.now();
            let before = std::mem::replace(&mut throttled, times_throttled()?);
            let [asked, deadline, woke] = [asked, deadline, woke].map(Instant::as_nanos);
            entries.push(Entry {
                thread: gettid().as_raw_pid().unsigned_abs(),
                name: fs::read_to_string("/proc/thread-self/comm")?
                    .trim_end()
                    .to_owned(),
                asked,
                deadline,
                woke,
                throttled: throttled > before,
            });
        }
        Ok(entries)
    }
}

fn name_thread(name: &str) {
    // It has no zero byte, and the call fails for a bad pointer only.
    let _ = set_name(&CString::new(name).unwrap_or_default());
}

/// How often the program's group was out of processor time.
fn times_throttled() -> Result<u64, Failure> {
    let Some(group) = std::env::var_os(GROUP) else {
        return Ok(0);
    };
    let text = fs::read_to_string(PathBuf::from(group).join("cpu.stat"))?;
    let count = text
        .lines()
        .find_map(|line| line.strip_prefix("nr_throttled "));
    Ok(count.ok_or("no nr_throttled")?.parse()?)
}

type Waits = Box<dyn FnMut(Instant) -> Result<(), Failure>>;
type Passes = Box<dyn FnMut() -> Result<(), Failure>>;

/// A way of waiting until an instant.
fn waiter(way: &str, os: &Native) -> Result<Waits, Failure> {
    let clock = os.clone();
    let left = move |until: Instant| {
        until
            .duration_since(clock.now())
            .max(Duration::from_nanos(1))
    };
    Ok(match way {
        // It takes whole milliseconds, and gets them.
        "poll-millis" => Box::new(move |until| {
            calls::poll(None, left(until).as_nanos().div_ceil(1_000_000).try_into()?);
            Ok(())
        }),
        SOCKET => {
            let socket = UdpSocket::bind("127.0.0.1:0")?;
            Box::new(move |until| {
                socket.set_read_timeout(Some(left(until)))?;
                // Nobody sends.
                let _ = socket.recv(&mut [0]);
                Ok(())
            })
        }
        "epoll-timerfd" => {
            let timer = timerfd_create(TimerfdClockId::Monotonic, TimerfdFlags::CLOEXEC)?;
            let (mut timer, epoll) = (File::from(timer), epoll::create(CreateFlags::CLOEXEC)?);
            epoll::add(&epoll, &timer, EventData::new_u64(0), EventFlags::IN)?;
            Box::new(move |until| {
                let once = Itimerspec {
                    it_interval: Timespec::default(),
                    it_value: until.duration_since(Instant::ZERO).try_into()?,
                };
                timerfd_settime(&timer, TimerfdTimerFlags::ABSTIME, &once)?;
                epoll::wait(&epoll, spare_capacity(&mut Vec::with_capacity(1)), None)?;
                Ok(timer.read_exact(&mut [0; 8])?)
            })
        }
        _ => {
            let mut wait = wait_of_lab(way, os, WAIT)?;
            Box::new(move |until| {
                wait.wait_until(until);
                Ok(())
            })
        }
    })
}

/// What comes before each wait.
fn passing(before: Before, os: Native, count: usize) -> Result<Passes, Failure> {
    Ok(match before {
        Before::Nothing => Box::new(|| Ok(())),
        Before::Work => Box::new(move || {
            let until = os.now() + LATE;
            while os.now() < until {}
            Ok(())
        }),
        Before::Disk => {
            let mut file = temporary()?;
            Box::new(move || {
                file.rewind()?;
                file.write_all(&[2; 4096])?;
                Ok(file.sync_data()?)
            })
        }
        Before::Fault => {
            let mut file = temporary()?;
            file.write_all(&vec![1; FILE_BYTES])?;
            file.sync_all()?;
            Box::new(move || Ok(calls::look_at_disk(&file, FILE_BYTES, usize(..FILE_BYTES))?))
        }
        Before::Pipe => {
            let (mut reader, mut writer) = io::pipe()?;
            let asks = helper(move || {
                thread::sleep(LATE);
                Ok(writer.write_all(&[0])?)
            });
            Box::new(move || {
                asks.send(())?;
                Ok(reader.read_exact(&mut [0])?)
            })
        }
        Before::Lock => {
            let (lock, (has_it, held)) = (Arc::new(Mutex::new(())), mpsc::channel());
            let theirs = Arc::clone(&lock);
            let asks = helper(move || {
                let _guard = theirs.lock();
                has_it.send(())?;
                thread::sleep(LATE);
                Ok(())
            });
            Box::new(move || {
                asks.send(())?;
                held.recv()?;
                drop(lock.lock());
                Ok(())
            })
        }
        Before::NewName => {
            let mut passed = 0;
            Box::new(move || {
                passed += 1;
                if passed == count / 2 {
                    name_thread("truth-renamed");
                }
                Ok(())
            })
        }
    })
}

/// Another thread, which does something whenever it is asked to.
fn helper(mut act: impl FnMut() -> Result<(), Failure> + Send + 'static) -> mpsc::Sender<()> {
    let (asks, asked) = mpsc::channel();
    thread::spawn(move || while asked.recv().is_ok() && act().is_ok() {});
    asks
}

/// A file without a name.
fn temporary() -> io::Result<File> {
    let path = std::env::temp_dir().join(format!("punctual-truth-{}", std::process::id()));
    let file = File::options()
        .read(true)
        .write(true)
        .create_new(true)
        .open(&path)?;
    fs::remove_file(&path)?;
    Ok(file)
}
