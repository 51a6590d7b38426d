//! How far a process is in what it does together with others by MPI: messages, epochs, requests, locks. It is known
//! before the run, and part of the state of a process.

use crate::message::{Kind, Message};
use crate::request::Persistent;
use crate::tables::{Object, Span};
use std::collections::{BTreeMap, BTreeSet};

/// A target of an epoch that `MPI_Win_start` began.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Opened {
    /// Its post.
    post: Message,
    /// The post was waited for.
    met: bool,
    /// Something comes back from it in this epoch, so that the epoch does not end before the post.
    answers: bool,
    /// The round of the process when the epoch began.
    round: u32,
}

/// How a lock is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Lock {
    Shared,
    Exclusive,
}

/// Locks of one window and target that were asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Asked {
    locks: u32,
    /// There was an operation since.
    operated: bool,
}

/// What a process may be ahead of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ahead {
    /// Posts of targets of its epochs.
    posts: bool,
    /// That it has the locks that it asked for.
    locks: bool,
    /// Fences of others.
    fences: bool,
}

impl Ahead {
    /// Whether it may be ahead of posts of targets of its epochs.
    pub(crate) fn of_posts(self) -> bool {
        self.posts
    }

    /// Whether it may not have the locks yet that it asked for.
    pub(crate) fn of_locks(self) -> bool {
        self.locks
    }

    /// Whether it may be ahead of fences of others.
    pub(crate) fn of_fences(self) -> bool {
        self.fences
    }
}

/// Whether stores that are not sequentially consistent came after some that are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Later {
    None,
    Some,
}

/// The progress of a process.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Progress {
    /// How many windows, communicators and collective calls there were, by communicator.
    windows: BTreeMap<u32, u32>,
    made: BTreeMap<u32, u32>,
    collectives: BTreeMap<u32, u32>,
    /// Those in which each gives each something that is followed.
    exchanges: BTreeMap<u32, u32>,
    sent: BTreeMap<(u32, Kind), u32>,
    received: BTreeMap<(u32, Kind), u32>,
    /// Messages that were found to be there and not received yet; whether they were the first of any process.
    probed: BTreeMap<(u32, Kind), bool>,
    /// Persistent requests, by number.
    persistent: BTreeMap<u32, Persistent>,
    /// Requests of operations that are not waited for yet: window, whether they give something back, number.
    open: BTreeSet<(u32, bool, u32)>,
    /// Those of which a flush may have been.
    flushed: BTreeSet<(u32, bool, u32)>,
    /// How often segments of GASPI were deleted, by number.
    deleted: BTreeMap<u32, u32>,
    /// Groups of GASPI that the process has made: the processes of each, from number 1 on.
    groups: Vec<BTreeSet<u32>>,
    /// Contexts of OpenSHMEM that are there.
    contexts: BTreeSet<u32>,
    /// Puts of OpenSHMEM that may be on their way, by context (none for the default one) and target (none for any).
    puts: BTreeSet<(Option<u32>, Option<u32>)>,
    /// Where a signal was added to, by context and target: here later puts do not come before it.
    held: BTreeSet<(Option<u32>, Option<u32>)>,
    /// Memory of the process in windows in shared memory that it has stored to, and others may not see yet.
    stored: BTreeSet<Span>,
    /// Windows with sequentially consistent stores that others may not see yet.
    total_order: BTreeMap<u32, Later>,
    /// By window and target.
    access: BTreeMap<(u32, u32), Opened>,
    exposure: BTreeMap<u32, Vec<u32>>,
    /// The first round in which the process itself accessed a window that is exposed.
    touched: BTreeMap<u32, u32>,
    /// How many epochs and exposures the process has begun.
    round: u32,
    /// Posts that the process may be ahead of, by window and target: their numbers.
    ahead: BTreeMap<(u32, u32), u32>,
    /// By window and target.
    locks: BTreeMap<(u32, u32), Lock>,
    /// Barriers that were passed, where somebody posts.
    barriers: u32,
    /// Others may have seen something since the last barrier, where a fence may be none.
    loud: bool,
    /// Windows that are in an epoch which a fence has begun; whether it had `MPI_MODE_NOPRECEDE`.
    fenced: BTreeMap<u32, bool>,
    /// Windows with a fence that may be no barrier, which was passed, and no barrier since.
    opened: BTreeSet<u32>,
    /// Locks that may not have been given yet, by window and target.
    asked: BTreeMap<(u32, Option<u32>), Asked>,
}

/// Whether one of these, by context and target, may be of this context and target; none is any target.
fn concerns(those: &BTreeSet<(Option<u32>, Option<u32>)>, context: Option<u32>, target: Option<u32>) -> bool {
    let mut of = those.iter().filter(|(of, _)| *of == context);
    of.any(|(_, to)| to.is_none() || target.is_none() || *to == target)
}

impl Progress {
    /// How many windows of a communicator there were before the next one.
    pub(crate) fn next_window(&mut self, communicator: u32) -> u32 {
        count(&mut self.windows, communicator)
    }

    /// How many communicators were made of one before the next one.
    pub(crate) fn next_made(&mut self, communicator: u32) -> u32 {
        count(&mut self.made, communicator)
    }

    /// How many collective calls of messages a communicator had before the next one.
    pub(crate) fn next_collective(&mut self, communicator: u32) -> u32 {
        count(&mut self.collectives, communicator)
    }

    /// How many calls of a communicator there were before, in which each gives each something that is followed.
    pub(crate) fn next_exchange(&mut self, communicator: u32) -> u32 {
        count(&mut self.exchanges, communicator)
    }

    /// The next message of a kind from this process.
    pub(crate) fn send(&mut self, me: u32, to: u32, kind: Kind) -> Message {
        let number = count(&mut self.sent, (to, kind));
        Message::new((me, to), kind, number)
    }

    /// How many messages of a kind this process has sent to another one.
    pub(crate) fn sent(&self, to: u32, kind: Kind) -> u32 {
        self.sent.get(&(to, kind)).copied().unwrap_or(0)
    }

    /// The next message of a kind to this process.
    pub(crate) fn receive(&mut self, me: u32, from: u32, kind: Kind) -> Message {
        self.probed.remove(&(from, kind));
        let number = count(&mut self.received, (from, kind));
        Message::new((from, me), kind, number)
    }

    /// The next message of a kind to this process, which it does not take yet.
    pub(crate) fn next(&self, me: u32, from: u32, kind: Kind) -> Message {
        Message::new(
            (from, me),
            kind,
            self.received.get(&(from, kind)).copied().unwrap_or(0),
        )
    }

    /// The next message of a kind was found to be there; `first`: before those of all other processes.
    pub(crate) fn probe(&mut self, from: u32, kind: Kind, first: bool) {
        *self.probed.entry((from, kind)).or_insert(false) |= first;
    }

    /// Whether the next message of a kind is known to be there; and whether as the first of any process.
    pub(crate) fn probed(&self, from: u32, kind: Kind) -> (bool, bool) {
        let probed = self.probed.get(&(from, kind));
        (probed.is_some(), probed.copied().unwrap_or(false))
    }

    /// The segment of this number is deleted.
    pub(crate) fn delete_segment(&mut self, segment: u32) {
        *self.deleted.entry(segment).or_insert(0) += 1;
    }

    /// How many segments of this number there were before the one that is there now.
    pub(crate) fn deleted(&self, segment: u32) -> u32 {
        self.deleted.get(&segment).copied().unwrap_or(0)
    }

    /// A group of GASPI without processes; its number.
    pub(crate) fn open_group(&mut self) -> u32 {
        self.groups.push(BTreeSet::new());
        self.groups.len() as u32
    }

    /// A process joins a group of GASPI; false if there is no such group.
    pub(crate) fn add_to_group(&mut self, group: u32, process: u32) -> bool {
        let group = (group as usize)
            .checked_sub(1)
            .and_then(|at| self.groups.get_mut(at));
        group.is_some_and(|group| group.insert(process))
    }

    /// The processes of a group of GASPI, if the process has made it.
    pub(crate) fn group(&self, group: u32) -> Option<Vec<u32>> {
        let group = self.groups.get((group as usize).checked_sub(1)?)?;
        Some(group.iter().copied().collect())
    }

    /// A number for a context of OpenSHMEM that no other one has now.
    pub(crate) fn open_context(&mut self) -> u32 {
        let free = (0..).find(|number| !self.contexts.contains(number));
        let number = free.unwrap_or(u32::MAX);
        self.contexts.insert(number);
        number
    }

    /// A context of OpenSHMEM is not there any more.
    pub(crate) fn close_context(&mut self, number: u32) {
        self.contexts.remove(&number);
        self.order_puts(Some(number));
    }

    /// There is a put of a context to a process, or to any.
    pub(crate) fn put_to(&mut self, context: Option<u32>, target: Option<u32>) {
        self.puts.insert((context, target));
    }

    /// All puts of a context come before those after this.
    pub(crate) fn order_puts(&mut self, context: Option<u32>) {
        self.puts.retain(|(of, _)| *of != context);
        self.held.retain(|(of, _)| *of != context);
    }

    /// A signal of a process, or of any, is added to by a put of a context: a fence stands before that here.
    pub(crate) fn hold_puts(&mut self, context: Option<u32>, target: Option<u32>) {
        self.held.insert((context, target));
    }

    /// Whether a put of a context to a process, or to any, comes after such a fence.
    pub(crate) fn is_held(&self, context: Option<u32>, target: Option<u32>) -> bool {
        concerns(&self.held, context, target)
    }

    /// Whether an earlier put of a context to a process, or to any, may still be on its way.
    pub(crate) fn may_be_on_its_way(&self, context: Option<u32>, target: Option<u32>) -> bool {
        concerns(&self.puts, context, target)
    }

    /// A number for a request that no open one has.
    pub(crate) fn open_request(&mut self, window: u32, gives: bool) -> u32 {
        let free = (0..).find(|number| !self.open.contains(&(window, gives, *number)));
        let number = free.unwrap_or(u32::MAX);
        self.open.insert((window, gives, number));
        number
    }

    /// Makes a persistent request; a number that no other one has.
    pub(crate) fn make_persistent(&mut self, request: Persistent) -> u32 {
        let free = (0..).find(|number| !self.persistent.contains_key(number));
        let number = free.unwrap_or(u32::MAX);
        self.persistent.insert(number, request);
        number
    }

    /// The persistent request of a number.
    pub(crate) fn persistent(&self, number: u32) -> Option<&Persistent> {
        self.persistent.get(&number)
    }

    /// The same, to start it or to end it.
    pub(crate) fn persistent_mut(&mut self, number: u32) -> Option<&mut Persistent> {
        self.persistent.get_mut(&number)
    }

    /// The persistent request of a number is not there any more.
    pub(crate) fn free_persistent(&mut self, number: u32) {
        self.persistent.remove(&number);
    }

    /// The request was waited for.
    pub(crate) fn close_request(&mut self, window: u32, gives: bool, number: u32) {
        self.open.remove(&(window, gives, number));
        self.flushed.remove(&(window, gives, number));
    }

    /// Operations on a window are flushed: those of requests may be over.
    pub(crate) fn flush_requests(&mut self, window: u32) {
        let of = self.open.iter().filter(|(of, _, _)| *of == window);
        self.flushed.extend(of.copied());
    }

    /// Whether the operation of a request may be over.
    pub(crate) fn is_flushed(&self, window: u32, gives: bool, number: u32) -> bool {
        self.flushed.contains(&(window, gives, number))
    }

    /// The process has stored to its memory of a window in shared memory.
    pub(crate) fn store_to(&mut self, span: Span) {
        self.stored.insert(span);
    }

    /// The process has stored to memory of a window in shared memory, sequentially consistently or not.
    pub(crate) fn store_in_shared(&mut self, window: u32, in_total_order: bool) {
        if in_total_order {
            self.total_order.entry(window).or_insert(Later::None);
        } else if let Some(later) = self.total_order.get_mut(&window) {
            *later = Later::Some;
        }
    }

    /// Whether sequentially consistent stores to a window may not be seen yet, and others came after them.
    pub(crate) fn total_order(&self, window: u32) -> Option<Later> {
        self.total_order.get(&window).copied()
    }

    /// Others see all that the process has stored to a window.
    pub(crate) fn show_total_order(&mut self, window: u32) {
        self.total_order.remove(&window);
    }

    /// Whether others may not see yet what the process has stored there.
    pub(crate) fn is_stored(&self, span: Span) -> bool {
        self.stored.iter().any(|known| known.overlaps(span))
    }

    /// Others see all that the process has stored to an object.
    pub(crate) fn show_stores(&mut self, object: Object) {
        self.stored.retain(|known| known.object() != object);
    }

    /// An epoch begins, for the targets of these posts.
    pub(crate) fn start(&mut self, window: u32, posts: &[Message]) {
        self.round += 1;
        for &post in posts {
            let opened = Opened {
                post,
                met: false,
                answers: false,
                round: self.round,
            };
            self.access.insert((window, post.from()), opened);
            self.ahead.insert((window, post.from()), post.number());
        }
    }

    /// Whether a window is in an epoch that `MPI_Win_start` began.
    pub(crate) fn is_started(&self, window: u32) -> bool {
        self.access.keys().any(|(of, _)| *of == window)
    }

    /// Whether a target is one of the epoch.
    pub(crate) fn is_target(&self, window: u32, target: u32) -> bool {
        self.access.contains_key(&(window, target))
    }

    /// The post of a target that is to be waited for before an operation; none if it was.
    pub(crate) fn meet(&mut self, window: u32, target: u32, answers: bool) -> Option<Message> {
        let opened = self.access.get_mut(&(window, target))?;
        opened.answers |= answers;
        let new = !std::mem::replace(&mut opened.met, true);
        new.then_some(opened.post)
    }

    /// Whether the epoch of a window began in the round in which the process is.
    pub(crate) fn is_of_this_round(&self, window: u32) -> bool {
        let mut opened = self.access.iter().filter(|((of, _), _)| *of == window);
        opened.all(|(_, opened)| opened.round == self.round)
    }

    /// The epoch ends; its targets.
    pub(crate) fn complete(&mut self, window: u32) -> Vec<u32> {
        let ended: Vec<(u32, Opened)> = self
            .access
            .iter()
            .filter(|((of, _), _)| *of == window)
            .map(|((_, target), opened)| (*target, *opened))
            .collect();
        self.access.retain(|(of, _), _| *of != window);
        for (target, opened) in &ended {
            if opened.answers {
                self.ahead.remove(&(window, *target));
            }
        }
        ended.into_iter().map(|(target, _)| target).collect()
    }

    /// What a process completed tells that it had posted so many times before.
    pub(crate) fn told(&mut self, window: u32, by: u32, posts: u32) {
        if self
            .ahead
            .get(&(window, by))
            .is_some_and(|number| *number < posts)
        {
            self.ahead.remove(&(window, by));
        }
    }

    /// How many epochs and exposures the process has begun.
    pub(crate) fn round(&self) -> u32 {
        self.round
    }

    /// Others may access a window from now on.
    pub(crate) fn post(&mut self, window: u32, origins: Vec<u32>) {
        self.round += 1;
        self.exposure.insert(window, origins);
    }

    /// Whether others may access a window since a post.
    pub(crate) fn is_exposed(&self, window: u32) -> bool {
        self.exposure.contains_key(&window)
    }

    /// The process itself accesses a window that is exposed.
    pub(crate) fn touch(&mut self, window: u32) {
        self.touched.entry(window).or_insert(self.round);
    }

    /// The exposure ends: who could access the window, and the round in which the process itself first did.
    pub(crate) fn end_exposure(&mut self, window: u32) -> Option<(Vec<u32>, Option<u32>)> {
        let touched = self.touched.remove(&window);
        Some((self.exposure.remove(&window)?, touched))
    }

    /// What the process may be ahead of when others see something of it; `within`: what they see is an operation on
    /// that window and target, which waits for its post or its lock itself. Posts that are `over` do not count.
    pub(crate) fn is_ahead_of(
        &self,
        within: Option<(u32, Option<u32>)>,
        me: u32,
        over: impl Fn(Message) -> bool,
    ) -> Ahead {
        let counts = |(of, number): (&(u32, u32), &u32)| !over(Message::of_post(*of, me, *number));
        let in_epoch = |of: &(u32, u32)| {
            within == Some((of.0, Some(of.1))) && self.access.get(of).is_some_and(|opened| opened.met)
        };
        let window = within.map(|(window, _)| window);
        Ahead {
            posts: self.ahead.iter().any(|of| !in_epoch(of.0) && counts(of)),
            locks: self.asked.keys().any(|of| within != Some(*of)),
            fences: self.opened.iter().any(|of| window != Some(*of)),
        }
    }

    /// The number of barriers that the process has passed.
    pub(crate) fn barriers(&self) -> u32 {
        self.barriers
    }

    /// A barrier is passed: nobody is ahead any more of posts before it. `counts`: barriers are counted.
    pub(crate) fn reach_barrier(&mut self, counts: bool, posted: impl Fn(Message) -> bool, me: u32) {
        self.ahead
            .retain(|of, number| !posted(Message::of_post(*of, me, *number)));
        self.barriers += u32::from(counts);
        self.loud = false;
        self.opened.clear();
    }

    /// Others may see something.
    pub(crate) fn be_seen(&mut self) {
        self.loud = true;
    }

    /// Whether others may have seen something since the last barrier.
    pub(crate) fn is_loud(&self) -> bool {
        self.loud
    }

    /// A fence of a window. `opens`: it has `MPI_MODE_NOPRECEDE`; `ends`: it has `MPI_MODE_NOSUCCEED`.
    pub(crate) fn fence(&mut self, window: u32, opens: bool, ends: bool) {
        match ends {
            true => self.fenced.remove(&window),
            false => self.fenced.insert(window, opens),
        };
    }

    /// Whether a window is in an epoch which a fence has begun, and whether that had `MPI_MODE_NOPRECEDE`.
    pub(crate) fn is_fenced(&self, window: u32) -> Option<bool> {
        self.fenced.get(&window).copied()
    }

    /// A fence of a window is passed that may be no barrier.
    pub(crate) fn pass_opening(&mut self, window: u32) {
        self.opened.insert(window);
    }

    /// A lock is asked for.
    pub(crate) fn lock(&mut self, window: u32, target: u32, lock: Lock) {
        self.locks.insert((window, target), lock);
    }

    /// The lock is given back.
    pub(crate) fn unlock(&mut self, window: u32, target: u32) -> Option<Lock> {
        self.locks.remove(&(window, target))
    }

    /// The process may go on before it has a lock that it asks for; no target if that is not known before a run.
    pub(crate) fn ask(&mut self, window: u32, target: Option<u32>) {
        let asked = self.asked.entry((window, target)).or_default();
        asked.locks += 1;
        asked.operated = false;
    }

    /// There is an operation on a window.
    pub(crate) fn operate(&mut self, window: u32, target: Option<u32>) {
        if let Some(asked) = self.asked.get_mut(&(window, target)) {
            asked.operated = true;
        }
    }

    /// Operations on one target are over there, and so its lock was given if there were any.
    pub(crate) fn flushed(&mut self, window: u32, target: u32) {
        self.asked
            .retain(|of, asked| *of != (window, Some(target)) || !asked.operated);
    }

    /// Operations on all targets of a window are over.
    pub(crate) fn flushed_all(&mut self, window: u32) {
        self.asked
            .retain(|(of, target), asked| *of != window || target.is_none() || !asked.operated);
    }

    /// The epoch of a lock is over.
    pub(crate) fn end_lock(&mut self, window: u32, target: Option<u32>) {
        if let Some(asked) = self.asked.get_mut(&(window, target)) {
            asked.locks -= 1;
            if asked.locks == 0 {
                self.asked.remove(&(window, target));
            }
        }
    }
}

fn count<K: Ord>(counts: &mut BTreeMap<K, u32>, of: K) -> u32 {
    let count = counts.entry(of).or_insert(0);
    *count += 1;
    *count - 1
}
