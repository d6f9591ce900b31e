//! A process that wants a processor whenever it is told to.

use super::condition::Place;
use crate::answering::{Process, answer_until_input_ends, leave_interrupts_to_the_parent};
use crate::failure::Failure;
use crate::given::name_of;
use crate::os::waits;
use rustix::process::setsid;
use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// The hidden subcommand.
pub const SUBCOMMAND: &str = "be-a-neighbour";

const ON: &str = "on";
const OFF: &str = "off";

/// In the child.
#[derive(Debug, clap::Args)]
pub struct Program {
    #[arg(long, value_enum)]
    place: Place,
    #[arg(long)]
    processor: Option<usize>,
}

impl Program {
    pub fn run(&self) -> Result<(), Failure> {
        leave_interrupts_to_the_parent()?;
        if let Some(processor) = self.processor {
            waits::stay_on(processor);
        }
        match self.place {
            Place::IdleClass => waits::become_idle()?,
            Place::OtherSession => drop(setsid()?),
            Place::Beside | Place::Sibling => {}
        }
        let is_on = Arc::new(AtomicBool::new(false));
        let spinner = {
            let is_on = Arc::clone(&is_on);
            thread::spawn(move || spin_while_on(&is_on))
        };
        answer_until_input_ends(|line| {
            is_on.store(line == ON, Ordering::Relaxed);
            spinner.thread().unpark();
            Ok(line.to_owned())
        })
    }
}

fn spin_while_on(is_on: &AtomicBool) {
    let mut number = 1_u64;
    loop {
        while is_on.load(Ordering::Relaxed) {
            number = black_box(number.wrapping_mul(0x5851_f42d_4c95_7f2d).rotate_left(7));
        }
        thread::park();
    }
}

/// One of them, off.
pub struct Neighbour(Process);

impl Neighbour {
    pub fn start(place: Place, processor: Option<usize>) -> Result<Self, Failure> {
        let words = [SUBCOMMAND, "--place", &name_of(&place)];
        let mut process = Process::of_ours(words, processor)?;
        // With the answer, it is where it is to be.
        process.ask(OFF)?;
        Ok(Self(process))
    }

    pub fn id(&self) -> u32 {
        self.0.id()
    }

    pub fn switch(&mut self, on: bool) -> Result<(), Failure> {
        self.0.ask(if on { ON } else { OFF })?;
        Ok(())
    }
}
