//! PMI-1, the text protocol that MPICH's and Intel MPI's mpirun speak over the descriptor `PMI_FD`.
//!
//! A line a message, `cmd=NAME key=value ...`, always a question of ours and then its answer. Values are written as
//! hexadecimal digits, in pieces as long as launcher and line allow; keys are names as they are, `%` and two digits
//! for what a key cannot hold.
//!
//! Source: MPICH, `src/pmi/simple/simple_pmi.c` and hydra's `pm/pmiserv/pmiserv_pmi_v1.c`.
//!
//! Limits: a value can be looked up only after the fence that follows its publication. A lost rank is not told: the
//! launcher ends the job.

mod conversation;
mod mpi;
mod value;

use conversation::{Talk, malformed};
use value::{hex, key, unhex};

use crate::error::Error;
use crate::name;
use farside_fabric::bootstrap::Bootstrap;
use farside_fabric::{Error as FabricError, Rank, Result};
use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::BorrowedFd;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// The longest line: `PMIU_MAXLINE` is 1,024 in MPICH.
const LINE: usize = 1000;
/// Whether the descriptor was taken: one conversation is all there is.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// A process under mpirun.
#[derive(Debug)]
pub(crate) struct Pmi1<S> {
    rank: Rank,
    size: u32,
    job: String,
    space: String,
    /// The longest key and the longest value.
    limits: (usize, usize),
    talk: Mutex<Talk<S>>,
}

/// Joins through a descriptor that was inherited from mpirun.
pub(crate) fn join(fd: i32, rank: Rank, size: u32) -> std::result::Result<Pmi1<File>, Error> {
    let no_way = |problem: String| Error::NoWay {
        found: format!(
            "PMI_FD={fd}, PMI_RANK={rank}, PMI_SIZE={size}: mpirun of MPICH or Intel MPI has started this"
        ),
        problem,
        advice: "let nothing between mpirun and the program close this descriptor, call connect once, and do not \
                 start helper programs with the same environment",
    };
    if TAKEN.swap(true, Ordering::AcqRel) {
        return Err(no_way("this process has joined before".to_owned()));
    }
    // SAFETY: the descriptor is only copied in this call, and closed by nobody meanwhile: it belongs to the
    // launcher's conversation, which nothing else in this process knows.
    let copy = unsafe { BorrowedFd::borrow_raw(fd) }.try_clone_to_owned();
    // mpirun kills the job at once when the conversation of a rank that did not finish is closed. The first descriptor
    // stays open, so that a process whose world is dropped early can still say why before it ends.
    let file = File::from(copy.map_err(|error| no_way(format!("descriptor {fd} is not open: {error}")))?);
    let process = Pmi1::start(file, rank, size).map_err(|error| no_way(error.to_string()))?;
    process.name().map_err(|error| no_way(error.to_string()))
}

impl<S> Pmi1<S>
where
    S: Read + Send,
    for<'a> &'a S: Read + Write,
{
    /// Says hello and asks for limits and for the name of the job.
    fn start(stream: S, rank: Rank, size: u32) -> Result<Self> {
        let mut talk = Talk::new(stream);
        let hello = talk.ask("cmd=init pmi_version=1 pmi_subversion=1", "response_to_init")?;
        if hello.get("pmi_version") != Some("1") {
            return Err(malformed(&hello.0, "a launcher that speaks PMI-1"));
        }
        let maxes = talk.ask("cmd=get_maxes", "maxes")?;
        let limits = (maxes.number("keylen_max")?, maxes.number("vallen_max")?);
        let space = talk.ask("cmd=get_my_kvsname", "my_kvsname")?;
        let space = space
            .get("kvsname")
            .ok_or_else(|| malformed(&space.0, "a kvsname"))?
            .to_owned();
        Ok(Self {
            rank,
            size,
            job: String::new(),
            space,
            limits,
            talk: Mutex::new(talk),
        })
    }

    /// Agrees on a name that no other job has: what mpirun calls its job is unique on one machine at the most.
    fn name(mut self) -> Result<Self> {
        if self.rank == 0 {
            let token =
                name::token().map_err(|error| FabricError::Bootstrap(format!("getrandom: {error}")))?;
            self.put("farside-job", token.as_bytes())?;
        }
        self.fence()?;
        let token = self.get(0, "farside-job")?;
        self.job = format!("pmi-{}", name::plain(&String::from_utf8_lossy(&token)));
        Ok(self)
    }

    fn talk<T>(&self, with: impl FnOnce(&mut Talk<S>) -> Result<T>) -> Result<T> {
        with(&mut self.talk.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// How many bytes of a value fit into one line, given its key.
    fn piece(&self, key: &str) -> Result<usize> {
        let line = format!("cmd=put kvsname={} key={key} value=", self.space).len() + 1;
        // A value of the greatest length may lack room for its end in C.
        let digits = self.limits.1.saturating_sub(1).min(LINE.saturating_sub(line));
        if key.len() >= self.limits.0 || digits < 20 {
            return Err(FabricError::TooLong {
                bytes: key.len(),
                limit: self.limits.0.min(LINE / 2),
            });
        }
        Ok(digits / 2)
    }

    fn put(&self, name: &str, bytes: &[u8]) -> Result<()> {
        let piece = self.piece(&key(self.rank, name, u32::MAX))?;
        let mut framed = (bytes.len() as u64).to_be_bytes().to_vec();
        framed.extend_from_slice(bytes);
        for (number, part) in framed.chunks(piece).enumerate() {
            let key = key(self.rank, name, number as u32);
            let line = format!("cmd=put kvsname={} key={key} value={}", self.space, hex(part));
            self.talk(|talk| talk.ask(&line, "put_result")?.success(&format!("put {key}")))?;
        }
        Ok(())
    }

    fn get(&self, rank: Rank, name: &str) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let mut wanted = 8;
        for number in 0.. {
            if bytes.len() >= wanted {
                break;
            }
            let key = key(rank, name, number);
            let line = format!("cmd=get kvsname={} key={key}", self.space);
            let answer = self.talk(|talk| talk.ask(&line, "get_result"))?;
            if answer.get("rc").is_none_or(|rc| rc != "0") {
                return Err(FabricError::Bootstrap(format!(
                    "rank {rank} published no `{name}` before the last fence (mpirun says: {})",
                    answer.0
                )));
            }
            let part = answer
                .get("value")
                .and_then(unhex)
                .ok_or_else(|| malformed(&answer.0, "a value"))?;
            bytes.extend_from_slice(&part);
            if let (0, Some(head)) = (number, bytes.first_chunk::<8>()) {
                wanted = usize::try_from(u64::from_be_bytes(*head))
                    .ok()
                    .and_then(|length| length.checked_add(8))
                    .ok_or_else(|| malformed(&answer.0, "a length"))?;
            }
            if part.is_empty() {
                return Err(malformed(&answer.0, "a piece of a value"));
            }
        }
        if bytes.len() != wanted {
            return Err(malformed(name, "a value of the length that it says"));
        }
        bytes.drain(..8);
        Ok(bytes)
    }
}

impl<S> Bootstrap for Pmi1<S>
where
    S: Read + Send,
    for<'a> &'a S: Read + Write,
{
    fn rank(&self) -> Rank {
        self.rank
    }

    fn size(&self) -> u32 {
        self.size
    }

    fn job(&self) -> &str {
        &self.job
    }

    fn publish(&self, name: &str, bytes: &[u8]) -> Result<()> {
        self.put(name, bytes)
    }

    fn lookup(&self, rank: Rank, name: &str) -> Result<Vec<u8>> {
        if rank >= self.size {
            return Err(FabricError::RankOutOfRange {
                rank,
                size: self.size,
            });
        }
        self.get(rank, name)
    }

    fn fence(&self) -> Result<()> {
        self.talk(|talk| talk.ask("cmd=barrier_in", "barrier_out"))?
            .success("fence")
    }

    fn finish(&self) -> Result<()> {
        // MPI has the same conversation, and ends it, or has ended it.
        if mpi::is_initialized() {
            return Ok(());
        }
        self.talk(|talk| talk.ask("cmd=finalize", "finalize_ack"))?
            .success("finish")
    }

    fn lost(&self) -> Option<Rank> {
        None
    }
}

#[cfg(test)]
mod tests;
