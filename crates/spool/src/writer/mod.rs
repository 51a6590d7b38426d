//! The writing end: the chunks of one recording, in the process that is checked.

mod chunk;

use crate::format::{Encoder, Error, Recording, encode};
use chunk::{Chunk, Seal};
use farside_events::{Event, EventKind, Shortfall, ThreadId};
use std::path::PathBuf;

/// The first chunk is small: most processes of a test suite need no more.
const FIRST_CHUNK: usize = 256 << 10;
/// Every other chunk.
const NEXT_CHUNK: usize = 1 << 20;
/// Kept free at the end of each chunk for the words that the spool is full.
const RESERVE: usize = 512;

/// Where a process records. Its current chunk always has room to say why recording ended.
pub struct Spool {
    folder: PathBuf,
    recording: Recording,
    number: u32,
    /// Chunks before this one were read, and are gone.
    oldest: u32,
    /// A chunk was begun since this was last asked for.
    turned: bool,
    chunk: Option<Chunk>,
    encoder: Encoder,
}

impl Spool {
    /// Opens the first chunk; `None` when the folder cannot hold it.
    pub fn create(folder: PathBuf, recording: Recording) -> Option<Self> {
        let name = recording.chunk_name(0);
        let chunk = Chunk::create(&folder, &name, FIRST_CHUNK).ok()?;
        Some(Self {
            folder,
            recording,
            number: 0,
            oldest: 0,
            turned: false,
            chunk: Some(chunk),
            encoder: Encoder::default(),
        })
    }

    /// Appends one event. `false`: this and all later events are lost, and the spool says so.
    pub fn append(&mut self, event: &Event) -> bool {
        let Event { time, thread, kind } = event;
        self.append_kind((*time, *thread), kind)
    }

    /// As [`Self::append`], for what happened at a time in a thread.
    #[inline]
    pub fn append_kind(&mut self, at: (u64, ThreadId), kind: &EventKind) -> bool {
        let Some(chunk) = self.chunk.as_mut() else {
            return false;
        };
        match append_to(chunk, &mut self.encoder, (at, kind), RESERVE) {
            Ok(true) => true,
            Ok(false) => self.append_to_next(at, kind),
            Err(_) => self.give_up(at, "an event could not be encoded"),
        }
    }

    /// Appends an event that does not fit the current chunk.
    #[cold]
    fn append_to_next(&mut self, at: (u64, ThreadId), kind: &EventKind) -> bool {
        let mut alone = Vec::new();
        let (time, thread) = at;
        let event = Event {
            time,
            thread,
            kind: kind.clone(),
        };
        if encode(&event, &mut alone).is_err() {
            return self.give_up(at, "an event could not be encoded");
        }
        let size = NEXT_CHUNK.max(alone.len() + 2 * RESERVE);
        let name = self.recording.chunk_name(self.number + 1);
        match Chunk::create(&self.folder, &name, size) {
            Ok(mut next) => {
                self.encoder.restart();
                let fits = append_to(&mut next, &mut self.encoder, (at, kind), RESERVE);
                self.number += 1;
                self.turned = true;
                if let Some(full) = self.chunk.replace(next) {
                    full.seal(Seal::More);
                }
                // A chunk that is made for an event has room for it; if not, nothing is lost without a word.
                fits == Ok(true) || self.give_up(at, "an event did not fit its chunk")
            }
            Err(error) => self.give_up(at, &error.to_string()),
        }
    }

    /// Whether a chunk was begun since this was last asked.
    pub fn has_turned(&mut self) -> bool {
        std::mem::take(&mut self.turned)
    }

    /// Bytes of whole chunks that were not read, about; readers remove a chunk when they have read it.
    pub fn unread(&mut self) -> u64 {
        while self.oldest < self.number && !self.folder.join(self.recording.chunk_name(self.oldest)).exists()
        {
            self.oldest += 1;
        }
        u64::from(self.number - self.oldest) * NEXT_CHUNK as u64
    }

    /// The file of the chunk that is written to.
    pub fn chunk(&self) -> PathBuf {
        self.folder.join(self.recording.chunk_name(self.number))
    }

    /// The process ended its recording properly.
    pub fn seal(mut self) {
        if let Some(chunk) = self.chunk.take() {
            chunk.seal(Seal::End);
        }
    }

    #[cold]
    fn give_up(&mut self, at: (u64, ThreadId), reason: &str) -> bool {
        let reason: String = reason.chars().take(100).collect();
        let last = EventKind::Shortfall(Shortfall::SpoolFull(reason.into()));
        if let Some(mut chunk) = self.chunk.take() {
            // If even the reserve is too small, the missing seal says that the recording was lost.
            let _ = append_to(&mut chunk, &mut Encoder::default(), (at, &last), 0);
        }
        false
    }
}

/// Appends the record of an event if that leaves `reserve` bytes free, and says whether it did.
#[inline]
fn append_to(
    chunk: &mut Chunk,
    encoder: &mut Encoder,
    (at, kind): ((u64, ThreadId), &EventKind),
    reserve: usize,
) -> Result<bool, Error> {
    let room = chunk.room();
    let most = room.len().saturating_sub(reserve);
    let length = encoder.encode_kind(at, kind, &mut room[..most])?;
    if let Some(length) = length {
        chunk.commit(length);
    }
    Ok(length.is_some())
}
