//! A program of one thread that waits as its runtime does: it makes the calls that a persona asks for.

use super::waits::{Waits, is_missing};
use punctual::os::windows::{Win32Error, WindowsOs};
use punctual::os::{Os, Spin};
use punctual::{Error, Instant};
use punctual_windows::NANOS_PER_UNIT;
use punctual_windows::os::windows::Win32Lab;
use punctual_windows::personas::{Ask, Clock, Clocks, Event, Persona, State};
use std::time::Duration;

const NANOS_PER_MILLISECOND: u64 = 1_000_000;

/// Such a program. The requests that it still holds end with it.
pub(super) struct Program<W: Win32Lab> {
    os: WindowsOs<W>,
    persona: Persona,
    /// Those that the persona looks at.
    clocks: Vec<Clock>,
    state: State,
    is_started: bool,
    waits: Waits<W>,
    /// Its requests for a timer interval, in milliseconds.
    held: Vec<u32>,
    /// Of one with a schedule of its own, if it keeps one.
    period: Option<Duration>,
}

impl<W: Win32Lab> Program<W> {
    pub(super) fn new(os: &WindowsOs<W>, persona: Persona) -> Self {
        Self {
            os: os.clone(),
            clocks: persona.clocks(),
            state: persona.state(),
            persona,
            is_started: false,
            waits: Waits::new(os.win32()),
            held: Vec::new(),
            period: None,
        }
    }

    pub(super) fn os(&self) -> &WindowsOs<W> {
        &self.os
    }

    /// From now on it keeps its own schedule, if it has one.
    pub(super) fn keep(&mut self, period: Duration) {
        self.period = self.persona.is_periodic().then_some(period);
    }

    pub(super) fn period(&self) -> Option<Duration> {
        self.period
    }

    /// Starts it, unless it runs.
    pub(super) fn start(&mut self) -> Result<(), Error> {
        if !self.is_started {
            self.is_started = true;
            self.tell(Event::Start)?;
        }
        Ok(())
    }

    /// Waits for this long, as the program's own call does.
    pub(super) fn wait(&mut self, duration: Duration) -> Result<(), Error> {
        self.start()?;
        self.tell(Event::Begin(duration))
    }

    /// Ends it. It starts anew with the next wait.
    pub(super) fn stop(&mut self) {
        self.is_started = false;
        self.state = self.persona.state();
        self.waits.stop();
        for milliseconds in std::mem::take(&mut self.held) {
            // It was made, so it can be ended.
            let _ = self.os.win32().time_end_period(milliseconds);
        }
    }

    /// Tells the persona of an event, and does what it asks until it asks nothing.
    fn tell(&mut self, mut event: Event) -> Result<(), Error> {
        let mut refused = None;
        loop {
            let clocks = self.clocks();
            event = match self.persona.step(&mut self.state, event, &clocks) {
                Ask::Nothing => return Ok(()),
                Ask::Wait(wait) => match self.waits.wait(wait) {
                    Ok(()) => Event::Woken { timed_out: true },
                    // A persona falls back to another wait, or has none to fall back to.
                    Err(error) if is_missing(error) && refused != Some(wait) => {
                        refused = Some(wait);
                        Event::Refused
                    }
                    Err(error) => return Err(failed(error)),
                },
                Ask::BeginPeriod(milliseconds) => {
                    let begun = self.os.win32().time_begin_period(milliseconds);
                    begun.map_err(failed)?;
                    self.held.push(milliseconds);
                    Event::Done
                }
                Ask::MakeHighResolutionTimer => match self.waits.make_high_resolution() {
                    Ok(()) => Event::Done,
                    Err(error) if is_missing(error) => Event::Refused,
                    Err(error) => return Err(failed(error)),
                },
                Ask::EndPeriod(milliseconds) => {
                    self.end_period(milliseconds)?;
                    Event::Done
                }
                Ask::Spin { until_ns } => {
                    self.os
                        .spin_until(Instant::from_nanos(until_ns), Spin::Pause);
                    Event::Done
                }
            };
        }
    }

    fn end_period(&mut self, milliseconds: u32) -> Result<(), Error> {
        let ended = self.os.win32().time_end_period(milliseconds);
        ended.map_err(failed)?;
        if let Some(index) = self.held.iter().position(|&held| held == milliseconds) {
            self.held.swap_remove(index);
        }
        Ok(())
    }

    /// Reads the clocks that the persona looks at.
    fn clocks(&self) -> Clocks {
        let mut clocks = Clocks::default();
        for &clock in &self.clocks {
            clocks.set(clock, self.read(clock));
        }
        clocks
    }

    fn read(&self, clock: Clock) -> u64 {
        let win32 = self.os.win32();
        let file = || win32.get_system_time_as_file_time().0 * NANOS_PER_UNIT;
        match clock {
            Clock::Performance => self.os.now().as_nanos(),
            Clock::Ticks => {
                let ticks = win32.get_tick_count64();
                // Before Vista there is only the shorter counter. No machine here runs for 49.7 days.
                ticks.unwrap_or_else(|_| win32.get_tick_count().into()) * NANOS_PER_MILLISECOND
            }
            Clock::Interrupt => {
                // Runtimes read it in the page that the kernel shares with every process. Before
                // Windows 7 no call gives it, and the system time makes the same steps.
                let units = win32.query_unbiased_interrupt_time();
                units.map_or_else(|_| file(), |units| units * NANOS_PER_UNIT)
            }
            Clock::File => file(),
            Clock::Precise => {
                let precise = win32.get_system_time_precise_as_file_time();
                precise.map_or_else(|_| file(), |time| time.0 * NANOS_PER_UNIT)
            }
        }
    }
}

impl<W: Win32Lab> Drop for Program<W> {
    fn drop(&mut self) {
        self.stop();
    }
}

fn failed(error: Win32Error) -> Error {
    Error::system(format!("a call of the runtime failed: {error}"))
}
