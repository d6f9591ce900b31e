//! The calls of the fake Windows: what they cost, whether they fail, and what they change.

use super::super::super::{
    AffinityMasks, CREATE_WAITABLE_TIMER_HIGH_RESOLUTION, PowerThrottling, TimeCaps,
    TimerResolution, Waited, Win32, Win32Error,
};
use super::{Fake, FakeObject, FakeTask, Object, THREAD_NUMBER};
use crate::os::sealed::Sealed;

impl Sealed for Fake {}

impl Win32 for Fake {
    type Object = FakeObject;
    type Task = FakeTask;

    fn query_performance_counter(&self) -> i64 {
        let state = self.call("query_performance_counter").unwrap();
        let frequency = u128::from(state.version.frequency.unsigned_abs());
        i64::try_from(u128::from(state.now) * frequency / 1_000_000_000).unwrap()
    }

    fn query_performance_frequency(&self) -> i64 {
        self.state().version.frequency
    }

    fn create_event_w(&self, manual_reset: bool) -> Result<FakeObject, Win32Error> {
        assert!(manual_reset, "a bell ends every wait on it");
        let event = Object::Event { rings_from: None };
        let made = self.call("create_event_w")?.make(event);
        Ok(self.own(made))
    }

    fn set_event(&self, event: &FakeObject) -> Result<(), Win32Error> {
        let mut state = self.call("set_event")?;
        let now = state.now;
        *state.object(event.number)? = Object::Event {
            rings_from: Some(now),
        };
        Ok(())
    }

    fn reset_event(&self, event: &FakeObject) -> Result<(), Win32Error> {
        *self.call("reset_event")?.object(event.number)? = Object::Event { rings_from: None };
        Ok(())
    }

    fn wait_for_single_object(
        &self,
        object: &FakeObject,
        milliseconds: u32,
    ) -> Result<Waited, Win32Error> {
        self.call("wait_for_single_object")?
            .wait([object.number], milliseconds)
    }

    fn wait_for_multiple_objects<const N: usize>(
        &self,
        objects: [&FakeObject; N],
        milliseconds: u32,
    ) -> Result<Waited, Win32Error> {
        self.call("wait_for_multiple_objects")?
            .wait(objects.map(|object| object.number), milliseconds)
    }

    fn create_waitable_timer_w(&self, manual_reset: bool) -> Result<FakeObject, Win32Error> {
        assert!(!manual_reset);
        let (high, due) = (false, None);
        let mut state = self.call("create_waitable_timer_w")?;
        let made = state.make(Object::Timer { high, due });
        drop(state);
        Ok(self.own(made))
    }

    fn create_waitable_timer_ex_w(&self, flags: u32, _: u32) -> Result<FakeObject, Win32Error> {
        let mut state = self.call("create_waitable_timer_ex_w")?;
        let high = flags & CREATE_WAITABLE_TIMER_HIGH_RESOLUTION != 0;
        if !state.version.timer_ex {
            return Err(Win32Error::PROC_NOT_FOUND);
        }
        if high && !state.version.high_resolution {
            return Err(Win32Error::INVALID_PARAMETER);
        }
        let made = state.make(Object::Timer { high, due: None });
        drop(state);
        Ok(self.own(made))
    }

    fn set_waitable_timer(
        &self,
        timer: &FakeObject,
        due: i64,
        period: i32,
    ) -> Result<(), Win32Error> {
        self.call("set_waitable_timer")?
            .set(timer.number, due, period)
    }

    fn set_waitable_timer_ex(
        &self,
        timer: &FakeObject,
        due: i64,
        period: i32,
        tolerable_delay: u32,
    ) -> Result<(), Win32Error> {
        let mut state = self.call("set_waitable_timer_ex")?;
        if !state.version.tolerable_delay {
            return Err(Win32Error::PROC_NOT_FOUND);
        }
        state.tolerable_delays.push(tolerable_delay);
        state.set(timer.number, due, period)
    }

    fn cancel_waitable_timer(&self, timer: &FakeObject) -> Result<(), Win32Error> {
        let mut state = self.call("cancel_waitable_timer")?;
        if let Object::Timer { due, .. } = state.object(timer.number)? {
            *due = None;
        }
        Ok(())
    }

    fn time_begin_period(&self, period: u32) -> Result<(), Win32Error> {
        self.call("time_begin_period")?.requests.push(period);
        Ok(())
    }

    fn time_end_period(&self, period: u32) -> Result<(), Win32Error> {
        let mut state = self.call("time_end_period")?;
        let found = state.requests.iter().position(|held| *held == period);
        state
            .requests
            .swap_remove(found.ok_or(Win32Error::NO_CAN_DO)?);
        Ok(())
    }

    fn time_get_dev_caps(&self) -> Result<TimeCaps, Win32Error> {
        drop(self.call("time_get_dev_caps")?);
        Ok(TimeCaps {
            period_min: 1,
            period_max: 1_000_000,
        })
    }

    fn nt_query_timer_resolution(&self) -> Result<TimerResolution, Win32Error> {
        drop(self.call("nt_query_timer_resolution")?);
        Ok(TimerResolution {
            maximum_time: 156_250,
            minimum_time: 5_000,
            current_time: 156_250,
        })
    }

    fn get_process_information(&self) -> Result<PowerThrottling, Win32Error> {
        let state = self.call("get_process_information")?;
        state.version.throttling.map(|_| state.throttling)
    }

    fn set_process_information(&self, information: PowerThrottling) -> Result<(), Win32Error> {
        let rival = self.call("set_process_information")?.rival.take();
        if let Some(rival) = rival {
            rival();
        }
        let mut state = self.state();
        state.version.throttling?;
        state.throttling = information;
        Ok(())
    }

    fn get_current_thread_id(&self) -> u32 {
        THREAD_NUMBER
    }

    fn get_current_processor_number(&self) -> Result<u32, Win32Error> {
        Ok(0)
    }

    /// There is no other.
    fn switch_to_thread(&self) -> bool {
        drop(self.call("switch_to_thread").unwrap());
        false
    }

    fn get_thread_priority(&self) -> Result<i32, Win32Error> {
        Ok(self.call("get_thread_priority")?.priority)
    }

    fn set_thread_priority(&self, priority: i32) -> Result<(), Win32Error> {
        self.call("set_thread_priority")?.priority = priority;
        Ok(())
    }

    fn get_process_affinity_mask(&self) -> Result<AffinityMasks, Win32Error> {
        let process = self.call("get_process_affinity_mask")?.allowed;
        Ok(AffinityMasks {
            process,
            system: process,
        })
    }

    fn set_thread_affinity_mask(&self, mask: usize) -> Result<usize, Win32Error> {
        let mut state = self.call("set_thread_affinity_mask")?;
        Ok(std::mem::replace(&mut state.affinity, mask))
    }

    fn av_set_mm_thread_characteristics_w(&self, name: &str) -> Result<FakeTask, Win32Error> {
        let mut state = self.call("av_set_mm_thread_characteristics_w")?;
        if state.in_task {
            return Err(Win32Error::THREAD_ALREADY_IN_TASK);
        }
        if name != "Pro Audio" {
            return Err(Win32Error::INVALID_TASK_NAME);
        }
        state.in_task = true;
        Ok(FakeTask(self.clone()))
    }

    /// The one thread runs the other's body first.
    fn create_thread(&self, _: &str, body: Box<dyn FnOnce() + Send>) -> Result<(), Win32Error> {
        drop(self.call("create_thread")?);
        body();
        Ok(())
    }
}
