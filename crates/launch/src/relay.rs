//! A rendezvous on another host: here is where processes of this host look for it, and how a connection is passed on.
//! What is said over it is carried by who starts them (`farside-run`), byte by byte.
//!
//! Promise: as for [`Server`](crate::Server), processes of other users are turned away over Unix sockets.

use crate::socket::{Address, Listener, Socket, connect};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::Duration;

/// For how long a rendezvous of this host is tried.
const PATIENCE: Duration = Duration::from_secs(5);

/// Where processes of this host look for their rendezvous.
#[derive(Debug)]
pub struct Relay(Listener);

impl Relay {
    /// Listens at an address of this host, which is what `FARSIDE_BOOT` says to its processes.
    ///
    /// # Errors
    /// The address cannot be used.
    pub fn bind(address: &Address) -> io::Result<Self> {
        Listener::bind(address).map(Self)
    }

    /// The next process that looks for the rendezvous, if one waits. Its connection does not wait either.
    #[must_use]
    pub fn accept(&self) -> Option<OwnedFd> {
        loop {
            let socket = self.0.accept().ok()?;
            if socket.is_own_user() {
                return Some(socket.into());
            }
        }
    }
}

impl AsFd for Relay {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

impl From<Socket> for OwnedFd {
    fn from(socket: Socket) -> Self {
        match socket {
            Socket::Unix(stream) => stream.into(),
            Socket::Tcp(stream) => stream.into(),
        }
    }
}

/// A connection with the rendezvous at an address, for a process of another host.
///
/// # Errors
/// Nobody is there.
pub fn reach(address: &Address) -> io::Result<OwnedFd> {
    connect(address, PATIENCE).map(OwnedFd::from)
}
