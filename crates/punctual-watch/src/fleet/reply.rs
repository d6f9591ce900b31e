//! What Prometheus answers to a question about one instant, read.

use serde::Deserialize;
use std::collections::BTreeMap;

/// A series of the answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    /// Its labels.
    pub labels: BTreeMap<String, String>,
    /// Its value.
    pub value: Value,
}

/// The value of a series.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A number.
    Number(f64),
    /// A native histogram: the upper bound of each bucket, and how many are in it alone.
    Histogram(Vec<(f64, f64)>),
}

/// What was wrong with an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wrong {
    /// It is an error, well said: kind and message.
    Refused(String, String),
    /// It is not of the interface's form.
    Form(String),
}

#[derive(Deserialize)]
struct Reply {
    status: String,
    #[serde(default)]
    data: Option<Data>,
    #[serde(default, rename = "errorType")]
    kind: String,
    #[serde(default)]
    error: String,
}

#[derive(Deserialize)]
#[serde(tag = "resultType", content = "result", rename_all = "lowercase")]
enum Data {
    Vector(Vec<Series>),
    Scalar(Point),
}

#[derive(Deserialize)]
struct Series {
    metric: BTreeMap<String, String>,
    value: Option<Point>,
    histogram: Option<(f64, Buckets)>,
}

#[derive(Deserialize)]
struct Buckets {
    #[serde(default)]
    buckets: Vec<(u8, String, String, String)>,
}

/// A time and a value as text.
type Point = (f64, String);

/// Reads the answer to a question about one instant.
///
/// <https://prometheus.io/docs/prometheus/latest/querying/api/#instant-queries>
pub fn read(bytes: &[u8]) -> Result<Vec<Sample>, Wrong> {
    let reply: Reply =
        serde_json::from_slice(bytes).map_err(|error| Wrong::Form(error.to_string()))?;
    if reply.status != "success" {
        return Err(Wrong::Refused(reply.kind, reply.error));
    }
    match reply.data {
        None => Err(Wrong::Form("it has no data".to_owned())),
        Some(Data::Scalar((_, text))) => Ok(vec![Sample {
            labels: BTreeMap::new(),
            value: Value::Number(number(&text)?),
        }]),
        Some(Data::Vector(series)) => series.into_iter().map(sample).collect(),
    }
}

fn sample(series: Series) -> Result<Sample, Wrong> {
    let value = match (series.value, series.histogram) {
        (Some((_, text)), _) => Value::Number(number(&text)?),
        (None, Some((_, found))) => {
            let single = |(_, _, upper, count): &(u8, String, String, String)| {
                Ok((number(upper)?, number(count)?))
            };
            let buckets: Result<_, Wrong> = found.buckets.iter().map(single).collect();
            Value::Histogram(buckets?)
        }
        (None, None) => return Err(Wrong::Form("a series has no value".to_owned())),
    };
    Ok(Sample {
        labels: series.metric,
        value,
    })
}

/// A number as Prometheus writes it: `+Inf` and `NaN` are some.
pub fn number(text: &str) -> Result<f64, Wrong> {
    let wrong = || Wrong::Form(format!("`{text}` is no number"));
    text.parse().map_err(|_| wrong())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbers_and_histograms_are_read() {
        let text = r#"{"status":"success","data":{"resultType":"vector","result":[
            {"metric":{"instance":"a","le":"+Inf"},"value":[1.5,"12"]},
            {"metric":{"instance":"b"},"histogram":[1,{"count":"3","sum":"4.5","buckets":[
                [0,"0","0.001","1"],[0,"0.001","+Inf","2"]]}]}]}}"#;
        let found = read(text.as_bytes()).unwrap();
        assert_eq!(found[0].value, Value::Number(12.0));
        assert_eq!(found[0].labels["le"], "+Inf");
        let buckets = vec![(0.001, 1.0), (f64::INFINITY, 2.0)];
        assert_eq!(found[1].value, Value::Histogram(buckets));
        let scalar = r#"{"status":"success","data":{"resultType":"scalar","result":[1.5,"7"]}}"#;
        assert_eq!(
            read(scalar.as_bytes()).unwrap()[0].value,
            Value::Number(7.0)
        );
    }

    #[test]
    fn an_error_is_one_and_another_page_is_none() {
        let refused = r#"{"status":"error","errorType":"timeout","error":"query timed out"}"#;
        let said = Wrong::Refused("timeout".to_owned(), "query timed out".to_owned());
        assert_eq!(read(refused.as_bytes()), Err(said));
        for text in ["", "<html>", "[]", r#"{"status":"success"}"#] {
            assert!(
                matches!(read(text.as_bytes()), Err(Wrong::Form(_))),
                "{text}"
            );
        }
    }

    proptest! {
        #[test]
        fn no_bytes_break_it(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = read(&bytes);
        }

        #[test]
        fn no_values_break_it(time in any::<f64>(), value in ".*", upper in ".*") {
            let text = serde_json::json!({"status": "success", "data": {"resultType": "vector", "result": [
                {"metric": {}, "value": [time, value]},
                {"metric": {}, "histogram": [0, {"buckets": [[0, "0", upper, "1"]]}]},
            ]}});
            let _ = read(text.to_string().as_bytes());
        }
    }
}
