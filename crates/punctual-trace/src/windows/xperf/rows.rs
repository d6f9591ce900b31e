//! Lines of the kinds that matter, as what they say.

use super::header::{Column, Fields};
use crate::event::{Left, ThreadId};
use crate::names::Names;
use crate::windows::process::{Process, Processes};
use crate::windows::row::{self, LATEST_NS, Named, Row, Rows, Switch, Unread, What};
use punctual::Error;

/// Time stamps are whole microseconds: two that belong together may be one apart.
const ROUNDING_NS: u64 = NANOS_PER_MICRO;
const NANOS_PER_MICRO: u64 = 1_000;

#[derive(Debug, Default)]
struct Columns {
    switch: Option<SwitchColumns>,
    ready: Option<ReadyColumns>,
    dpc: Option<ServedColumns>,
    timer_dpc: Option<ServedColumns>,
    interrupt: Option<ServedColumns>,
    end: Option<EndColumns>,
}

#[derive(Debug)]
struct SwitchColumns {
    next: (Column, Column),
    previous: (Column, Column),
    state: Column,
    processor: Column,
    next_priority: Option<Column>,
    previous_priority: Option<Column>,
}

#[derive(Debug)]
struct ReadyColumns {
    running: Column,
    thread: (Column, Column),
    in_dpc: Option<Column>,
    processor: Option<Column>,
}

#[derive(Debug)]
struct ServedColumns {
    elapsed: Column,
    processor: Column,
    routine: Column,
}

#[derive(Debug)]
struct EndColumns(Column, Column);

/// Reads all lines.
pub(super) fn read(text: &str) -> Result<Rows, Error> {
    let mut columns = Columns::default();
    let mut rows = Rows {
        rows: Vec::new(),
        names: Names::default(),
        processes: Processes::default(),
        unread: Unread::default(),
        are_incomplete: false,
        reliable_from: 0,
        rounding: ROUNDING_NS,
    };
    for (line, text) in (1..).zip(text.lines()) {
        let fields = Fields::cut(line, text);
        if fields.is_header() {
            columns.learn(&fields)?;
            continue;
        }
        match columns.row(&fields, &mut rows) {
            Ok(Some(row)) => rows.rows.push(row),
            Ok(None) => note(&mut rows, &fields, text),
            Err(error) => leave_out(&mut rows, line, &error),
        }
    }
    let is_read = |row: &Row| !matches!(row.what, What::Lost { .. });
    match &rows.unread.first {
        Some(problem) if !rows.rows.iter().any(is_read) => {
            Err(Error::invalid_input(problem.clone()))
        }
        _ if columns.switch.is_none() => Err(Error::invalid_input(
            "there is no header line for CSwitch; the text must be what 'xperf -i trace.etl -a \
             dumper' writes, of a trace with context switches",
        )),
        _ => Ok(rows),
    }
}

/// A line that cannot be read says nothing, and what happened around it is in doubt.
fn leave_out(rows: &mut Rows, line: usize, error: &Error) {
    rows.unread.count += 1;
    rows.unread.first.get_or_insert_with(|| error.to_string());
    let at = rows.rows.last().map_or(0, |row| row.at);
    let what = What::Lost { processor: None };
    rows.rows.push(Row {
        order: row::order(line),
        at,
        what,
    });
}

/// What is said of lost events.
fn note(rows: &mut Rows, fields: &Fields, text: &str) {
    if fields.kind() == "FirstReliableCSwitchEventTimeStamp" {
        let time = text.rsplit(',').next().map(str::trim);
        let micros: u64 = time.and_then(|time| time.parse().ok()).unwrap_or(0);
        rows.reliable_from = nanos(micros);
    }
    if fields.kind().starts_with("OS Version") {
        let text = text.to_ascii_lowercase();
        let is_lost = |what: &str| count_after(&text, what).is_some_and(|count| count > 0);
        rows.are_incomplete = is_lost("events lost:") || is_lost("buffers lost:");
    }
}

fn nanos(micros: u64) -> u64 {
    micros.saturating_mul(NANOS_PER_MICRO).min(LATEST_NS)
}

fn count_after(text: &str, what: &str) -> Option<u64> {
    let (_, rest) = text.split_once(what)?;
    rest.split(',').next()?.trim().parse().ok()
}

impl Columns {
    fn learn(&mut self, header: &Fields) -> Result<(), Error> {
        match header.kind() {
            "CSwitch" => self.switch = Some(SwitchColumns::find(header)?),
            "ReadyThread" => self.ready = Some(ReadyColumns::find(header)?),
            "DPC" => self.dpc = Some(ServedColumns::find(header)?),
            "DPCTmr" => self.timer_dpc = Some(ServedColumns::find(header)?),
            "Interrupt" => self.interrupt = Some(ServedColumns::find(header)?),
            "T-End" => {
                let (process, thread) = thread_columns(header, ["processname"], ["threadid"])?;
                self.end = Some(EndColumns(process, thread));
            }
            _ => {}
        }
        Ok(())
    }

    /// What a line says, if it is of a kind that matters.
    fn row(&self, fields: &Fields, to: &mut Rows) -> Result<Option<Row>, Error> {
        let what = match fields.kind() {
            "CSwitch" => header_of(self.switch.as_ref(), fields)?.read(fields, to)?,
            "ReadyThread" => header_of(self.ready.as_ref(), fields)?.read(fields, to)?,
            "DPC" => header_of(self.dpc.as_ref(), fields)?.read(fields, true, to)?,
            "DPCTmr" => header_of(self.timer_dpc.as_ref(), fields)?.read(fields, true, to)?,
            "Interrupt" => header_of(self.interrupt.as_ref(), fields)?.read(fields, false, to)?,
            "T-End" => {
                let EndColumns(process, thread) = header_of(self.end.as_ref(), fields)?;
                What::Ended(named(fields, (process, thread), to)?)
            }
            _ => return Ok(None),
        };
        Ok(Some(Row {
            order: row::order(fields.line),
            at: time(fields)?,
            what,
        }))
    }
}

fn header_of<'a, T>(columns: Option<&'a T>, fields: &Fields) -> Result<&'a T, Error> {
    columns.ok_or_else(|| fields.wrong("comes before any header line of its kind"))
}

/// The second field of every line, as of every header, in nanoseconds.
fn time(fields: &Fields) -> Result<u64, Error> {
    let micros = fields.parse(&Column::TIME_STAMP, "number of microseconds");
    micros.map(nanos)
}

fn thread_columns<const N: usize>(
    header: &Fields,
    process: [&str; N],
    thread: [&str; N],
) -> Result<(Column, Column), Error> {
    Ok((header.need(&process)?, header.need(&thread)?))
}

fn named(
    fields: &Fields,
    (process, thread): (&Column, &Column),
    to: &mut Rows,
) -> Result<Named, Error> {
    let text = fields.get(process)?;
    let wrong = || {
        fields.wrong(&format!(
            "has '{text}', which is no process with its number"
        ))
    };
    let process = Process::parse(text).ok_or_else(wrong)?;
    Ok(Named {
        thread: ThreadId(fields.parse(thread, "thread's number")?),
        process: to.processes.index(process),
    })
}

impl SwitchColumns {
    fn find(header: &Fields) -> Result<Self, Error> {
        let next = ["newprocessname", "newprocess"];
        let previous = ["oldprocessname", "oldprocess"];
        Ok(Self {
            next: (header.need(&next)?, header.need(&["newtid"])?),
            previous: (header.need(&previous)?, header.need(&["oldtid"])?),
            state: header.need(&["oldstate"])?,
            processor: header.need(&["cpu"])?,
            next_priority: header.find(&["npri"]),
            previous_priority: header.find(&["opri"]),
        })
    }

    fn read(&self, fields: &Fields, to: &mut Rows) -> Result<What, Error> {
        let left = match fields.get(&self.state)? {
            // Standby: chosen to run next; Running and DeferredReady: on the way between.
            "Ready" | "Running" | "Standby" | "DeferredReady" => Left::Ready,
            "Terminated" => Left::Ended,
            _ => Left::Waiting,
        };
        let priority = |column: &Option<Column>| {
            let field = fields.get(column.as_ref()?).ok()?;
            field.parse().ok()
        };
        let (previous, next) = (&self.previous, &self.next);
        Ok(What::Switch(Switch {
            processor: fields.parse(&self.processor, "processor's number")?,
            previous: named(fields, (&previous.0, &previous.1), to)?,
            previous_priority: priority(&self.previous_priority),
            left,
            next: named(fields, (&next.0, &next.1), to)?,
            next_priority: priority(&self.next_priority),
        }))
    }
}

impl ReadyColumns {
    fn find(header: &Fields) -> Result<Self, Error> {
        Ok(Self {
            running: header.need(&["threadid"])?,
            thread: (
                header.need(&["rdyprocessname", "rdyprocess"])?,
                header.need(&["rdytid", "rdythreadid"])?,
            ),
            in_dpc: header.find(&["indpc"]),
            processor: header.find(&["cpu"]),
        })
    }

    fn read(&self, fields: &Fields, to: &mut Rows) -> Result<What, Error> {
        let in_dpc = self.in_dpc.as_ref().map(|column| {
            let field = fields.get(column)?;
            Ok::<_, Error>(!matches!(field, "" | "0" | "No" | "False"))
        });
        let processor = self.processor.as_ref();
        let processor = processor.map(|column| fields.parse(column, "processor's number"));
        Ok(What::Ready {
            running: ThreadId(fields.parse(&self.running, "thread's number")?),
            thread: named(fields, (&self.thread.0, &self.thread.1), to)?,
            in_dpc: in_dpc.transpose()?,
            processor: processor.transpose()?,
        })
    }
}

impl ServedColumns {
    fn find(header: &Fields) -> Result<Self, Error> {
        Ok(Self {
            elapsed: header.need(&["elapsedtime"])?,
            processor: header.need(&["cpu"])?,
            routine: header.need(&["image!function", "routine", "function", "serviceaddr"])?,
        })
    }

    fn read(&self, fields: &Fields, is_dpc: bool, to: &mut Rows) -> Result<What, Error> {
        let elapsed: u64 = fields.parse(&self.elapsed, "number of microseconds")?;
        let routine = fields.get(&self.routine)?;
        Ok(What::Served {
            processor: fields.parse(&self.processor, "processor's number")?,
            from: time(fields)?.saturating_sub(nanos(elapsed)),
            is_dpc,
            routine: to.names.symbol(&routine.replace('"', "")),
        })
    }
}
