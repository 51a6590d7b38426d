//! What the head of a job, which is `farside run`, and the agent of a host say to each other.

use crate::cores::Pinning;
use serde::{Deserialize, Serialize};

/// Of these messages; both sides must have the same.
pub(super) const BUILD: &str = concat!(env!("CARGO_PKG_VERSION"), " hosts 1");

/// What an agent is told by its standard input, before it is connected.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Summons {
    /// How the head is reached, and known.
    pub(super) head: String,
    /// Which of its hosts this is.
    pub(super) number: u32,
    /// Where `farside check` has its spool, and how it is reached, if the job is checked.
    pub(super) check: Option<(Vec<u8>, String)>,
}

/// Which output of a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) enum Goal {
    /// Its stdout.
    Stdout,
    /// Its stderr.
    Stderr,
}

/// Bytes that go over the connection, as of a file that is open on both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) enum Channel {
    /// A process with the rendezvous, numbered by the agent.
    Rendezvous(u64),
    /// From a rank.
    Output(u32, Goal),
    /// To rank 0.
    Input,
}

/// What is said of a channel, by both sides.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Piece {
    /// More.
    Bytes(Channel, Vec<u8>),
    /// So many bytes were passed on.
    Taken(Channel, u32),
    /// Nothing more comes, or is wanted.
    Ended(Channel),
}

/// The ranks of a host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Part {
    /// Name of the job.
    pub(super) job: String,
    /// Their working folder.
    pub(super) folder: Vec<u8>,
    /// The first of them.
    pub(super) first: u32,
    /// How many they are.
    pub(super) ranks: u32,
    /// How many the job has.
    pub(super) size: u32,
    /// What `FARSIDE_TRANSPORT` is to be.
    pub(super) transport: Option<String>,
    /// Which cores they get.
    pub(super) pinning: Pinning,
}

/// To an agent.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum ToAgent {
    /// The first message: this is the head that was looked for.
    Greeting(u128),
    /// It lives.
    Alive,
    /// The next word of the command.
    Word(Vec<u8>),
    /// A variable of the environment.
    Variable(Vec<u8>, Vec<u8>),
    /// All words and variables were sent: start these.
    Start(Part),
    /// Of a channel.
    Piece(Piece),
    /// A signal to all that live.
    Signal(i32),
    /// Nothing more is wanted: end what lives, and yourself.
    Bye,
}

/// To the head.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum ToHead {
    /// The first message.
    Hello {
        /// [`BUILD`].
        build: String,
        /// The secret of the job.
        token: u128,
        /// As in the summons.
        number: u32,
    },
    /// It lives.
    Alive,
    /// A rank was started.
    Started {
        /// Its rank.
        rank: u32,
        /// Its process id.
        pid: u32,
        /// Its cores.
        cores: Vec<u32>,
    },
    /// No rank runs here, and why.
    Refused(String),
    /// A process wants to speak with the rendezvous.
    Opened(u64),
    /// Of a channel.
    Piece(Piece),
    /// A rank has ended, and all that it had said to the rendezvous was sent before.
    Ended {
        /// Its rank.
        rank: u32,
        /// As of wait(2).
        status: i32,
        /// If it was the last one here: how many processes of theirs live.
        left: u32,
    },
    /// All ranks have ended, and so many processes of theirs live.
    Left(u32),
}
