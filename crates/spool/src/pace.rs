//! How far a process may be ahead of who judges it.
//!
//! What is recorded and not yet judged waits on disk. Each process has its share of the room for that. One that has
//! used its share waits until some of it was read.
//!
//! Promise: nobody waits for ever. A process waits only for what it has recorded itself, which its judge can read
//! whatever the others do. It stops waiting if the judge is gone, and once it has waited `PATIENCE` times as long as
//! it has run.

use std::time::{Duration, Instant};

/// The environment variable that says how much may wait, and for whom.
const VARIABLE: &str = "FARSIDE_BACKLOG";
/// No process has less room than this.
const LEAST: u64 = 4 << 20;
/// How much longer than it has run a process has waited at the most: with 3, a quarter of the time is left to it.
const PATIENCE: u32 = 3;
/// Waiting that is free.
const GRACE: Duration = Duration::from_secs(1);
/// Between looks at what was read.
const PAUSE: Duration = Duration::from_millis(1);
/// Looks at what was read between looks at who reads.
const LOOKS: u32 = 100;

/// The pace of a process. See the module's head.
#[derive(Debug)]
pub struct Pace {
    /// Bytes that may wait.
    share: u64,
    /// Process id and start time of who judges.
    judge: (u32, u64),
    began: Instant,
    waited: Duration,
}

/// The variable that processes shall have which this process judges, and its value: `bytes` may wait for all of them
/// together. `None` if nothing is known of this process.
#[must_use]
pub fn variable(bytes: u64) -> Option<(&'static str, String)> {
    let pid = std::process::id();
    let started = farside_processes::start_time(pid)?;
    Some((VARIABLE, format!("{bytes} {pid} {started}")))
}

impl Pace {
    /// The pace of one of `processes`, if it was given one. `judge`: process id and start time of who stands for the
    /// judge on this host, where that is another process.
    #[must_use]
    pub fn of(processes: u32, judge: Option<(u32, u64)>) -> Option<Self> {
        let pace = Self::parse(&std::env::var(VARIABLE).ok()?, processes)?;
        Some(Self {
            judge: judge.unwrap_or(pace.judge),
            ..pace
        })
    }

    fn parse(text: &str, processes: u32) -> Option<Self> {
        let mut words = text.split(' ');
        let bytes: u64 = words.next()?.parse().ok()?;
        let judge = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
        Some(Self {
            share: (bytes / u64::from(processes.max(1))).max(LEAST),
            judge,
            began: Instant::now(),
            waited: Duration::ZERO,
        })
    }

    /// Waits while more than the share is unread.
    pub fn keep(&mut self, mut unread: impl FnMut() -> u64) {
        let start = Instant::now();
        let ran = start.duration_since(self.began).saturating_sub(self.waited);
        let most = (GRACE + ran * PATIENCE).saturating_sub(self.waited);
        for look in 1_u32.. {
            if unread() <= self.share || start.elapsed() >= most {
                break;
            }
            if look.is_multiple_of(LOOKS) && farside_processes::start_time(self.judge.0) != Some(self.judge.1)
            {
                self.share = u64::MAX;
                break;
            }
            std::thread::sleep(PAUSE);
        }
        self.waited += start.elapsed();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pace(judge: &str) -> Pace {
        Pace::parse(&format!("1000 {judge}"), 4).expect("three words")
    }

    fn this_process() -> String {
        let (_, value) = variable(0).expect("there is /proc");
        value.split_once(' ').expect("words").1.to_owned()
    }

    #[test]
    fn waits_until_enough_was_read() {
        let mut pace = pace(&this_process());
        let mut left = LEAST + 5;
        pace.keep(|| {
            left -= 1;
            left
        });
        assert_eq!(left, LEAST);
        assert!(pace.waited >= 4 * PAUSE);
    }

    #[test]
    fn does_not_wait_for_the_dead() {
        let started = Instant::now();
        // No process has started at tick 1.
        let mut pace = pace(&format!("{} 1", std::process::id()));
        pace.keep(|| u64::MAX);
        assert!(started.elapsed() < GRACE, "{:?}", started.elapsed());
        pace.keep(|| u64::MAX - 1);
        assert_eq!(pace.share, u64::MAX);
    }

    #[test]
    fn does_not_wait_for_ever() {
        let started = Instant::now();
        let mut pace = pace(&this_process());
        pace.keep(|| u64::MAX);
        pace.keep(|| u64::MAX);
        assert!(started.elapsed() >= GRACE && started.elapsed() < 3 * GRACE);
    }
}
