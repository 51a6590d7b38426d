//! What front and collector say to each other.
//!
//! A frame is a little-endian `u32` length and that many bytes of one message, encoded by postcard. Bytes of recordings
//! are compressed block by block (deflate, the fastest level: recordings shrink about ten times).
//!
//! Promise: a frame that is too long, that does not decode, or that holds more than it says is an error, never a panic;
//! no more memory is taken than the longest frame needs.

use crate::SILENCE;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::io::{self, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// Bytes of a recording that are sent at one time.
pub(crate) const BLOCK: usize = 256 << 10;
/// No frame is longer: a block that does not shrink, and what is said of it.
const MOST: usize = BLOCK + (16 << 10);
/// Bytes that are read from a connection at one time.
const READ: usize = 64 << 10;

/// From a collector.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum ToFront {
    /// The first message.
    Hello {
        /// Of the library, as `farside_spool::BUILD`.
        build: String,
        /// The secret of the job.
        token: u128,
        /// The name of the host.
        host: String,
        /// What its process ids count on.
        machine: String,
    },
    /// It lives.
    Alive,
    /// A file of the agreement, which is empty.
    File {
        /// Its name.
        name: String,
    },
    /// A recording was found. Recordings are numbered in the order of these messages, from 0.
    Begin {
        /// What the names of its chunks begin with.
        recording: String,
        /// See `Launched::job`.
        job: Option<String>,
    },
    /// More bytes of records of the chunk that is current.
    Data {
        /// The recording.
        number: u32,
        /// Their number, before they were compressed.
        length: u32,
        /// They, compressed.
        packed: Vec<u8>,
    },
    /// The current chunk is whole.
    Sealed {
        /// The recording.
        number: u32,
        /// Whether a next chunk follows; else the recording has ended properly.
        more: bool,
    },
    /// The process ended without sealing its recording.
    Lost {
        /// The recording.
        number: u32,
    },
    /// After [`ToCollector::Finish`]: all that was recorded here was sent.
    Delivered,
    /// The answer to [`ToCollector::Read`].
    Bytes {
        /// Which question.
        request: u64,
        /// The length of the file; none if it cannot be read.
        size: Option<u64>,
        /// How many bytes there are, before they were compressed.
        length: u32,
        /// They, compressed.
        packed: Vec<u8>,
    },
}

/// From the front.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum ToCollector {
    /// The first message: this is the front that was looked for.
    Greeting(u128),
    /// It lives.
    Alive,
    /// What was decided for a job.
    Decision {
        /// What the job is called in the names of files.
        job: String,
        /// All record.
        all: bool,
    },
    /// A whole chunk has arrived, the last one of a lost recording included.
    Have {
        /// The recording.
        number: u32,
        /// The chunk.
        chunk: u32,
    },
    /// It was judged, too.
    Judged {
        /// The recording.
        number: u32,
        /// The chunk.
        chunk: u32,
    },
    /// The command has ended: send what is there.
    Finish,
    /// A piece of a file of the host is wanted.
    Read {
        /// Which question.
        request: u64,
        /// The file.
        path: String,
        /// Where the piece begins.
        offset: u64,
        /// Bytes that are wanted, of those that are there.
        length: u32,
    },
    /// Nothing more is wanted.
    Bye,
}

/// A connection: messages of `In` come, others go.
#[derive(Debug)]
pub(crate) struct Wire<S> {
    stream: S,
    /// Bytes that came; those before `taken` were used.
    buffer: Vec<u8>,
    taken: usize,
}

impl Wire<TcpStream> {
    /// Over a connection, of which one look waits for `look`. Who takes nothing for [`SILENCE`] is gone.
    pub(crate) fn over(stream: TcpStream, look: Duration) -> io::Result<Self> {
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(look))?;
        stream.set_write_timeout(Some(SILENCE))?;
        let silence = SILENCE.as_millis().try_into().unwrap_or(u32::MAX);
        rustix::net::sockopt::set_tcp_user_timeout(&stream, silence)?;
        Ok(Self::new(stream))
    }
}

impl<S: Read + Write> Wire<S> {
    pub(crate) fn new(stream: S) -> Self {
        Self {
            stream,
            buffer: Vec::new(),
            taken: 0,
        }
    }

    /// The connection itself.
    pub(crate) fn stream(&self) -> &S {
        &self.stream
    }

    /// Takes in what has come, waiting as long as the connection is set to. `false`: nothing came.
    ///
    /// # Errors
    /// The other side is gone.
    pub(crate) fn receive(&mut self) -> io::Result<bool> {
        self.buffer.drain(..std::mem::take(&mut self.taken));
        let old = self.buffer.len();
        self.buffer.resize(old + READ, 0);
        let came = self.stream.read(&mut self.buffer[old..]);
        self.buffer.truncate(old + came.as_ref().map_or(0, |&n| n));
        match came {
            Ok(0) => Err(io::Error::new(
                ErrorKind::UnexpectedEof,
                "the connection was closed",
            )),
            Ok(_) => Ok(true),
            Err(error)
                if matches!(
                    error.kind(),
                    ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted
                ) =>
            {
                Ok(false)
            }
            Err(error) => Err(error),
        }
    }

    /// The next whole message of those that came.
    ///
    /// # Errors
    /// It is none.
    pub(crate) fn next<In: DeserializeOwned>(&mut self) -> io::Result<Option<In>> {
        let rest = &self.buffer[self.taken..];
        let Some((length, rest)) = rest.split_first_chunk() else {
            return Ok(None);
        };
        let length = u32::from_le_bytes(*length) as usize;
        if length > MOST {
            return Err(malformed("a frame is too long"));
        }
        let Some(body) = rest.get(..length) else {
            return Ok(None);
        };
        let (message, left) =
            postcard::take_from_bytes(body).map_err(|_| malformed("a frame does not decode"))?;
        if !left.is_empty() {
            return Err(malformed("a frame holds more than a message"));
        }
        self.taken += 4 + length;
        Ok(Some(message))
    }

    /// Sends a message, waiting as long as the connection is set to.
    ///
    /// # Errors
    /// The other side is gone, or takes nothing.
    pub(crate) fn send<Out: Serialize>(&mut self, message: &Out) -> io::Result<()> {
        let body = postcard::to_extend(message, vec![0; 4]).map_err(io::Error::other)?;
        self.write(body)
    }

    fn write(&mut self, mut frame: Vec<u8>) -> io::Result<()> {
        let length = u32::try_from(frame.len() - 4).map_err(io::Error::other)?;
        frame[..4].copy_from_slice(&length.to_le_bytes());
        self.stream.write_all(&frame)
    }
}

/// A block of a recording, as it travels.
pub(crate) fn pack(block: &[u8]) -> Vec<u8> {
    miniz_oxide::deflate::compress_to_vec(block, 1)
}

/// It again.
///
/// # Errors
/// It is not what was packed, or of another length.
pub(crate) fn unpack(packed: &[u8], length: u32) -> io::Result<Vec<u8>> {
    let length = usize::try_from(length).map_err(io::Error::other)?;
    if length > BLOCK {
        return Err(malformed("a block is too long"));
    }
    let block = miniz_oxide::inflate::decompress_to_vec_with_limit(packed, length)
        .map_err(|_| malformed("a block does not unpack"))?;
    if block.len() != length {
        return Err(malformed("a block is shorter than it says"));
    }
    Ok(block)
}

/// What came is none of what the other side says.
pub(crate) fn malformed(what: &str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, what)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    fn frames(messages: &[ToFront]) -> Vec<u8> {
        let mut wire = Wire::new(Cursor::new(Vec::new()));
        for message in messages {
            wire.send(message).unwrap();
        }
        wire.stream.into_inner()
    }

    /// What is read of these bytes, and whether they end in an error.
    fn read(bytes: &[u8]) -> (Vec<ToFront>, Option<ErrorKind>) {
        let mut wire = Wire::new(Cursor::new(bytes.to_vec()));
        let mut messages = Vec::new();
        loop {
            match wire.next() {
                Ok(Some(message)) => messages.push(message),
                Err(error) => return (messages, Some(error.kind())),
                Ok(None) => match wire.receive() {
                    Ok(_) => {}
                    Err(_) => return (messages, None),
                },
            }
        }
    }

    fn some() -> Vec<ToFront> {
        let block: Vec<u8> = (0..BLOCK).map(|i| (i * i / 7) as u8).collect();
        vec![
            ToFront::Hello {
                build: "1".into(),
                token: 7,
                host: "h".into(),
                machine: "m".into(),
            },
            ToFront::Data {
                number: 3,
                length: BLOCK as u32,
                packed: pack(&block),
            },
            ToFront::Delivered,
        ]
    }

    #[test]
    fn messages_come_as_they_went() {
        assert_eq!(read(&frames(&some())), (some(), None));
    }

    #[test]
    fn cut_anywhere_it_is_no_message_and_no_panic() {
        let bytes = frames(&some());
        for end in (0..bytes.len()).step_by(97) {
            let (messages, error) = read(&bytes[..end]);
            assert!(messages.len() < 3 && error.is_none(), "{end}");
        }
    }

    #[test]
    fn lengths_that_lie() {
        assert_eq!(read(&u32::MAX.to_le_bytes()).1, Some(ErrorKind::InvalidData));
        assert_eq!(
            read(&(MOST as u32 + 1).to_le_bytes()).1,
            Some(ErrorKind::InvalidData)
        );
        // A message and a byte more.
        let mut bytes = frames(&[ToFront::Alive]);
        bytes[0] += 1;
        bytes.push(0);
        assert_eq!(read(&bytes).1, Some(ErrorKind::InvalidData));
        // No such message.
        assert_eq!(read(&[1, 0, 0, 0, 200]).1, Some(ErrorKind::InvalidData));
    }

    #[test]
    fn blocks() {
        let noise: Vec<u8> = (0..BLOCK as u64)
            .map(|i| (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as u8)
            .collect();
        for block in [&noise[..], &[0; 1000], &[]] {
            let packed = pack(block);
            let length = u32::try_from(block.len()).unwrap();
            assert_eq!(unpack(&packed, length).unwrap(), block);
            assert!(unpack(&packed, length + 1).is_err());
            assert!(length == 0 || unpack(&packed, length - 1).is_err());
            // The longest block fits into a frame even if it does not shrink.
            assert!(packed.len() + 64 < MOST);
        }
        assert!(unpack(&[0xff; 10], 10).is_err());
        assert!(unpack(&pack(&vec![0; BLOCK + 1]), BLOCK as u32 + 1).is_err());
    }
}
