//! Where Prometheus answers.

use std::fmt;
use std::str::FromStr;

/// The address of a Prometheus, or of what answers as it does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address(String);

impl Address {
    /// The address of a path of its HTTP interface.
    pub fn of(&self, path: &str) -> String {
        format!("{}/api/v1/{path}", self.0)
    }
}

impl fmt::Display for Address {
    /// Without a name and a password.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (scheme, rest) = self.0.split_once("://").unwrap_or(("", &self.0));
        let (authority, path) = match rest.find('/') {
            Some(at) => rest.split_at(at),
            None => (rest, ""),
        };
        let host = authority
            .rsplit_once('@')
            .map_or(authority, |(_, host)| host);
        write!(out, "{scheme}://{host}{path}")
    }
}

impl FromStr for Address {
    type Err = String;

    /// Reads `http://HOST:PORT/PREFIX`; the prefix may be missing.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const VALID: &str = "give one such as http://localhost:9090";
        if text.starts_with("https://") {
            return Err(
                "this client speaks no TLS: give the http:// address of a proxy or tunnel on this machine, such as \
                 one of `ssh -L 9090:localhost:9090 HOST`"
                    .to_owned(),
            );
        }
        let Some(rest) = text.strip_prefix("http://") else {
            return Err(format!("it does not begin with http://; {VALID}"));
        };
        if rest.contains(['?', '#']) {
            return Err(format!("it has a question or a fragment; {VALID}"));
        }
        if rest.is_empty() || rest.starts_with('/') {
            return Err(format!("it names no machine; {VALID}"));
        }
        let is_strange = |character: char| {
            character.is_whitespace() || character.is_control() || !character.is_ascii()
        };
        if rest.contains(is_strange) {
            return Err(format!(
                "it has characters that addresses do not have; {VALID}"
            ));
        }
        Ok(Self(text.trim_end_matches('/').to_owned()))
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
            ("http://", "names no machine"),
            ("http:///a", "names no machine"),
            ("http://a?b=c", "question"),
            ("http://a b", "characters"),
        ] {
            let refused = text.parse::<Address>().unwrap_err();
            assert!(refused.contains(said), "{text}: {refused}");
        }
    }
}
