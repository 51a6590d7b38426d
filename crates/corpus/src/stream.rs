//! A file that grows piece by piece, and can be cut back to any piece.
//!
//! Promise: what [`Stream::piece`] returned is a length at which the file is whole. Compressed, every piece is a member
//! of its own: a file of several members is what `gzip -d` and `tar xzf` read as one.

use crate::error::Error;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Seek as _, SeekFrom, Write};
use std::mem;
use std::path::Path;

/// The file.
pub(crate) struct Stream {
    packed: bool,
    state: State,
}

enum State {
    /// Between two members, or not compressed.
    Plain(BufWriter<File>),
    /// In a member.
    Member(GzEncoder<BufWriter<File>>),
    /// Ending a member failed.
    Failed,
}

impl Stream {
    /// Opens or makes the file, and cuts it back to `length` bytes.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(crate) fn open(path: &Path, length: u64, packed: bool) -> Result<Self, Error> {
        let open = || {
            let mut file = OpenOptions::new()
                .create(true)
                .truncate(false)
                .write(true)
                .open(path)?;
            file.set_len(length)?;
            file.seek(SeekFrom::End(0))?;
            Ok(BufWriter::new(file))
        };
        let file = open().map_err(|error| Error::Unwritable(path.to_path_buf(), error))?;
        Ok(Self {
            packed,
            state: State::Plain(file),
        })
    }

    /// Ends a piece; the length of the file.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(crate) fn piece(&mut self) -> io::Result<u64> {
        let mut file = match mem::replace(&mut self.state, State::Failed) {
            State::Plain(file) => file,
            State::Member(encoder) => encoder.finish()?,
            State::Failed => return Err(failed()),
        };
        file.flush()?;
        let length = file.get_mut().stream_position()?;
        self.state = State::Plain(file);
        Ok(length)
    }
}

impl Write for Stream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.packed && matches!(self.state, State::Plain(_)) {
            self.state = match mem::replace(&mut self.state, State::Failed) {
                State::Plain(file) => State::Member(GzEncoder::new(file, Compression::default())),
                state => state,
            };
        }
        match &mut self.state {
            State::Plain(file) => file.write(bytes),
            State::Member(encoder) => encoder.write(bytes),
            State::Failed => Err(failed()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.state {
            State::Plain(file) => file.flush(),
            State::Member(encoder) => encoder.flush(),
            State::Failed => Err(failed()),
        }
    }
}

fn failed() -> io::Error {
    io::Error::other("an earlier piece of it could not be written")
}

#[cfg(test)]
mod tests {
    use super::Stream;
    use flate2::read::MultiGzDecoder;
    use std::io::{Read as _, Write as _};

    #[test]
    fn what_was_cut_back_goes_on() {
        for packed in [false, true] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("file");
            let mut stream = Stream::open(&path, 0, packed).unwrap();
            stream.write_all(b"one ").unwrap();
            let length = stream.piece().unwrap();
            stream.write_all(b"lost").unwrap();
            assert!(stream.piece().unwrap() > length);
            drop(stream);
            let mut stream = Stream::open(&path, length, packed).unwrap();
            stream.write_all(b"two").unwrap();
            stream.piece().unwrap();
            drop(stream);
            let mut text = String::new();
            let mut file = std::fs::File::open(&path).unwrap();
            match packed {
                true => MultiGzDecoder::new(file).read_to_string(&mut text),
                false => file.read_to_string(&mut text),
            }
            .unwrap();
            assert_eq!(text, "one two", "packed: {packed}");
        }
    }
}
