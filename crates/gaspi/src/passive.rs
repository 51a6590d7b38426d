//! Passive communication: a send that returns when a receive has taken it (GASPI 17.1 §9).
//!
//! A sender asks, a receiver grants one that asks, and what was granted is sent in parts. Who asked and came to the end
//! of its time has still asked, and its next send to that rank goes on from there.
//!
//! Promise: the buffer of a send is read in the call that returns SUCCESS, and not before. Messages of one sender keep
//! their order.
//!
//! Limits: a receiver whose grant is not used within some milliseconds grants the next one that asks; if both come
//! then, the second message waits here for the next receive, although its sender has gone on.

use crate::abi::{Failure, Outcome, Timeout};
use crate::net::{Net, locked};
use farside_fabric::Rank;
use std::collections::VecDeque;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// First byte of a message: the sender asks.
const ASK: u8 = 0;
/// The receiver grants.
const GRANT: u8 = 1;
/// A part; the length of the whole follows.
const PART: u8 = 2;

/// So long is waited for a sender that was granted before another one is.
const PATIENCE: Duration = Duration::from_millis(10);

/// Where a message is kept until it is whole.
struct Arriving {
    source: Rank,
    bytes: Vec<u8>,
}

#[derive(Default)]
struct State {
    /// Ranks that ask, the first one first.
    asking: VecDeque<Rank>,
    /// Who was granted and has not sent all yet.
    granted: Vec<Rank>,
    last_grant: Option<Instant>,
    arriving: Vec<Arriving>,
    arrived: VecDeque<Arriving>,
    /// As a sender: whom this rank has asked, and who has granted.
    asked: Vec<Rank>,
    free: Vec<Rank>,
}

/// The passive channel of a rank.
#[derive(Default)]
pub(crate) struct Passive {
    state: Mutex<State>,
    /// One send at a time.
    sending: Mutex<()>,
}

impl State {
    fn sort(&mut self, source: Rank, message: &[u8]) {
        match message {
            [ASK] => self.asking.push_back(source),
            [GRANT] => self.free.push(source),
            [PART, a, b, c, d, part @ ..] => {
                let length = u32::from_le_bytes([*a, *b, *c, *d]) as usize;
                let known = self.arriving.iter().position(|one| one.source == source);
                let at = known.unwrap_or_else(|| {
                    self.arriving.push(Arriving {
                        source,
                        bytes: Vec::with_capacity(length),
                    });
                    self.arriving.len() - 1
                });
                self.arriving[at].bytes.extend_from_slice(part);
                if self.arriving[at].bytes.len() >= length {
                    self.arrived.push_back(self.arriving.remove(at));
                    self.granted.retain(|&rank| rank != source);
                }
            }
            _ => {}
        }
    }
}

impl Passive {
    fn take_in(&self, net: &Net) {
        let mut state = locked(&self.state);
        while let Some((source, message)) = net.take_passive() {
            state.sort(source, &message);
        }
    }

    /// Sends `bytes`, once a receiver wants them.
    pub(crate) fn send(&self, net: &Net, target: Rank, bytes: &[u8], timeout: Timeout) -> Outcome {
        let _one = match timeout {
            crate::abi::BLOCK => locked(&self.sending),
            _ => self.sending.try_lock().map_err(|_| Failure::TIMEOUT)?,
        };
        if !locked(&self.state).asked.contains(&target) {
            net.send_passive(target, &[ASK])?;
            locked(&self.state).asked.push(target);
        }
        net.wait(timeout, &|rank| rank == target, &mut || {
            self.take_in(net);
            Ok(locked(&self.state).free.contains(&target))
        })?;
        {
            let mut state = locked(&self.state);
            state.asked.retain(|&rank| rank != target);
            state.free.retain(|&rank| rank != target);
        }
        let head = (bytes.len() as u32).to_le_bytes();
        let longest = net.longest();
        let mut at = 0;
        loop {
            let end = bytes.len().min(at + longest);
            let mut message = Vec::with_capacity(5 + end - at);
            message.push(PART);
            message.extend_from_slice(&head);
            message.extend_from_slice(&bytes[at..end]);
            net.send_passive(target, &message)?;
            at = end;
            if at == bytes.len() {
                return Ok(());
            }
        }
    }

    /// Takes the next message, of any sender.
    pub(crate) fn receive(&self, net: &Net, timeout: Timeout) -> Outcome<(Rank, Vec<u8>)> {
        let mut taken = None;
        net.wait(timeout, &|rank| net.disturbs(rank, timeout), &mut || {
            self.take_in(net);
            let mut state = locked(&self.state);
            if let Some(one) = state.arrived.pop_front() {
                taken = Some((one.source, one.bytes));
                return Ok(true);
            }
            let is_late = || state.last_grant.is_none_or(|last| last.elapsed() > PATIENCE);
            if (state.granted.is_empty() || is_late())
                && let Some(rank) = state.asking.pop_front()
            {
                state.granted.push(rank);
                state.last_grant = Some(Instant::now());
                drop(state);
                match net.send_passive(rank, &[GRANT]) {
                    // Others may still ask.
                    Err(_) if net.is_corrupt(rank) => locked(&self.state).granted.retain(|&one| one != rank),
                    other => other?,
                }
            }
            Ok(false)
        })?;
        taken.ok_or(Failure::ERROR)
    }

    /// Forgets ranks that are lost (GASPI 17.1 §9.2.3).
    pub(crate) fn purge(&self, net: &Net) {
        self.take_in(net);
        let mut state = locked(&self.state);
        let is_there = |rank: &Rank| !net.is_corrupt(*rank);
        state.asking.retain(is_there);
        state.granted.retain(is_there);
        state.asked.retain(is_there);
        state.free.retain(is_there);
        state.arriving.retain(|one| is_there(&one.source));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_two_senders_become_two_messages() {
        let mut state = State::default();
        let part = |length: u8, bytes: &[u8]| [&[PART, length, 0, 0, 0], bytes].concat();
        state.granted = vec![1, 2];
        state.sort(1, &part(4, b"ab"));
        state.sort(2, &part(3, b"xyz"));
        state.sort(1, &part(4, b"cd"));
        let found: Vec<_> = state
            .arrived
            .iter()
            .map(|one| (one.source, &one.bytes[..]))
            .collect();
        assert_eq!(found, [(2, &b"xyz"[..]), (1, &b"abcd"[..])]);
        assert!(state.granted.is_empty() && state.arriving.is_empty());
    }

    #[test]
    fn a_message_may_be_empty() {
        let mut state = State::default();
        state.sort(3, &[PART, 0, 0, 0, 0]);
        assert_eq!(state.arrived.pop_front().map(|one| one.bytes), Some(Vec::new()));
    }
}
