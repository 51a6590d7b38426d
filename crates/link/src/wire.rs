//! Messages on the wire.
//!
//! A frame is a little-endian `u32` length and that many bytes of one message, encoded by postcard.
//!
//! Promise: a frame that is too long, that does not decode, or that holds more than it says is an error, never a panic;
//! no more memory is taken than the longest frame needs.

use crate::SILENCE;
use serde::{Serialize, de::DeserializeOwned};
use std::io::{self, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// Bytes that a message may carry, besides a few words.
pub const BLOCK: usize = 256 << 10;
/// No frame is longer.
const MOST: usize = BLOCK + (16 << 10);
/// Bytes that are read from a connection at one time.
const READ: usize = 64 << 10;

/// A connection: messages of `In` come, others go.
#[derive(Debug)]
pub struct Wire<S> {
    stream: S,
    /// Bytes that came; those before `taken` were used.
    buffer: Vec<u8>,
    taken: usize,
}

impl Wire<TcpStream> {
    /// Over a connection, of which one look waits for `look`. Who takes nothing for [`SILENCE`] is gone.
    pub fn over(stream: TcpStream, look: Duration) -> io::Result<Self> {
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(look))?;
        stream.set_write_timeout(Some(SILENCE))?;
        let silence = SILENCE.as_millis().try_into().unwrap_or(u32::MAX);
        rustix::net::sockopt::set_tcp_user_timeout(&stream, silence)?;
        Ok(Self::new(stream))
    }
}

impl<S: Read + Write> Wire<S> {
    /// Over a stream of bytes.
    pub fn new(stream: S) -> Self {
        Self {
            stream,
            buffer: Vec::new(),
            taken: 0,
        }
    }

    /// The connection itself.
    pub fn stream(&self) -> &S {
        &self.stream
    }

    /// Takes in what has come, waiting as long as the connection is set to. `false`: nothing came.
    ///
    /// # Errors
    /// The other side is gone.
    pub fn receive(&mut self) -> io::Result<bool> {
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
    #[expect(
        clippy::should_implement_trait,
        reason = "the next message of a type that the caller chooses"
    )]
    pub fn next<In: DeserializeOwned>(&mut self) -> io::Result<Option<In>> {
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
    pub fn send<Out: Serialize>(&mut self, message: &Out) -> io::Result<()> {
        let body = postcard::to_extend(message, vec![0; 4]).map_err(io::Error::other)?;
        self.write(body)
    }

    fn write(&mut self, mut frame: Vec<u8>) -> io::Result<()> {
        let length = u32::try_from(frame.len() - 4).map_err(io::Error::other)?;
        frame[..4].copy_from_slice(&length.to_le_bytes());
        self.stream.write_all(&frame)
    }
}

/// The error of what is none of what the other side says.
#[must_use]
pub fn malformed(what: &str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, what)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    type Message = (u32, Vec<u8>);

    fn frames(messages: &[Message]) -> Vec<u8> {
        let mut wire = Wire::new(Cursor::new(Vec::new()));
        for message in messages {
            wire.send(message).unwrap();
        }
        wire.stream.into_inner()
    }

    /// What is read of these bytes, and whether they end in an error.
    fn read(bytes: &[u8]) -> (Vec<Message>, Option<ErrorKind>) {
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

    fn some() -> Vec<Message> {
        vec![(7, vec![]), (u32::MAX, vec![3; BLOCK]), (0, vec![1, 2])]
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
        let mut bytes = frames(&[(1, vec![])]);
        bytes[0] += 1;
        bytes.push(0);
        assert_eq!(read(&bytes).1, Some(ErrorKind::InvalidData));
        // No such message: two bytes of three.
        assert_eq!(read(&[3, 0, 0, 0, 1, 3, 1]).1, Some(ErrorKind::InvalidData));
    }
}
