//! Time stolen from whatever runs: noise, and what the operating system's interrupts and DPCs take.

use crate::kernel::{Event, Kernel, Model};
use crate::processor::StolenTime;
use crate::record::What;
use crate::thread::NOBODY;
use punctual::Instant;

impl<M: Model> Kernel<M> {
    /// Lets past noise on a processor happen, and what it puts off be put off.
    #[inline]
    pub(crate) fn catch_up(&mut self, number: u8) {
        if self.is_noisy {
            self.catch_up_noise(number);
        }
    }

    fn catch_up_noise(&mut self, number: u8) {
        let log = &mut self.log;
        let processor = &mut self.processors[usize::from(number)];
        let any = processor.catch_up(self.now, |at, by, length| {
            if log.is_kept() {
                log.add(at, What::stolen(by, number, length, true));
            }
        });
        if any {
            self.put_off(number);
        }
    }

    /// Noise comes while a thread runs: it happens, and the next is scheduled if one still does.
    pub(crate) fn noise(&mut self, number: u8) {
        self.processors[usize::from(number)].noise_is_scheduled = false;
        let processor = &self.processors[usize::from(number)];
        if processor.running == NOBODY {
            return;
        }
        self.catch_up_noise(number);
        self.schedule_noise(number);
    }

    /// Sees to it that the next noise on this processor comes.
    pub(crate) fn schedule_noise(&mut self, number: u8) {
        let processor = &mut self.processors[usize::from(number)];
        if let Some(noise) = &processor.noise
            && !processor.noise_is_scheduled
        {
            processor.noise_is_scheduled = true;
            let at = Instant::from_nanos(noise.next_at());
            self.queue.insert(at, Event::Noise(number));
        }
    }

    /// Takes processor time from now on, and says when it is served.
    pub(crate) fn steal(&mut self, number: u8, kind: StolenTime, length: u64) -> u64 {
        let start = self.processors[usize::from(number)].steal(kind, self.now, length);
        if self.current != NOBODY && self.current_processor == number {
            self.debt = self.debt.saturating_add(length);
        } else if self.processors[usize::from(number)].running != NOBODY {
            self.put_off(number);
        }
        self.note(What::stolen(kind, number, length, false));
        start
    }

    /// The thread on this processor, if one waits there to go on, goes on later.
    fn put_off(&mut self, number: u8) {
        let processor = &mut self.processors[usize::from(number)];
        let Some(thread) = self.threads.hot.get(processor.running as usize) else {
            return;
        };
        let goes_on = processor.busy_until.max(thread.spin_until);
        if self.cancel_resumption(number) {
            self.schedule_resumption(number, goes_on);
        }
    }
}
