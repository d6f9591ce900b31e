//! Answers for a machine that is not there, to look at the page: `made_up [ADDRESS]`, until it is killed.
//!
//! The page needs a minute before it has a first minute; give `--hour` to make up an hour at once, on standard output.

use punctual_watch::board::Board;
use punctual_watch::history::History;
use punctual_watch::page::page;
use punctual_watch::sample;
use punctual_watch::serve::Server;
use punctual_watch::settings::Address;
use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, SystemTime};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let board = Arc::new(sample::board_with_late_wake_up(folder.path())?);
    let argument = std::env::args().nth(1);
    if argument.as_deref() == Some("--hour") {
        print!("{}", hour(&board));
        return Ok(());
    }
    let address = argument.unwrap_or_else(|| "127.0.0.1:9836".to_owned());
    let server = Server::bind(&[Address::Tcp(address.parse()?)], board)?;
    for address in server.addresses() {
        println!("http://{address}/");
    }
    loop {
        std::thread::park();
    }
}

/// The page after an hour that gets worse in its second half.
fn hour(board: &Arc<Board>) -> String {
    let mut history = History::from_now(board);
    for minute in 0..60_u64 {
        for wait in 0..6_000 {
            let usual = 52_000 + wait * 7_919 % 31_000;
            let worse = u64::from(minute > 30) * minute * 900;
            let rare = u64::from(wait % 997 == 0) * (minute % 7) * 1_100_000;
            board.series[0].wakes.count(usual + worse + rare);
        }
        board.series[0].missed.fetch_add(minute % 7 / 6, Relaxed);
        history.minute(board);
    }
    page(board, &history, SystemTime::now() + Duration::from_secs(1))
}
