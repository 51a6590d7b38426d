//! The seal of a token: what shows that memory was attached to a window by a rank of it.
//!
//! A token travels as plain data, by messages of the program or through window memory, as addresses do in MPI: safe
//! code can make one of any bytes. What it says becomes an address that the network writes to, so it must be true: else
//! an epoch of one window changes memory that its owner lends under another, or whatever lies there. The owner cannot
//! look at each access, for it takes no part in a put, and to ask it at each [`connect`](crate::Window::connect) would
//! make that call wait for a rank that may compute for a long time. So the owner signs, and who connects verifies.
//!
//! The ranks of a window agree on a key of 128 random bits when they make it: each adds random bits of its own to those
//! of all (by exclusive or), in the exchange that there is anyway. The key is that window's alone, never leaves this
//! module, and is no part of a token. The seal is SipHash-2-4 under it (Aumasson, Bernstein: *SipHash: a fast
//! short-input PRF*, 2012), with 128 bits of result, over all that the token says. So:
//!
//! 1. *forged*: bytes that no [`attach`](crate::Window::attach) made have a wrong seal, but for a guess of 1 in 2^128;
//! 2. *of another window, or changed or cut short on the way*: sealed under another key, or other contents;
//! 3. *stale*: attached memory stays as long as its window, and the key is known to that window only. (Memory that was
//!    [detached](crate::Window::detach) is `unsafe` code's promise.)
//!
//! Limit: it protects against programs, not against attackers: messages of a job are not encrypted.

use crate::{Error, Result};
use bytemuck::{Pod, Zeroable};
use siphasher::sip128::SipHasher24;

/// What the ranks of a window know, and nobody else.
#[derive(Clone, Copy, PartialEq, Eq, Pod, Zeroable)]
#[repr(transparent)]
pub(super) struct Key([u64; 2]);

impl Key {
    /// What a rank adds.
    ///
    /// # Errors
    /// The system has no random numbers.
    pub(super) fn random() -> Result<Self> {
        let word = || {
            getrandom::u64().map_err(|error| Error::Unsupported {
                what: "a window",
                reason: format!("the system gives no random numbers: {error}"),
            })
        };
        Ok(Self([word()?, word()?]))
    }

    /// Of all that was added.
    pub(super) fn join(self, other: Self) -> Self {
        Self([self.0[0] ^ other.0[0], self.0[1] ^ other.0[1]])
    }

    /// The seal of a text.
    pub(super) fn seal(self, text: &[u8]) -> [u64; 2] {
        let hash = SipHasher24::new_with_keys(self.0[0], self.0[1]).hash(text);
        [hash.h1, hash.h2]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seal_is_of_one_key_and_one_text() {
        let (one, other) = (Key::random().expect("random"), Key::random().expect("random"));
        assert_eq!(one.seal(b"text"), one.seal(b"text"));
        assert_ne!(one.seal(b"text"), one.seal(b"tex"));
        assert_ne!(one.seal(b"text"), one.seal(b"next"));
        assert_ne!(one.seal(b"text"), other.seal(b"text"));
        assert!(one.join(other) == other.join(one) && one.join(other) != one);
    }
}
