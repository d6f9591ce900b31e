//! Labels, with their values escaped: the encoder writes values as they are.

use prometheus_client::encoding::{EncodeLabelValue, LabelValueEncoder};
use punctual_data::escape::label;
use std::fmt::{self, Write};

/// The value of a label: any text.
#[derive(Debug, Clone, Copy)]
pub struct Value<'a>(pub &'a str);

impl EncodeLabelValue for Value<'_> {
    fn encode(&self, encoder: &mut LabelValueEncoder) -> fmt::Result {
        encoder.write_str(&label(self.0))
    }
}
