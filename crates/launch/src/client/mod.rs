//! A process at the rendezvous: `FARSIDE_BOOT`, or Slurm without a PMI.
//!
//! A thread of this process reads what the rendezvous says, so that a lost rank is known at once and asking for it
//! costs one load.

mod post;
mod shelf;

use crate::error::Error;
use crate::protocol::{Answer, Ask, Frames, Reply, Request, VERSION, frame};
use crate::server::Server;
use crate::socket::{Address, Socket, connect};
use farside_fabric::bootstrap::{Bootstrap, Shrunk};
use farside_fabric::{Error as FabricError, Rank, Result};
use post::{Post, read};
use shelf::Shelf;
use std::io::{Read as _, Write as _};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

/// No rank.
const NOBODY: Rank = Rank::MAX;

/// Who a process is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Identity {
    /// Own rank.
    pub(crate) rank: Rank,
    /// Number of ranks.
    pub(crate) size: u32,
    /// Name of the job.
    pub(crate) job: String,
}

/// A process that has joined.
#[derive(Debug)]
pub(crate) struct Process {
    identity: Identity,
    address: Address,
    patience: Duration,
    socket: Mutex<Socket>,
    next: AtomicU64,
    post: Arc<Post>,
    reader: Option<JoinHandle<()>>,
    /// What came unasked with an answer.
    shelf: Mutex<Shelf>,
    /// The rendezvous, if this process runs it.
    hosted: Mutex<Option<Server>>,
}

impl Process {
    /// Joins the job at `address`. `host`: the rank that runs the rendezvous, if it is not the launcher.
    pub(crate) fn join(
        address: &Address,
        identity: Identity,
        host: Option<Rank>,
        patience: Duration,
    ) -> std::result::Result<Self, Error> {
        let unreachable = |error: std::io::Error| Error::NoWay {
            found: format!(
                "rank {} of {} is to join at {address}",
                identity.rank, identity.size
            ),
            problem: format!("nobody answers there: {error}"),
            advice: "start the program with `farside run`, and see that the launcher still runs",
        };
        let mut socket = connect(address, patience).map_err(unreachable)?;
        let hello = Ask::Hello {
            version: VERSION,
            job: identity.job.clone(),
            rank: identity.rank,
            size: identity.size,
        };
        let bytes = frame(&Request {
            number: 1,
            ask: hello,
        })
        .map_err(FabricError::Bootstrap)?;
        socket.set_patience(Some(patience)).map_err(unreachable)?;
        socket.write_all(&bytes).map_err(unreachable)?;
        let mut frames = Frames::default();
        let answer = first(&mut socket, &mut frames).map_err(unreachable)?;
        socket.set_patience(None).map_err(unreachable)?;
        let generation = match answer {
            Answer::Welcome { generation } => generation,
            Answer::Refused(reason) => {
                return Err(Error::Refused {
                    address: address.to_string(),
                    reason,
                });
            }
            Answer::OtherJob => {
                return Err(Error::NoWay {
                    found: format!(
                        "rank {} of {} is to join at {address}",
                        identity.rank, identity.size
                    ),
                    problem: format!("another job than {} is there", identity.job),
                    advice: "start the program with `farside run`, which sets all FARSIDE_ variables",
                });
            }
            other => {
                return Err(Error::Failed(refusal(other)));
            }
        };
        let post = Arc::new(Post {
            desk: Mutex::default(),
            arrived: Condvar::new(),
            lost: AtomicU32::new(NOBODY),
            host: host.unwrap_or(NOBODY),
        });
        let (reading, laying) = (socket.try_clone().map_err(unreachable)?, Arc::clone(&post));
        let reader = std::thread::Builder::new()
            .name("farside-launch".to_owned())
            .spawn(move || read(reading, frames, &laying))
            .map_err(unreachable)?;
        let job = match generation {
            0 => identity.job,
            _ => format!("{}.{generation}", identity.job),
        };
        Ok(Self {
            identity: Identity { job, ..identity },
            address: address.clone(),
            patience,
            socket: Mutex::new(socket),
            next: AtomicU64::new(2),
            post,
            reader: Some(reader),
            shelf: Mutex::default(),
            hosted: Mutex::new(None),
        })
    }

    /// This process runs the rendezvous, too.
    pub(crate) fn hosts(self, server: Server) -> Self {
        *self.hosted.lock().unwrap_or_else(PoisonError::into_inner) = Some(server);
        self
    }

    fn send(&self, bytes: &[u8]) -> std::io::Result<()> {
        // A panic between two writes is not possible; a broken socket shows to the caller.
        let mut socket = self.socket.lock().unwrap_or_else(PoisonError::into_inner);
        socket.write_all(bytes)
    }

    fn ask(&self, ask: Ask) -> Result<Answer> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let bytes = frame(&Request { number, ask }).map_err(FabricError::Bootstrap)?;
        self.post.desk().answers.insert(number, None);
        let sent = self.send(&bytes);
        let mut desk = self.post.desk();
        loop {
            if let Some(answer) = desk.answers.get_mut(&number).and_then(Option::take) {
                desk.answers.remove(&number);
                return Ok(answer);
            }
            if desk.closed.is_none() && sent.is_ok() {
                desk = self
                    .post
                    .arrived
                    .wait(desk)
                    .unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            desk.answers.remove(&number);
            if let Some(rank) = self.lost() {
                return Err(FabricError::PeerLost { rank });
            }
            let why = match (&desk.closed, &sent) {
                (Some(why), _) => why.clone(),
                (None, Err(error)) => error.to_string(),
                (None, Ok(())) => String::new(),
            };
            return Err(FabricError::Bootstrap(format!("the launcher is gone: {why}")));
        }
    }

    fn done(&self, ask: Ask) -> Result<()> {
        match self.ask(ask)? {
            Answer::Done => Ok(()),
            other => Err(refusal(other)),
        }
    }
}

fn refusal(answer: Answer) -> FabricError {
    match answer {
        Answer::Lost(rank) => FabricError::PeerLost { rank },
        Answer::Refused(why) => FabricError::Bootstrap(why),
        other => FabricError::Malformed {
            what: "an answer of the launcher",
            detail: format!("{other:?}"),
        },
    }
}

/// The answer to the Hello; news may come first.
fn first(socket: &mut Socket, frames: &mut Frames) -> std::io::Result<Answer> {
    let mut buffer = [0; 4096];
    loop {
        let reply = frames
            .next::<Reply>()
            .map_err(|error| std::io::Error::other(format!("no rendezvous: {error}")))?;
        match reply {
            Some(reply) if reply.number == 1 => return Ok(reply.answer),
            Some(_) => {}
            None => match socket.read(&mut buffer)? {
                0 => return Err(std::io::ErrorKind::UnexpectedEof.into()),
                bytes => frames.push(&buffer[..bytes]),
            },
        }
    }
}

impl Bootstrap for Process {
    fn rank(&self) -> Rank {
        self.identity.rank
    }

    fn size(&self) -> u32 {
        self.identity.size
    }

    fn job(&self) -> &str {
        &self.identity.job
    }

    fn publish(&self, name: &str, bytes: &[u8]) -> Result<()> {
        self.done(Ask::Publish {
            name: name.to_owned(),
            bytes: bytes.to_vec(),
        })
    }

    fn lookup(&self, rank: Rank, name: &str) -> Result<Vec<u8>> {
        if rank >= self.identity.size {
            return Err(FabricError::RankOutOfRange {
                rank,
                size: self.identity.size,
            });
        }
        // A panic in the middle of a change is not possible.
        let shelf = || self.shelf.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bytes) = shelf().take(rank, name) {
            return Ok(bytes);
        }
        let ask = Ask::Lookup {
            rank,
            name: name.to_owned(),
        };
        match self.ask(ask)? {
            Answer::Bytes { bytes, others } => {
                let mut shelf = shelf();
                others
                    .into_iter()
                    .for_each(|(rank, bytes)| shelf.put(rank, name, bytes));
                Ok(bytes)
            }
            other => Err(refusal(other)),
        }
    }

    fn fence(&self) -> Result<()> {
        self.done(Ask::Fence)
    }

    /// Where this process runs the rendezvous, it waits until all others have finished or are gone.
    fn finish(&self) -> Result<()> {
        // Set first: the rendezvous may close the connection right after its answer.
        self.post.desk().finished = true;
        let result = self.done(Ask::Finish);
        let hosted = self.hosted.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(server) = hosted {
            server.retire();
        }
        result
    }

    fn lost(&self) -> Option<Rank> {
        Some(self.post.lost.load(Ordering::Acquire)).filter(|&rank| rank != NOBODY)
    }

    fn tell_lost(&self, rank: Rank) {
        if self.lost().is_some() {
            return;
        }
        self.post.lose(rank);
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let ask = Ask::Lost(rank);
        if let Ok(bytes) = frame(&Request { number, ask }) {
            // Nobody waits for the answer, and without a launcher nobody wants to know.
            let _ = self.send(&bytes);
        }
    }

    fn agree(&self, yes: bool) -> Result<Option<bool>> {
        match self.ask(Ask::Agree(yes))? {
            Answer::Agreed(all) => Ok(Some(all)),
            other => Err(refusal(other)),
        }
    }

    fn shrink(&self) -> Result<Option<Shrunk>> {
        let (job, former) = match self.ask(Ask::Shrink)? {
            Answer::Shrunk { job, former } => (job, former),
            other => return Err(refusal(other)),
        };
        let new = |old: Rank| {
            former
                .iter()
                .position(|&rank| rank == old)
                .map(|rank| rank as Rank)
        };
        let Some(rank) = new(self.identity.rank) else {
            let rank = self.identity.rank;
            return Err(FabricError::PeerLost { rank });
        };
        let size = former.len() as u32;
        let host = new(self.post.host);
        let next = Self::join(&self.address, Identity { rank, size, job }, host, self.patience)?;
        let hosted = self.hosted.lock().unwrap_or_else(PoisonError::into_inner).take();
        let next = match hosted {
            Some(server) => next.hosts(server),
            None => next,
        };
        let bootstrap = Arc::new(next);
        Ok(Some(Shrunk { bootstrap, former }))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.socket
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .shutdown();
        if let Some(reader) = self.reader.take() {
            // It has no way to panic but ours of a bug, which the hook has shown.
            let _ = reader.join();
        }
    }
}
