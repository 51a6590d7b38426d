//! Messages: sending, buffers for receiving, order, and credits.
//!
//! A rank may have [`WINDOW`] messages on the way to another that its user has not taken; each message that it takes is
//! credited back. So what a rank keeps for its user is bounded. The exception is a user that waits for room itself:
//! then what has come counts as taken. Messages of this crate itself need no credit: answers are bounded by requests,
//! credits by messages, notices by puts.

use super::Engine;
use super::held::Traffic;
use super::slots::{Context, Handle, Work};
use crate::ffi::Address;
use crate::port::Posted;
use crate::wire::{HEADER, Header, Kind, MESSAGE, Mark};
use farside_fabric::{Error, Message, Rank, Result};
use std::collections::BTreeMap;
use std::ptr::NonNull;

/// Most messages of a user on the way from one rank to another.
const WINDOW: u32 = 256;

/// Credits that are given back at once.
const HANDFUL: u32 = WINDOW / 2;

/// What is known of another rank.
#[derive(Debug)]
pub(super) struct Peer {
    /// In the address vector.
    pub(super) address: Address,
    /// Messages of the user that may be sent to it now.
    credits: u32,
    /// Messages of it that were taken, and not credited yet.
    taken: u32,
    /// Number of the next message to it, and of the next one from it.
    next_out: u32,
    next_in: u32,
    /// Messages of it that came before their turn.
    early: BTreeMap<u32, Vec<u8>>,
    /// Atomic requests to it that have no answer yet.
    pub(super) requests: u32,
    /// Short puts to it and from it.
    pub(super) traffic: Traffic,
}

impl Peer {
    pub(super) fn new(address: Address) -> Self {
        Self {
            address,
            credits: WINDOW,
            taken: 0,
            next_out: 0,
            next_in: 0,
            early: BTreeMap::new(),
            requests: 0,
            traffic: Traffic::default(),
        }
    }
}

impl Engine {
    /// Sends a message of the user, or, if it `may_wait`, holds it back where that saves something; false: to be tried
    /// again.
    pub(crate) fn send(&mut self, target: Rank, tag: u64, bytes: &[u8], may_wait: bool) -> Result<bool> {
        let size = self.peers.len() as u32;
        if bytes.len() > MESSAGE {
            return Err(Error::TooLong {
                bytes: bytes.len(),
                limit: MESSAGE,
            });
        }
        if target >= size {
            return Err(Error::RankOutOfRange { rank: target, size });
        }
        self.usable()?;
        if target == self.rank {
            let message = Message {
                source: target,
                tag,
                bytes: bytes.to_vec(),
            };
            self.inbox.push_back((message, false));
            return Ok(true);
        }
        if self.peers[target as usize].credits == 0 {
            self.take_in();
            return Ok(false);
        }
        let may_wait = may_wait && self.holds_puts();
        if (may_wait || self.holds(target)) && self.hold_message(target, tag, bytes) {
            self.peers[target as usize].credits -= 1;
            if !may_wait {
                // Without room it leaves with the next progress.
                self.send_held(target);
            }
            return self.usable().map(|()| true);
        }
        if !self.send_held(target) {
            return self.usable().map(|()| false);
        }
        let mut header = Header::new(Kind::User, self.rank);
        header.first = tag;
        match self.post_message(target, header.message(&[bytes]), None) {
            Ok(()) => {
                self.peers[target as usize].credits -= 1;
                Ok(true)
            }
            Err(_) => self.usable().map(|()| false),
        }
    }

    /// Messages that were sent.
    pub(crate) fn messages(&self) -> u64 {
        self.peers.iter().map(|peer| u64::from(peer.next_out)).sum()
    }

    /// The next message for the user.
    pub(crate) fn receive(&mut self) -> Result<Option<Message>> {
        if self.inbox.is_empty() {
            self.progress();
        }
        self.take_message()
    }

    /// The next message that has come already.
    pub(crate) fn take_message(&mut self) -> Result<Option<Message>> {
        let Some((message, owed)) = self.inbox.pop_front() else {
            return match &self.broken {
                Some(error) => Err(error.clone()),
                None => Ok(None),
            };
        };
        self.credited = self.credited.saturating_sub(1);
        if owed {
            self.owe(message.source, HANDFUL);
        }
        Ok(Some(message))
    }

    /// One message of a rank more was taken; credits are sent when there are `enough` of them.
    fn owe(&mut self, source: Rank, enough: u32) {
        let peer = &mut self.peers[source as usize];
        peer.taken += 1;
        if peer.taken >= enough {
            let mut header = Header::new(Kind::Credit, self.rank);
            header.count = std::mem::take(&mut peer.taken);
            self.backlog.push_back((source, header.message(&[]), None));
        }
    }

    /// What has come counts as taken: this rank waits for room itself.
    pub(crate) fn take_in(&mut self) {
        for at in self.credited..self.inbox.len() {
            let (message, owed) = &mut self.inbox[at];
            let source = message.source;
            if std::mem::take(owed) {
                self.owe(source, HANDFUL);
            }
        }
        self.credited = self.inbox.len();
    }

    /// Sends a message of this crate; gives it back if there is no room.
    pub(super) fn post_message(
        &mut self,
        target: Rank,
        mut message: Vec<u8>,
        operation: Option<Handle>,
    ) -> std::result::Result<(), Vec<u8>> {
        let peer = &self.peers[target as usize];
        let address = peer.address;
        Header::stamp(&mut message, peer.next_out, peer.traffic.taken);
        let (bytes, length) = (message.as_ptr(), message.len());
        let context = self.contexts.take(Work::Send {
            target,
            message,
            operation,
        });
        // SAFETY: the bytes are on the heap, kept by the context until its completion.
        let posted = unsafe {
            let bytes = std::slice::from_raw_parts(bytes, length);
            self.port.send(bytes, address, context.as_ptr().cast())
        };
        if let Posted::Taken = posted {
            let peer = &mut self.peers[target as usize];
            peer.next_out = peer.next_out.wrapping_add(1);
            peer.traffic.is_owed = false;
            self.sending += 1;
            return Ok(());
        }
        if let Posted::Failed(failed) = posted {
            self.doubt(target, &failed);
        }
        // SAFETY: libfabric did not take it.
        match unsafe { self.contexts.give_back(context) } {
            Work::Send { message, .. } => Err(message),
            _ => Err(Vec::new()),
        }
    }

    /// Offers a buffer that has been used, or keeps it for later.
    pub(super) fn offer(&mut self, buffer: Vec<u8>) {
        let context = self.contexts.take(Work::Receive(buffer));
        self.offer_context(context);
    }

    pub(super) fn offer_new_buffer(&mut self) {
        self.offer(vec![0; HEADER + MESSAGE]);
    }

    fn offer_context(&mut self, context: NonNull<Context>) {
        // SAFETY: the context is ours, and not in flight.
        let (base, bytes) = match unsafe { &mut (*context.as_ptr()).work } {
            Work::Receive(buffer) => (buffer.as_mut_ptr(), buffer.len()),
            _ => return,
        };
        // SAFETY: the buffer is on the heap, kept by the context until its completion.
        match unsafe { self.port.receive(base, bytes, context.as_ptr().cast()) } {
            Posted::Taken => {}
            Posted::Again => self.reposts.push(context),
            Posted::Failed(failed) => {
                // SAFETY: libfabric did not take it.
                unsafe { self.contexts.give_back(context) };
                if self.lost.is_none() {
                    self.break_with("fi_recv", &failed.detail);
                }
            }
        }
    }

    /// Tries what had no room before.
    pub(super) fn work_off(&mut self) {
        for context in std::mem::take(&mut self.reposts) {
            self.offer_context(context);
        }
        // One that finds no room does not hold up those to other ranks.
        for _ in 0..self.backlog.len() {
            let Some((target, message, operation)) = self.backlog.pop_front() else {
                break;
            };
            if let Err(message) = self.post_message(target, message, operation) {
                self.backlog.push_back((target, message, operation));
            }
        }
    }

    /// A message came: it is taken in its turn.
    pub(super) fn arrived(&mut self, message: &[u8]) {
        let (header, bytes) = match Header::read(message) {
            Ok(read) => read,
            Err(error) => {
                self.broken.get_or_insert(error);
                return;
            }
        };
        let Some(peer) = self.peers.get_mut(header.source as usize) else {
            return;
        };
        if header.sequence != peer.next_in {
            peer.early.insert(header.sequence, message.to_vec());
            return;
        }
        peer.next_in = peer.next_in.wrapping_add(1);
        self.accept(&header, bytes);
        loop {
            let peer = &mut self.peers[header.source as usize];
            let Some(message) = peer.early.remove(&peer.next_in) else {
                break;
            };
            peer.next_in = peer.next_in.wrapping_add(1);
            if let Ok((header, bytes)) = Header::read(&message) {
                self.accept(&header, bytes);
            }
        }
    }

    fn accept(&mut self, header: &Header, bytes: &[u8]) {
        self.peers[header.source as usize].traffic.learn(header.seen);
        match header.kind {
            Kind::User => {
                let message = Message {
                    source: header.source,
                    tag: header.first,
                    bytes: bytes.to_vec(),
                };
                self.inbox.push_back((message, true));
            }
            Kind::Credit => {
                let peer = &mut self.peers[header.source as usize];
                peer.credits = peer.credits.saturating_add(header.count);
            }
            Kind::Fetch | Kind::CompareSwap | Kind::Visit => self.serve(header, bytes),
            Kind::Answer | Kind::Refusal => self.answered(header, bytes),
            Kind::Notice => self.marked(Mark::unpack(header.first, 8)),
            Kind::Puts | Kind::Messages => self.take_records(header, bytes),
            Kind::Ask => self.owe_word(header.source),
            Kind::Seen => {}
        }
    }
}
