//! One connection, within its limits.

use super::Stream;
use super::answer::{Shown, answer};
use super::limits::{BUFFER_BYTES, HEADER_BYTES, HEADER_TIME, HEADERS, LAST_ANSWER, WRITE_TIME};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::convert::Infallible;
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::time::timeout;
use tokio_io_timeout::TimeoutStream;

/// Answers one client until it leaves or is closed. After this time it is closed between two answers, as Prometheus
/// and browsers expect of a server.
///
/// # Errors
/// Why it was closed, if that was the client's doing.
pub async fn serve(
    stream: Stream,
    is_loopback: bool,
    shown: Arc<Mutex<Shown>>,
    time: Duration,
) -> Result<(), String> {
    let service = service_fn(|request| {
        let shown = Arc::clone(&shown);
        async move { Ok::<_, Infallible>(answer(request, is_loopback, &shown).await) }
    });
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(WRITE_TIME));
    let stream = TokioIo::new(Box::pin(stream));
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER_TIME)
        .max_headers(HEADERS)
        .max_header_size(HEADER_BYTES)
        .max_buf_size(BUFFER_BYTES)
        .serve_connection(stream, service);
    let mut connection = pin!(connection);
    let ended = match timeout(time, connection.as_mut()).await {
        Ok(ended) => ended,
        Err(_) => {
            connection.as_mut().graceful_shutdown();
            let Ok(ended) = timeout(LAST_ANSWER, connection).await else {
                let seconds = time.as_secs();
                return Err(format!(
                    "a client was closed: it took {seconds} s to read its answer"
                ));
            };
            ended
        }
    };
    match ended {
        // One that waited idly for another question has done nothing wrong.
        Err(error) if !error.is_timeout() => Err(format!("a client was closed: {error}")),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    #[test]
    fn a_client_that_stays_is_closed_between_two_answers_and_did_nothing_wrong() {
        let runtime = super::super::run::runtime().unwrap();
        let shown = Arc::new(Mutex::new(Shown::new(Arc::new(sample::board()))));
        let (ours, mut theirs) = duplex(1 << 16);
        runtime.block_on(async {
            let client = async {
                theirs
                    .write_all(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    .await
                    .unwrap();
                let mut answer = Vec::new();
                // It never asks for the end, and gets it.
                theirs.read_to_end(&mut answer).await.unwrap();
                answer
            };
            let served = serve(Box::pin(ours), true, shown, Duration::from_millis(50));
            let (served, answer) = tokio::join!(served, client);
            assert_eq!(served, Ok(()));
            assert!(answer.starts_with(b"HTTP/1.1 "), "{answer:?}");
        });
    }
}
