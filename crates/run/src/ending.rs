//! Why a job ends before all of its ranks have ended well, in words.

use farside_processes::signals;
use std::ops::Range;
use std::os::unix::process::ExitStatusExt as _;
use std::process::ExitStatus;
use std::time::Duration;

/// Why a job is ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A rank failed.
    Failed {
        /// Which.
        rank: u32,
        /// Its process.
        pid: u32,
        /// Its host, if the job has several.
        host: Option<String>,
        /// How.
        how: Failure,
    },
    /// A host, or its agent, is gone.
    HostLost {
        /// Its name.
        host: String,
        /// Its ranks.
        ranks: Range<u32>,
        /// How that is known.
        why: String,
    },
    /// Ranks were lost, and the others went on: all have ended.
    WithoutSome {
        /// The first one first.
        lost: Vec<Loss>,
        /// How many ended well.
        left: u32,
    },
    /// The output of the ranks cannot be written to stdout, and why.
    OutputLost(String),
    /// It took too long.
    TimeLimit(Duration),
    /// We got a signal.
    Interrupted(i32),
}

/// A rank that was lost while the others went on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss {
    /// Which.
    pub rank: u32,
    /// Its process.
    pub pid: u32,
    /// Its host, if the job has several.
    pub host: Option<String>,
    /// How; `None`: with its host.
    pub how: Option<Failure>,
}

/// How a rank fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// With a status that is not 0.
    Status(i32),
    /// By a signal.
    Signal(i32),
    /// With status 0, after it had joined, and without saying that it ends.
    Unfinished,
    /// With status 0, without joining the others, who have joined.
    Absent,
    /// Its connection to the launcher is closed, but it lives.
    Silent,
}

impl Failure {
    /// What a status says; `None` if it is a good one.
    pub(crate) fn of(status: ExitStatus) -> Option<Self> {
        match (status.code(), status.signal()) {
            (Some(0), _) => None,
            (Some(code), _) => Some(Self::Status(code)),
            (None, Some(signal)) => Some(Self::Signal(signal)),
            // Stopped or continued is no end, and is not asked for.
            (None, None) => None,
        }
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Status(code @ 129..=192) => {
                write!(
                    f,
                    "ended with status {code} (perhaps {})",
                    signals::name(code - 128)
                )
            }
            Self::Status(code) => write!(f, "ended with status {code}"),
            Self::Signal(number) => write!(f, "was killed by signal {number} ({})", signals::name(*number)),
            Self::Unfinished => f.write_str("ended with status 0, but without finishing its communication"),
            Self::Absent => f.write_str("ended with status 0 and never joined the others, who wait for it"),
            Self::Silent => {
                f.write_str("closed its connection to the launcher without finishing its communication")
            }
        }
    }
}

impl std::fmt::Display for Loss {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { rank, pid, host, how } = self;
        match host {
            None => write!(f, "rank {rank} (pid {pid})")?,
            Some(host) => write!(f, "rank {rank} (pid {pid} on {host})")?,
        }
        match how {
            Some(how) => write!(f, " {how}"),
            None => f.write_str(" is lost with its host"),
        }
    }
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Failed {
                rank,
                pid,
                host: None,
                how,
            } => write!(f, "rank {rank} (pid {pid}) {how}")?,
            Self::Failed {
                rank,
                pid,
                host: Some(host),
                how,
            } => write!(f, "rank {rank} (pid {pid} on {host}) {how}")?,
            Self::HostLost { host, ranks, why } => match ranks.len() {
                1 => write!(f, "host {host} (rank {}) is lost: {why}", ranks.start)?,
                _ => write!(
                    f,
                    "host {host} (ranks {}-{}) is lost: {why}",
                    ranks.start,
                    ranks.end - 1
                )?,
            },
            Self::WithoutSome { lost, left } => {
                for loss in lost {
                    write!(f, "{loss}; ")?;
                }
                return match left {
                    0 => f.write_str("no rank ended well"),
                    1 => f.write_str("the other rank went on, and ended well"),
                    left => write!(f, "the other {left} ranks went on, and ended well"),
                };
            }
            // Some of it is lost even where all ranks have ended.
            Self::OutputLost(why) => return write!(f, "cannot write stdout: {why}"),
            Self::TimeLimit(limit) => write!(f, "the time limit of {} s is over", limit.as_secs_f64())?,
            Self::Interrupted(number) => write!(f, "got {}", signals::name(*number))?,
        }
        f.write_str("; the job is ended")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_words() {
        let failed = |how| {
            Reason::Failed {
                rank: 2,
                pid: 123,
                host: None,
                how,
            }
            .to_string()
        };
        assert_eq!(
            failed(Failure::Signal(9)),
            "rank 2 (pid 123) was killed by signal 9 (SIGKILL); the job is ended"
        );
        assert_eq!(
            failed(Failure::Status(1)),
            "rank 2 (pid 123) ended with status 1; the job is ended"
        );
        assert!(failed(Failure::Status(139)).contains("status 139 (perhaps SIGSEGV)"));
        let lost = |ranks| {
            let (host, why) = ("h2".to_owned(), "it is silent".to_owned());
            Reason::HostLost { host, ranks, why }.to_string()
        };
        assert_eq!(
            lost(4..6),
            "host h2 (ranks 4-5) is lost: it is silent; the job is ended"
        );
        assert_eq!(
            lost(4..5),
            "host h2 (rank 4) is lost: it is silent; the job is ended"
        );
        assert_eq!(
            Reason::OutputLost("No space left on device".to_owned()).to_string(),
            "cannot write stdout: No space left on device"
        );
        assert_eq!(Reason::Interrupted(2).to_string(), "got SIGINT; the job is ended");
        assert_eq!(
            Reason::TimeLimit(Duration::from_millis(1500)).to_string(),
            "the time limit of 1.5 s is over; the job is ended"
        );
    }
}
