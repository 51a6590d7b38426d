//! The events of one process, read chunk by chunk while the process still writes.
//!
//! Promise: an event is given out once, in the order of writing; a chunk is deleted when all of it was read and the
//! next one exists (unless the spool is kept). A process that died leaves a stream that ends at its last whole record.
//! A damaged record is counted and skipped. Never blocks. Of a process of another host or container, nobody here can
//! say whether it lives: it does until it says that it has ended, or who brings its recording says so, or the reader is
//! told to wait no longer.
//!
//! The header is read with `read` calls, not through a mapping, so that this program needs no `unsafe`: the committed
//! length is read until two readings agree, which excludes a torn value.
#![forbid(unsafe_code)]

use crate::elsewhere::{Gone, Origin};
use crate::format::{
    CHUNK_HEADER, COMMITTED_OFFSET, Decoder, Error, Machine, Recording, SEALED_OFFSET, check_header,
};
use crate::processes::machine;
use farside_events::Event;
use farside_processes::start_time;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Bytes that are read at one time.
const BLOCK: u64 = 1 << 20;
/// For how long a process that lived is not asked for again.
const MOMENT: Duration = Duration::from_millis(50);

/// The recordings that have chunks in `folder`, and the first chunk that is there of each.
///
/// # Errors
/// The folder cannot be read.
pub fn recordings(folder: &Path) -> io::Result<BTreeMap<Recording, u32>> {
    Ok(recordings_of(fs::read_dir(folder)?))
}

/// Those of the files of a folder.
#[must_use]
pub fn recordings_of(entries: fs::ReadDir) -> BTreeMap<Recording, u32> {
    let mut firsts = BTreeMap::new();
    for entry in entries.flatten() {
        let name = entry.file_name();
        if let Some((recording, number)) = name.to_str().and_then(Recording::parse_chunk_name) {
            let first = firsts.entry(recording).or_insert(number);
            *first = number.min(*first);
        }
    }
    firsts
}

/// What a stream has for its reader.
#[derive(Debug)]
#[allow(clippy::large_enum_variant, reason = "one at a time, taken apart at once")]
pub enum Next {
    /// The next event.
    Event(Event),
    /// Nothing now; the process lives.
    Waiting,
    /// Nothing any more.
    Ended,
}

/// What [`Stream::step`] came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The next event, which is [`Stream::current`].
    Event,
    /// Nothing now; the process lives.
    Waiting,
    /// Nothing any more.
    Ended,
}

/// How the recording of a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Properly, after `MPI_Finalize`.
    Sealed,
    /// The process is gone without having sealed its recording.
    Lost,
    /// Its host could not be reached any more.
    HostLost,
    /// It was still running when the command had ended, or when the time limit was reached.
    Cut,
    /// It runs elsewhere, and had not sealed its recording some time after the command had ended.
    Unknown,
    /// Its chunks are of another version, or unreadable.
    Unusable,
}

/// The events of one process.
#[derive(Debug)]
pub struct Stream {
    folder: PathBuf,
    keep: bool,
    recording: Recording,
    writer: Writer,
    /// The name of its host, if that is another one, and known.
    host: Option<String>,
    chunk: u32,
    file: Option<File>,
    decoder: Decoder,
    /// Bytes of the current chunk's records area, from `taken` on.
    buffer: Vec<u8>,
    position: usize,
    taken: u64,
    /// The current chunk's, when it was read last.
    head: Option<Head>,
    /// When its process was last found alive.
    lived: Option<Instant>,
    end: Option<End>,
    /// No event later than this is given out.
    cutoff: Option<u64>,
    damage: Vec<String>,
    damaged_records: u64,
    bytes: u64,
}

/// What can be known of the process that writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Writer {
    /// It is of this machine: `/proc` says whether it lives.
    Here,
    /// It is of another one.
    Elsewhere,
    /// It is not waited for any more.
    Given { up: End },
}

/// The state that a writer keeps in a chunk's header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// Bytes of records that are valid.
    pub committed: u64,
    /// See [`SEALED_OFFSET`].
    pub sealed: u32,
}

impl Stream {
    /// Follows the chunks of `recording` in `folder`, from chunk `first` on.
    pub fn new(folder: &Path, recording: Recording, first: u32, keep: bool) -> Self {
        Self {
            folder: folder.to_path_buf(),
            keep,
            recording,
            writer: if recording.machine == machine() {
                Writer::Here
            } else {
                Writer::Elsewhere
            },
            host: Origin::read(folder, recording).map(|origin| origin.host),
            chunk: first,
            file: None,
            decoder: Decoder::default(),
            buffer: Vec::new(),
            position: 0,
            taken: 0,
            head: None,
            lived: None,
            end: None,
            cutoff: None,
            damage: Vec::new(),
            damaged_records: 0,
            bytes: 0,
        }
    }

    /// As if the process ran elsewhere, where `/proc` cannot be asked for it.
    #[must_use]
    pub fn of_another_host(self) -> Self {
        Self {
            writer: Writer::Elsewhere,
            ..self
        }
    }

    /// What is read.
    pub fn recording(&self) -> Recording {
        self.recording
    }

    /// Where the process runs.
    pub fn machine(&self) -> Machine {
        self.recording.machine
    }

    /// The name of its host, if its recording was brought from another one.
    pub fn host(&self) -> Option<&str> {
        self.host.as_deref()
    }

    /// The process that writes.
    pub fn pid(&self) -> u32 {
        self.recording.pid
    }

    /// How the stream ended, once it has.
    pub fn end(&self) -> Option<End> {
        self.end
    }

    /// What was damaged, in words.
    pub fn damage(&self) -> Vec<String> {
        let mut damage = self.damage.clone();
        if self.damaged_records > 0 {
            damage.push(format!("damaged records skipped: {}", self.damaged_records));
        }
        damage
    }

    /// Bytes of records read.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Bytes of records that are there and were not given out.
    pub fn unread(&self) -> u64 {
        if self.end.is_some() {
            return 0;
        }
        let mut unread = (self.buffer.len() - self.position) as u64;
        for chunk in self.chunk.. {
            let head = File::open(self.path(chunk)).ok().map(|file| read_head(&file));
            let Some(Ok(Some(head))) = head else { break };
            let taken = if chunk == self.chunk { self.taken } else { 0 };
            unread += head.committed.saturating_sub(taken);
        }
        unread
    }

    /// Gives out no event that is later than `time`, a time of this machine's clock.
    pub fn cut_after(&mut self, time: u64) {
        // Another clock says nothing of it.
        if self.recording.machine.shares_clock(machine()) {
            self.cutoff = Some(time);
        }
    }

    /// Ends the stream after what is there now, `time`, though its process may live on.
    pub fn cut_now(&mut self, time: u64) {
        let up = match self.writer {
            Writer::Here => End::Cut,
            Writer::Elsewhere => End::Unknown,
            Writer::Given { .. } => return,
        };
        self.writer = Writer::Given { up };
        if self.cutoff.is_none() {
            self.cut_after(time);
        }
    }

    /// The next event, if there is one.
    pub fn poll(&mut self) -> Next {
        match self.step() {
            Step::Event => self.decoder.take().map_or(Next::Waiting, Next::Event),
            Step::Waiting => Next::Waiting,
            Step::Ended => Next::Ended,
        }
    }

    /// The event that [`Self::step`] came to, until it is called again.
    #[inline]
    pub fn current(&self) -> Option<&Event> {
        self.decoder.last()
    }

    /// Goes to the next event, if there is one. As [`Self::poll`], but the event stays where it is.
    pub fn step(&mut self) -> Step {
        loop {
            if self.end.is_some() {
                return Step::Ended;
            }
            let mut rest = &self.buffer[self.position..];
            let record = self.decoder.read(&mut rest);
            self.position = self.buffer.len() - rest.len();
            match record {
                Some(Ok(())) if self.is_cut_off() => self.finish(End::Cut),
                Some(Ok(())) => return Step::Event,
                Some(Err(_)) => self.damaged_records += 1,
                None => {
                    let refill = self.refill();
                    let (alive, refill) = match refill {
                        Ok(Refill::Nothing) if self.lived_lately() => return Step::Waiting,
                        // Look at the process before the header: what it wrote before it died is then seen.
                        Ok(Refill::Nothing) => (self.alive(), self.refill()),
                        refill => (true, refill),
                    };
                    match refill {
                        Ok(Refill::Read) => {}
                        Ok(Refill::NextChunk) => self.advance(),
                        Ok(Refill::Sealed) => self.finish(End::Sealed),
                        Ok(Refill::Nothing) if alive => return Step::Waiting,
                        Ok(Refill::Nothing) => self.finish(match self.writer {
                            Writer::Given { up } => up,
                            Writer::Elsewhere if self.gone() == Some(Gone::Host) => End::HostLost,
                            _ if self.cutoff.is_some() => End::Cut,
                            _ => End::Lost,
                        }),
                        Err(message) => {
                            self.note_damage(&message);
                            self.finish(End::Unusable);
                        }
                    }
                }
            }
        }
    }

    /// Whether the current event is later than what is given out.
    #[inline]
    fn is_cut_off(&self) -> bool {
        let is_later = |limit: u64| self.current().is_some_and(|event| event.time > limit);
        self.cutoff.is_some_and(is_later)
    }

    /// Whether the process was asked for a moment ago, and lived.
    fn lived_lately(&self) -> bool {
        let waits = !matches!(self.writer, Writer::Given { .. });
        waits && self.lived.is_some_and(|at| at.elapsed() < MOMENT)
    }

    fn alive(&mut self) -> bool {
        let alive = match self.writer {
            Writer::Here => start_time(self.recording.pid) == Some(self.recording.started),
            Writer::Elsewhere => self.gone().is_none(),
            Writer::Given { .. } => false,
        };
        self.lived = alive.then(Instant::now);
        alive
    }

    fn gone(&self) -> Option<Gone> {
        Gone::read(&self.folder, self.recording)
    }

    fn finish(&mut self, end: End) {
        self.end = Some(end);
        self.buffer = Vec::new();
        self.position = 0;
        if self.file.take().is_some() && !self.keep {
            let _ = fs::remove_file(self.path(self.chunk));
        }
    }

    fn advance(&mut self) {
        if self.file.take().is_some() && !self.keep {
            let _ = fs::remove_file(self.path(self.chunk));
        }
        self.chunk += 1;
        self.head = None;
        self.decoder.restart();
        self.buffer.clear();
        self.position = 0;
        self.taken = 0;
    }

    fn path(&self, chunk: u32) -> PathBuf {
        self.folder.join(self.recording.chunk_name(chunk))
    }

    fn note_damage(&mut self, what: &str) {
        // A few say enough; the list must not grow with the damage.
        if self.damage.len() < 4 {
            self.damage
                .push(format!("{}: {what}", self.recording.chunk_name(self.chunk)));
        }
    }

    /// Brings the next committed bytes into the buffer.
    fn refill(&mut self) -> Result<Refill, String> {
        let file = match &self.file {
            Some(file) => file,
            None => match File::open(self.path(self.chunk)) {
                Ok(file) => self.file.insert(file),
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Refill::Nothing),
                Err(error) => return Err(error.to_string()),
            },
        };
        let head = match read_head_since(file, self.head) {
            Ok(Some(head)) => *self.head.insert(head),
            // The writer has made the file, and not yet its header.
            Ok(None) => return Ok(Refill::Nothing),
            Err(message) => return Err(message),
        };
        let rest = (self.buffer.len() - self.position) as u64;
        if head.committed > self.taken {
            let record = Decoder::length(&self.buffer[self.position..]).unwrap_or(0) as u64;
            let missing_record = record.saturating_sub(rest);
            let wanted = (head.committed - self.taken).min(BLOCK.max(missing_record));
            self.buffer.drain(..self.position);
            self.position = 0;
            let old = self.buffer.len();
            self.buffer
                .resize(old + usize::try_from(wanted).map_err(|e| e.to_string())?, 0);
            file.read_exact_at(&mut self.buffer[old..], CHUNK_HEADER as u64 + self.taken)
                .map_err(|error| format!("shorter than its header says: {error}"))?;
            self.taken += wanted;
            self.bytes += wanted;
            return Ok(Refill::Read);
        }
        match head.sealed {
            0 => return Ok(Refill::Nothing),
            1 if !self.path(self.chunk + 1).exists() => return Ok(Refill::Nothing),
            _ => {}
        }
        if rest > 0 {
            self.note_damage("ends within a record");
            self.buffer.clear();
            self.position = 0;
        }
        Ok(if head.sealed == 1 {
            Refill::NextChunk
        } else {
            Refill::Sealed
        })
    }
}

#[derive(Debug)]
enum Refill {
    Read,
    NextChunk,
    Sealed,
    Nothing,
}

/// The header of a chunk; `None` while it is not yet written.
///
/// # Errors
/// It cannot be read, or is no header of this version; in words.
pub fn read_head(file: &File) -> Result<Option<Head>, String> {
    read_head_since(file, None)
}

/// As [`read_head`], after it was this: one reading that agrees with an earlier one is enough.
fn read_head_since(file: &File, mut last: Option<Head>) -> Result<Option<Head>, String> {
    loop {
        let mut bytes = [0; CHUNK_HEADER];
        match file.read_exact_at(&mut bytes, 0) {
            Ok(()) => {}
            Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => return Ok(None),
            Err(error) => return Err(error.to_string()),
        }
        if bytes[..8] == [0; 8] {
            return Ok(None);
        }
        check_header(&bytes).map_err(|error: Error| error.to_string())?;
        let mut committed = [0; 8];
        committed.copy_from_slice(&bytes[COMMITTED_OFFSET..COMMITTED_OFFSET + 8]);
        let mut sealed = [0; 4];
        sealed.copy_from_slice(&bytes[SEALED_OFFSET..SEALED_OFFSET + 4]);
        let head = Head {
            committed: u64::from_le_bytes(committed),
            sealed: u32::from_le_bytes(sealed),
        };
        if last == Some(head) {
            return Ok(Some(head));
        }
        last = Some(head);
    }
}

#[cfg(test)]
mod tests;
