//! The adapter on both flavours of tokio's runtime. No test depends on how late anything is.

mod cancelling;
mod flavours;
mod intervals;
mod os;
mod paused;
mod turns;
