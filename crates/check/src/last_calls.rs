//! The last call of each process, for those whose recordings do not come to an end of their own.
//!
//! Promise: a process that ended or was ended within a call is said to be in it, if no other thread of it made a call
//! later. Not promised: what a process did after its last call.

use farside_events::{CallKind, Event, EventKind, Interface, Rank, StackId};
use farside_processes::plain;
use farside_race::{Places, Site, called};
use std::collections::BTreeMap;
use std::fmt;

/// The last calls of the processes of a job, as events have them.
#[derive(Debug, Default)]
pub(crate) struct LastCalls {
    /// By rank.
    of: Vec<Option<LastCall>>,
}

#[derive(Debug)]
struct LastCall {
    kind: CallKind,
    /// Of a call that only its name tells.
    name: String,
    stack: StackId,
    since: Since,
}

/// Where a process is with regard to its last call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Since {
    /// It has entered the call and not left it.
    Entered,
    /// It has made the call, and may be in it.
    Made,
    /// It has left the call.
    Left,
}

/// Where a process came to, in words: "in MPI_Recv (halo.c:14)".
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Whereabouts {
    since: Since,
    call: String,
    place: Option<String>,
}

impl fmt::Display for Whereabouts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let since = match self.since {
            Since::Entered => "in",
            Since::Made => "in or after",
            Since::Left => "after",
        };
        // Names come from recordings, which anybody may have written.
        write!(f, "{since} {}", plain(&self.call))?;
        match &self.place {
            Some(place) => write!(f, " ({})", plain(place)),
            None => Ok(()),
        }
    }
}

impl LastCalls {
    /// Takes note of an event, if it is one of a call.
    #[inline]
    pub(crate) fn note(&mut self, rank: Rank, event: &Event) {
        match &event.kind {
            EventKind::Enter { call, stack } => {
                self.make(
                    rank,
                    (CallKind::of(call), *stack),
                    call.name().unwrap_or_default(),
                    Since::Entered,
                );
            }
            EventKind::Operation(operation) => {
                let kind = CallKind::of_operation(operation);
                self.make(rank, (kind, operation.stack), "", Since::Made);
            }
            EventKind::Leave(_) => {
                if let Some(last) = self.of.get_mut(rank.0 as usize).and_then(Option::as_mut) {
                    last.since = Since::Left;
                }
            }
            _ => {}
        }
    }

    fn make(&mut self, rank: Rank, (kind, stack): (CallKind, StackId), name: &str, since: Since) {
        let index = rank.0 as usize;
        if index >= self.of.len() {
            self.of.resize_with(index + 1, || None);
        }
        match &mut self.of[index] {
            Some(last) => {
                last.name.clear();
                last.name.push_str(name);
                (last.kind, last.stack, last.since) = (kind, stack, since);
            }
            none => {
                *none = Some(LastCall {
                    kind,
                    name: name.into(),
                    stack,
                    since,
                });
            }
        }
    }

    /// Where these processes came to, and which of them came to the same; nothing is said of those that made no call.
    pub(crate) fn whereabouts(
        &self,
        ranks: impl Iterator<Item = Rank>,
        interface: Interface,
        places: &mut impl Places,
    ) -> BTreeMap<Whereabouts, Vec<u32>> {
        let mut all: BTreeMap<Whereabouts, Vec<u32>> = BTreeMap::new();
        for rank in ranks {
            let Some(last) = self.of.get(rank.0 as usize).and_then(Option::as_ref) else {
                continue;
            };
            let call = match last.kind {
                CallKind::Other => last.name.clone(),
                kind => called(interface, kind).to_owned(),
            };
            let frames = places.stack(Site {
                rank,
                pc: None,
                stack: last.stack,
            });
            let place = frames.into_iter().find_map(|frame| frame.place);
            let whereabouts = Whereabouts {
                since: last.since,
                call,
                place: place.map(|place| format!("{}:{}", place.file, place.line)),
            };
            all.entry(whereabouts).or_default().push(rank.0);
        }
        all
    }
}
