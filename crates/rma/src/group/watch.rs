//! Collective calls and messages of groups.

use super::Group;
use crate::Rank;
use crate::watch::{Guard, Place, Started};
use farside_events::{Call, CommId, Direction, EventKind, Outcome, RequestId, SendMode};

/// Tags of messages that stand for an order which a call of the library makes: those of the program are 32 bits of
/// their own group, these have a group of their own.
const ORDER: CommId = CommId(u64::MAX);

impl Group {
    /// Tells that the group is there.
    pub(crate) fn tell_formed(&self) {
        let Some(recorder) = &self.core().watch else {
            return;
        };
        let world = |rank| farside_events::Rank(self.world_rank(rank).unwrap_or(rank));
        recorder.record(EventKind::Comm {
            id: self.communicator(),
            members: (0..self.size()).map(world).collect(),
        });
    }

    /// The group as all its ranks name it: groups of one context have no common member.
    pub(crate) fn communicator(&self) -> CommId {
        let first = self.world_rank(0).unwrap_or(0);
        CommId(u64::from(self.context()) << 32 | u64::from(first))
    }

    /// A collective call of the program begins, if somebody watches.
    #[inline]
    pub(crate) fn collective(
        &self,
        place: Place,
        name: &'static str,
        direction: impl FnOnce() -> Direction,
    ) -> Option<Guard<'_>> {
        let recorder = self.core().watch.as_deref()?;
        if recorder.is_within() {
            return None;
        }
        let sequence = self.next_sequence();
        recorder.call(place, self.named(sequence, name, direction(), None))
    }

    /// As [`Group::collective`], of a call that orders every rank before every other.
    #[inline]
    pub(crate) fn collective_of_all(&self, place: Place, name: &'static str) -> Option<Guard<'_>> {
        self.collective(place, name, || Direction::All)
    }

    /// A collective call of the program begins, and ends later: [`Recorder::tell_done`].
    ///
    /// [`Recorder::tell_done`]: crate::watch::Recorder::tell_done
    pub(crate) fn started(&self, place: Place, name: &'static str, direction: Direction) -> Option<Started> {
        let recorder = self.core().watch.as_deref()?;
        if recorder.is_within() {
            return None;
        }
        let (sequence, request) = (self.next_sequence(), recorder.next_request());
        recorder.instant(place, self.named(sequence, name, direction, Some(request)));
        Some(Started::new(self.communicator(), sequence))
    }

    fn named(
        &self,
        sequence: u64,
        name: &'static str,
        direction: Direction,
        request: Option<RequestId>,
    ) -> Call {
        Call::Collective {
            comm: self.communicator(),
            sequence,
            direction,
            name: name.into(),
            request,
        }
    }

    /// A message of the program's is about to be sent.
    #[inline]
    pub(crate) fn sending(&self, place: Place, target: Rank, tag: u32) -> Option<Guard<'_>> {
        let recorder = self.core().watch.as_deref()?;
        let dest = farside_events::Rank(self.world_rank(target).ok()?);
        recorder.call(
            place,
            Call::Send {
                comm: self.communicator(),
                dest: Some(dest),
                tag: tag.cast_signed(),
                mode: SendMode::Standard,
                request: None,
                name: "send".into(),
            },
        )
    }

    /// A message of the program's is waited for.
    #[inline]
    pub(crate) fn receiving(
        &self,
        place: Place,
        source: Option<Rank>,
        tag: Option<u32>,
    ) -> Option<Guard<'_>> {
        let recorder = self.core().watch.as_deref()?;
        let source = match source {
            Some(rank) => Some(farside_events::Rank(self.world_rank(rank).ok()?)),
            None => None,
        };
        recorder.call(
            place,
            Call::Receive {
                post: recorder.next_receive(),
                comm: self.communicator(),
                source,
                tag: tag.map(u32::cast_signed),
                request: None,
                name: "receive".into(),
            },
        )
    }

    /// How a receive is left that took a message.
    pub(crate) fn received(&self, source: Rank, tag: u32) -> Outcome {
        Outcome::Received {
            source: Some(farside_events::Rank(self.world_rank(source).unwrap_or(source))),
            tag: tag.cast_signed(),
        }
    }

    /// What this rank did before is known to another one when that has called [`Group::told_by`]: the order that post
    /// makes for start, which here waits for it (in MPI it need not).
    pub(crate) fn tells(&self, place: Place, name: &'static str, target: Rank, number: u32) {
        let Some(recorder) = &self.core().watch else {
            return;
        };
        recorder.instant(
            place,
            Call::Send {
                comm: ORDER,
                dest: self.world_rank(target).ok().map(farside_events::Rank),
                tag: number.cast_signed(),
                mode: SendMode::Standard,
                request: None,
                name: name.into(),
            },
        );
    }

    /// See [`Group::tells`].
    pub(crate) fn told_by(&self, place: Place, name: &'static str, source: Rank, number: u32) {
        let Some(recorder) = &self.core().watch else {
            return;
        };
        let source = self.world_rank(source).ok().map(farside_events::Rank);
        let guard = recorder.call(
            place,
            Call::Receive {
                post: recorder.next_receive(),
                comm: ORDER,
                source,
                tag: Some(number.cast_signed()),
                request: None,
                name: name.into(),
            },
        );
        if let Some(mut guard) = guard {
            guard.leave_with(Outcome::Received {
                source,
                tag: number.cast_signed(),
            });
        }
    }
}
