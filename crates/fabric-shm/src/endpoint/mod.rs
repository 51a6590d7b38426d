//! The endpoint of a rank, and what its operations share.

mod wait;

pub(crate) use wait::LONGEST_SLEEP;

use crate::control::{Control, State, announce_loss};
use crate::crowd::Crowd;
use crate::doorbell::{Fences, Kernel};
use crate::inbox::{self, Inbox};
use crate::place::Place;
use crate::regions::Regions;
use crate::watch::Watch;
use farside_fabric::bootstrap::Bootstrap;
use farside_fabric::{AtomicKind, Capabilities, Error, Message, Notification, Rank, Remote, Result};
use farside_processes::start_time;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use wait::LONGEST_SLEEP_STARVED;

/// How long after its files are closed a process may take to be seen to have ended.
const DYING: Duration = Duration::from_millis(200);

/// The endpoint of a rank. See the crate's documentation.
///
/// An endpoint that is dropped without [`finish`](farside_fabric::Fabric::finish) is a lost rank for the others.
pub struct ShmFabric {
    pub(crate) rank: Rank,
    /// Control segments of all ranks.
    pub(crate) ranks: Arc<[Control]>,
    pub(crate) fences: Fences,
    pub(crate) crowd: Crowd,
    pub(crate) place: Place,
    /// Process of each rank.
    pub(crate) processes: Vec<u32>,
    pub(crate) capabilities: Capabilities,
    pub(crate) notifications: Inbox<Notification>,
    pub(crate) messages: Inbox<Message>,
    pub(crate) regions: Regions,
    pub(crate) scopes: Mutex<Scopes>,
    /// Of the job: monotonic, in nanoseconds.
    pub(crate) began: u64,
    pub(crate) bootstrap: Option<Arc<dyn Bootstrap>>,
    pub(crate) watch: Option<Watch>,
}

/// Scopes that are open. Operations are complete when their calls return, so there is nothing more to a scope.
#[derive(Default)]
pub(crate) struct Scopes {
    pub(crate) open: BTreeSet<u32>,
    pub(crate) last: u32,
}

impl ShmFabric {
    #[inline]
    pub(crate) fn own(&self) -> &Control {
        &self.ranks[self.rank as usize]
    }

    /// A rank that is there, and not known to be lost.
    #[inline]
    pub(crate) fn peer(&self, rank: Rank) -> Result<&Control> {
        let Some(peer) = self.ranks.get(rank as usize) else {
            return Err(Error::RankOutOfRange {
                rank,
                size: self.ranks.len() as u32,
            });
        };
        if self.own().lost() == Some(rank) {
            return Err(self.peer_lost(rank));
        }
        Ok(peer)
    }

    /// Wakes a rank after something that has arrived there.
    #[inline]
    pub(crate) fn ring(&self, peer: &Control) {
        peer.bell().ring(self.fences, &Kernel);
    }

    /// Wakes who waits for room in the own rings.
    #[cold]
    pub(crate) fn feed(&self) {
        for peer in &self.ranks[..] {
            self.ring(peer);
        }
    }

    /// Empties the own rings when they are more than half full: what a rank does while it waits for room at others, so
    /// that those who wait for room here go on.
    ///
    /// # Errors
    /// Notifications were lost, or a message cannot be read.
    pub fn take_in(&self) -> Result<()> {
        let own = self.own();
        let notifications = self.notifications.take_in(own.notifications())?;
        if self.messages.take_in(own.messages())? || notifications {
            self.feed();
        }
        Ok(())
    }

    pub(crate) fn push_message(&self, peer: &Control, tag: u64, bytes: &[u8]) -> bool {
        inbox::send(peer.messages(), peer.messages_known(), self.rank, tag, bytes)
    }

    /// Tells all ranks that one is lost, which may be none of these: see [`ShmFabric::try_start`].
    pub fn tell_lost(&self, rank: Rank) {
        announce_loss(&self.ranks, rank, self.fences);
    }

    /// Waits until `push` has found room at `peer`, which `starve` tells of the wish.
    #[cold]
    pub(crate) fn when_there_is_room(
        &self,
        peer: &Control,
        push: &dyn Fn() -> bool,
        starve: &dyn Fn(),
    ) -> Result<()> {
        self.ring(peer);
        let mut ready = || {
            self.take_in()?;
            let pushed = push();
            if !pushed {
                starve();
            }
            Ok(pushed)
        };
        self.wait_until(None, LONGEST_SLEEP_STARVED, &mut ready, &|| {})
    }

    pub(crate) fn notify(&self, peer: &Control, immediate: u32) -> Result<()> {
        let push = || {
            inbox::notify(
                peer.notifications(),
                peer.notifications_known(),
                self.rank,
                immediate,
            )
        };
        match push() {
            true => Ok(()),
            false => self.when_there_is_room(peer, &push, &|| peer.notifications().starve()),
        }
    }

    /// A place in mapped memory, for elements of a type.
    #[inline]
    pub(crate) fn elements(
        remote: &Remote,
        displacement: usize,
        kind: AtomicKind,
        count: usize,
    ) -> Result<*mut u8> {
        let alignment = kind.bytes();
        let at = remote.at(displacement, count.saturating_mul(alignment))? as *mut u8;
        if !displacement.is_multiple_of(alignment) {
            return Err(Error::Misaligned {
                displacement,
                alignment,
            });
        }
        Ok(at)
    }

    pub(crate) fn scopes(&self) -> MutexGuard<'_, Scopes> {
        // Nothing panics while it is locked.
        self.scopes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A rank that is lost, if it matters for what goes to `target`, or to all.
    #[inline]
    pub(crate) fn unless_lost(&self, target: Option<Rank>) -> Result<()> {
        match self.own().lost() {
            Some(rank) if target.is_none_or(|target| target == rank) => Err(self.peer_lost(rank)),
            _ => Ok(()),
        }
    }

    /// What a call fails with that did not find the memory of a rank: that is gone a moment before the process is seen
    /// to have ended. One that leaves has said so before, or who was lost that it leaves for.
    #[cold]
    pub(crate) fn unless_dying(&self, owner: Rank, error: Error) -> Error {
        let began = Instant::now();
        loop {
            if let Some(rank) = self.own().lost() {
                return self.peer_lost(rank);
            }
            if start_time(self.processes[owner as usize]).is_none() {
                return self.peer_lost(owner);
            }
            if !matches!(error, Error::System { call: "open", .. }) || began.elapsed() >= DYING {
                return error;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// What a call fails with for a rank that is lost. The launcher and all ranks hear of the loss before this rank can
    /// end for it, and be taken for the loss.
    #[cold]
    pub(crate) fn peer_lost(&self, rank: Rank) -> Error {
        announce_loss(&self.ranks, rank, self.fences);
        if let Some(bootstrap) = &self.bootstrap {
            bootstrap.tell_lost(rank);
        }
        Error::PeerLost { rank }
    }
}

impl Drop for ShmFabric {
    fn drop(&mut self) {
        drop(self.watch.take());
        // A child of fork(2) drops a copy, and the rank goes on.
        let here = self.processes.get(self.rank as usize) == Some(&std::process::id());
        if here && self.own().state() != State::Finished {
            announce_loss(&self.ranks, self.rank, self.fences);
        }
    }
}
