//! The file of a shard, written.

use crate::line::{End, Head, Piece};
use crate::{Run, Shard};
use md5::{Digest, Md5};
use serde::Serialize;
use std::fs::File;
use std::io::{self, BufWriter, Write as _};
use std::path::Path;

/// Writes the file of a shard. Without [`Writer::finish`] it is incomplete, and known to be.
pub struct Writer {
    file: BufWriter<File>,
    digest: Md5,
    pieces: usize,
}

impl Writer {
    /// Makes the file, or begins it anew.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn create(path: &Path, shard: Shard, run: Run) -> io::Result<Self> {
        let mut writer = Self {
            file: BufWriter::new(File::create(path)?),
            digest: Md5::default(),
            pieces: 0,
        };
        writer.line(&Head::new(shard.number(), run))?;
        writer.file.flush()?;
        Ok(writer)
    }

    /// The result of the next piece of the shard: pieces come in order.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn take(&mut self, piece: usize, result: &impl Serialize) -> io::Result<()> {
        self.pieces += 1;
        self.line(&Piece::new(piece, result))
    }

    /// Says that all pieces are there.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn finish(mut self) -> io::Result<()> {
        let end = End::new(self.pieces, hexadecimal(&self.digest.clone().finalize()));
        self.line(&end)?;
        self.file.flush()?;
        // A task whose node fails a moment later has done its work.
        self.file.get_ref().sync_all()
    }

    fn line(&mut self, what: &impl Serialize) -> io::Result<()> {
        let mut line = serde_json::to_vec(what)?;
        line.push(b'\n');
        self.digest.update(&line);
        self.file.write_all(&line)
    }
}

pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
