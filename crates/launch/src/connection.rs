//! A process, as the rendezvous sees it: bytes that come in and go out without waiting.

use crate::protocol::{Frames, Reply, frame};
use crate::socket::Socket;
use rustix::event::epoll::EventFlags;
use serde::de::DeserializeOwned;
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::time::Instant;

/// Answers that may wait for a process before no more questions of it are read, in bytes.
const UNREAD: usize = 4 << 20;

/// A connection.
#[derive(Debug)]
pub(crate) struct Connection {
    socket: Socket,
    since: Instant,
    frames: Frames,
    /// What was not yet sent.
    unsent: Vec<u8>,
    /// Over as soon as all is sent.
    leaving: bool,
    /// What is waited for.
    waiting: EventFlags,
}

impl Connection {
    /// Somebody who has said nothing yet. The socket does not wait.
    pub(crate) fn new(socket: Socket) -> Self {
        Self {
            socket,
            since: Instant::now(),
            frames: Frames::default(),
            unsent: Vec::new(),
            leaving: false,
            waiting: EventFlags::IN,
        }
    }

    /// The socket, to wait for.
    pub(crate) fn socket(&self) -> &Socket {
        &self.socket
    }

    /// When it came, or was dismissed.
    pub(crate) fn since(&self) -> Instant {
        self.since
    }

    /// Whether nothing waits to be sent.
    pub(crate) fn is_sent(&self) -> bool {
        self.unsent.is_empty()
    }

    /// Whether it was dismissed, and knows everything.
    pub(crate) fn is_over(&self) -> bool {
        self.leaving && self.unsent.is_empty()
    }

    /// No more questions are taken.
    pub(crate) fn dismiss(&mut self) {
        self.leaving = true;
        self.since = Instant::now();
    }

    /// What to wait for from now on, if that is something else than before.
    pub(crate) fn wanted(&mut self) -> Option<EventFlags> {
        let mut wanted = EventFlags::empty();
        if self.listens() {
            wanted |= EventFlags::IN;
        }
        if !self.unsent.is_empty() {
            wanted |= EventFlags::OUT;
        }
        (std::mem::replace(&mut self.waiting, wanted) != wanted).then_some(wanted)
    }

    /// Whether so much waits to be sent that no more questions are read.
    pub(crate) fn is_full(&self) -> bool {
        self.unsent.len() >= UNREAD
    }

    fn listens(&self) -> bool {
        !self.leaving && !self.is_full()
    }

    /// Takes in some of what is there; an error if nothing more will come.
    pub(crate) fn receive(&mut self) -> io::Result<()> {
        if !self.listens() {
            return Ok(());
        }
        let mut buffer = [0; 64 << 10];
        loop {
            match self.socket.read(&mut buffer) {
                Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
                Ok(bytes) => {
                    self.frames.push(&buffer[..bytes]);
                    return Ok(());
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(error) => return Err(error),
            }
        }
    }

    /// The next question, if it may ask; an error if nobody can read it.
    pub(crate) fn question<T: DeserializeOwned>(&mut self) -> Result<Option<T>, String> {
        if self.listens() {
            self.frames.next()
        } else {
            Ok(None)
        }
    }

    /// Adds a reply to what is to be sent.
    pub(crate) fn reply(&mut self, reply: &Reply) {
        // Replies hold one value at the most, and that came in a frame.
        if let Ok(bytes) = frame(reply) {
            self.unsent.extend_from_slice(&bytes);
        }
    }

    /// Sends what can be sent now.
    pub(crate) fn send(&mut self) -> io::Result<()> {
        let mut sent = 0;
        let result = loop {
            if sent == self.unsent.len() {
                break Ok(());
            }
            match self.socket.write(&self.unsent[sent..]) {
                Ok(bytes) => sent += bytes,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => break Ok(()),
                Err(error) => break Err(error),
            }
        };
        self.unsent.drain(..sent);
        result
    }
}
