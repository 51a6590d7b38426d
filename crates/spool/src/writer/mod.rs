//! The writing end: the chunks of one recording, in the process that is checked.

mod chunk;

use crate::format::{self, Recording};
use chunk::{Chunk, Seal};
use farside_events::{Event, EventKind, Shortfall};
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
    scratch: Vec<u8>,
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
            scratch: Vec::with_capacity(4096),
        })
    }

    /// Appends one event. `false`: this and all later events are lost, and the spool says so.
    pub fn append(&mut self, event: &Event) -> bool {
        self.scratch.clear();
        if format::encode(event, &mut self.scratch).is_err() {
            return self.give_up(event, "an event could not be encoded");
        }
        let Some(chunk) = self.chunk.as_mut() else {
            return false;
        };
        if self.scratch.len() + RESERVE <= chunk.room() {
            chunk.append(&self.scratch);
            return true;
        }
        let size = NEXT_CHUNK.max(self.scratch.len() + 2 * RESERVE);
        let name = self.recording.chunk_name(self.number + 1);
        match Chunk::create(&self.folder, &name, size) {
            Ok(mut next) => {
                next.append(&self.scratch);
                self.number += 1;
                self.turned = true;
                if let Some(full) = self.chunk.replace(next) {
                    full.seal(Seal::More);
                }
                true
            }
            Err(error) => self.give_up(event, &error.to_string()),
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

    /// The process ended its recording properly.
    pub fn seal(mut self) {
        if let Some(chunk) = self.chunk.take() {
            chunk.seal(Seal::End);
        }
    }

    fn give_up(&mut self, event: &Event, reason: &str) -> bool {
        let reason: String = reason.chars().take(100).collect();
        let last = Event {
            time: event.time,
            thread: event.thread,
            kind: EventKind::Shortfall(Shortfall::SpoolFull(reason.into())),
        };
        self.scratch.clear();
        if let Some(mut chunk) = self.chunk.take()
            && format::encode(&last, &mut self.scratch).is_ok()
            && self.scratch.len() <= chunk.room()
        {
            chunk.append(&self.scratch);
        }
        false
    }
}
