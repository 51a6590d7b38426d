//! The messages of a service: requests, replies, and how many requests were handled.
//!
//! Requests are of two classes with credit of their own ([`credit`](super::credit)): those of the program, which waits
//! for credit, and those of handlers, which are held until there is some, for a handler waits for nobody. Requests of
//! handlers are always handled and told, so what is held goes in the end; while much is held, requests of programs are
//! not told as handled, so those that cause it wait. Replies need no credit: who called has kept room for them.

use super::credit::{Handled, Sent};
use super::watch::Order;
use crate::mailbox::{self, Letters, Purpose};
use crate::watch::Place;
use crate::{Error, Group, Rank, Result};
use bytemuck::{Pod, Zeroable};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

/// Bytes of a request or a reply, at the most.
pub(super) const LIMIT: usize = 256 << 10;

/// Requests of handlers that are held here, at the most, and their bytes.
const HELD: (usize, usize) = (1 << 16, 64 << 20);

/// Requests of handlers that are held here, and their bytes, beyond which those of programs wait.
const MUCH: (usize, usize) = (1 << 10, 1 << 20);

/// What a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A request that is answered.
    Call,
    /// One that is not.
    Send,
    /// Likewise, of a handler.
    Forward,
    /// To a call.
    Reply,
    /// To a call whose handler panicked: what the panic said.
    Panicked,
    /// Nothing but how many were handled.
    Told,
}

const KINDS: [Kind; 6] = [
    Kind::Call,
    Kind::Send,
    Kind::Forward,
    Kind::Reply,
    Kind::Panicked,
    Kind::Told,
];

impl Kind {
    /// The class of a request: the program's, or a handler's.
    fn class(self) -> Option<usize> {
        match self {
            Self::Call | Self::Send => Some(0),
            Self::Forward => Some(1),
            Self::Reply | Self::Panicked | Self::Told => None,
        }
    }
}

/// Before the payload of a message.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Head {
    kind: u32,
    /// Of the call that is made or answered.
    call: u32,
    /// How many requests of the target were handled by the source, by class.
    handled: [u32; 2],
}

const HEAD: usize = size_of::<Head>();

/// A request to be handled here.
pub(super) struct Request {
    kind: Kind,
    source: Rank,
    call: u32,
    bytes: Vec<u8>,
}

impl Request {
    pub(super) fn kind(&self) -> Kind {
        self.kind
    }

    /// Whose it is, as a rank of the group.
    pub(super) fn source(&self) -> Rank {
        self.source
    }

    /// The number of the call.
    pub(super) fn call(&self) -> u32 {
        self.call
    }

    pub(super) fn payload(&self) -> &[u8] {
        &self.bytes[HEAD..]
    }
}

/// Where the answer to a call comes.
pub(super) type Slot = RefCell<Option<Result<Vec<u8>>>>;

/// What a rank and another one have sent each other.
#[derive(Default)]
struct Peer {
    sent: [Sent; 2],
    handled: [Handled; 2],
    /// Requests of handlers, with room for the head.
    held: VecDeque<Vec<u8>>,
}

/// The messages of a service of a rank.
pub(super) struct Wire {
    group: Group,
    tag: u64,
    letters: Letters,
    order: Order,
    peers: RefCell<BTreeMap<Rank, Peer>>,
    /// Calls that are not answered.
    calls: RefCell<BTreeMap<u32, Rc<Slot>>>,
    last_call: Cell<u32>,
    held: Cell<(usize, usize)>,
    /// Messages of all kinds that were sent, held ones among them, and that were taken.
    counts: Cell<(u64, u64)>,
}

impl Wire {
    /// Of a service that all ranks of the group register.
    pub(super) fn new(group: &Group, place: Place) -> Self {
        let number = group.next_service();
        let tag = mailbox::tag(Purpose::Service, group.context(), number);
        Self {
            group: group.clone(),
            tag,
            letters: Letters::new(tag),
            order: Order::new(group, number, place),
            peers: RefCell::default(),
            calls: RefCell::default(),
            last_call: Cell::new(0),
            held: Cell::new((0, 0)),
            counts: Cell::new((0, 0)),
        }
    }

    pub(super) fn group(&self) -> &Group {
        &self.group
    }

    /// What is told to the check.
    pub(super) fn order(&self) -> &Order {
        &self.order
    }

    /// Messages that were sent, and that were taken.
    pub(super) fn counts(&self) -> (u64, u64) {
        self.counts.get()
    }

    /// Whether nothing is held, and all calls are answered.
    pub(super) fn is_idle(&self) -> bool {
        self.held.get().0 == 0 && self.calls.borrow().is_empty()
    }

    /// Whether the program may send a request to a rank now.
    pub(super) fn has_room(&self, target: Rank) -> bool {
        let peers = self.peers.borrow();
        peers.get(&target).is_none_or(|peer| peer.sent[0].has_room())
    }

    /// Sends a request of the program's, for which there is room.
    pub(super) fn request(&self, target: Rank, bytes: Vec<u8>) -> Result<()> {
        self.count(1, 0);
        self.send_request(target, Kind::Send, 0, bytes)
    }

    /// Sends a call, for which there is room; its name, and where the answer comes.
    pub(super) fn call(&self, target: Rank, bytes: Vec<u8>) -> Result<(u32, Rc<Slot>)> {
        let call = self.last_call.get().wrapping_add(1);
        self.last_call.set(call);
        let slot = Rc::new(Slot::default());
        self.calls.borrow_mut().insert(call, Rc::clone(&slot));
        self.count(1, 0);
        self.send_request(target, Kind::Call, call, bytes)?;
        Ok((call, slot))
    }

    /// Keeps a request of a handler until there is room for it.
    pub(super) fn hold(&self, target: Rank, bytes: Vec<u8>) -> Result<()> {
        let (messages, held) = self.held.get();
        let refuse = |what, number, limit| Error::TooGreat { what, number, limit };
        if messages >= HELD.0 {
            let (number, limit) = (messages as u64 + 1, HELD.0 as u64);
            return Err(refuse(
                "the number of requests of handlers that are held",
                number,
                limit,
            ));
        }
        if held + bytes.len() > HELD.1 {
            let (number, limit) = ((held + bytes.len()) as u64, HELD.1 as u64);
            return Err(refuse(
                "the number of bytes of handlers that are held",
                number,
                limit,
            ));
        }
        self.held.set((messages + 1, held + bytes.len()));
        self.count(1, 0);
        self.peers
            .borrow_mut()
            .entry(target)
            .or_default()
            .held
            .push_back(bytes);
        Ok(())
    }

    /// Answers a call.
    pub(super) fn answer(&self, target: Rank, kind: Kind, call: u32, bytes: Vec<u8>) -> Result<()> {
        self.count(1, 0);
        let mut peers = self.peers.borrow_mut();
        self.send(target, peers.entry(target).or_default(), kind, call, bytes)
    }

    /// Takes in what is here; the requests.
    pub(super) fn take(&self) -> Result<Vec<Request>> {
        let core = self.group.core();
        let letters = self.letters.take(core.fabric(), &core.mailbox)?;
        self.count(0, letters.len() as u64);
        let mut requests = Vec::new();
        for (source, bytes) in letters {
            let source = self.group.rank_of(source).ok_or(Error::Broken("group"))?;
            let head: Head = bytemuck::pod_read_unaligned(bytes.get(..HEAD).ok_or(Error::Broken("service"))?);
            let kind = *KINDS.get(head.kind as usize).ok_or(Error::Broken("service"))?;
            let mut peers = self.peers.borrow_mut();
            let peer = peers.entry(source).or_default();
            for (sent, handled) in peer.sent.iter_mut().zip(head.handled) {
                sent.told(handled);
            }
            let call = head.call;
            match kind {
                Kind::Call | Kind::Send | Kind::Forward => requests.push(Request {
                    kind,
                    source,
                    call,
                    bytes,
                }),
                Kind::Reply => self.answered(call, Ok(bytes[HEAD..].to_vec())),
                Kind::Panicked => self.answered(
                    call,
                    Err(Error::Panicked {
                        rank: source,
                        message: String::from_utf8_lossy(&bytes[HEAD..]).into_owned(),
                    }),
                ),
                Kind::Told => {}
            }
        }
        Ok(requests)
    }

    /// A request was handled.
    pub(super) fn handled(&self, request: &Request) {
        if let Some(class) = request.kind.class() {
            let mut peers = self.peers.borrow_mut();
            peers.entry(request.source).or_default().handled[class].add(request.bytes.len());
        }
    }

    /// Sends what is held and has room, and tells what is due.
    pub(super) fn settle(&self) -> Result<()> {
        let mut peers = self.peers.borrow_mut();
        for (&target, peer) in peers.iter_mut() {
            while peer.sent[1].has_room()
                && let Some(bytes) = peer.held.pop_front()
            {
                let (messages, held) = self.held.get();
                self.held.set((messages - 1, held - bytes.len()));
                peer.sent[1].add(bytes.len());
                self.send(target, peer, Kind::Forward, 0, bytes)?;
            }
            let is_due = peer.handled[1].is_due() || peer.handled[0].is_due() && !self.holds_much();
            if is_due {
                self.count(1, 0);
                self.send(target, peer, Kind::Told, 0, vec![0; HEAD])?;
            }
        }
        Ok(())
    }

    fn send_request(&self, target: Rank, kind: Kind, call: u32, bytes: Vec<u8>) -> Result<()> {
        let mut peers = self.peers.borrow_mut();
        let peer = peers.entry(target).or_default();
        peer.sent[0].add(bytes.len());
        self.send(target, peer, kind, call, bytes)
    }

    /// Sends a message: its bytes begin with room for the head.
    fn send(&self, target: Rank, peer: &mut Peer, kind: Kind, call: u32, mut bytes: Vec<u8>) -> Result<()> {
        let [program, handler] = &mut peer.handled;
        let program = match self.holds_much() {
            true => program.told(),
            false => program.tell(),
        };
        let head = Head {
            kind: kind as u32,
            call,
            handled: [program, handler.tell()],
        };
        bytes[..HEAD].copy_from_slice(bytemuck::bytes_of(&head));
        let target = self.group.world_rank(target)?;
        let fabric = self.group.core().fabric();
        mailbox::send(fabric, target, self.tag, &bytes)?;
        fabric.send_held();
        Ok(())
    }

    fn answered(&self, call: u32, answer: Result<Vec<u8>>) {
        if let Some(slot) = self.calls.borrow_mut().remove(&call) {
            *slot.borrow_mut() = Some(answer);
        }
    }

    fn holds_much(&self) -> bool {
        let (messages, bytes) = self.held.get();
        messages > MUCH.0 || bytes > MUCH.1
    }

    fn count(&self, sent: u64, taken: u64) {
        let before = self.counts.get();
        self.counts.set((before.0 + sent, before.1 + taken));
    }
}

/// A payload, after room for the head.
pub(super) fn letter(write: impl FnOnce(&mut Vec<u8>)) -> Result<Vec<u8>> {
    let mut bytes = vec![0; HEAD];
    write(&mut bytes);
    match bytes.len() - HEAD {
        0..=LIMIT => Ok(bytes),
        number => Err(Error::TooGreat {
            what: "the number of bytes of a request or a reply",
            number: number as u64,
            limit: LIMIT as u64,
        }),
    }
}
