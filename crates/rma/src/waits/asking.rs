//! Who asks again and again whether what it waits for is there: a loop with pauses, or an executor that polls a future.

use super::Entered;
use std::time::Duration;

/// The first pause between two questions, and the longest.
const PAUSES: (Duration, Duration) = (Duration::from_nanos(500), Duration::from_micros(50));

/// After so long a wait, pauses grow on: to a part of the time that was waited, of so many.
const STEADY: Duration = Duration::from_secs(1);
const SELDOM: u32 = 64;

/// What is kept from one question to the next.
pub(crate) struct Asking {
    /// When it was first asked.
    began: Option<Duration>,
    waited: Duration,
    /// The next pause.
    pause: Duration,
    /// Others may ask for it.
    open: Option<Entered>,
}

impl Default for Asking {
    fn default() -> Self {
        Self {
            began: None,
            waited: Duration::ZERO,
            pause: PAUSES.0,
            open: None,
        }
    }
}

impl Asking {
    /// It was asked in vain; the time since the first question.
    pub(crate) fn asked(&mut self, now: Duration) -> Duration {
        let began = *self.began.get_or_insert(now);
        self.waited = now.saturating_sub(began);
        self.waited
    }

    /// The time from the first question to the last.
    pub(crate) fn waited(&self) -> Duration {
        self.waited
    }

    /// Whether others may ask for it; then it is what this rank speaks of.
    pub(crate) fn told(&self) -> bool {
        self.open.as_ref().map(Entered::raise).is_some()
    }

    /// Lets others ask for it from here on.
    pub(crate) fn tell(&mut self, enter: impl FnOnce() -> Entered) {
        self.open.get_or_insert_with(enter);
    }

    /// How long to pause now; the next pause is longer.
    pub(crate) fn pause(&mut self) -> Duration {
        let pause = self.pause;
        self.pause = (pause * 2).min(PAUSES.1);
        match self.waited > STEADY {
            true => pause.max(self.waited / SELDOM),
            false => pause,
        }
    }

    /// Pauses are short again.
    pub(crate) fn hurry(&mut self) {
        self.pause = PAUSES.0;
    }
}
