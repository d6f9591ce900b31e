//! The calls of the fake Windows: what they cost, whether they fail, and what they change.

use super::super::super::{
    AffinityMasks, CREATE_WAITABLE_TIMER_HIGH_RESOLUTION, Handle, PowerThrottling, TimeCaps,
    TimerResolution, Waited, Win32, Win32Error,
};
use super::{Fake, Object, PROCESS, TASK, THREAD, THREAD_NUMBER};
use crate::os::sealed::Sealed;

impl Sealed for Fake {}

impl Win32 for Fake {
    fn query_performance_counter(&self) -> i64 {
        let state = self.call("query_performance_counter").unwrap();
        let frequency = u128::from(state.version.frequency.unsigned_abs());
        i64::try_from(u128::from(state.now) * frequency / 1_000_000_000).unwrap()
    }

    fn query_performance_frequency(&self) -> i64 {
        self.state().version.frequency
    }

    fn create_event_w(&self, manual_reset: bool) -> Result<Handle, Win32Error> {
        assert!(manual_reset, "a bell ends every wait on it");
        let event = Object::Event { rings_from: None };
        Ok(self.call("create_event_w")?.make(event))
    }

    fn set_event(&self, event: Handle) -> Result<(), Win32Error> {
        let mut state = self.call("set_event")?;
        let now = state.now;
        *state.object(event)? = Object::Event {
            rings_from: Some(now),
        };
        Ok(())
    }

    fn reset_event(&self, event: Handle) -> Result<(), Win32Error> {
        *self.call("reset_event")?.object(event)? = Object::Event { rings_from: None };
        Ok(())
    }

    fn close_handle(&self, object: Handle) -> Result<(), Win32Error> {
        let closed = self.call("close_handle")?.objects.remove(&object.0);
        closed.map(drop).ok_or(Win32Error::INVALID_HANDLE)
    }

    fn wait_for_single_object(
        &self,
        object: Handle,
        milliseconds: u32,
    ) -> Result<Waited, Win32Error> {
        self.call("wait_for_single_object")?
            .wait(&[object], milliseconds)
    }

    fn wait_for_multiple_objects(
        &self,
        objects: &[Handle],
        milliseconds: u32,
    ) -> Result<Waited, Win32Error> {
        self.call("wait_for_multiple_objects")?
            .wait(objects, milliseconds)
    }

    fn create_waitable_timer_w(&self, manual_reset: bool) -> Result<Handle, Win32Error> {
        assert!(!manual_reset);
        let (high, due) = (false, None);
        Ok(self
            .call("create_waitable_timer_w")?
            .make(Object::Timer { high, due }))
    }

    fn create_waitable_timer_ex_w(&self, flags: u32, _: u32) -> Result<Handle, Win32Error> {
        let mut state = self.call("create_waitable_timer_ex_w")?;
        let high = flags & CREATE_WAITABLE_TIMER_HIGH_RESOLUTION != 0;
        if !state.version.timer_ex {
            return Err(Win32Error::PROC_NOT_FOUND);
        }
        if high && !state.version.high_resolution {
            return Err(Win32Error::INVALID_PARAMETER);
        }
        Ok(state.make(Object::Timer { high, due: None }))
    }

    fn set_waitable_timer(&self, timer: Handle, due: i64, period: i32) -> Result<(), Win32Error> {
        self.call("set_waitable_timer")?.set(timer, due, period)
    }

    fn set_waitable_timer_ex(
        &self,
        timer: Handle,
        due: i64,
        period: i32,
        tolerable_delay: u32,
    ) -> Result<(), Win32Error> {
        let mut state = self.call("set_waitable_timer_ex")?;
        if !state.version.tolerable_delay {
            return Err(Win32Error::PROC_NOT_FOUND);
        }
        state.tolerable_delays.push(tolerable_delay);
        state.set(timer, due, period)
    }

    fn cancel_waitable_timer(&self, timer: Handle) -> Result<(), Win32Error> {
        let mut state = self.call("cancel_waitable_timer")?;
        if let Object::Timer { due, .. } = state.object(timer)? {
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

    fn get_current_process(&self) -> Handle {
        PROCESS
    }

    fn get_process_information(&self, process: Handle) -> Result<PowerThrottling, Win32Error> {
        assert_eq!(process, PROCESS);
        let state = self.call("get_process_information")?;
        state.version.throttling.map(|_| state.throttling)
    }

    fn set_process_information(
        &self,
        process: Handle,
        information: PowerThrottling,
    ) -> Result<(), Win32Error> {
        assert_eq!(process, PROCESS);
        let rival = self.call("set_process_information")?.rival.take();
        if let Some(rival) = rival {
            rival();
        }
        let mut state = self.state();
        state.version.throttling?;
        state.throttling = information;
        Ok(())
    }

    fn get_current_thread(&self) -> Handle {
        THREAD
    }

    fn get_current_thread_id(&self) -> u32 {
        THREAD_NUMBER
    }

    /// There is no other.
    fn switch_to_thread(&self) -> bool {
        drop(self.call("switch_to_thread").unwrap());
        false
    }

    fn get_thread_priority(&self, thread: Handle) -> Result<i32, Win32Error> {
        assert_eq!(thread, THREAD);
        Ok(self.call("get_thread_priority")?.priority)
    }

    fn set_thread_priority(&self, thread: Handle, priority: i32) -> Result<(), Win32Error> {
        assert_eq!(thread, THREAD);
        self.call("set_thread_priority")?.priority = priority;
        Ok(())
    }

    fn get_process_affinity_mask(&self, process: Handle) -> Result<AffinityMasks, Win32Error> {
        assert_eq!(process, PROCESS);
        let process = self.call("get_process_affinity_mask")?.allowed;
        Ok(AffinityMasks {
            process,
            system: process,
        })
    }

    fn set_thread_affinity_mask(&self, thread: Handle, mask: usize) -> Result<usize, Win32Error> {
        assert_eq!(thread, THREAD);
        let mut state = self.call("set_thread_affinity_mask")?;
        Ok(std::mem::replace(&mut state.affinity, mask))
    }

    fn av_set_mm_thread_characteristics_w(&self, name: &str) -> Result<Handle, Win32Error> {
        let mut state = self.call("av_set_mm_thread_characteristics_w")?;
        if state.task.is_some() {
            return Err(Win32Error::THREAD_ALREADY_IN_TASK);
        }
        if name != "Pro Audio" {
            return Err(Win32Error::INVALID_TASK_NAME);
        }
        state.task = Some(TASK);
        Ok(TASK)
    }

    fn av_revert_mm_thread_characteristics(&self, task: Handle) -> Result<(), Win32Error> {
        let mut state = self.call("av_revert_mm_thread_characteristics")?;
        if state.task != Some(task) {
            return Err(Win32Error::INVALID_HANDLE);
        }
        state.task = None;
        Ok(())
    }

    /// The one thread runs the other's body first.
    fn create_thread(&self, _: &str, body: Box<dyn FnOnce() + Send>) -> Result<(), Win32Error> {
        drop(self.call("create_thread")?);
        body();
        Ok(())
    }
}
