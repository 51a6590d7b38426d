//! What the head of a job, which is `farside run`, and the agent of a host say to each other.

use crate::cores::Pinning;
use farside_link::{Address, malformed};
use serde::{Deserialize, Serialize};
use std::io::{self, Read};
use std::ops::Range;

/// Of these messages; both sides must have the same.
pub(super) const BUILD: &str = concat!(env!("CARGO_PKG_VERSION"), " hosts 1");

/// What an agent is told by its standard input, before it is connected.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Summons {
    /// How the head is reached, and known.
    head: String,
    /// Which of its hosts this is.
    number: u32,
    /// Where `farside check` has its spool, and how it is reached, if the job is checked.
    check: Option<(Vec<u8>, String)>,
}

/// The longest summons.
const SUMMONS: usize = 64 << 10;

impl Summons {
    /// To the head at this address, for a host of this number. `check`: where `farside check` has its spool, and how it
    /// is reached.
    pub(super) fn new(head: &Address, number: u32, check: Option<(Vec<u8>, String)>) -> Self {
        Self {
            head: head.to_string(),
            number,
            check,
        }
    }

    /// As it is read by [`Summons::read`].
    pub(super) fn bytes(&self) -> io::Result<Vec<u8>> {
        let mut bytes = postcard::to_extend(self, vec![0; 4]).map_err(io::Error::other)?;
        let length = u32::try_from(bytes.len() - 4).map_err(io::Error::other)?;
        bytes[..4].copy_from_slice(&length.to_le_bytes());
        Ok(bytes)
    }

    /// From the stdin of an agent, and no byte more.
    pub(super) fn read(stdin: &mut impl Read) -> io::Result<Self> {
        let mut length = [0; 4];
        stdin.read_exact(&mut length)?;
        let length = u32::from_le_bytes(length) as usize;
        if length > SUMMONS {
            return Err(malformed("these are no words of farside"));
        }
        let mut body = vec![0; length];
        stdin.read_exact(&mut body)?;
        postcard::from_bytes(&body).map_err(|_| malformed("these are no words of farside"))
    }

    /// How the head is reached, and known.
    pub(super) fn head(&self) -> io::Result<Address> {
        self.head.parse()
    }

    /// Which host this is.
    pub(super) fn number(&self) -> u32 {
        self.number
    }

    /// Where `farside check` has its spool, and how it is reached.
    pub(super) fn check(&self) -> Option<(&[u8], &str)> {
        self.check.as_ref().map(|(spool, front)| (&spool[..], &front[..]))
    }
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
    /// All words and variables were sent: start these ranks.
    Start {
        /// Name of the job.
        job: String,
        /// Their working folder.
        folder: Vec<u8>,
        /// Which they are.
        ranks: Range<u32>,
        /// How many the job has.
        size: u32,
        /// What `FARSIDE_TRANSPORT` is to be.
        transport: Option<String>,
        /// Which cores they get.
        pinning: Pinning,
    },
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
