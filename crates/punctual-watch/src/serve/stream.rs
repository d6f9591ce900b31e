//! A connection, of whatever kind.

use std::pin::Pin;
use tokio::io::{AsyncRead, AsyncWrite};

/// Both ways of a connection.
pub trait Both: AsyncRead + AsyncWrite + Send {}

impl<T: AsyncRead + AsyncWrite + Send> Both for T {}

/// A connection: TCP's, or a Unix socket's.
pub type Stream = Pin<Box<dyn Both>>;
