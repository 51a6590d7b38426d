//! Why a process cannot join its job.

/// A process cannot find the other ranks. Every message says what was found, what failed, and what to do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A variable of the environment cannot be understood.
    #[error("the environment says {variable}={value}: {problem}")]
    Variable {
        /// Its name.
        variable: &'static str,
        /// What it is.
        value: String,
        /// What is wrong with it, and what would be right.
        problem: String,
    },
    /// A variable that is needed is not there.
    #[error("{found}, but {variable} is not set: {advice}")]
    Missing {
        /// Its name.
        variable: &'static str,
        /// Why it is needed.
        found: String,
        /// What to do.
        advice: &'static str,
    },
    /// There is a launcher, but no way to speak with it.
    #[error("{found}, but {problem}; {advice}")]
    NoWay {
        /// What the environment shows.
        found: String,
        /// What failed.
        problem: String,
        /// What to do.
        advice: &'static str,
    },
    /// The launcher does not take this process.
    #[error("the launcher at {address} refuses this process: {reason}")]
    Refused {
        /// Who.
        address: String,
        /// Why, in its words.
        reason: String,
    },
    /// The launcher was reached, and failed then.
    #[error(transparent)]
    Failed(#[from] farside_fabric::Error),
}

impl From<Error> for farside_fabric::Error {
    fn from(error: Error) -> Self {
        match error {
            Error::Failed(error) => error,
            other => Self::Bootstrap(other.to_string()),
        }
    }
}
