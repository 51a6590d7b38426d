//! Short puts over a stream of bytes: they are held back, travel together in a message, and are acknowledged when
//! somebody waits for them. Messages of the user go with them.
//!
//! Over TCP a write of libfabric is a system call of its own and an acknowledgement of its own, each of which costs
//! what a message costs, and the software of the target copies the bytes anyhow. So there
//! 1. a put of up to [`INLINE`] bytes is copied into a message that is under construction, one a target. It leaves when
//!    it is full, and with the next call that makes progress: a flush, a test, a wait; or when somebody says so
//!    ([`Fabric::send_held`]). If the user calls nothing more, the endpoint's thread sends it, some milliseconds later
//!    ([`crate::progress`]);
//! 2. a message of the user to that target goes into the same one, after the puts, if there is room. It takes all of it
//!    along at once, or is held back too, where the user says that it may be ([`Fabric::send_along`]);
//! 3. the target says in every message how many of them it has taken; only who flushes asks for one at once. The flag
//!    of a barrier, a post or a completion costs one message so, and what is known of it rides back on the answer;
//! 4. an aligned word is stored as a whole, which the provider does not do ([`Facts::is_stream`]).
//!
//! What the provider orders stays ordered: a message does not overtake writes. A write or read of the provider would
//! overtake the puts in a message, which take effect when the target has read it; so one to a rank with such puts waits
//! until they are acknowledged.
//!
//! [`Fabric::send_held`]: farside_fabric::Fabric::send_held
//! [`Fabric::send_along`]: farside_fabric::Fabric::send_along
//! [`Facts::is_stream`]: crate::provider::Facts::is_stream

use super::Engine;
use super::slots::INLINE;
use crate::ffi::constants as c;
use crate::wire::{HEADER, Header, Kind, MESSAGE, Mark, Record, What};
use farside_fabric::{Put, Rank, Result, Scope};

/// Most messages with puts to one rank that are not acknowledged.
const UNSEEN: u32 = 64;

/// So many of them make one of these messages ask for an acknowledgement by itself.
const ASKED: u32 = UNSEEN / 4;

/// Short puts between this rank and another, and messages that go with them.
#[derive(Debug, Default)]
pub(super) struct Traffic {
    /// The message under construction; empty: none is.
    held: Vec<u8>,
    /// There is a put in it.
    has_puts: bool,
    /// Messages with puts that were sent to the rank, that it was asked to acknowledge or has, and that it said it has
    /// taken, modulo 2^32.
    sent: u32,
    asked: u32,
    seen: u32,
    /// Those of it that were taken here.
    pub(super) taken: u32,
    /// It waits to be told.
    pub(super) is_owed: bool,
}

impl Traffic {
    /// Number of the message that the next put goes with.
    fn next(&self) -> u32 {
        self.sent.wrapping_add(1)
    }

    /// Whether the puts of message `number` are visible at the rank. Numbers differ by less than 2^31.
    pub(super) fn has_seen(&self, number: u32) -> bool {
        self.seen.wrapping_sub(number).cast_signed() >= 0
    }

    /// Whether all puts to the rank are visible there.
    pub(super) fn is_settled(&self) -> bool {
        !self.has_puts && self.seen == self.sent
    }

    /// The rank says how many messages it has taken.
    pub(super) fn learn(&mut self, seen: u32) {
        // Messages may be read twice, or late: an older number says nothing new.
        if !self.has_seen(seen) && self.sent.wrapping_sub(seen).cast_signed() >= 0 {
            self.seen = seen;
            // What it says unasked need not be asked for.
            if self.asked.wrapping_sub(seen).cast_signed() < 0 {
                self.asked = seen;
            }
        }
    }
}

impl Engine {
    /// Whether short puts go by messages here: see the module.
    pub(crate) fn holds_puts(&self) -> bool {
        let facts = &self.port.facts;
        facts.is_stream() && facts.keeps(c::ORDER_SAW) && facts.keeps(c::ORDER_SAS)
    }

    /// Whether this put does.
    pub(super) fn is_held(&self, put: &Put) -> bool {
        put.bytes <= INLINE && self.holds_puts()
    }

    /// Holds a put back; false: to be tried again.
    ///
    /// # Safety
    /// The origin is valid for reads.
    pub(super) unsafe fn hold(
        &mut self,
        put: &Put,
        target: Rank,
        region: u64,
        mark: Option<Mark>,
    ) -> Result<bool> {
        if !self.has_room(target, put.bytes) && !self.send_held(target) {
            return self.usable().map(|()| false);
        }
        let traffic = &self.peers[target as usize].traffic;
        if traffic.sent.wrapping_sub(traffic.seen) >= UNSEEN {
            self.ask(target);
            return self.usable().map(|()| false);
        }
        let bytes = match put.bytes {
            0 => &[][..],
            // SAFETY: valid by the caller; copied at once.
            bytes => unsafe { std::slice::from_raw_parts(put.origin, bytes) },
        };
        let what = What::Put {
            region: region as u32,
            displacement: put.displacement as u64,
            mark,
        };
        self.append(target, &Record { what, bytes });
        let traffic = &mut self.peers[target as usize].traffic;
        Header::turn_into(&mut traffic.held, Kind::Puts);
        traffic.has_puts = true;
        let number = traffic.next();
        if let Some(scope) = self.scopes.get_mut(&put.scope.0) {
            scope.held(target, number);
        }
        Ok(true)
    }

    /// Holds a message of the user back; false: it is too long to go with others, or there is no room now.
    pub(super) fn hold_message(&mut self, target: Rank, tag: u64, bytes: &[u8]) -> bool {
        if Record::space(bytes.len()) > MESSAGE {
            return false;
        }
        if !self.has_room(target, bytes.len()) && !self.send_held(target) {
            return false;
        }
        let what = What::Message { tag };
        self.append(target, &Record { what, bytes });
        true
    }

    /// Whether something is held back for a rank.
    pub(super) fn holds(&self, target: Rank) -> bool {
        !self.peers[target as usize].traffic.held.is_empty()
    }

    /// Whether the message under construction has room for a record of so many bytes more.
    fn has_room(&self, target: Rank, bytes: usize) -> bool {
        let length = self.peers[target as usize].traffic.held.len().max(HEADER);
        length + Record::space(bytes) <= HEADER + MESSAGE
    }

    /// Adds a record to the message under construction, which may begin with it.
    fn append(&mut self, target: Rank, record: &Record<'_>) {
        let traffic = &mut self.peers[target as usize].traffic;
        if traffic.held.is_empty() {
            traffic.held = Header::new(Kind::Messages, self.rank).message(&[]);
            self.holding.push(target);
        }
        record.append(&mut traffic.held);
    }

    /// Sends what is held back for a rank, if anything is; false: there is no room now. Every message of the user
    /// goes with it or after it.
    pub(super) fn send_held(&mut self, target: Rank) -> bool {
        let traffic = &mut self.peers[target as usize].traffic;
        if traffic.held.is_empty() {
            return true;
        }
        if traffic.has_puts && traffic.next().wrapping_sub(traffic.asked) >= ASKED {
            Header::ask(&mut traffic.held);
            traffic.asked = traffic.next();
        }
        let message = std::mem::take(&mut traffic.held);
        match self.post_message(target, message, None) {
            Ok(()) => {
                let traffic = &mut self.peers[target as usize].traffic;
                if std::mem::take(&mut traffic.has_puts) {
                    traffic.sent = traffic.next();
                }
                self.holding.retain(|rank| *rank != target);
                true
            }
            Err(message) => {
                self.peers[target as usize].traffic.held = message;
                false
            }
        }
    }

    /// Sends all that is held back.
    pub(crate) fn send_all_held(&mut self) {
        for at in (0..self.holding.len()).rev() {
            // One that finds no room stays. Those that are sent come after, or are the last.
            self.send_held(self.holding[at]);
        }
    }

    /// Asks a rank to acknowledge all puts to it, unless it was asked.
    pub(super) fn ask(&mut self, target: Rank) {
        let rank = self.rank;
        let traffic = &mut self.peers[target as usize].traffic;
        if traffic.has_puts {
            Header::ask(&mut traffic.held);
            traffic.asked = traffic.next();
        } else if traffic.asked != traffic.sent && traffic.seen != traffic.sent {
            traffic.asked = traffic.sent;
            if !traffic.held.is_empty() {
                Header::ask(&mut traffic.held);
                return;
            }
            let message = Header::new(Kind::Ask, rank).message(&[]);
            self.backlog.push_back((target, message, None));
        }
    }

    /// Asks those of the targets of a scope for acknowledgements whose puts may not be visible.
    pub(crate) fn ask_for(&mut self, scope: Scope, is_meant: impl Fn(Rank) -> bool) {
        let Some(state) = self.scopes.get(&scope.0) else {
            return;
        };
        let targets: Vec<Rank> = state
            .unseen()
            .map(|(rank, _)| rank)
            .filter(|rank| is_meant(*rank))
            .collect();
        for target in targets {
            self.ask(target);
        }
    }

    /// Asks for all acknowledgements.
    pub(crate) fn ask_all(&mut self) {
        for target in 0..self.peers.len() as Rank {
            if !self.peers[target as usize].traffic.is_settled() {
                self.ask(target);
            }
        }
    }

    /// Whether a write or read of the provider keeps the order after the puts to a rank. If not, it is tried again,
    /// when the rank has been asked for an acknowledgement.
    pub(super) fn may_follow_puts(&mut self, target: Rank) -> bool {
        if self.peers[target as usize].traffic.is_settled() {
            return true;
        }
        self.ask(target);
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_seen_only_grows_also_where_numbers_begin_again() {
        let mut traffic = Traffic {
            sent: 2,
            asked: u32::MAX,
            seen: u32::MAX - 1,
            ..Traffic::default()
        };
        assert!(!traffic.has_seen(u32::MAX) && !traffic.is_settled());
        traffic.learn(1);
        assert!(traffic.has_seen(u32::MAX) && traffic.has_seen(1) && !traffic.has_seen(2));
        // An older number, and one of messages that were not sent.
        for number in [u32::MAX, 0, 3] {
            traffic.learn(number);
            assert_eq!(traffic.seen, 1, "{number}");
        }
        assert_eq!(traffic.asked, 1, "it said so unasked");
        traffic.learn(2);
        assert!(traffic.is_settled());
        traffic.has_puts = true;
        assert!(!traffic.is_settled() && !traffic.has_seen(traffic.next()));
    }
}
