//! A recording that is sent while it is written.
//!
//! Up to the first load or store everything is sent as it is. From there on, the front says whether it wants all, or
//! whether its memory is judged here: then loads and stores stay, and only that they were there is told.

use crate::frame::{BLOCK, ToFront, pack};
use farside_events::Event;
use farside_processes::start_time;
use farside_spool::format::{CHUNK_HEADER, Decoder, Recording, encode};
use farside_spool::reader::read_head;
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// For how long a process that lived is not asked for again.
const MOMENT: Duration = Duration::from_millis(50);

/// One recording in the folder of this host.
#[derive(Debug)]
pub(super) struct Followed {
    folder: PathBuf,
    recording: Recording,
    /// What the front calls it.
    number: u32,
    /// The chunk that is read.
    chunk: u32,
    file: Option<File>,
    /// Bytes of its records that were read.
    taken: u64,
    records: Records,
    /// How many chunks the front has, and how many it has judged.
    front: (u32, u32),
    /// When its process was last found alive.
    lived: Option<Instant>,
    /// What is there now is all that is wanted.
    closing: bool,
    ended: bool,
}

/// Its records, on their way from the bytes that were read to those that are sent.
#[derive(Debug, Default)]
struct Records {
    wanted: Wanted,
    decoder: Decoder,
    /// Bytes that were read and not looked at.
    input: Vec<u8>,
    /// Bytes that are to be sent.
    output: Vec<u8>,
}

/// What the front wants of a recording.
#[derive(Debug)]
enum Wanted {
    /// It has not said so. The first loads and stores, as they would be told.
    Unknown(Option<Box<Event>>),
    /// All.
    Whole,
    /// No loads and stores; these are judged here, or were.
    Withheld {
        /// Who judges them needs the chunks.
        judged: bool,
    },
}

impl Followed {
    pub(super) fn new(folder: &Path, recording: Recording, number: u32) -> Self {
        Self {
            folder: folder.to_path_buf(),
            recording,
            number,
            chunk: 0,
            file: None,
            taken: 0,
            records: Records::default(),
            front: (0, 0),
            lived: None,
            closing: false,
            ended: false,
        }
    }

    pub(super) fn recording(&self) -> Recording {
        self.recording
    }

    /// Whether nothing more is sent of it.
    pub(super) fn ended(&self) -> bool {
        self.ended
    }

    /// What is there now is all that is wanted, though the process lives on.
    pub(super) fn close(&mut self) {
        self.closing = true;
    }

    /// The front wants all of it, unless it has said something else before.
    pub(super) fn send_whole(&mut self) {
        if matches!(self.records.wanted, Wanted::Unknown(_)) {
            self.records.wanted = Wanted::Whole;
            self.records.output.append(&mut self.records.input);
            self.clear();
        }
    }

    /// Loads and stores are judged here; says whether none were sent.
    pub(super) fn withhold(&mut self) -> bool {
        let Wanted::Unknown(first) = &mut self.records.wanted else {
            return false;
        };
        let first = first.take();
        self.records.wanted = Wanted::Withheld { judged: true };
        if let Some(first) = first {
            // One that cannot be written is missing here and there; who judges notices.
            let _ = encode(&first, &mut self.records.output);
            let length = Decoder::length(&self.records.input)
                .unwrap_or(0)
                .min(self.records.input.len());
            self.records.input.drain(..length);
            self.records.sort();
        }
        true
    }

    /// Who judges it here does so no more.
    pub(super) fn release(&mut self) {
        if let Wanted::Withheld { judged } = &mut self.records.wanted {
            *judged = false;
            self.clear();
        }
    }

    /// What to send next, if there is anything. A chunk that cannot be read ends the recording as if its process had.
    pub(super) fn next(&mut self) -> Option<ToFront> {
        if self.ended {
            return None;
        }
        let (alive, look) = match self.look() {
            Ok(Look::Nothing) if self.lived_lately() => return None,
            // Before the header is read: what the process wrote before it died is then seen.
            Ok(Look::Nothing) => (self.alive(), self.look()),
            look => (true, look),
        };
        match look {
            Ok(Look::Message(message)) => Some(message),
            Ok(Look::Held) => None,
            Ok(Look::Nothing) if alive => {
                self.ended = self.closing;
                None
            }
            Ok(Look::Nothing) | Err(_) => {
                self.ended = true;
                Some(ToFront::Lost { number: self.number })
            }
        }
    }

    /// Whether the process was asked for a moment ago, and lived.
    fn lived_lately(&self) -> bool {
        !self.closing && self.lived.is_some_and(|at| at.elapsed() < MOMENT)
    }

    fn alive(&mut self) -> bool {
        let alive = start_time(self.recording.pid) == Some(self.recording.started);
        self.lived = alive.then(Instant::now);
        alive
    }

    fn look(&mut self) -> io::Result<Look> {
        let number = self.number;
        let file = match &self.file {
            Some(file) => file,
            None => match File::open(self.path(self.chunk)) {
                Ok(file) => self.file.insert(file),
                Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Look::Nothing),
                Err(error) => return Err(error),
            },
        };
        let Some(head) = read_head(file).map_err(io::Error::other)? else {
            return Ok(Look::Nothing);
        };
        while self.records.output.is_empty() && self.taken < head.committed && !self.records.is_held() {
            let length = usize::try_from(head.committed - self.taken).map_or(BLOCK, |rest| rest.min(BLOCK));
            let old = self.records.input.len();
            self.records.input.resize(old + length, 0);
            file.read_exact_at(&mut self.records.input[old..], CHUNK_HEADER as u64 + self.taken)?;
            self.taken += length as u64;
            self.records.sort();
        }
        if !self.records.output.is_empty() {
            let rest = self
                .records
                .output
                .split_off(self.records.output.len().min(BLOCK));
            let block = std::mem::replace(&mut self.records.output, rest);
            return Ok(Look::Message(ToFront::Data {
                number,
                length: u32::try_from(block.len()).map_err(io::Error::other)?,
                packed: pack(&block),
            }));
        }
        if self.records.is_held() {
            return Ok(Look::Held);
        }
        let more = match head.sealed {
            0 => return Ok(Look::Nothing),
            1 if !self.path(self.chunk + 1).exists() => return Ok(Look::Nothing),
            sealed => sealed == 1,
        };
        self.file = None;
        self.ended = !more;
        if more {
            self.chunk += 1;
            self.taken = 0;
            self.records.decoder.restart();
            self.records.input.clear();
        }
        Ok(Look::Message(ToFront::Sealed { number, more }))
    }

    /// The front has a chunk.
    pub(super) fn have(&mut self, chunk: u32) {
        self.front.0 = self.front.0.max(chunk.saturating_add(1));
        self.clear();
    }

    /// Who judges has judged a chunk.
    pub(super) fn judged(&mut self, chunk: u32) {
        self.front.1 = self.front.1.max(chunk.saturating_add(1));
        self.clear();
    }

    /// Of chunks that the front has the room is given back, and their names are kept: by them the process knows how
    /// much is not judged. Of a recording that has ended, nobody asks. Chunks that are judged here are removed by who
    /// judges.
    fn clear(&self) {
        match self.records.wanted {
            Wanted::Unknown(_) | Wanted::Withheld { judged: true } => return,
            Wanted::Whole | Wanted::Withheld { judged: false } => {}
        }
        let (had, judged) = self.front;
        if self.ended && had > self.chunk {
            (0..=self.chunk).for_each(|chunk| self.remove(chunk));
            return;
        }
        (0..judged.min(self.chunk)).for_each(|chunk| self.remove(chunk));
        for chunk in judged..had.min(self.chunk) {
            // Its writer has sealed it and does not write to it any more.
            let _ = File::options().write(true).truncate(true).open(self.path(chunk));
        }
    }

    fn remove(&self, chunk: u32) {
        let _ = fs::remove_file(self.path(chunk));
    }

    fn path(&self, chunk: u32) -> PathBuf {
        self.folder.join(self.recording.chunk_name(chunk))
    }
}

/// What a look at the chunks gave.
enum Look {
    Message(ToFront),
    /// What comes next waits for a word of the front.
    Held,
    Nothing,
}

impl Default for Wanted {
    fn default() -> Self {
        Self::Unknown(None)
    }
}

impl Records {
    /// Something waits for a word of the front.
    fn is_held(&self) -> bool {
        matches!(self.wanted, Wanted::Unknown(Some(_)))
    }

    /// Records that are sent go as they are, damaged ones, too: no record refers to loads and stores but these
    /// themselves.
    fn sort(&mut self) {
        if matches!(self.wanted, Wanted::Whole) {
            return self.output.append(&mut self.input);
        }
        let mut rest = &self.input[..];
        loop {
            let before = rest;
            let Some(event) = self.decoder.next(&mut rest) else {
                break;
            };
            let stays = event.ok().and_then(|event| {
                let kind = event.kind.withheld()?;
                Some(Event { kind, ..event })
            });
            match (stays, &mut self.wanted) {
                (Some(first), Wanted::Unknown(held)) => {
                    *held = Some(Box::new(first));
                    rest = before;
                    break;
                }
                (Some(told), _) => _ = encode(&told, &mut self.output),
                (None, _) => self.output.extend(&before[..before.len() - rest.len()]),
            }
        }
        let sorted = self.input.len() - rest.len();
        self.input.drain(..sorted);
    }
}
