//! Asks Prometheus over HTTP.

use crate::fleet::error::Error;
use crate::fleet::reply::{self, Sample, Wrong};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;
use ureq::Agent;
use ureq::http::Uri;

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

/// The address of a Prometheus, or of what answers as it does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address(Uri);

impl Address {
    /// The address of a path of its HTTP interface.
    pub fn of(&self, path: &str) -> String {
        format!("{}/api/v1/{path}", self.0.to_string().trim_end_matches('/'))
    }
}

impl fmt::Display for Address {
    /// Without a name and a password.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let authority = self
            .0
            .authority()
            .map_or("", |authority| authority.as_str());
        let host = authority.rsplit('@').next().unwrap_or_default();
        write!(out, "http://{host}{}", self.0.path().trim_end_matches('/'))
    }
}

impl FromStr for Address {
    type Err = String;

    /// Reads `http://HOST:PORT/PREFIX`; the prefix may be missing.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const VALID: &str = "give one such as http://localhost:9090";
        let uri: Uri = text.parse().map_err(|error| format!("{error}; {VALID}"))?;
        match uri.scheme_str() {
            Some("http") if uri.query().is_some() || text.contains('#') => {
                Err(format!("it has a question or a fragment; {VALID}"))
            }
            Some("http") => Ok(Self(uri)),
            Some("https") => Err(
                "this client speaks no TLS: give the http:// address of a proxy or tunnel on this machine, such as \
                 one of `ssh -L 9090:localhost:9090 HOST`"
                    .to_owned(),
            ),
            _ => Err(format!("it does not begin with http://; {VALID}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prefix_is_kept_and_a_password_is_not_shown() {
        let address: Address = "http://me:secret@host:9090/prometheus/".parse().unwrap();
        assert_eq!(
            address.of("query"),
            "http://me:secret@host:9090/prometheus/api/v1/query"
        );
        assert_eq!(address.to_string(), "http://host:9090/prometheus");
    }

    #[test]
    fn what_is_no_address_is_refused_with_one_that_is() {
        for (text, said) in [
            ("localhost:9090", "http://localhost:9090"),
            ("https://host", "TLS"),
            ("http://", "http://localhost:9090"),
            ("http:///a", "http://localhost:9090"),
            ("http://a?b=c", "question"),
            ("http://a b", "http://localhost:9090"),
            ("http://ä", "http://localhost:9090"),
        ] {
            let refused = text.parse::<Address>().unwrap_err();
            assert!(refused.contains(said), "{text}: {refused}");
        }
    }
}
