//! Asks Prometheus over HTTP.

use crate::fleet::address::Address;
use crate::fleet::error::Error;
use crate::fleet::reply::{self, Sample, Wrong};
use std::time::Duration;
use ureq::Agent;

/// A peer that does not accept a connection within this time is not there.
const CONNECTING: Duration = Duration::from_secs(10);
/// Prometheus gives up a question after two minutes (`--query.timeout`), and what stands before it may after longer.
const ANSWERING: Duration = Duration::from_secs(300);
/// Far above the answer for one batch of machines, which is about 200 kB.
const LONGEST_ANSWER: u64 = 256 << 20;
/// How much of a strange answer is quoted.
const QUOTED: usize = 80;

/// Who answers questions about one instant.
pub trait Ask {
    /// The answer to a question in PromQL at an instant, in seconds since 1970 UTC; `None` for now.
    fn ask(&self, question: &str, at: Option<f64>) -> Result<Vec<Sample>, Error>;
}

/// A Prometheus that answers over HTTP.
#[derive(Debug)]
pub struct Prometheus {
    address: Address,
    agent: Agent,
}

impl Prometheus {
    /// The one at this address. Nothing is asked yet.
    pub fn at(address: Address) -> Self {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .timeout_connect(Some(CONNECTING))
            .timeout_global(Some(ANSWERING))
            .user_agent(concat!("punctual-watch/", env!("CARGO_PKG_VERSION")));
        Self {
            address,
            agent: config.build().into(),
        }
    }

    fn unreachable(&self, error: &ureq::Error) -> Error {
        let why = match error {
            ureq::Error::Timeout(_) => format!(
                "no answer within {} s ({error}); a shorter window asks less of it",
                ANSWERING.as_secs()
            ),
            error => error.to_string(),
        };
        Error::Unreachable {
            address: self.address.to_string(),
            why,
        }
    }
}

impl Ask for Prometheus {
    fn ask(&self, question: &str, at: Option<f64>) -> Result<Vec<Sample>, Error> {
        // By POST, because a question that names many machines is longer than some proxies let addresses be.
        let request = self.agent.post(self.address.of("query"));
        let at = at.map(|seconds| format!("{seconds:.3}"));
        let mut form = vec![("query", question)];
        form.extend(at.as_deref().map(|at| ("time", at)));
        let mut answer = request
            .send_form(form)
            .map_err(|error| self.unreachable(&error))?;
        let status = answer.status();
        let body = answer.body_mut().with_config().limit(LONGEST_ANSWER);
        let bytes = body
            .read_to_vec()
            .map_err(|error| self.unreachable(&error))?;
        reply::read(&bytes).map_err(|wrong| match wrong {
            Wrong::Refused(kind, message) => Error::Refused { kind, message },
            Wrong::Form(problem) => {
                let beginning = String::from_utf8_lossy(&bytes);
                let beginning: String = beginning.trim().chars().take(QUOTED).collect();
                Error::Foreign {
                    address: self.address.to_string(),
                    why: format!("status {status}, {problem}, in `{beginning}`"),
                }
            }
        })
    }
}
