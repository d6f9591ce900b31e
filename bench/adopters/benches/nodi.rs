//! How far the time between two notes of nodi's is off the milliseconds that it should be, in three seconds.

use midly::MidiMessage;
use nodi::timers::Ticker;
use nodi::{Connection, Event, MidiEvent, Moment, Player};
use std::time::Instant;

struct Played(Vec<Instant>);

impl Connection for Played {
    fn play(&mut self, _: MidiEvent) -> bool {
        self.0.push(Instant::now());
        true
    }
}

fn main() {
    let period: u32 = std::env::args().nth(1).and_then(|given| given.parse().ok()).expect("milliseconds");
    let message = MidiMessage::NoteOn { key: 60.into(), vel: 64.into() };
    let note = MidiEvent { channel: 0.into(), message };
    let moment = Moment { events: vec![Event::Midi(note)] };
    // One tick per beat.
    let timer = Ticker::with_initial_tempo(1, period * 1000);
    let mut player = Player::new(timer, Played(Vec::new()));
    player.play(&vec![moment; (3000 / period) as usize]);
    let off: Vec<i128> = player.con.0.windows(2).skip(1).map(|pair| {
        (pair[1] - pair[0]).as_nanos().cast_signed() - i128::from(period) * 1_000_000
    }).map(i128::abs).collect();
    println!("{{\"late\": {off:?}}}");
}
