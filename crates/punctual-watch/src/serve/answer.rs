//! Answers to requests: which are taken at all, and what each path gets.

use super::health::Health;
use super::limits::FRESH;
use super::recordings::{self, Missing};
use super::route::{Route, is_here};
use crate::board::Board;
use crate::exposition::Format;
use crate::faults::Fault;
use crate::history::History;
use crate::late::Lates;
use crate::locked;
use crate::page::page;
use http_body_util::Full;
use hyper::body::{Body, Bytes};
use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};
use hyper::http::request::Parts;
use hyper::{Method, Request, Response, StatusCode, Version};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Instant, SystemTime};

/// What is answered with.
#[derive(Debug)]
pub struct Shown {
    board: Arc<Board>,
    cache: Cache,
    health: Health,
    history: History,
}

impl Shown {
    pub fn new(board: Arc<Board>) -> Self {
        Self {
            history: History::from_now(&board),
            board,
            cache: Cache::default(),
            health: Health::new(Instant::now()),
        }
    }

    /// Another board takes the place of this one.
    pub fn show(&mut self, board: Arc<Board>) {
        self.history.go_on_with(&board);
        self.cache = Cache::default();
        self.health = Health::new(Instant::now());
        self.board = board;
    }

    /// Another minute of the last hour is over.
    pub fn minute(&mut self) {
        self.history.minute(&self.board);
        // It learns since when nothing has been counted. Whoever asks is told.
        let _ = self.health.check(&self.board, Instant::now());
    }
}

/// The media types of what is told.
const TEXT: &str = "text/plain; charset=utf-8";
const HTML: &str = "text/html; charset=utf-8";
const JSON: &str = "application/json";
const FILE: &str = "application/octet-stream";

/// What every answer says: nothing keeps it, guesses what it is, or shows it inside another page, and no page loads
/// anything or runs a script.
const ALWAYS: [(HeaderName, &str); 5] = [
    (header::CACHE_CONTROL, "no-store"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
];

/// The answer to a request.
pub async fn answer(
    request: Request<impl Body>,
    is_loopback: bool,
    shown: &Mutex<Shown>,
) -> Response<Full<Bytes>> {
    let has_body = !request.body().is_end_stream();
    let (request, _) = request.into_parts();
    let mut answer = match refusal(&request, has_body, is_loopback) {
        Some((status, why)) => {
            if status == StatusCode::FORBIDDEN {
                let faults = Arc::clone(&locked(shown).board.faults);
                faults.happened(Fault::Client, why);
            }
            told(status, TEXT, format!("{why}\n"))
        }
        None => tell(&request, shown).await,
    };
    if has_body {
        // The rest of the body is not read.
        let close = HeaderValue::from_static("close");
        answer.headers_mut().insert(header::CONNECTION, close);
    }
    for (name, value) in ALWAYS {
        let value = HeaderValue::from_static(value);
        answer.headers_mut().insert(name, value);
    }
    answer
}

/// Why a request is not answered, whatever it asks for.
fn refusal(
    request: &Parts,
    has_body: bool,
    is_loopback: bool,
) -> Option<(StatusCode, &'static str)> {
    if ![Method::GET, Method::HEAD].contains(&request.method) {
        return Some((
            StatusCode::METHOD_NOT_ALLOWED,
            "nothing can be written here: only GET and HEAD are answered",
        ));
    }
    if has_body {
        return Some((StatusCode::BAD_REQUEST, "a request must have no body"));
    }
    let Ok(host) = host(request) else {
        return Some((
            StatusCode::BAD_REQUEST,
            "a request must have one header Host",
        ));
    };
    let is_foreign = is_loopback && host.is_some_and(|host| !is_here(host));
    is_foreign.then_some((
        StatusCode::FORBIDDEN,
        "on the loopback address only localhost and addresses are answered, not other names: ask for 127.0.0.1",
    ))
}

/// Whom a request names. HTTP/1.0 need not name anyone, and browsers do not speak it.
fn host(request: &Parts) -> Result<Option<&str>, ()> {
    if let Some(authority) = request.uri.authority() {
        return Ok(Some(authority.as_str()));
    }
    let mut hosts = request.headers.get_all(header::HOST).iter();
    match (hosts.next(), hosts.next()) {
        (Some(host), None) => host.to_str().map(Some).map_err(|_| ()),
        (None, _) if request.version == Version::HTTP_10 => Ok(None),
        _ => Err(()),
    }
}

async fn tell(request: &Parts, shown: &Mutex<Shown>) -> Response<Full<Bytes>> {
    let Some(route) = Route::of(request.uri.path()) else {
        return unknown();
    };
    match route {
        Route::Page => {
            let shown = locked(shown);
            let html = page(&shown.board, &shown.history, SystemTime::now());
            told(StatusCode::OK, HTML, html)
        }
        Route::Metrics => {
            let format = Format::accepted(&accept(&request.headers));
            let mut shown = locked(shown);
            let Shown { board, cache, .. } = &mut *shown;
            let bytes = cache.get(format, board, Instant::now());
            let mut answer = told(StatusCode::OK, format.media_type(), bytes);
            let vary = HeaderValue::from_static("accept");
            answer.headers_mut().insert(header::VARY, vary);
            answer
        }
        Route::Health => {
            let mut shown = locked(shown);
            let Shown { board, health, .. } = &mut *shown;
            match health.check(board, Instant::now()) {
                Ok(()) => told(StatusCode::OK, TEXT, "ok\n"),
                Err(why) => told(StatusCode::SERVICE_UNAVAILABLE, TEXT, format!("{why}\n")),
            }
        }
        Route::Lates => told(
            StatusCode::OK,
            JSON,
            recordings::list(lates(shown).as_deref()),
        ),
        Route::Recording(id) => {
            let name = format!("{id}.trace");
            let path = lates(shown).and_then(|lates| lates.saved.recording_path(id));
            file(path, &name).await
        }
        Route::Perfetto(id) => {
            let name = format!("{id}.perfetto-trace");
            let path = lates(shown).and_then(|lates| lates.saved.perfetto_path(id));
            file(path, &name).await
        }
    }
}

fn lates(shown: &Mutex<Shown>) -> Option<Arc<Lates>> {
    locked(shown).board.lates.clone()
}

/// A file to download.
async fn file(path: Option<PathBuf>, name: &str) -> Response<Full<Bytes>> {
    match recordings::read(path).await {
        Ok(bytes) => {
            let mut answer = told(StatusCode::OK, FILE, bytes);
            // Ids are letters, digits and hyphens.
            if let Ok(value) = HeaderValue::from_str(&format!("attachment; filename=\"{name}\"")) {
                answer
                    .headers_mut()
                    .insert(header::CONTENT_DISPOSITION, value);
            }
            answer
        }
        Err(Missing::Unknown) => unknown(),
        Err(Missing::Busy) => {
            let why = "others are downloading recordings: try again in a few seconds\n";
            let mut answer = told(StatusCode::SERVICE_UNAVAILABLE, TEXT, why);
            let seconds = HeaderValue::from_static("5");
            answer.headers_mut().insert(header::RETRY_AFTER, seconds);
            answer
        }
        Err(Missing::Unreadable(why)) => told(
            StatusCode::INTERNAL_SERVER_ERROR,
            TEXT,
            format!("the recording cannot be read: {why}\n"),
        ),
    }
}

fn unknown() -> Response<Full<Bytes>> {
    let there_is = "there is /, /metrics, /healthz, /late, and what these lead to\n";
    told(StatusCode::NOT_FOUND, TEXT, there_is)
}

/// All that a client accepts. It may say so in several headers.
fn accept(headers: &HeaderMap) -> String {
    let said = headers.get_all(header::ACCEPT).iter();
    let said: Vec<_> = said.filter_map(|said| said.to_str().ok()).collect();
    said.join(",")
}

fn told(
    status: StatusCode,
    media_type: &'static str,
    bytes: impl Into<Bytes>,
) -> Response<Full<Bytes>> {
    let mut answer = Response::new(Full::new(bytes.into()));
    *answer.status_mut() = status;
    let media_type = HeaderValue::from_static(media_type);
    answer
        .headers_mut()
        .insert(header::CONTENT_TYPE, media_type);
    if status == StatusCode::METHOD_NOT_ALLOWED {
        let methods = HeaderValue::from_static("GET, HEAD");
        answer.headers_mut().insert(header::ALLOW, methods);
    }
    answer
}

/// An exposition of each format, and when it was made.
#[derive(Debug, Default)]
pub struct Cache {
    text: Option<(Instant, Bytes)>,
    openmetrics: Option<(Instant, Bytes)>,
}

impl Cache {
    /// An exposition that is fresh.
    pub fn get(&mut self, format: Format, board: &Arc<Board>, now: Instant) -> Bytes {
        let kept = match format {
            Format::PrometheusText => &mut self.text,
            Format::OpenMetrics => &mut self.openmetrics,
        };
        match kept {
            Some((made, bytes)) if now.saturating_duration_since(*made) < FRESH => bytes.clone(),
            _ => {
                let bytes = Bytes::from(format.encode(board));
                *kept = Some((now, bytes.clone()));
                bytes
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;
    use std::sync::atomic::Ordering::Relaxed;

    #[test]
    fn what_is_fresh_is_encoded_once() {
        let board = Arc::new(sample::board());
        let mut cache = Cache::default();
        let now = Instant::now();
        let first = cache.get(Format::OpenMetrics, &board, now);
        board.series[0].missed.fetch_add(1, Relaxed);
        assert_eq!(
            first,
            cache.get(Format::OpenMetrics, &board, now + FRESH / 2)
        );
        assert_ne!(first, cache.get(Format::PrometheusText, &board, now));
        assert_ne!(first, cache.get(Format::OpenMetrics, &board, now + FRESH));
    }
}
