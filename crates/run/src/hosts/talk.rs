//! One side of a connection between a head and an agent: what it says, what it hears, and whether the other one lives.

use farside_link::{BEAT, SILENCE, Wire};
use serde::{Serialize, de::DeserializeOwned};
use std::io::{self, ErrorKind};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// How long one look waits, where nothing is known to be there.
pub(super) const LOOK: Duration = Duration::from_millis(25);

/// What a silence must last longer, on a machine that runs: one that was paused hears nothing either.
const DOUBT: Duration = Duration::from_secs(1);

/// A connection that was greeted.
#[derive(Debug)]
pub(super) struct Talk {
    wire: Wire<TcpStream>,
    heard: Instant,
    spoken: Instant,
    /// Since when the other side is believed to be silent.
    doubted: Option<Instant>,
}

impl Talk {
    pub(super) fn new(wire: Wire<TcpStream>) -> Self {
        Self {
            wire,
            heard: Instant::now(),
            spoken: Instant::now(),
            doubted: None,
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
            self.doubted = None;
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
        let is_silent = self.heard.elapsed() >= SILENCE;
        if is_silent && self.doubted.get_or_insert_with(Instant::now).elapsed() >= DOUBT {
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
        let silent = match self.doubted {
            Some(since) => DOUBT.saturating_sub(since.elapsed()),
            None => SILENCE.saturating_sub(self.heard.elapsed()),
        };
        BEAT.saturating_sub(self.spoken.elapsed()).min(silent)
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

    fn ago(time: Duration) -> Instant {
        Instant::now().checked_sub(time).unwrap()
    }

    #[test]
    fn a_machine_that_was_paused_takes_nobody_for_silent() {
        let (mut one, mut other) = pair();
        // Neither has run for a long time: both speak first.
        for side in [&mut one, &mut other] {
            (side.heard, side.spoken) = (ago(SILENCE), ago(SILENCE));
            side.beat(&1_u8).unwrap();
        }
        one.hear().unwrap();
        assert_eq!(one.next::<u8>().unwrap(), Some(1));
        assert!(one.doubted.is_none() && one.until_beat() > DOUBT);
    }

    #[test]
    fn who_says_nothing_is_given_up() {
        let (mut one, _other) = pair();
        one.heard = ago(SILENCE);
        one.beat(&1_u8).unwrap();
        one.hear().unwrap();
        one.doubted = Some(ago(DOUBT));
        let error = one.beat(&1_u8).unwrap_err();
        assert_eq!(error.to_string(), "nothing was heard of it for 10 s");
    }
}
