//! Listening: TCP and Unix sockets.

use super::Stream;
use super::os::UnixSocket;
use crate::error::Error;
use crate::settings::Address;
use std::io;
use std::net::{SocketAddr, TcpListener as StdListener};
use tokio::net::TcpListener;

/// Sockets that are bound, but of which nothing accepts yet.
pub struct Bound {
    sockets: Vec<Socket>,
}

enum Socket {
    Tcp(StdListener, SocketAddr),
    Unix(UnixSocket),
}

/// A socket of which connections are accepted.
pub enum Listener {
    Tcp(TcpListener),
    Unix(UnixSocket),
}

/// Listens at all addresses, or at none.
pub fn all(addresses: &[Address]) -> Result<Bound, Error> {
    let sockets = addresses.iter().map(|at| {
        one(at).map_err(|error| Error::Listen {
            at: at.clone(),
            error,
        })
    });
    Ok(Bound {
        sockets: sockets.collect::<Result<_, _>>()?,
    })
}

fn one(address: &Address) -> io::Result<Socket> {
    match address {
        Address::Tcp(address) => {
            let listener = StdListener::bind(address)?;
            listener.set_nonblocking(true)?;
            let address = listener.local_addr()?;
            Ok(Socket::Tcp(listener, address))
        }
        Address::Unix(path) => UnixSocket::bind(path).map(Socket::Unix),
    }
}

impl Bound {
    /// Where they listen.
    pub fn addresses(&self) -> Vec<Address> {
        let address = |socket: &Socket| match socket {
            Socket::Tcp(_, address) => Address::Tcp(*address),
            Socket::Unix(socket) => Address::Unix(socket.path().to_owned()),
        };
        self.sockets.iter().map(address).collect()
    }

    /// Makes them the runtime's. It must be called in one.
    pub fn listen(self) -> io::Result<Vec<Listener>> {
        let listener = |socket| match socket {
            Socket::Tcp(listener, _) => TcpListener::from_std(listener).map(Listener::Tcp),
            Socket::Unix(mut socket) => socket.listen().map(|()| Listener::Unix(socket)),
        };
        self.sockets.into_iter().map(listener).collect()
    }
}

impl Listener {
    /// The next connection, and whether only this machine can have made it by its loopback address.
    pub async fn accept(&self) -> io::Result<(Stream, bool)> {
        match self {
            Self::Tcp(listener) => {
                let (stream, _) = listener.accept().await?;
                let is_loopback = stream.local_addr()?.ip().to_canonical().is_loopback();
                Ok((Box::pin(stream), is_loopback))
            }
            Self::Unix(socket) => Ok((socket.accept().await?, false)),
        }
    }
}
