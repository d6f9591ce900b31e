//! Datagrams over the loopback interface, as fast as they can be sent: each is an interrupt of the
//! network's kind, and most wake their receiver.

use crate::failure::Failure;
use std::net::{Ipv4Addr, UdpSocket};
use std::thread;

/// What fits into a frame of Ethernet.
const BYTES: usize = 1_400;

/// Sends to a thread that receives.
pub fn send() -> Result<(), Failure> {
    let receiver = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?;
    let sender = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?;
    sender.connect(receiver.local_addr()?)?;
    thread::spawn(move || {
        let mut datagram = [0; BYTES];
        while receiver.recv(&mut datagram).is_ok() {}
    });
    loop {
        // Where the receiver is behind, the kernel drops what comes.
        sender.send(&[0; BYTES])?;
    }
}
