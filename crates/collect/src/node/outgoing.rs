//! What all threads of a collector send by, and one of its own that says that the collector lives.

use crate::frame::{ToFront, Wire};
use farside_link::BEAT;
use std::io;
use std::net::TcpStream;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

/// Between two looks whether there is still somebody who sends.
const PAUSE: Duration = Duration::from_millis(200);

/// The way to the front.
#[derive(Clone, Debug)]
pub(super) struct Outgoing(Arc<Mutex<Way>>);

#[derive(Debug)]
struct Way {
    wire: Wire<TcpStream>,
    spoken: Instant,
}

impl Outgoing {
    /// By this connection.
    ///
    /// # Errors
    /// There is no thread.
    pub(super) fn new(wire: Wire<TcpStream>) -> io::Result<Self> {
        let spoken = Instant::now();
        let way = Arc::new(Mutex::new(Way { wire, spoken }));
        let weak = Arc::downgrade(&way);
        std::thread::Builder::new().spawn(move || beat(&weak))?;
        Ok(Self(way))
    }

    /// Sends a message, when those that are being sent are on their way.
    ///
    /// # Errors
    /// The front is gone.
    pub(super) fn send(&self, message: &ToFront) -> io::Result<()> {
        enter(&self.0).send(message)
    }
}

fn enter(way: &Mutex<Way>) -> MutexGuard<'_, Way> {
    way.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Way {
    fn send(&mut self, message: &ToFront) -> io::Result<()> {
        self.spoken = Instant::now();
        self.wire.send(message)
    }
}

/// Says that the collector lives when nothing else was said, until nobody sends any more, or the front is gone.
fn beat(way: &Weak<Mutex<Way>>) {
    while let Some(way) = way.upgrade() {
        let mut open = enter(&way);
        if open.spoken.elapsed() >= BEAT && open.send(&ToFront::Alive).is_err() {
            return;
        }
        drop(open);
        // While this one sleeps, the last of the others closes the connection.
        drop(way);
        std::thread::sleep(PAUSE);
    }
}
