//! The interval, its changes, and its requesters; or the facts that matter on a system without one.

use super::{asked, ms, place, title};
use crate::show::confidence;
use punctual_data::quantity::{self, nanos};
use punctual_data::text::Text;
use punctual_lab::Environment;
use punctual_lab::resolution::Observed;
use punctual_lab::resolution::recording::Now;
use std::io;
use std::time::Duration;

/// The width of the longest bar.
const BAR: f64 = 40.0;

/// Writes everything.
pub fn now(out: &mut Text, now: &Now) -> io::Result<()> {
    match &now.interval {
        Some(observed) => interval(out, now, observed)?,
        None => timers(out, &now.environment)?,
    }
    if let Some(confidence) = &now.confidence {
        confidence::write(out, &[("the interval", confidence)])?;
    }
    match &now.requesters {
        Some(requesters) => asked::requesters(out, requesters),
        None if now.interval.is_some() => {
            out.lines("\nto list the requesters: punctual resolution who")
        }
        None => Ok(()),
    }
}

fn interval(out: &mut Text, now: &Now, observed: &Observed) -> io::Result<()> {
    title(out, &format!("Timer interval{}", place(&now.origin)))?;
    for (name, nanos, meaning) in [
        ("maximum", observed.maximum_ns, "without requests"),
        (
            "minimum",
            observed.minimum_ns,
            "the shortest that can be requested",
        ),
        ("current", observed.current_ns, "at the last look"),
    ] {
        writeln!(out, "  {name} {:>10}  {meaning}", ms(nanos))?;
    }
    if let Some(nanos) = now.environment.system_time_increment_ns {
        let told = ms(nanos);
        writeln!(
            out,
            "  GetSystemTimeAdjustment tells {told}, whatever is in force"
        )?;
    }
    let (looks, time) = (observed.looks, nanos(observed.observed_ns));
    title(out, &format!("Read {looks} times in {time}"))?;
    for share in &observed.shares {
        let bar = "█".repeat(bar(share.share));
        let percent = share.share * 100.0;
        let line = format!("  {:>10} {percent:>6.1} %  {bar}", ms(share.interval_ns));
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

/// Every share that occurred is visible.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a share of a bar"
)]
fn bar(share: f64) -> usize {
    (share * BAR).round().max(1.0) as usize
}

/// A system where timers have interrupts of their own.
fn timers(out: &mut Text, environment: &Environment) -> io::Result<()> {
    title(out, "Timers of this machine")?;
    for (name, value) in facts(environment) {
        if let Some(value) = value {
            writeln!(out, "  {name:<15} {value}")?;
        }
    }
    out.lines("\nThere is no timer interval to request.")?;
    if environment.timer_slack_ns.is_some() {
        out.lines(
            "Timer slack is how much later than requested the kernel may end waits, so\n\
             that wake-ups can be shared. Each thread has its own.",
        )?;
    }
    Ok(())
}

fn facts(environment: &Environment) -> [(&'static str, Option<String>); 5] {
    let high_resolution = |high| match high {
        true => "high-resolution: each has an interrupt of its own",
        false => "only at the tick",
    };
    let tick = |hertz: u64| {
        let period = Duration::from_secs(1) / u32::try_from(hertz).unwrap_or(u32::MAX).max(1);
        format!("{hertz} Hz, every {}", quantity::show(period))
    };
    let slack = |ns| match ns {
        0 => "none".to_owned(),
        ns => nanos(ns),
    };
    let sources = environment.clock_sources_available.as_ref();
    [
        (
            "timers",
            environment
                .high_resolution_timers
                .map(high_resolution)
                .map(str::to_owned),
        ),
        ("tick", environment.tick_rate_hertz.map(tick)),
        ("timer slack", environment.timer_slack_ns.map(slack)),
        ("clock source", environment.clock_source.clone()),
        ("available", sources.map(|sources| sources.join(", "))),
    ]
}
