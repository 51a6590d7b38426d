//! Whether the other side of a connection lives.

use crate::SILENCE;
use std::io::{self, ErrorKind};
use std::time::{Duration, Instant};

/// What a silence must last longer, on a machine that runs: one that was paused hears nothing either.
const DOUBT: Duration = Duration::from_secs(1);

/// When the other side was heard last.
#[derive(Clone, Copy, Debug)]
pub struct Heard {
    last: Instant,
    /// Since when it is believed to be silent.
    doubted: Option<Instant>,
}

impl Heard {
    /// It is heard now.
    #[must_use]
    pub fn now() -> Self {
        Self {
            last: Instant::now(),
            doubted: None,
        }
    }

    /// Gives the other side up when it was silent for [`SILENCE`]. Call it after looking whether something has come.
    ///
    /// # Errors
    /// It is given up.
    pub fn check(&mut self) -> io::Result<()> {
        let is_silent = self.last.elapsed() >= SILENCE;
        if is_silent && self.doubted.get_or_insert_with(Instant::now).elapsed() >= DOUBT {
            let silence = format!("nothing was heard of it for {} s", SILENCE.as_secs());
            return Err(io::Error::new(ErrorKind::TimedOut, silence));
        }
        Ok(())
    }

    /// When [`Heard::check`] is due.
    #[must_use]
    pub fn until_check(&self) -> Duration {
        match self.doubted {
            Some(since) => DOUBT.saturating_sub(since.elapsed()),
            None => SILENCE.saturating_sub(self.last.elapsed()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ago(time: Duration) -> Instant {
        Instant::now().checked_sub(time).unwrap()
    }

    #[test]
    fn a_silence_is_doubted_first() {
        let mut heard = Heard::now();
        heard.check().unwrap();
        assert!(heard.until_check() > SILENCE - DOUBT && heard.doubted.is_none());
        // Neither side has run for a long time.
        heard.last = ago(SILENCE);
        assert_eq!(heard.until_check(), Duration::ZERO);
        heard.check().unwrap();
        assert!(!heard.until_check().is_zero() && heard.until_check() <= DOUBT);
        heard.check().unwrap();
    }

    #[test]
    fn who_says_nothing_is_given_up() {
        let mut heard = Heard {
            last: ago(SILENCE),
            doubted: Some(ago(DOUBT)),
        };
        let error = heard.check().unwrap_err();
        assert_eq!(error.to_string(), "nothing was heard of it for 10 s");
        assert_eq!(error.kind(), ErrorKind::TimedOut);
    }
}
