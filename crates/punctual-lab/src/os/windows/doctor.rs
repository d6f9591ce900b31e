//! What Windows permits a program that waits.

use crate::Environment;
use crate::Native;
use crate::machine::Request;
use crate::machine::{Finding, State};
use std::time::Duration;

pub(super) fn findings(machine: &Native, environment: &Environment) -> Vec<Finding> {
    let mut findings = vec![
        request(machine, environment),
        administrator(environment),
        plan(environment),
    ];
    if let Some(version) = environment.wine.as_deref().filter(|&wine| wine != "none") {
        let effect = format!("this Windows is Wine {version}: its timers are another system's");
        findings.push(Finding::new("system", State::Limited, effect, None));
    }
    findings
}

/// Tried, and taken back.
fn request(machine: &Native, environment: &Environment) -> Finding {
    const WHAT: &str = "interval";
    let Some(nanos) = environment.timer_interval_minimum_ns else {
        return Finding::new(WHAT, State::Unknown, "the system does not tell", None);
    };
    let win32 = machine.win32();
    let request = Request::of(Duration::from_nanos(nanos));
    let attempt = request.begin(win32).and_then(|()| request.end(win32));
    let effect = format!(
        "interrupts can be asked for every {:?} (--request, resolution hold)",
        Duration::from_nanos(nanos)
    );
    let attempt = attempt.map_err(|error| punctual::Error::system(error.to_string()));
    Finding::attempted(WHAT, attempt, effect, None)
}

fn administrator(environment: &Environment) -> Finding {
    const WHAT: &str = "administrator";
    match environment.superuser {
        Some(true) => Finding::good(WHAT, "powercfg /energy can say who asks for an interval"),
        _ => Finding::new(
            WHAT,
            State::Limited,
            "who asks for an interval is told to administrators only (resolution who)",
            Some("powershell Start-Process cmd -Verb RunAs"),
        ),
    }
}

fn plan(environment: &Environment) -> Finding {
    const WHAT: &str = "power plan";
    match environment.power_plan.as_deref() {
        Some(plan @ ("High performance" | "Ultimate Performance")) => Finding::good(WHAT, plan),
        Some(plan) => Finding::new(
            WHAT,
            State::Limited,
            format!("{plan}: idle processors sleep deeply and begin slowly"),
            // The alias of the plan for high performance, in every language.
            Some("powercfg /setactive SCHEME_MIN"),
        ),
        None => Finding::new(WHAT, State::Unknown, "the system does not tell", None),
    }
}
