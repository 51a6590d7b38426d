//! A recording that is sent while it is written.

use crate::frame::{BLOCK, ToFront, pack};
use farside_processes::start_time;
use farside_spool::format::{CHUNK_HEADER, Recording};
use farside_spool::reader::read_head;
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

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
    /// Bytes of its records that were sent.
    sent: u64,
    /// What is there now is all that is wanted.
    closing: bool,
    ended: bool,
    buffer: Vec<u8>,
}

impl Followed {
    pub(super) fn new(folder: &Path, recording: Recording, number: u32) -> Self {
        Self {
            folder: folder.to_path_buf(),
            recording,
            number,
            chunk: 0,
            file: None,
            sent: 0,
            closing: false,
            ended: false,
            buffer: Vec::new(),
        }
    }

    /// Whether nothing more is sent of it.
    pub(super) fn ended(&self) -> bool {
        self.ended
    }

    /// What is there now is all that is wanted, though the process lives on.
    pub(super) fn close(&mut self) {
        self.closing = true;
    }

    /// What to send next, if there is anything. A chunk that cannot be read ends the recording as if its process had.
    pub(super) fn next(&mut self) -> Option<ToFront> {
        if self.ended {
            return None;
        }
        // Before the header is read: what the process wrote before it died is then seen.
        let alive = start_time(self.recording.pid) == Some(self.recording.started);
        match self.look() {
            Ok(None) if alive => {
                self.ended = self.closing;
                None
            }
            Ok(Some(message)) => Some(message),
            Ok(None) | Err(_) => {
                self.ended = true;
                Some(ToFront::Lost { number: self.number })
            }
        }
    }

    fn look(&mut self) -> io::Result<Option<ToFront>> {
        let number = self.number;
        let file = match &self.file {
            Some(file) => file,
            None => match File::open(self.path(self.chunk)) {
                Ok(file) => self.file.insert(file),
                Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
                Err(error) => return Err(error),
            },
        };
        let Some(head) = read_head(file).map_err(io::Error::other)? else {
            return Ok(None);
        };
        if head.committed > self.sent {
            let length = usize::try_from(head.committed - self.sent).map_or(BLOCK, |rest| rest.min(BLOCK));
            self.buffer.resize(length, 0);
            file.read_exact_at(&mut self.buffer, CHUNK_HEADER as u64 + self.sent)?;
            self.sent += length as u64;
            let length = u32::try_from(length).map_err(io::Error::other)?;
            let packed = pack(&self.buffer);
            return Ok(Some(ToFront::Data {
                number,
                length,
                packed,
            }));
        }
        let more = match head.sealed {
            0 => return Ok(None),
            1 if !self.path(self.chunk + 1).exists() => return Ok(None),
            sealed => sealed == 1,
        };
        self.file = None;
        self.ended = !more;
        if more {
            self.chunk += 1;
            self.sent = 0;
        }
        Ok(Some(ToFront::Sealed { number, more }))
    }

    /// The front has a chunk. Its room is given back, its name is kept: by it the process knows how much is not judged.
    /// Of a recording that has ended, nobody asks.
    pub(super) fn have(&self, chunk: u32) {
        if self.ended && chunk >= self.chunk {
            for chunk in 0..=self.chunk {
                self.judged(chunk);
            }
        } else if chunk < self.chunk {
            // Its writer has sealed it and does not write to it any more.
            let _ = File::create(self.path(chunk));
        }
    }

    /// Who judges has judged a chunk.
    pub(super) fn judged(&self, chunk: u32) {
        if chunk < self.chunk || self.ended {
            let _ = fs::remove_file(self.path(chunk));
        }
    }

    fn path(&self, chunk: u32) -> PathBuf {
        self.folder.join(self.recording.chunk_name(chunk))
    }
}
