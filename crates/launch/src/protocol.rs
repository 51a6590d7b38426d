//! What processes and the rendezvous say to each other: frames of a length (4 bytes, little-endian) and a postcard
//! message.
//!
//! A process asks, with a number of its choice, and gets one reply with that number, in any order. Replies with the
//! number 0 are news. The first question is [`Ask::Hello`]. Both sides belong to one build: [`VERSION`] tells if not.

use farside_fabric::Rank;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// Of this protocol.
pub(crate) const VERSION: u32 = 3;
/// The longest value, in bytes.
pub const VALUE_LIMIT: usize = 1 << 20;
/// The longest name of a value, in bytes.
pub const NAME_LIMIT: usize = 256;
/// What a rank may publish in all, names included, in bytes.
pub const RANK_LIMIT: usize = 16 << 20;
/// How much an answer brings unasked, in bytes.
pub(crate) const BUNDLE_LIMIT: usize = 128 << 10;
/// The longest message, in bytes.
const FRAME_LIMIT: usize = VALUE_LIMIT + 2 * BUNDLE_LIMIT;

/// A question, with its number, which is not 0.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Request {
    /// Given back in the reply.
    pub(crate) number: u64,
    /// What is asked for.
    pub(crate) ask: Ask,
}

/// What a process can ask for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Ask {
    /// To be taken into the job.
    Hello {
        /// [`VERSION`].
        version: u32,
        /// Name of the job.
        job: String,
        /// Own rank.
        rank: Rank,
        /// Number of ranks, as the process knows it.
        size: u32,
    },
    /// To keep bytes under a name.
    Publish {
        /// The name.
        name: String,
        /// The bytes.
        bytes: Vec<u8>,
    },
    /// For bytes, as soon as they are there.
    Lookup {
        /// Who publishes them.
        rank: Rank,
        /// Under which name.
        name: String,
    },
    /// To be told when all ranks have asked this.
    Fence,
    /// That it be known: this rank is lost, as the process has seen.
    Lost(Rank),
    /// Whether all that are not lost say yes, as soon as all of them have asked this.
    Agree(bool),
    /// To go on without those that are lost, as soon as all others have asked this, too.
    Shrink,
    /// To be let go.
    Finish,
}

/// A reply, or news.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Reply {
    /// Of the question; 0: news.
    pub(crate) number: u64,
    /// The content.
    pub(crate) answer: Answer,
}

/// What the rendezvous answers. What is new comes last: a process of another version can read that it is refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Answer {
    /// To a Hello: taken in.
    Welcome {
        /// How many programs of this job were run by all of its ranks before.
        generation: u32,
    },
    /// It is done.
    Done,
    /// What was looked up.
    Bytes {
        /// It.
        bytes: Vec<u8>,
        /// What other ranks have published under the same name: those nearest to the one that was asked for, up to
        /// [`BUNDLE_LIMIT`] bytes. Whoever asks for one mostly asks for all.
        others: Vec<(Rank, Vec<u8>)>,
    },
    /// It cannot be: a rank is lost. Also as news.
    Lost(Rank),
    /// To a Hello: this is the rendezvous of another job.
    OtherJob,
    /// It cannot be, and why.
    Refused(String),
    /// To an Agree: whether all said yes.
    Agreed(bool),
    /// To a Shrink: those who have asked it are a job of this name; by their rank there, their rank here.
    Shrunk {
        /// The name.
        job: String,
        /// Ranks of this job.
        former: Vec<Rank>,
    },
}

/// A message as bytes on the wire.
pub(crate) fn frame(message: &impl Serialize) -> Result<Vec<u8>, String> {
    let body = postcard::to_allocvec(message).map_err(|error| error.to_string())?;
    if body.len() > FRAME_LIMIT {
        return Err(format!(
            "a message of {} bytes is too long: {FRAME_LIMIT} at the most",
            body.len()
        ));
    }
    let mut bytes = (body.len() as u32).to_le_bytes().to_vec();
    bytes.extend_from_slice(&body);
    Ok(bytes)
}

/// Cuts what arrives into messages.
#[derive(Debug, Default)]
pub(crate) struct Frames {
    bytes: Vec<u8>,
    /// Bytes in front that were read.
    taken: usize,
}

impl Frames {
    /// More has arrived.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.bytes.drain(..self.taken);
        self.taken = 0;
        self.bytes.extend_from_slice(bytes);
    }

    /// The next message that is there as a whole; an error if what is there is none.
    pub(crate) fn next<T: DeserializeOwned>(&mut self) -> Result<Option<T>, String> {
        let rest = &self.bytes[self.taken..];
        let Some((head, body)) = rest.split_first_chunk::<4>() else {
            return Ok(None);
        };
        let length = u32::from_le_bytes(*head) as usize;
        if length > FRAME_LIMIT {
            return Err(format!("a message of {length} bytes"));
        }
        let Some(body) = body.get(..length) else {
            return Ok(None);
        };
        match postcard::take_from_bytes(body) {
            Ok((message, [])) => {
                self.taken += 4 + length;
                Ok(Some(message))
            }
            Ok(_) => Err("bytes after a message".to_owned()),
            Err(error) => Err(error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn requests() -> impl Strategy<Value = Request> {
        let bytes = proptest::collection::vec(any::<u8>(), 0..300);
        let ask = prop_oneof![
            (any::<u32>(), ".{0,20}", any::<u32>(), any::<u32>()).prop_map(|(version, job, rank, size)| {
                Ask::Hello {
                    version,
                    job,
                    rank,
                    size,
                }
            }),
            (".{0,20}", bytes).prop_map(|(name, bytes)| Ask::Publish { name, bytes }),
            (any::<u32>(), ".{0,20}").prop_map(|(rank, name)| Ask::Lookup { rank, name }),
            Just(Ask::Fence),
            Just(Ask::Shrink),
            any::<bool>().prop_map(Ask::Agree),
            Just(Ask::Finish),
        ];
        (any::<u64>(), ask).prop_map(|(number, ask)| Request { number, ask })
    }

    proptest! {
        #[test]
        fn messages_survive_any_cut(list in proptest::collection::vec(requests(), 0..6), cut in 1..50usize) {
            let wire: Vec<u8> = list.iter().flat_map(|request| frame(request).expect("short")).collect();
            let mut frames = Frames::default();
            let mut seen = Vec::new();
            for piece in wire.chunks(cut) {
                frames.push(piece);
                while let Some(request) = frames.next::<Request>().expect("well formed") {
                    seen.push(request);
                }
            }
            prop_assert_eq!(seen, list);
        }

        #[test]
        fn garbage_is_an_error_or_waits_for_more(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let mut frames = Frames::default();
            frames.push(&bytes);
            for _ in 0..=bytes.len() {
                if !matches!(frames.next::<Request>(), Ok(Some(_))) {
                    return Ok(());
                }
            }
            prop_assert!(false, "more messages than bytes");
        }
    }

    #[test]
    fn a_length_that_cannot_be_is_an_error_at_once() {
        let mut frames = Frames::default();
        frames.push(&u32::MAX.to_le_bytes());
        assert!(frames.next::<Request>().is_err());
    }

    #[test]
    fn the_longest_value_fits_and_more_does_not() {
        let publish = |bytes| Request {
            number: u64::MAX,
            ask: Ask::Publish {
                name: "n".repeat(NAME_LIMIT),
                bytes: vec![0xff; bytes],
            },
        };
        assert!(frame(&publish(VALUE_LIMIT)).is_ok());
        assert!(frame(&publish(FRAME_LIMIT)).is_err());
    }
}
