//! One side of a connection between a head and an agent: what it says, what it hears, and whether the other one lives.

use farside_link::{BEAT, Heard, Wire};
use serde::{Serialize, de::DeserializeOwned};
use std::io;
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// How long one look waits, where nothing is known to be there.
pub(super) const LOOK: Duration = Duration::from_millis(25);

/// A connection that was greeted.
#[derive(Debug)]
pub(super) struct Talk {
    wire: Wire<TcpStream>,
    heard: Heard,
    spoken: Instant,
}

impl Talk {
    pub(super) fn new(wire: Wire<TcpStream>) -> Self {
        Self {
            wire,
            heard: Heard::now(),
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
            self.heard = Heard::now();
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
        self.heard.check()?;
        if self.spoken.elapsed() >= BEAT {
            self.say(alive)?;
        }
        Ok(())
    }

    /// When [`Talk::beat`] is due.
    pub(super) fn until_beat(&self) -> Duration {
        BEAT.saturating_sub(self.spoken.elapsed())
            .min(self.heard.until_check())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    fn pair() -> (Talk, Talk) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let one = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (other, _) = listener.accept().unwrap();
        let talk = |stream| Talk::new(Wire::over(stream, LOOK).unwrap());
        (talk(one), talk(other))
    }

    #[test]
    fn who_has_said_nothing_for_a_while_says_that_it_lives() {
        let (mut one, mut other) = pair();
        one.beat(&1_u8).unwrap();
        one.spoken = Instant::now().checked_sub(BEAT).unwrap();
        assert!(one.until_beat().is_zero());
        one.beat(&2_u8).unwrap();
        assert!(!one.until_beat().is_zero());
        while other.next::<u8>().unwrap() != Some(2) {
            other.hear().unwrap();
        }
    }
}
