//! The recordings of processes that share a clock, as one stream in the order of time.
//!
//! Promise: events come in the order of `(time, rank)`, and each stream's own order is kept. An event is given out
//! only when every stream that has not ended offers a later one, so that the order holds however late a process
//! writes.
//!
//! Limit: one process that is silent for long holds back the others' events, which wait on disk meanwhile.

use farside_events::{Event, Rank};
use farside_spool::format::Machine;
use farside_spool::reader::{Step, Stream};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;

/// Streams being merged.
#[derive(Debug, Default)]
pub(super) struct Host {
    members: Vec<Member>,
    /// The next event of each member that has one: time, rank, index.
    heads: BinaryHeap<Reverse<(u64, Rank, usize)>>,
    /// The first of them was given out; the one that follows it is not known yet.
    given: bool,
    /// Processes whose last event was given out, and of which nobody was told so.
    ended: Vec<Rank>,
}

/// One stream.
#[derive(Debug)]
struct Member {
    rank: Rank,
    stream: Stream,
    /// Its first event, until that was given out; then the stream has the current one.
    first: Option<Event>,
}

impl Member {
    /// Its next event, or the one that was given out last.
    #[inline]
    fn current(&self) -> Option<&Event> {
        self.first.as_ref().or_else(|| self.stream.current())
    }
}

impl Host {
    /// Adds a stream whose first event was taken already.
    pub(super) fn add(&mut self, rank: Rank, stream: Stream, first: Event) {
        let index = self.members.len();
        self.heads.push(Reverse((first.time, rank, index)));
        self.members.push(Member {
            rank,
            stream,
            first: Some(first),
        });
    }

    /// Whether the times of a machine can be compared with those of this host.
    pub(super) fn shares_clock(&self, machine: Machine) -> bool {
        let mut members = self.members.iter();
        members.all(|member| member.stream.machine().shares_clock(machine))
    }

    /// The processes that were added, and their streams.
    pub(super) fn members(&self) -> impl Iterator<Item = (Rank, &Stream)> {
        self.members.iter().map(|member| (member.rank, &member.stream))
    }

    /// Their streams, to be changed.
    pub(super) fn streams(&mut self) -> impl Iterator<Item = &mut Stream> {
        self.members.iter_mut().map(|member| &mut member.stream)
    }

    /// Whether every event was given out, and none can come.
    pub(super) fn finished(&self) -> bool {
        self.heads.is_empty() && self.members.iter().all(|m| m.stream.end().is_some())
    }

    /// Asks the stream whose event was given out last for its next one; says whether all know theirs.
    #[inline]
    pub(super) fn look(&mut self) -> bool {
        if !self.given {
            return true;
        }
        if let Some(mut first) = self.heads.peek_mut() {
            let Reverse((.., index)) = *first;
            let member = &mut self.members[index];
            match member.stream.step() {
                Step::Event => {
                    member.first = None;
                    let time = member.stream.current().map_or(0, |event| event.time);
                    first.0.0 = time;
                }
                Step::Waiting => return false,
                Step::Ended => {
                    self.ended.push(member.rank);
                    PeekMut::pop(first);
                }
            }
        }
        self.given = false;
        true
    }

    /// What comes next, if [`Self::look`] says that all streams know.
    #[inline]
    pub(super) fn peek(&self) -> Option<(Rank, &Event)> {
        let Reverse((_, rank, index)) = self.heads.peek()?;
        Some((*rank, self.members[*index].current()?))
    }

    /// The next event; `None` if it is not known yet, or there is none.
    #[inline]
    pub(super) fn next(&mut self) -> Option<(Rank, &Event)> {
        if !self.look() {
            return None;
        }
        self.given = !self.heads.is_empty();
        self.peek()
    }

    /// The event that was given out last, until there is another look at the streams.
    pub(super) fn given(&self) -> Option<(Rank, &Event)> {
        self.peek().filter(|_| self.given)
    }

    /// The processes that have come to their end since this was last asked.
    pub(super) fn newly_ended(&mut self) -> Vec<Rank> {
        std::mem::take(&mut self.ended)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use farside_events::{EventKind, ObjectId, ThreadId};
    use farside_spool::format::{encode, image};
    use farside_spool::processes::recording;
    use farside_spool::reader::Next;
    use std::path::Path;

    /// An event that orders nothing.
    fn event(time: u64) -> Event {
        Event {
            time,
            thread: ThreadId(0),
            kind: EventKind::Release { object: ObjectId(1) },
        }
    }

    /// Writes a whole chunk.
    fn record(folder: &Path, pid: u32, chunk: u32, times: &[u64], sealed: u32) {
        let mut bytes = Vec::new();
        times
            .iter()
            .for_each(|&time| encode(&event(time), &mut bytes).unwrap());
        let name = recording(pid, 0).chunk_name(chunk);
        std::fs::write(folder.join(name), image(&bytes, bytes.len() as u64, sealed)).unwrap();
    }

    #[test]
    fn all_events_in_the_order_of_time_and_rank() {
        let folder = tempfile::tempdir().unwrap();
        let times: [&[u64]; 3] = [&[1, 5, 5, 9], &[2, 3, 5, 100], &[4]];
        let mut host = Host::default();
        for (rank, times) in (0..).zip(times) {
            record(folder.path(), 5_000_000 + rank, 0, times, 2);
            let mut stream = Stream::new(folder.path(), recording(5_000_000 + rank, 0), 0, false);
            let Next::Event(first) = stream.poll() else {
                panic!("no event")
            };
            host.add(Rank(rank), stream, first);
        }
        let merged: Vec<_> = std::iter::from_fn(|| host.next().map(|(r, e)| (e.time, r.0))).collect();
        assert_eq!(
            merged,
            [
                (1, 0),
                (2, 1),
                (3, 1),
                (4, 2),
                (5, 0),
                (5, 0),
                (5, 1),
                (9, 0),
                (100, 1)
            ]
        );
        assert!(host.finished());
    }

    #[test]
    fn a_living_process_that_is_slow_holds_the_others_back() {
        let folder = tempfile::tempdir().unwrap();
        // Our own process id stands for a process that lives.
        let us = std::process::id();
        record(folder.path(), us, 0, &[], 0);
        record(folder.path(), 5_000_001, 0, &[7, 8], 2);
        let mut host = Host::default();
        host.add(
            Rank(0),
            Stream::new(folder.path(), recording(us, 0), 0, false),
            event(1),
        );
        let mut other = Stream::new(folder.path(), recording(5_000_001, 0), 0, false);
        let Next::Event(first) = other.poll() else {
            panic!("no event")
        };
        host.add(Rank(1), other, first);
        assert_eq!(host.next().map(|(_, e)| e.time), Some(1));
        assert_eq!(host.next(), None);
        assert!(!host.finished());
        record(folder.path(), us, 0, &[6, 9], 2);
        let rest: Vec<_> = std::iter::from_fn(|| host.next().map(|(_, e)| e.time)).collect();
        assert_eq!(rest, [6, 7, 8, 9]);
    }
}
