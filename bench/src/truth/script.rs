//! The text of `perf script`: a line for each event.

use crate::failure::Failure;
use std::fs;
use std::path::Path;

/// An event of which the meaning is known here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum What {
    TimerStarted {
        timer: String,
        function: String,
        expires: u64,
        soft_expires: u64,
    },
    TimerExpired {
        timer: String,
        function: String,
    },
    Switched {
        from: u32,
        /// As perf prints it: `S`, `D`, `T`, `R`, `R+`.
        state: String,
        to: u32,
        /// The name of the thread that gets the processor.
        name: String,
    },
    Waking {
        thread: u32,
        processor: u16,
    },
    Woken {
        thread: u32,
        processor: u16,
    },
    Migrated {
        thread: u32,
        to: u16,
    },
    /// An interrupt, or the deferred work of one, has the processor.
    InterruptBegan,
    InterruptEnded,
    CallBegan {
        number: u32,
    },
    CallEnded {
        number: u32,
    },
}

/// Where and when it happened, and which thread had the processor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    pub at: u64,
    pub processor: u16,
    pub thread: u32,
    pub what: What,
}

/// Everything in a file, in the order of time. An error if perf says that it has lost something.
pub fn read(path: &Path) -> Result<Vec<Line>, Failure> {
    let text = fs::read_to_string(path)?;
    let mut lines = Vec::new();
    for line in text.lines() {
        if line.contains("PERF_RECORD_LOST") {
            return Err("perf has lost events: the machine is too busy".into());
        }
        let unreadable = || format!("not understood in the text of perf script: {line}");
        if let Some(read) = parse(line).ok_or_else(unreadable)? {
            lines.push(read);
        }
    }
    lines.sort_by_key(|line| line.at);
    Ok(lines)
}

/// One line: `comm tid [cpu] seconds.nanoseconds: system:event: fields`. None within if the event is of no use.
fn parse(line: &str) -> Option<Option<Line>> {
    // A name may contain anything. The processor is what is followed by a time and an event.
    let (head, event, fields) = line.match_indices(" [").find_map(|(start, _)| {
        let (processor, rest) = line[start + 2..].split_once("] ")?;
        let processor: u16 = processor.parse().ok()?;
        let (time, rest) = rest.trim_start().split_once(": ")?;
        let (seconds, nanos) = time.split_once('.')?;
        let at = seconds.parse::<u64>().ok()? * 1_000_000_000 + nanos.parse::<u64>().ok()?;
        // A thread that has exited is -1.
        let thread: i64 = line[..start].split_whitespace().last()?.parse().ok()?;
        let thread = u32::try_from(thread).unwrap_or(u32::MAX);
        let (event, fields) = rest
            .trim_start()
            .split_once(": ")
            .unwrap_or((rest.trim(), ""));
        Some(((at, processor, thread), event, fields))
    })?;
    let (at, processor, thread) = head;
    let (_, event) = event.split_once(':')?;
    Some(what(event.trim_end_matches(':'), fields)?.map(|what| Line {
        at,
        processor,
        thread,
        what,
    }))
}

/// None outside if a field is missing; None within if the event is of no use.
fn what(event: &str, fields: &str) -> Option<Option<What>> {
    let text = |key| field(fields, key).map(str::to_owned);
    let number = |key| field(fields, key)?.parse::<u64>().ok();
    let thread = |key| number(key)?.try_into().ok();
    let processor = |key| number(key)?.try_into().ok();
    let call = || {
        fields
            .strip_prefix("NR ")?
            .split(' ')
            .next()?
            .parse::<i64>()
            .ok()
    };
    Some(Some(match event {
        "hrtimer_start" => What::TimerStarted {
            timer: text("hrtimer")?,
            function: text("function")?,
            expires: number("expires")?,
            soft_expires: number("softexpires")?,
        },
        "hrtimer_expire_entry" => What::TimerExpired {
            timer: text("hrtimer")?,
            function: text("function")?,
        },
        "sched_switch" => {
            let (_, next) = fields.split_once("==> next_comm=")?;
            let (name, _) = next.rsplit_once(" next_pid=")?;
            What::Switched {
                from: thread("prev_pid")?,
                state: text("prev_state")?,
                to: thread("next_pid")?,
                name: name.to_owned(),
            }
        }
        "sched_waking" => What::Waking {
            thread: thread("pid")?,
            processor: processor("target_cpu")?,
        },
        "sched_wakeup" => What::Woken {
            thread: thread("pid")?,
            processor: processor("target_cpu")?,
        },
        "sched_migrate_task" => What::Migrated {
            thread: thread("pid")?,
            to: processor("dest_cpu")?,
        },
        // A call of -1 was taken back, as by a signal.
        "sys_enter" => match u32::try_from(call()?) {
            Ok(number) => What::CallBegan { number },
            Err(_) => return Some(None),
        },
        "sys_exit" => match u32::try_from(call()?) {
            Ok(number) => What::CallEnded { number },
            Err(_) => return Some(None),
        },
        other if other.ends_with("_entry") => What::InterruptBegan,
        other if other.ends_with("_exit") => What::InterruptEnded,
        _ => return Some(None),
    }))
}

/// The last field of this name: a thread's name comes first, and may contain anything.
fn field<'a>(fields: &'a str, key: &str) -> Option<&'a str> {
    let (start, _) = fields.rmatch_indices(key).find(|&(start, _)| {
        let is_whole = start == 0 || fields.as_bytes()[start - 1] == b' ';
        is_whole && fields[start + key.len()..].starts_with('=')
    })?;
    fields[start + key.len() + 1..].split(' ').next()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Line {
        parse(line).flatten().unwrap_or_else(|| panic!("{line}"))
    }

    #[test]
    fn names_may_contain_anything() {
        let line = " a [0] 1.5: b 17 [001] 35205.252043681:  sched:sched_switch: prev_comm=x prev_pid=1 y \
            prev_pid=17 prev_prio=120 prev_state=R+ ==> next_comm=pid=3 z next_pid=19 next_prio=120";
        let line = read(line);
        assert_eq!(
            (line.at, line.processor, line.thread),
            (35_205_252_043_681, 1, 17)
        );
        let (state, name) = ("R+".to_owned(), "pid=3 z".to_owned());
        let switched = What::Switched {
            from: 17,
            state,
            to: 19,
            name,
        };
        assert_eq!(line.what, switched);
    }

    #[test]
    fn reads_what_perf_prints() {
        let call = "  python3 23142 [000] 35205.252048168:  raw_syscalls:sys_exit: NR 230 = 0";
        assert_eq!(read(call).what, What::CallEnded { number: 230 });
        let timer = "rustc 9 [000] 35205.271757634: timer:hrtimer_start: hrtimer=0xffff88811d8884c8 \
            function=sched_cfs_period_timer expires=35205321730310 softexpires=35205321730300 mode=0x0 was_armed=0";
        let What::TimerStarted {
            expires,
            soft_expires,
            ..
        } = read(timer).what
        else {
            panic!("another event");
        };
        assert_eq!(
            (expires, soft_expires),
            (35_205_321_730_310, 35_205_321_730_300)
        );
        let interrupt =
            "sleep 29128 [000] 35361.956013506: irq_vectors:local_timer_entry: vector=236";
        assert_eq!(read(interrupt).what, What::InterruptBegan);
    }

    #[test]
    fn a_thread_that_has_exited_still_switches() {
        let line = ":-1 -1 [000] 35950.687134072: sched:sched_switch: prev_comm=lto prev_pid=2169 \
            prev_prio=130 prev_state=X ==> next_comm=rustc next_pid=2131 next_prio=130";
        assert!(matches!(read(line).what, What::Switched { from: 2169, .. }));
    }

    #[test]
    fn what_is_not_understood_is_no_event() {
        for line in [
            "",
            "perf 1 [000] 1.0",
            "x 1 [000] 2.000000001: sched:sched_waking: comm=x pid=-",
        ] {
            assert_eq!(parse(line), None, "{line}");
        }
    }
}
