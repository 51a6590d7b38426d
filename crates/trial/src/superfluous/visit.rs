//! A synchronising call that a thread made, and what can be done with it.

use super::Visit;
use super::progress::Awaited;
use farside_events::{Assertions, Call, ChannelId, Event, EventKind, LockKind, Rank};

/// What a synchronising call does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// It completes operations.
    Flush {
        all: bool,
        local: bool,
        channel: Option<ChannelId>,
    },
    /// All members come, and no data moves.
    Meeting,
    Fence(Assertions),
    Lock(LockKind),
    LockAll,
    Unlock,
    /// A part of post, start, complete and wait.
    Exposure,
}

impl Class {
    /// Whether it orders processes that meet there.
    pub(super) fn orders_processes(self) -> bool {
        matches!(self, Self::Meeting | Self::Fence(_) | Self::Exposure)
    }

    /// Of the calls of one group, the one that gives its name.
    pub(super) fn leads(self) -> u8 {
        match self {
            Self::Meeting | Self::Fence(_) => 0,
            Self::Lock(_) | Self::LockAll | Self::Exposure => 1,
            Self::Flush { .. } => 2,
            Self::Unlock => 3,
        }
    }
}

/// What becomes of visits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// The calls are not made.
    Remove,
    /// They do not wait for others, and complete operations.
    OnlyComplete,
    /// They wait for others, and complete nothing.
    OnlyMeet,
    /// Operations are complete at their origins only.
    Local,
    /// Operations keep their order, and are not complete.
    Order,
    /// Operations to the one target that has some are complete.
    OneTarget,
    /// An exclusive lock is a shared one.
    Shared,
    /// A fence has these assertions.
    Assertions(Assertions),
}

impl Change {
    /// Whether what is awaited stays.
    pub(super) fn leaves(self, awaited: Awaited) -> bool {
        let stays = match self {
            Self::Remove | Self::OnlyMeet | Self::Order => Awaited::Nothing,
            Self::Local => Awaited::AtOrigin,
            Self::OnlyComplete | Self::OneTarget | Self::Shared | Self::Assertions(_) => Awaited::AtTarget,
        };
        awaited <= stays
    }
}

/// What becomes of one event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Act {
    Drop,
    /// In its place, operations of the channel are in order.
    Order(ChannelId),
    Local,
    Target(Rank),
    Shared,
    Assertions(Assertions),
}

impl Act {
    /// Changes an event; says whether it is left.
    pub(super) fn change(self, event: &mut Event) -> bool {
        if let Self::Order(channel) = self {
            let latest = false;
            event.kind = EventKind::Ordered { channel, latest };
            return true;
        }
        let EventKind::Enter { call, .. } = &mut event.kind else {
            return self != Self::Drop;
        };
        match (self, call) {
            (Self::Drop, _) => return false,
            (Self::Local, Call::Flush { local, .. }) => *local = true,
            (Self::Target(one), Call::Flush { target, .. }) => *target = Some(one),
            (Self::Shared, Call::Lock { kind, .. }) => *kind = LockKind::Shared,
            (Self::Assertions(wanted), Call::Fence { assertions, .. }) => *assertions = wanted,
            _ => {}
        }
        true
    }
}

impl Visit {
    /// What becomes of its events, each by its place in the recording.
    pub(super) fn acts(&self, change: Change) -> Vec<(u64, Act)> {
        let completes = matches!(self.class, Class::Flush { .. });
        let gone = || {
            let own = self.leave.into_iter().chain(self.within.iter().copied());
            own.map(|event| (event, Act::Drop))
        };
        let removed = || std::iter::once((self.enter, Act::Drop)).chain(gone()).collect();
        let altered = |act| vec![(self.enter, act)];
        match (change, self.class) {
            (Change::Remove, _) => removed(),
            (Change::OnlyComplete, _) if !completes => removed(),
            (Change::OnlyMeet, _) if completes => removed(),
            (Change::Local, Class::Flush { .. }) => altered(Act::Local),
            (Change::OneTarget, Class::Flush { .. }) => match *self.pending {
                [target] => altered(Act::Target(target)),
                // There is nothing to complete.
                _ => removed(),
            },
            (Change::Order, Class::Flush { channel, .. }) => {
                let order = (self.enter, Act::Order(channel.unwrap_or_default()));
                std::iter::once(order).chain(gone()).collect()
            }
            (Change::Shared, Class::Lock(LockKind::Exclusive)) => altered(Act::Shared),
            (Change::Assertions(assertions), Class::Fence(_)) => altered(Act::Assertions(assertions)),
            _ => Vec::new(),
        }
    }

    /// Nanoseconds that were spent in it.
    pub(super) fn nanoseconds(&self) -> u64 {
        self.times.1.saturating_sub(self.times.0)
    }
}
