//! The channels of a connection: files that are open here, whose bytes go to the other side and come from there.
//!
//! Promise: nothing waits here, so that a rank that does not read, or a terminal that is held, keeps up its own channel
//! only; what waits to be passed on is bounded, for the other side sends [`WINDOW`] bytes ahead at the most.

use super::message::{Channel, Piece};
use farside_link::malformed;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use std::collections::BTreeMap;
use std::io;
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::time::Duration;

/// Bytes of a channel that the other side has not passed on yet.
const WINDOW: usize = 256 << 10;
/// Bytes that are read at one time.
const READ: usize = 64 << 10;

/// What is done with a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// It is read.
    Out,
    /// It is written to.
    In,
    /// Both.
    Both,
}

#[derive(Debug)]
struct File {
    fd: OwnedFd,
    way: Way,
    /// Bytes that were sent, and not passed on yet.
    ahead: usize,
    /// Bytes that came, and were not written yet.
    unwritten: Vec<u8>,
    /// Nothing more comes.
    ending: bool,
}

/// All channels of a connection.
#[derive(Debug, Default)]
pub(super) struct Channels(BTreeMap<Channel, File>);

impl Channels {
    /// A file is open from now on.
    pub(super) fn open(&mut self, channel: Channel, fd: OwnedFd, way: Way) -> io::Result<()> {
        rustix::io::ioctl_fionbio(&fd, true)?;
        let file = File {
            fd,
            way,
            ahead: 0,
            unwritten: Vec::new(),
            ending: false,
        };
        self.0.insert(channel, file);
        Ok(())
    }

    /// Waits until something can be done, for `limit` at the most: with channels, or with `others`, which are to be
    /// read. Says with which.
    pub(super) fn wait(
        &self,
        others: &[BorrowedFd<'_>],
        limit: Duration,
    ) -> io::Result<(Vec<bool>, Vec<Channel>)> {
        let (names, files): (Vec<Channel>, Vec<PollFd<'_>>) = self.waits().unzip();
        let others_first = others
            .iter()
            .map(|other| PollFd::from_borrowed_fd(*other, PollFlags::IN));
        let mut list: Vec<PollFd<'_>> = others_first.chain(files).collect();
        let limit = Timespec {
            tv_sec: limit.as_secs().try_into().unwrap_or(i64::MAX),
            tv_nsec: limit.subsec_nanos().into(),
        };
        match poll(&mut list, Some(&limit)) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        let mut ready = list.iter().map(|file| !file.revents().is_empty());
        let others = ready.by_ref().take(others.len()).collect();
        let channels = names
            .into_iter()
            .zip(ready)
            .filter_map(|(name, ready)| ready.then_some(name));
        Ok((others, channels.collect()))
    }

    /// What to wait for.
    fn waits(&self) -> impl Iterator<Item = (Channel, PollFd<'_>)> {
        self.0.iter().filter_map(|(&channel, file)| {
            let mut wanted = PollFlags::empty();
            if file.way != Way::In && !file.ending && file.ahead < WINDOW {
                wanted |= PollFlags::IN;
            }
            if !file.unwritten.is_empty() {
                wanted |= PollFlags::OUT;
            }
            (!wanted.is_empty()).then(|| (channel, PollFd::from_borrowed_fd(file.fd.as_fd(), wanted)))
        })
    }

    /// Something can be done with a channel: what the other side is to know of it.
    pub(super) fn turn(&mut self, channel: Channel) -> Vec<Piece> {
        let mut pieces = self.write(channel);
        let room = self
            .0
            .get(&channel)
            .map_or(0, |file| WINDOW - file.ahead.min(WINDOW));
        if room > 0 {
            pieces.extend(self.read(channel, room));
        }
        pieces
    }

    /// All that processes have said to the rendezvous until now.
    pub(super) fn drain(&mut self) -> Vec<Piece> {
        let said = |channel: &&Channel| matches!(channel, Channel::Rendezvous(_));
        let channels: Vec<Channel> = self.0.keys().filter(said).copied().collect();
        let mut pieces = Vec::new();
        for channel in channels {
            while let Some(piece) = self.read(channel, READ) {
                pieces.push(piece);
            }
        }
        pieces
    }

    /// The other side says something of a channel; what it is to know then.
    ///
    /// # Errors
    /// It sends more than it may.
    pub(super) fn take(&mut self, piece: Piece) -> io::Result<Vec<Piece>> {
        match piece {
            Piece::Bytes(channel, bytes) => {
                // One that was closed here: the other side will hear of it.
                let Some(file) = self.0.get_mut(&channel) else {
                    return Ok(Vec::new());
                };
                file.unwritten.extend(bytes);
                // What was said at the end of a process comes in one go.
                if file.unwritten.len() > 16 * WINDOW {
                    return Err(malformed("more than was asked for"));
                }
                return Ok(self.write(channel));
            }
            Piece::Taken(channel, bytes) => {
                if let Some(file) = self.0.get_mut(&channel) {
                    file.ahead = file.ahead.saturating_sub(bytes as usize);
                }
            }
            Piece::Ended(channel) => match self.0.get_mut(&channel) {
                Some(file) if !file.unwritten.is_empty() => file.ending = true,
                _ => _ = self.0.remove(&channel),
            },
        }
        Ok(Vec::new())
    }

    fn read(&mut self, channel: Channel, room: usize) -> Option<Piece> {
        let file = self.0.get_mut(&channel)?;
        if file.way == Way::In || file.ending {
            return None;
        }
        let mut bytes = vec![0; room.min(READ)];
        match rustix::io::read(&file.fd, &mut bytes[..]) {
            Ok(0) => self.end(channel),
            Ok(length) => {
                file.ahead += length;
                bytes.truncate(length);
                Some(Piece::Bytes(channel, bytes))
            }
            Err(Errno::INTR | Errno::AGAIN) => None,
            Err(_) => self.end(channel),
        }
    }

    fn write(&mut self, channel: Channel) -> Vec<Piece> {
        let Some(file) = self.0.get_mut(&channel) else {
            return Vec::new();
        };
        let mut written = 0;
        let broken = loop {
            match rustix::io::write(&file.fd, &file.unwritten[written..]) {
                _ if written == file.unwritten.len() => break false,
                Ok(length) => written += length,
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => break false,
                Err(_) => break true,
            }
        };
        file.unwritten.drain(..written);
        let over = file.ending && file.unwritten.is_empty();
        let mut pieces = Vec::new();
        if written > 0 {
            pieces.push(Piece::Taken(channel, u32::try_from(written).unwrap_or(u32::MAX)));
        }
        if broken {
            pieces.extend(self.end(channel));
        } else if over {
            self.0.remove(&channel);
        }
        pieces
    }

    fn end(&mut self, channel: Channel) -> Option<Piece> {
        self.0.remove(&channel).map(|_| Piece::Ended(channel))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read as _, Write as _};
    use std::os::unix::net::UnixStream;

    const CHANNEL: Channel = Channel::Rendezvous(1);

    /// Two sides, each with a file whose other end is ours.
    fn sides() -> ([Channels; 2], [UnixStream; 2]) {
        let open = || {
            let (ours, theirs) = UnixStream::pair().unwrap();
            let mut channels = Channels::default();
            channels.open(CHANNEL, theirs.into(), Way::Both).unwrap();
            (channels, ours)
        };
        let ((a, x), (b, y)) = (open(), open());
        ([a, b], [x, y])
    }

    /// Passes what is there from one side to the other, and back, until nothing moves.
    fn settle(sides: &mut [Channels; 2]) {
        let mut open = [Vec::new(), Vec::new()];
        loop {
            for (side, pieces) in sides.iter_mut().zip(&mut open) {
                pieces.extend(side.turn(CHANNEL));
            }
            if open.iter().all(Vec::is_empty) {
                return;
            }
            let [from_a, from_b] = std::mem::take(&mut open);
            for piece in from_a {
                open[1].extend(sides[1].take(piece).unwrap());
            }
            for piece in from_b {
                open[0].extend(sides[0].take(piece).unwrap());
            }
        }
    }

    #[test]
    fn bytes_go_both_ways_and_the_end_after_them() {
        let (mut channels, [mut x, mut y]) = sides();
        x.write_all(b"question").unwrap();
        y.write_all(b"answer").unwrap();
        settle(&mut channels);
        drop(x);
        settle(&mut channels);
        let mut text = String::new();
        y.read_to_string(&mut text).unwrap();
        assert_eq!(text, "question");
        assert!(channels.iter().all(|side| side.0.is_empty()));
    }

    #[test]
    fn who_does_not_read_is_not_sent_more_and_all_comes_in_the_end() {
        let (mut channels, [mut x, mut y]) = sides();
        x.set_nonblocking(true).unwrap();
        let bytes: Vec<u8> = (0..8 << 20).map(|i: u32| (i / 7) as u8).collect();
        let mut sent = 0;
        loop {
            settle(&mut channels);
            match x.write(&bytes[sent..]) {
                Ok(length) => sent += length,
                Err(_) => break,
            }
        }
        // Nobody reads: the window, and what the system holds.
        assert!(sent < 2 << 20, "{sent}");
        assert!(channels[1].0[&CHANNEL].unwritten.len() <= WINDOW);
        let mut came = Vec::new();
        let mut buffer = vec![0; 1 << 20];
        while came.len() < bytes.len() {
            let length = y.read(&mut buffer).unwrap();
            came.extend_from_slice(&buffer[..length]);
            settle(&mut channels);
            sent += x.write(&bytes[sent..]).unwrap_or(0);
            settle(&mut channels);
        }
        assert!(came == bytes);
    }

    #[test]
    fn a_reader_that_goes_away_is_told_to_the_writer() {
        let (mut channels, [mut x, y]) = sides();
        drop(y);
        channels[1].0.get_mut(&CHANNEL).unwrap().way = Way::In;
        // A process that another test starts meanwhile has our end, too, until it runs its own program.
        let refused = (0..1000).any(|_| {
            let written = x.write_all(b"nobody reads this");
            settle(&mut channels);
            std::thread::sleep(std::time::Duration::from_millis(1));
            written.is_err()
        });
        assert!(refused);
        assert!(channels.iter().all(|side| side.0.is_empty()));
    }

    #[test]
    fn who_sends_without_end_is_refused() {
        let ([mut channels, _], _ours) = sides();
        let more = || Piece::Bytes(CHANNEL, vec![0; WINDOW]);
        assert!((0..32).any(|_| channels.take(more()).is_err()));
    }
}
