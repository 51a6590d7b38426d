//! The recordings of a host, written into the front's folder under the names and in the form that they have there.
//!
//! Promise: only names of recordings of this host are written, each once, whatever is said over the connection.

use crate::frame::{malformed, unpack};
use farside_spool::elsewhere::{Gone, Origin};
use farside_spool::format::{CHUNK_HEADER, COMMITTED_OFFSET, Recording, SEALED_OFFSET, header};
use std::collections::VecDeque;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// No chunk is longer.
const LONGEST_CHUNK: u64 = 1 << 30;
/// No host has more recordings in a job.
const MOST: usize = 1 << 16;

/// All recordings of a host.
pub(super) struct Recordings {
    folder: PathBuf,
    keep: bool,
    machine: String,
    host: String,
    all: Vec<Written>,
}

/// One of them.
struct Written {
    recording: Recording,
    /// The current chunk, and its records so far.
    chunk: u32,
    length: u64,
    /// `None`: it has ended.
    file: Option<File>,
    /// Whole chunks that may not be judged yet.
    whole: VecDeque<u32>,
}

impl Recordings {
    pub(super) fn new(folder: &Path, keep: bool, machine: String, host: String) -> Self {
        Self {
            folder: folder.to_path_buf(),
            keep,
            machine,
            host,
            all: Vec::new(),
        }
    }

    /// A recording begins; gives which one, and its number.
    pub(super) fn begin(&mut self, text: &str, job: Option<String>) -> io::Result<(Recording, u32)> {
        let recording = Recording::parse(text)
            .filter(|recording| recording.machine.to_string() == self.machine)
            .ok_or_else(|| malformed("no recording of this host"))?;
        let known = self.folder.join(recording.chunk_name(0)).exists()
            || self.all.iter().any(|written| written.recording == recording);
        if known || self.all.len() >= MOST {
            return Err(malformed("a recording that is there"));
        }
        let host = self.host.clone();
        Origin { host, job }.write(&self.folder, recording)?;
        self.all.push(Written {
            recording,
            chunk: 0,
            length: 0,
            file: Some(create(&self.folder, &recording.chunk_name(0))?),
            whole: VecDeque::new(),
        });
        Ok((recording, self.all.len() as u32 - 1))
    }

    /// Bytes for its current chunk.
    pub(super) fn data(&mut self, number: u32, length: u32, packed: &[u8]) -> io::Result<()> {
        let block = unpack(packed, length)?;
        let written = self.open(number)?;
        let file = written.file.as_ref().ok_or_else(ended)?;
        let length = written.length + block.len() as u64;
        if length > LONGEST_CHUNK {
            return Err(malformed("a chunk is too long"));
        }
        file.write_all_at(&block, CHUNK_HEADER as u64 + written.length)?;
        file.write_all_at(&length.to_le_bytes(), COMMITTED_OFFSET as u64)?;
        written.length = length;
        Ok(())
    }

    /// Its current chunk is whole; a next one follows, or not. Returns which one.
    pub(super) fn sealed(&mut self, number: u32, more: bool) -> io::Result<(u32, u32)> {
        let folder = self.folder.clone();
        let written = self.open(number)?;
        let file = written.file.take().ok_or_else(ended)?;
        let seal: u32 = if more { 1 } else { 2 };
        file.write_all_at(&seal.to_le_bytes(), SEALED_OFFSET as u64)?;
        let chunk = written.chunk;
        if more {
            written.chunk = chunk.checked_add(1).ok_or_else(|| malformed("too many chunks"))?;
            written.length = 0;
            written.file = Some(create(&folder, &written.recording.chunk_name(written.chunk))?);
            written.whole.push_back(chunk);
        }
        Ok((number, chunk))
    }

    /// Its process ended without sealing it. Returns which chunk is the last.
    pub(super) fn lost(&mut self, number: u32) -> io::Result<(u32, u32)> {
        let folder = self.folder.clone();
        let written = self.open(number)?;
        written.file.take().ok_or_else(ended)?;
        Gone::Process.write(&folder, written.recording);
        Ok((number, written.chunk))
    }

    /// Whole chunks that were judged since this was last asked: who judges removes them.
    pub(super) fn judged(&mut self) -> Vec<(u32, u32)> {
        let mut judged = Vec::new();
        for (number, written) in (0..).zip(&mut self.all) {
            while let Some(&chunk) = written.whole.front()
                && (self.keep || !self.folder.join(written.recording.chunk_name(chunk)).exists())
            {
                written.whole.pop_front();
                judged.push((number, chunk));
            }
        }
        judged
    }

    /// Whether recordings have come, and each has ended.
    pub(super) fn are_whole(&self) -> bool {
        !self.all.is_empty() && self.all.iter().all(|written| written.file.is_none())
    }

    /// Nothing more comes: recordings that have not ended say why.
    pub(super) fn end(&mut self, why: Gone) {
        for written in &mut self.all {
            if written.file.take().is_some() {
                why.write(&self.folder, written.recording);
            }
        }
    }

    fn open(&mut self, number: u32) -> io::Result<&mut Written> {
        self.all
            .get_mut(number as usize)
            .ok_or_else(|| malformed("no such recording"))
    }
}

fn ended() -> io::Error {
    malformed("the recording has ended")
}

/// A chunk without records, which appears with its whole header.
fn create(folder: &Path, name: &str) -> io::Result<File> {
    let draft = folder.join(format!("{name}.new"));
    let file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&draft)?;
    file.write_all_at(&header(), 0)?;
    fs::rename(draft, folder.join(name))?;
    Ok(file)
}
