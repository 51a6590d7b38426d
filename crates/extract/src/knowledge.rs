//! What is learnt about memory while a program is followed, and then holds from its start: which bytes others reach,
//! where they are taken apart, and whose values decide anything.
//!
//! Each attempt to follow the program may learn something; it is then followed again from its start. Everything here
//! only grows, within bounds, so that this ends.

use crate::detail::Detail;
use crate::message::{Kind, Message};
use crate::tables::{Object, Span};
use std::collections::{BTreeMap, BTreeSet};

/// The knowledge.
#[derive(Default)]
pub(crate) struct Knowledge {
    shared: BTreeSet<Span>,
    bounds: BTreeMap<Object, BTreeSet<u64>>,
    coarse: BTreeSet<Object>,
    named: BTreeSet<Object>,
    followed: BTreeSet<Span>,
    havoc: BTreeSet<Span>,
    exclusive: BTreeSet<u32>,
    /// Objects whose cells stand for locks.
    locks: BTreeSet<Object>,
    shared_locks: BTreeSet<u32>,
    /// Memory of windows that other processes load and store, and how many bytes of it processes have made.
    reached: BTreeSet<Object>,
    made: BTreeMap<(Object, u32), u64>,
    /// How many requests of a window are open at once: those of operations that give something back, and of others.
    requests: BTreeMap<(u32, bool), u32>,
    messages: bool,
    /// What processes give `MPI_Comm_split`: by communicator, call on it, and process; color and key.
    splits: BTreeMap<(u32, u32, u32), (i64, i64)>,
    /// Bytes that operations may write.
    exposed: BTreeSet<Span>,
    /// What a process stores to communicated bytes, by the process, if that is known and always the same.
    constants: BTreeMap<(u32, Span), Option<u64>>,
    /// Objects to which a process stores too many values, one after the other, to tell all of them apart.
    varied: BTreeSet<Object>,
    /// What messages take along, by message and number of the value, if that is known and always the same.
    carried: BTreeMap<(Message, u64), Option<u64>>,
    /// From whom processes get something in graphs, and whom they give something, by communicator and process.
    graphs: BTreeMap<(u32, u32), (Vec<u32>, Vec<u32>)>,
    /// Memory that is attached to dynamic windows.
    attached: BTreeSet<(u32, Object)>,
    /// There are puts with signals.
    signals: bool,
    /// Messages whose sender waits until they are received.
    synchronous: BTreeSet<Message>,
    /// Who sends messages of a kind to whom.
    senders: BTreeSet<(u32, Kind, u32)>,
    /// Windows with atomic operations that give nothing back.
    changes: BTreeSet<u32>,
    /// After how many barriers a process posts.
    posts: BTreeMap<Message, u32>,
    /// Windows with an epoch that a process ends before it has posted as often.
    unposted: BTreeSet<u32>,
    /// There are fences with `MPI_MODE_NOPRECEDE`; the windows of those before which others may see something.
    openings: bool,
    loud: BTreeSet<u32>,
    /// How windows are operated on.
    operated: BTreeSet<(u32, Mode)>,
    /// In which rounds of their senders messages are sent, and processes come to barriers.
    sent_in: BTreeMap<Message, u32>,
    met_in: BTreeMap<u32, u32>,
    counts_barriers: bool,
    /// Processes do not go from round to round together.
    uneven: bool,
    bias: i64,
    detail: Detail,
    /// There is more to tell apart than that allows.
    cut: bool,
    changed: bool,
    /// Instructions that all attempts have followed.
    spent: u64,
}

/// By what an operation on a window may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Mode {
    /// A fence with `MPI_MODE_NOPRECEDE`.
    OpeningFence,
    /// `MPI_Win_start`.
    Start,
    /// Another fence.
    Fence,
    /// A lock.
    Lock,
}

/// The bytes of an access as cells of its object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cells {
    first: u64,
    count: u64,
}

impl Cells {
    pub(crate) fn first(self) -> u64 {
        self.first
    }

    pub(crate) fn count(self) -> u64 {
        self.count
    }
}

impl Knowledge {
    /// Knowledge of nothing but that values down to `-bias` are needed, and how much is to be told apart.
    pub(crate) fn new(bias: i64, detail: Detail) -> Self {
        Self {
            bias,
            detail,
            ..Self::default()
        }
    }

    /// How much is told apart.
    pub(crate) fn detail(&self) -> Detail {
        self.detail
    }

    /// There is more to tell apart.
    pub(crate) fn cut(&mut self) {
        self.cut = true;
    }

    /// Whether there was.
    pub(crate) fn is_cut(&self) -> bool {
        self.cut
    }

    /// The program is followed from its start.
    pub(crate) fn begin_attempt(&mut self) {
        self.met_in.clear();
        self.counts_barriers = self.has_posts();
    }

    /// One more instruction is followed; how many all attempts have.
    pub(crate) fn spend(&mut self) -> u64 {
        self.spent += 1;
        self.spent
    }

    /// Whether something was learnt since the last time this was asked.
    pub(crate) fn take_changed(&mut self) -> bool {
        std::mem::take(&mut self.changed)
    }

    /// Whether something was learnt, so that what is found now is not the last word.
    pub(crate) fn is_changed(&self) -> bool {
        self.changed
    }

    /// Cells of an object stand for locks.
    pub(crate) fn take_for_lock(&mut self, object: Object) {
        self.changed |= self.locks.insert(object);
    }

    /// The objects whose cells stand for locks.
    pub(crate) fn locks(&self) -> impl Iterator<Item = Object> + '_ {
        self.locks.iter().copied()
    }

    /// A window of MPI is locked exclusively somewhere.
    pub(crate) fn lock_exclusively(&mut self, window: u32) {
        self.changed |= self.exclusive.insert(window);
    }

    /// Whether it is.
    pub(crate) fn is_locked_exclusively(&self, window: u32) -> bool {
        self.exclusive.contains(&window)
    }

    /// A window of MPI is locked shared somewhere.
    pub(crate) fn lock_shared(&mut self, window: u32) {
        self.changed |= self.shared_locks.insert(window);
    }

    /// Whether a window is locked somewhere.
    pub(crate) fn is_locked(&self, window: u32) -> bool {
        self.shared_locks.contains(&window) || self.exclusive.contains(&window)
    }

    /// Whether it is locked shared somewhere, and exclusively somewhere else.
    pub(crate) fn is_locked_both_ways(&self, window: u32) -> bool {
        self.shared_locks.contains(&window) && self.exclusive.contains(&window)
    }

    /// A process makes so many bytes of a window in shared memory. Whether it never made others.
    pub(crate) fn make_memory(&mut self, object: Object, process: u32, size: u64) -> bool {
        let known = self.made.insert((object, process), size);
        self.changed |= known.is_none();
        known.is_none_or(|known| known == size)
    }

    /// How many bytes a process makes of it, if that is known.
    pub(crate) fn made_by(&self, object: Object, process: u32) -> Option<u64> {
        self.made.get(&(object, process)).copied()
    }

    /// Other processes load and store the memory of a window.
    pub(crate) fn reach(&mut self, object: Object) {
        self.changed |= self.reached.insert(object);
    }

    /// Whether they do.
    pub(crate) fn is_reached(&self, object: Object) -> bool {
        self.reached.contains(&object)
    }

    /// A request of an operation on a window has this number.
    pub(crate) fn request(&mut self, window: u32, gives: bool, number: u32) {
        let most = self.requests.entry((window, gives)).or_insert(0);
        if *most <= number {
            *most = number + 1;
            self.changed = true;
        }
    }

    /// How many numbers requests of a window have.
    pub(crate) fn requests(&self, window: u32, gives: bool) -> u32 {
        self.requests.get(&(window, gives)).copied().unwrap_or(0)
    }

    /// A process sends messages of a kind to another one.
    pub(crate) fn send_to(&mut self, from: u32, kind: Kind, to: u32) {
        self.changed |= self.senders.insert((to, kind, from));
    }

    /// Who sends messages to a process, of which kinds.
    pub(crate) fn senders_to(&self, to: u32) -> impl Iterator<Item = (u32, Kind)> + '_ {
        let all = self.senders.iter().filter(move |(of, _, _)| *of == to);
        all.map(|&(_, kind, from)| (from, kind))
    }

    /// A process gives this color and key to a call of `MPI_Comm_split`, by communicator and number. Whether it never
    /// gave others.
    pub(crate) fn split(&mut self, call: (u32, u32), process: u32, given: (i64, i64)) -> bool {
        let known = self.splits.insert((call.0, call.1, process), given);
        self.changed |= known.is_none();
        known.is_none_or(|known| known == given)
    }

    /// What a process gives it, if that is known.
    pub(crate) fn split_of(&self, call: (u32, u32), process: u32) -> Option<(i64, i64)> {
        self.splits.get(&(call.0, call.1, process)).copied()
    }

    /// There are puts with signals.
    pub(crate) fn signal(&mut self) {
        self.changed |= !std::mem::replace(&mut self.signals, true);
    }

    /// Whether there are.
    pub(crate) fn has_signals(&self) -> bool {
        self.signals
    }

    /// A message takes this value along, or one that only a run knows.
    pub(crate) fn carry(&mut self, message: Message, at: u64, value: Option<u64>) {
        let known = *self.carried.entry((message, at)).or_insert_with(|| {
            self.changed = true;
            value
        });
        if known.is_some() && known != value {
            self.changed = true;
            self.carried.insert((message, at), None);
        }
    }

    /// The value that a message takes along, if it is known before a run.
    pub(crate) fn carried(&self, message: Message, at: u64) -> Option<u64> {
        self.carried.get(&(message, at)).copied().flatten()
    }

    /// A process has these neighbours in the graph of a communicator: those that give it something, and those that get
    /// something of it. Whether it never had others.
    pub(crate) fn neighbour(&mut self, communicator: u32, process: u32, all: (Vec<u32>, Vec<u32>)) -> bool {
        let known = self
            .graphs
            .entry((communicator, process))
            .or_insert_with(|| all.clone());
        *known == all
    }

    /// The neighbours of a process in the graph of a communicator, if it has one.
    pub(crate) fn neighbours(&self, communicator: u32, process: u32) -> Option<&(Vec<u32>, Vec<u32>)> {
        self.graphs.get(&(communicator, process))
    }

    /// Memory is attached to a dynamic window.
    pub(crate) fn attach(&mut self, window: u32, object: Object) {
        self.changed |= self.attached.insert((window, object));
    }

    /// What is attached to a window.
    pub(crate) fn attached_to(&self, window: u32) -> impl Iterator<Item = Object> + '_ {
        let all = self.attached.iter().filter(move |(of, _)| *of == window);
        all.map(|(_, object)| *object)
    }

    /// The sender of a message waits until it is received.
    pub(crate) fn send_synchronously(&mut self, message: Message) {
        self.changed |= self.synchronous.insert(message);
    }

    /// Whether it does.
    pub(crate) fn is_synchronous(&self, message: Message) -> bool {
        self.synchronous.contains(&message)
    }

    /// A window has atomic operations that give nothing back.
    pub(crate) fn change_window(&mut self, window: u32) {
        self.changed |= self.changes.insert(window);
    }

    /// Whether it has.
    pub(crate) fn is_changed_by_others(&self, window: u32) -> bool {
        self.changes.contains(&window)
    }

    /// There are messages.
    pub(crate) fn send_messages(&mut self) {
        self.messages = true;
    }

    /// Whether there are messages.
    pub(crate) fn has_messages(&self) -> bool {
        self.messages
    }

    /// A process posts after so many barriers.
    pub(crate) fn post(&mut self, post: Message, barriers: u32) {
        let known = self.posts.insert(post, barriers);
        let most = known.map_or(barriers, |known| known.max(barriers));
        self.posts.insert(post, most);
        self.changed |= known != Some(most);
    }

    /// Whether some process posts somewhere.
    pub(crate) fn has_posts(&self) -> bool {
        !self.posts.is_empty()
    }

    /// After how many barriers at most a process posts, if it is known.
    pub(crate) fn posted_after(&self, post: Message) -> Option<u32> {
        self.posts.get(&post).copied()
    }

    /// A process ends an epoch before it has posted as often.
    pub(crate) fn complete_before_post(&mut self, window: u32) {
        self.changed |= self.unposted.insert(window);
    }

    /// Whether one does.
    pub(crate) fn completes_before_posts(&self, window: u32) -> bool {
        self.unposted.contains(&window)
    }

    /// A fence of a window has `MPI_MODE_NOPRECEDE`; `loud`: since the last barrier others may have seen something.
    pub(crate) fn open_by_fence(&mut self, window: u32, loud: bool) {
        self.changed |= !std::mem::replace(&mut self.openings, true);
        self.changed |= loud && self.loud.insert(window);
    }

    /// There are operations on a window in this mode.
    pub(crate) fn operate(&mut self, window: u32, mode: Mode) {
        self.changed |= self.operated.insert((window, mode));
    }

    /// Whether there are.
    pub(crate) fn is_operated_on(&self, window: u32, mode: Mode) -> bool {
        self.operated.contains(&(window, mode))
    }

    /// A message is sent in this round of its sender.
    pub(crate) fn send_in(&mut self, message: Message, round: u32) {
        let known = *self.sent_in.entry(message).or_insert_with(|| {
            self.changed = true;
            round
        });
        if known != round {
            self.be_uneven();
        }
    }

    /// The round of its sender in which a message is sent, if it is known.
    pub(crate) fn sent_in(&self, message: Message) -> Option<u32> {
        self.sent_in.get(&message).copied()
    }

    /// A process comes to the barrier of this number in this round. Barriers are numbered where it was known from the
    /// start of an attempt that some process posts.
    pub(crate) fn meet_in(&mut self, barrier: u32, round: u32) {
        if self.counts_barriers && *self.met_in.entry(barrier).or_insert(round) != round {
            self.be_uneven();
        }
    }

    /// Some process is told of a round that it has not come to itself.
    pub(crate) fn be_uneven(&mut self) {
        self.changed |= !std::mem::replace(&mut self.uneven, true);
    }

    /// Whether all operations on windows are in epochs of `MPI_Win_start`, and no process learns of a round before it
    /// has come to it itself.
    pub(crate) fn is_even(&self) -> bool {
        let by_start = self.operated.iter().all(|(_, mode)| *mode == Mode::Start);
        by_start && self.exclusive.is_empty() && !self.uneven
    }

    /// Whether there are such fences.
    pub(crate) fn has_openings(&self) -> bool {
        self.openings
    }

    /// Whether others may have seen something before such a fence of a window.
    pub(crate) fn is_loud(&self, window: u32) -> bool {
        self.loud.contains(&window)
    }

    /// These bytes are communicated.
    pub(crate) fn share(&mut self, span: Span) {
        if span.start() < span.end() && !self.shared.iter().any(|known| known.covers(span)) {
            self.shared.insert(span);
            self.changed = true;
        }
        self.bound(span.object(), span.start());
        self.bound(span.object(), span.end());
    }

    /// Operations may write these bytes.
    pub(crate) fn expose(&mut self, span: Span) {
        if !self.exposed.iter().any(|known| known.covers(span)) {
            self.exposed.insert(span);
            self.changed = true;
        }
    }

    /// Whether operations may write some of these bytes.
    pub(crate) fn is_exposed(&self, span: Span) -> bool {
        self.exposed.iter().any(|known| known.overlaps(span))
    }

    /// Whether operations may write all of these bytes.
    pub(crate) fn is_wholly_exposed(&self, span: Span) -> bool {
        self.exposed.iter().any(|known| known.covers(span))
    }

    /// A process stores this to communicated bytes, or what only a run knows. Whether it never stored anything else to
    /// any of them.
    pub(crate) fn store_constant(&mut self, process: u32, span: Span, value: Option<u64>) -> bool {
        let mut one = value;
        for ((of, other), known) in &mut self.constants {
            if *of == process && other.overlaps(span) && (*other != span || *known != value) {
                self.changed |= known.take().is_some();
                one = None;
            }
        }
        let changed = &mut self.changed;
        self.constants.entry((process, span)).or_insert_with(|| {
            *changed |= one.is_some();
            one
        });
        one.is_some()
    }

    /// A process stores too many values to an object.
    pub(crate) fn vary(&mut self, object: Object) {
        self.changed |= self.varied.insert(object);
    }

    /// Whether one does.
    pub(crate) fn varies(&self, object: Object) -> bool {
        self.varied.contains(&object)
    }

    /// The object is named in calls, whether its bytes are communicated or not.
    pub(crate) fn name(&mut self, object: Object) {
        self.named.insert(object);
    }

    /// Whether some of these bytes are communicated.
    pub(crate) fn is_shared(&self, span: Span) -> bool {
        self.shared.iter().any(|known| known.overlaps(span))
    }

    /// Whether any byte of an object is communicated.
    pub(crate) fn is_shared_object(&self, object: Object) -> bool {
        self.shared.iter().any(|known| known.object() == object)
    }

    /// All objects with communicated bytes, and those that are named.
    pub(crate) fn shared_objects(&self) -> BTreeSet<Object> {
        let shared = self.shared.iter().map(|span| span.object());
        shared.chain(self.named.iter().copied()).collect()
    }

    fn bound(&mut self, object: Object, at: u64) {
        if self.coarse.contains(&object) {
            return;
        }
        let bounds = self.bounds.entry(object).or_default();
        self.changed |= bounds.insert(at);
        if bounds.len() > self.detail.most_cells() + 1 {
            self.cut();
            self.take_together(object);
        }
    }

    /// Elements of a stride are taken apart, in all of the object.
    pub(crate) fn stride(&mut self, object: Object, size: u64, stride: u64) {
        if stride == 0 || size / stride > self.detail.most_cells() as u64 {
            self.cut |= stride != 0;
            self.take_together(object);
            return;
        }
        let within: BTreeSet<u64> = self
            .bounds
            .get(&object)
            .into_iter()
            .flatten()
            .map(|at| at % stride)
            .collect();
        for round in 0..=size / stride {
            for at in within
                .iter()
                .map(|at| round * stride + at)
                .filter(|at| *at <= size)
            {
                self.bound(object, at);
            }
        }
    }

    /// The object is one location from now on.
    pub(crate) fn take_together(&mut self, object: Object) {
        self.changed |= self.coarse.insert(object);
    }

    /// Whether an object is one location although it is accessed in pieces.
    pub(crate) fn is_together(&self, object: Object) -> bool {
        self.coarse.contains(&object)
    }

    /// The cells of some bytes of an object, which are taken apart there.
    pub(crate) fn cells(&mut self, span: Span) -> Cells {
        let (object, start, end) = (span.object(), span.start(), span.end());
        if !self.coarse.contains(&object) {
            self.bound(object, start);
            self.bound(object, end);
        }
        if self.coarse.contains(&object) {
            return Cells { first: 0, count: 1 };
        }
        let bounds = &self.bounds[&object];
        Cells {
            first: bounds.range(..start).count() as u64,
            count: bounds.range(start..end).count() as u64,
        }
    }

    /// Where the cells of an object begin.
    pub(crate) fn cell_starts(&self, object: Object) -> Vec<u64> {
        if self.coarse.contains(&object) {
            return vec![0];
        }
        self.bounds.get(&object).into_iter().flatten().copied().collect()
    }

    /// The bounds within some bytes, relative to the first.
    pub(crate) fn inner_bounds(&self, span: Span) -> Vec<u64> {
        let bounds = self.bounds.get(&span.object()).into_iter();
        bounds
            .flat_map(|all| all.range(span.start()..span.end()))
            .map(|at| at - span.start())
            .collect()
    }

    /// Takes bytes apart there.
    pub(crate) fn take_apart(&mut self, object: Object, at: u64) {
        self.bound(object, at);
    }

    /// The values of these bytes decide something.
    pub(crate) fn follow(&mut self, span: Span) {
        if !self.followed.iter().any(|known| known.covers(span)) {
            self.followed.insert(span);
            self.changed = true;
        }
    }

    /// The values of these bytes cannot be followed.
    pub(crate) fn lose(&mut self, span: Span) {
        if !self.havoc.iter().any(|known| known.covers(span)) {
            self.havoc.insert(span);
            self.changed = true;
        }
    }

    /// Whether values of these bytes decide something.
    pub(crate) fn is_followed(&self, span: Span) -> bool {
        self.followed.iter().any(|known| known.overlaps(span)) && !self.coarse.contains(&span.object())
    }

    /// Whether the values of these bytes cannot be followed.
    pub(crate) fn is_lost(&self, span: Span) -> bool {
        self.coarse.contains(&span.object()) || self.havoc.iter().any(|known| known.overlaps(span))
    }

    /// What is added to each value, so that none is negative.
    pub(crate) fn bias(&self) -> i64 {
        self.bias
    }

    /// A negative value is stored.
    pub(crate) fn raise_bias(&mut self, value: i64) {
        if -value > self.bias {
            self.bias = -value;
            self.changed = true;
        }
    }
}
