//! Which message a receive from any source is to take, where a run is to go like another one, or unlike it.
//!
//! Written `RANK.RECEIVE=SOURCE`, with commas between several: the receive of process `RANK` that it posts as its
//! `RECEIVE`-th takes a message of process `SOURCE`. Ranks are those of `MPI_COMM_WORLD`; receives count from 1, those
//! from a given source, too.

use std::fmt;
use std::str::FromStr;

/// The environment variable in which processes find it.
pub const VARIABLE: &str = "FARSIDE_REPLAY";
/// Longer texts are refused: they would not fit into an environment.
const LONGEST: usize = 100_000;

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

/// Several receives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Matches(Vec<Match>);

/// A text that does not say which message receives take.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoMatches {
    /// A part of it is none.
    #[error(
        "`{0}` is not RANK.RECEIVE=SOURCE, as in 0.2=3: the second receive of rank 0 takes a message of rank 3"
    )]
    Part(String),
    /// It is too long.
    #[error("these are more than {LONGEST} characters, which do not fit into an environment")]
    TooLong,
}

impl Matches {
    /// These, if they are not too many for an environment.
    #[must_use]
    pub fn of(matches: Vec<Match>) -> Option<Self> {
        let matches = Self(matches);
        (matches.to_string().len() <= LONGEST).then_some(matches)
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &Match> {
        self.0.iter()
    }
}

/// What this process was told; nothing, if it was told nothing that it understands.
#[must_use]
pub fn given() -> Vec<Match> {
    let text = std::env::var(VARIABLE).unwrap_or_default();
    text.parse::<Matches>().unwrap_or_default().0
}

impl fmt::Display for Matches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, one) in self.0.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            write!(f, "{comma}{}.{}={}", one.receiver, one.post, one.source)?;
        }
        Ok(())
    }
}

impl FromStr for Matches {
    type Err = NoMatches;

    fn from_str(text: &str) -> Result<Self, NoMatches> {
        if text.len() > LONGEST {
            return Err(NoMatches::TooLong);
        }
        let part = |part: &str| {
            let (receive, source) = part.split_once('=')?;
            let (receiver, post) = receive.split_once('.')?;
            Some(Match {
                receiver: receiver.parse().ok()?,
                post: post.parse().ok().filter(|post| *post > 0)?,
                source: source.parse().ok()?,
            })
        };
        let parts = text.split(',').filter(|one| !one.is_empty());
        let matches = parts.map(|one| part(one).ok_or_else(|| NoMatches::Part(one.to_owned())));
        Ok(Self(matches.collect::<Result<_, _>>()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let text = "0.1=2,3.12=0";
        let matches: Matches = text.parse().unwrap();
        assert_eq!(matches.to_string(), text);
        assert_eq!(matches.iter().count(), 2);
        assert_eq!("".parse::<Matches>(), Ok(Matches::default()));
        for wrong in ["0=2", "0.0=1", "0.1", "a.1=2", "0.1=-2"] {
            assert!(wrong.parse::<Matches>().is_err(), "{wrong}");
        }
        assert_eq!(
            "0.1=2,".repeat(20_000).parse::<Matches>(),
            Err(NoMatches::TooLong)
        );
    }
}
