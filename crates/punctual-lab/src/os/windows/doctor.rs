//! What Windows permits a program that waits.

use crate::Environment;
use crate::Native;
use crate::machine::{Finding, Matter, Remedy, Request};
use std::time::Duration;

pub(super) fn findings(machine: &Native, environment: &Environment) -> Vec<Finding> {
    let mut findings = vec![
        request(machine, environment),
        administrator(environment),
        plan(environment),
    ];
    if let Some(version) = environment.wine.as_deref().filter(|&wine| wine != "none") {
        findings.push(Finding::limited(Matter::Wine(version.to_owned()), None));
    }
    findings
}

/// Tried, and taken back.
fn request(machine: &Native, environment: &Environment) -> Finding {
    let Some(nanos) = environment.timer_interval_minimum_ns else {
        return Finding::unknown(Matter::TimerInterval(None));
    };
    let win32 = machine.win32();
    let request = Request::of(Duration::from_nanos(nanos));
    let attempt = request.begin(win32).and_then(|()| request.end(win32));
    let attempt = attempt.map_err(|error| punctual::Error::system(error.to_string()));
    Finding::attempted(Matter::TimerInterval(Some(nanos)), attempt, None)
}

fn administrator(environment: &Environment) -> Finding {
    match environment.superuser {
        Some(true) => Finding::good(Matter::Administrator),
        _ => Finding::limited(Matter::Administrator, Some(Remedy::BecomeAdministrator)),
    }
}

fn plan(environment: &Environment) -> Finding {
    let plan = environment.power_plan.clone();
    let matter = Matter::PowerPlan(plan.clone());
    match plan.as_deref() {
        Some("High performance" | "Ultimate Performance") => Finding::good(matter),
        Some(_) => Finding::limited(matter, Some(Remedy::HighPerformancePlan)),
        None => Finding::unknown(matter),
    }
}
