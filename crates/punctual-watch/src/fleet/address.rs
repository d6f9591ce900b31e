//! Where Prometheus answers.

use std::fmt;
use std::str::FromStr;
use ureq::http::Uri;

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
