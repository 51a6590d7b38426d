//! What a run is told that is to go like another one, or unlike it: which message a receive from any source is to take,
//! and how fast processes are.
//!
//! Written `RANK.RECEIVE=SOURCE`, with commas between several: the receive of process `RANK` that it posts as its
//! `RECEIVE`-th takes a message of process `SOURCE`. Ranks are those of `MPI_COMM_WORLD`; receives count from 1, those
//! from a given source, too. `speeds=N` lets processes wait before calls, for times that are drawn from `N`.

use std::fmt;
use std::str::FromStr;

/// The environment variable in which processes find it.
pub const VARIABLE: &str = "FARSIDE_REPLAY";
/// Longer texts are refused: they would not fit into an environment.
const LONGEST: usize = 100_000;
/// What stands before the number that speeds are drawn from.
const SPEEDS: &str = "speeds";

/// A receive, and whose message it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Match {
    /// Who receives.
    pub receiver: u32,
    /// Which of its receives, from 1.
    pub post: u64,
    /// Whose message.
    pub source: u32,
}

/// What a run is told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Replay {
    matches: Vec<Match>,
    speeds: Option<u64>,
}

/// A text that does not say it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoReplay {
    /// A part of it is none.
    #[error(
        "`{0}` is neither RANK.RECEIVE=SOURCE, as in 0.2=3: the second receive of rank 0 takes a message of rank 3, nor \
         speeds=N, as in speeds=2"
    )]
    Part(String),
    /// It is too long.
    #[error("these are more than {LONGEST} characters, which do not fit into an environment")]
    TooLong,
}

impl Replay {
    /// Receives take these messages, if they are not too many for an environment.
    #[must_use]
    pub fn of_matches(matches: Vec<Match>) -> Option<Self> {
        let replay = Self {
            matches,
            speeds: None,
        };
        (replay.to_string().len() <= LONGEST).then_some(replay)
    }

    /// Processes are not equally fast; how fast they are is drawn from this.
    #[must_use]
    pub fn of_speeds(seed: u64) -> Self {
        Self {
            matches: Vec::new(),
            speeds: Some(seed),
        }
    }

    /// What this process was told; nothing, if it was told nothing that it understands.
    #[must_use]
    pub fn given() -> Self {
        let text = std::env::var(VARIABLE).unwrap_or_default();
        text.parse().unwrap_or_default()
    }

    /// Which messages receives take.
    pub fn matches(&self) -> impl Iterator<Item = &Match> {
        self.matches.iter()
    }

    /// What the speeds of processes are drawn from, if they are.
    #[must_use]
    pub fn speeds(&self) -> Option<u64> {
        self.speeds
    }
}

impl fmt::Display for Replay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut comma = "";
        for one in &self.matches {
            write!(f, "{comma}{}.{}={}", one.receiver, one.post, one.source)?;
            comma = ",";
        }
        match self.speeds {
            Some(seed) => write!(f, "{comma}{SPEEDS}={seed}"),
            None => Ok(()),
        }
    }
}

impl FromStr for Replay {
    type Err = NoReplay;

    fn from_str(text: &str) -> Result<Self, NoReplay> {
        if text.len() > LONGEST {
            return Err(NoReplay::TooLong);
        }
        let mut replay = Self::default();
        for part in text.split(',').filter(|one| !one.is_empty()) {
            replay.add(part).ok_or_else(|| NoReplay::Part(part.to_owned()))?;
        }
        Ok(replay)
    }
}

impl Replay {
    fn add(&mut self, part: &str) -> Option<()> {
        let (what, value) = part.split_once('=')?;
        if what == SPEEDS {
            self.speeds = Some(value.parse().ok()?);
            return Some(());
        }
        let (receiver, post) = what.split_once('.')?;
        self.matches.push(Match {
            receiver: receiver.parse().ok()?,
            post: post.parse().ok().filter(|post| *post > 0)?,
            source: value.parse().ok()?,
        });
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let text = "0.1=2,3.12=0,speeds=7";
        let replay: Replay = text.parse().unwrap();
        assert_eq!(replay.to_string(), text);
        assert_eq!((replay.matches().count(), replay.speeds()), (2, Some(7)));
        assert_eq!(Replay::of_speeds(3).to_string().parse(), Ok(Replay::of_speeds(3)));
        assert_eq!("".parse::<Replay>(), Ok(Replay::default()));
        for wrong in [
            "0=2",
            "0.0=1",
            "0.1",
            "a.1=2",
            "0.1=-2",
            "speeds",
            "speeds=-1",
            "speed=2",
        ] {
            assert!(wrong.parse::<Replay>().is_err(), "{wrong}");
        }
        assert_eq!("0.1=2,".repeat(20_000).parse::<Replay>(), Err(NoReplay::TooLong));
    }
}
