//! The time that trials take.
//!
//! It is the processor time of the thread that makes them: what is suggested depends little on what else the machine
//! does. Limit: a moment says nothing in another thread.

use std::ops::Add;
use std::time::Duration;

/// A moment of the calling thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment(Duration);

impl Moment {
    /// This one.
    #[must_use]
    pub fn now() -> Self {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        let seconds = u64::try_from(time.tv_sec).unwrap_or_default();
        let rest = u64::try_from(time.tv_nsec).unwrap_or_default();
        Self(Duration::from_secs(seconds) + Duration::from_nanos(rest))
    }

    /// How much later it is than another one; zero if it is earlier.
    pub(crate) fn after(self, earlier: Self) -> Duration {
        self.0.saturating_sub(earlier.0)
    }

    /// How long ago it is.
    pub(crate) fn elapsed(self) -> Duration {
        Self::now().after(self)
    }
}

impl Add<Duration> for Moment {
    type Output = Self;

    fn add(self, time: Duration) -> Self {
        Self(self.0 + time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_the_thread_does_takes_time() {
        let begin = Moment::now();
        std::thread::sleep(Duration::from_millis(50));
        let slept = begin.elapsed();
        while begin.elapsed() < slept + Duration::from_millis(10) {}
        assert!(slept < Duration::from_millis(50));
        assert!(Moment::now() > begin && begin.after(Moment::now()).is_zero());
    }
}
