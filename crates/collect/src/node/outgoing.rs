//! What all threads of a collector send by.

use crate::frame::{ToFront, Wire};
use std::io;
use std::net::TcpStream;
use std::sync::{Arc, Mutex, PoisonError};

/// The way to the front.
#[derive(Clone, Debug)]
pub(super) struct Outgoing(Arc<Mutex<Wire<TcpStream>>>);

impl Outgoing {
    /// By this connection.
    pub(super) fn new(wire: Wire<TcpStream>) -> Self {
        Self(Arc::new(Mutex::new(wire)))
    }

    /// Sends a message, when those that are being sent are on their way.
    ///
    /// # Errors
    /// The front is gone.
    pub(super) fn send(&self, message: &ToFront) -> io::Result<()> {
        let mut wire = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        wire.send(message)
    }
}
