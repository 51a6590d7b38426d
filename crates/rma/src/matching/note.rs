//! What ranks tell one another when calls may not match: lines of text, for it is seldom.

use crate::Rank;
use crate::error::Called;

/// A message about collective calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Note {
    /// The sender waits, or was told something else than it expected.
    Ask(Ask),
    /// The calls of these groups do not match.
    Verdict {
        contexts: Vec<u32>,
        first: Called,
        second: Called,
    },
    /// The sender knows the verdict on this group.
    Known(u32),
    /// All know it.
    Released(u32),
}

/// See [`Note::Ask`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ask {
    /// The group of the call.
    pub(super) context: u32,
    /// The last calls on it, and at the end the one in which the sender is: number, hash, and as people are told.
    pub(super) calls: Vec<(u64, u64, Called)>,
    /// The number of calls of the sender on each of its groups.
    pub(super) counts: Vec<(u32, u64)>,
}

impl Note {
    /// As bytes.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let mut lines = Vec::new();
        let called = |called: &Called| [called.rank.to_string(), called.call.clone(), called.place.clone()];
        match self {
            Self::Ask(ask) => {
                lines.extend([
                    "ask".to_owned(),
                    ask.context.to_string(),
                    ask.calls.len().to_string(),
                ]);
                for (sequence, chain, call) in &ask.calls {
                    lines.extend([sequence.to_string(), chain.to_string()]);
                    lines.extend(called(call));
                }
                for (context, count) in &ask.counts {
                    lines.extend([context.to_string(), count.to_string()]);
                }
            }
            Self::Verdict {
                contexts,
                first,
                second,
            } => {
                lines.push("verdict".to_owned());
                lines.extend(called(first));
                lines.extend(called(second));
                lines.extend(contexts.iter().map(u32::to_string));
            }
            Self::Known(context) => lines.extend(["known".to_owned(), context.to_string()]),
            Self::Released(context) => lines.extend(["released".to_owned(), context.to_string()]),
        }
        lines.join("\n").into_bytes()
    }

    /// Reads bytes; `None` if they are no note.
    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let mut lines = std::str::from_utf8(bytes).ok()?.split('\n');
        Some(match lines.next()? {
            "ask" => {
                let context = lines.next()?.parse().ok()?;
                let number: usize = lines.next()?.parse().ok()?;
                let mut calls = Vec::new();
                for _ in 0..number {
                    let (sequence, chain) = (lines.next()?.parse().ok()?, lines.next()?.parse().ok()?);
                    calls.push((sequence, chain, called(&mut lines)?));
                }
                let mut counts = Vec::new();
                while let Some(context) = lines.next() {
                    counts.push((context.parse().ok()?, lines.next()?.parse().ok()?));
                }
                Self::Ask(Ask {
                    context,
                    calls,
                    counts,
                })
            }
            "verdict" => Self::Verdict {
                first: called(&mut lines)?,
                second: called(&mut lines)?,
                contexts: lines.map(|line| line.parse().ok()).collect::<Option<_>>()?,
            },
            "known" => Self::Known(lines.next()?.parse().ok()?),
            "released" => Self::Released(lines.next()?.parse().ok()?),
            _ => return None,
        })
    }
}

fn called<'l>(lines: &mut impl Iterator<Item = &'l str>) -> Option<Called> {
    let rank: Rank = lines.next()?.parse().ok()?;
    Some(Called {
        rank,
        call: lines.next()?.to_owned(),
        place: lines.next()?.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_read_as_they_were_written() {
        let called = |rank| Called {
            rank,
            call: "barrier, collective call 1 of the world".to_owned(),
            place: "main.rs:3".to_owned(),
        };
        let notes = [
            Note::Ask(Ask {
                context: 2,
                calls: vec![(0, 5, called(1)), (1, u64::MAX, called(1))],
                counts: vec![(0, 7), (2, 2)],
            }),
            Note::Verdict {
                contexts: vec![0, 3],
                first: called(0),
                second: called(4),
            },
            Note::Known(3),
            Note::Released(0),
        ];
        for note in notes {
            let bytes = note.bytes();
            assert_eq!(Note::read(&bytes), Some(note));
            assert_eq!(Note::read(&bytes[..bytes.len() / 3]), None);
        }
        assert_eq!(Note::read(&[0xFF]), None);
    }
}
