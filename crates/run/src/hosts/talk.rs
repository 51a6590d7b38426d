//! One side of a connection between a head and an agent: what it says, what it hears, and whether the other one lives.

use farside_link::{BEAT, SILENCE, Wire};
use serde::{Serialize, de::DeserializeOwned};
use std::io::{self, ErrorKind};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// How long one look waits, where nothing is known to be there.
pub(super) const LOOK: Duration = Duration::from_millis(25);

/// A connection that was greeted.
#[derive(Debug)]
pub(super) struct Talk {
    wire: Wire<TcpStream>,
    heard: Instant,
    spoken: Instant,
}

impl Talk {
    pub(super) fn new(wire: Wire<TcpStream>) -> Self {
        Self {
            wire,
            heard: Instant::now(),
            spoken: Instant::now(),
        }
    }

    /// To wait for.
    pub(super) fn stream(&self) -> &TcpStream {
        self.wire.stream()
    }

    /// Says something.
    ///
    /// # Errors
    /// The other side is gone.
    pub(super) fn say(&mut self, message: &impl Serialize) -> io::Result<()> {
        self.spoken = Instant::now();
        self.wire.send(message)
    }

    /// Takes in what has come.
    ///
    /// # Errors
    /// The other side is gone.
    pub(super) fn hear(&mut self) -> io::Result<()> {
        if self.wire.receive()? {
            self.heard = Instant::now();
        }
        Ok(())
    }

    /// The next message of what has come.
    ///
    /// # Errors
    /// It is none.
    pub(super) fn next<In: DeserializeOwned>(&mut self) -> io::Result<Option<In>> {
        self.wire.next()
    }

    /// Says that we live, if nothing was said for a while.
    ///
    /// # Errors
    /// The other side is gone, or was not heard for too long.
    pub(super) fn beat(&mut self, alive: &impl Serialize) -> io::Result<()> {
        if self.heard.elapsed() >= SILENCE {
            let silence = format!("nothing was heard of it for {} s", SILENCE.as_secs());
            return Err(io::Error::new(ErrorKind::TimedOut, silence));
        }
        if self.spoken.elapsed() >= BEAT {
            self.say(alive)?;
        }
        Ok(())
    }

    /// When [`Talk::beat`] is due.
    pub(super) fn until_beat(&self) -> Duration {
        let silent = SILENCE.saturating_sub(self.heard.elapsed());
        BEAT.saturating_sub(self.spoken.elapsed()).min(silent)
    }
}
