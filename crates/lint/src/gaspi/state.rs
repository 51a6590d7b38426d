//! What the library knows of one rank: its segments and their notifications, its queues and groups.

use farside_events::{ChannelId, CommId, StackId, TypeId};
use rustc_hash::FxHashMap as HashMap;
use std::collections::{BTreeMap, BTreeSet};

/// A segment of a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Segment {
    base: u64,
    size: u64,
}

impl Segment {
    pub(super) fn new(base: u64, size: u64) -> Self {
        Self { base, size }
    }

    pub(super) fn base(self) -> u64 {
        self.base
    }

    pub(super) fn size(self) -> u64 {
        self.size
    }

    /// The address of a range, if it lies within.
    pub(super) fn address(self, offset: u64, bytes: u64) -> Option<u64> {
        (offset.checked_add(bytes)? <= self.size).then(|| self.base + offset)
    }
}

/// A queue of a rank.
#[derive(Debug, Default)]
struct Queue {
    /// How often one of this number was deleted: then it is another channel.
    deleted: u32,
    /// The segments that its requests have reached so far.
    segments: BTreeSet<u8>,
    /// Requests since the last wait.
    posted: u64,
}

/// A group of a rank.
#[derive(Clone, Debug, Default)]
struct Group {
    members: Vec<u32>,
    /// What stands for it since it was committed.
    comm: Option<CommId>,
}

/// What a call is for: its function, and those of its arguments that say so.
pub(super) type What = (&'static str, Vec<u64>);

/// Sets what is of GASPI apart from what is of MPI.
pub(super) const OF_GASPI: u64 = 1 << 61;

/// One rank.
#[derive(Debug, Default)]
pub(super) struct State {
    begun: bool,
    told: bool,
    segments: BTreeMap<u8, Segment>,
    /// Those that are set, by segment and number.
    notifications: BTreeMap<(u8, u32), u32>,
    queues: HashMap<u8, Queue>,
    /// Queues that the program has made.
    made_queues: u8,
    groups: BTreeMap<u8, Group>,
    made_groups: u8,
    /// How often groups of these ranks were committed: they do it in one order.
    committed: HashMap<Vec<u32>, u64>,
    /// Collective operations so far, by group.
    sequences: HashMap<CommId, u64>,
    /// Operations that a call has begun which returned `GASPI_TIMEOUT`, by group.
    begun_meetings: HashMap<u8, (CommId, u64)>,
    types: HashMap<u32, TypeId>,
    /// Calls that are to be repeated, and where they were made.
    left: BTreeMap<What, (StackId, u64)>,
    deleted_queues: BTreeSet<u8>,
}

/// Queues that are there from the beginning, requests that one takes, and notifications of a segment: the defaults of
/// `crates/gaspi`.
pub(super) const QUEUES: u8 = 8;
pub(super) const QUEUE_SIZE: u64 = 1024;
pub(super) const NOTIFICATIONS: u32 = 65536;
/// The greatest number of a notification.
pub(super) const LAST_NOTIFICATION: u64 = NOTIFICATIONS as u64 - 1;

impl State {
    /// Whether it has called `gaspi_proc_init`.
    pub(super) fn has_begun(&self) -> bool {
        self.begun
    }

    /// It calls `gaspi_proc_init`; whether it tells of itself by that.
    pub(super) fn begin(&mut self, told: bool) {
        self.begun = true;
        self.told = told;
    }

    /// It has called `gaspi_proc_term`: its segments are no more. Whether it told of itself in `gaspi_proc_init`.
    pub(super) fn end(&mut self) -> bool {
        self.begun = false;
        self.segments.clear();
        self.told
    }

    /// A call is to be repeated.
    pub(super) fn leave(&mut self, what: What, stack: StackId, code: u64) {
        self.left.entry(what).or_insert((stack, code));
    }

    /// A call has done what it is for.
    pub(super) fn repeated(&mut self, what: &What) {
        self.left.remove(what);
    }

    /// The calls that were never repeated.
    pub(super) fn take_left(&mut self) -> BTreeMap<What, (StackId, u64)> {
        std::mem::take(&mut self.left)
    }

    /// The type of elements of this size, if it was used before.
    pub(super) fn type_of(&self, size: u32) -> Option<TypeId> {
        self.types.get(&size).copied()
    }

    pub(super) fn add_type(&mut self, size: u32, id: TypeId) {
        self.types.insert(size, id);
    }
}

/// Segments and notifications.
impl State {
    pub(super) fn segment(&self, number: u8) -> Option<Segment> {
        self.segments.get(&number).copied()
    }

    /// The numbers of its segments.
    pub(super) fn segment_numbers(&self) -> Vec<u8> {
        self.segments.keys().copied().collect()
    }

    pub(super) fn add_segment(&mut self, number: u8, segment: Segment) {
        self.segments.insert(number, segment);
    }

    /// A segment and its notifications are no more.
    pub(super) fn forget_segment(&mut self, number: u8) -> Option<Segment> {
        self.notifications.retain(|(segment, _), _| *segment != number);
        self.segments.remove(&number)
    }

    pub(super) fn set_notification(&mut self, segment: u8, number: u32, value: u32) {
        self.notifications.insert((segment, number), value);
    }

    /// The notifications of a range that are set.
    pub(super) fn notifications(&self, segment: u8, first: u32, count: u32) -> Vec<u32> {
        let range = (segment, first)..(segment, first.saturating_add(count));
        let set = self.notifications.range(range);
        set.map(|((_, number), _)| *number).collect()
    }

    /// Sets a notification back; what it was, if it was set.
    pub(super) fn take_notification(&mut self, segment: u8, number: u32) -> Option<u32> {
        self.notifications.remove(&(segment, number))
    }
}

/// Queues.
impl State {
    /// The channel that a queue is.
    pub(super) fn channel(&self, number: u8) -> ChannelId {
        let deleted = self.queues.get(&number).map_or(0, |queue| queue.deleted);
        // 0 is that of what has none.
        ChannelId(1 + u32::from(number) + 256 * deleted)
    }

    /// A request to this segment of some rank is in a queue.
    pub(super) fn post(&mut self, number: u8, segment: u8) {
        let queue = self.queues.entry(number).or_default();
        queue.segments.insert(segment);
        queue.posted += 1;
    }

    /// A notification of a segment, without data, is in a queue.
    pub(super) fn post_to(&mut self, number: u8, segment: u8) {
        self.queues.entry(number).or_default().segments.insert(segment);
    }

    /// A notification is in a queue, as a request of its own.
    pub(super) fn post_notification(&mut self, number: u8) {
        self.queues.entry(number).or_default().posted += 1;
    }

    /// What is in a queue is complete here; the segments that its requests have ever reached.
    pub(super) fn wait(&mut self, number: u8) -> BTreeSet<u8> {
        let queue = self.queues.entry(number).or_default();
        queue.posted = 0;
        queue.segments.clone()
    }

    /// Requests in a queue since the last wait.
    pub(super) fn posted(&self, number: u8) -> u64 {
        self.queues.get(&number).map_or(0, |queue| queue.posted)
    }

    /// A new queue.
    pub(super) fn add_queue(&mut self) -> u8 {
        self.made_queues += 1;
        QUEUES + self.made_queues - 1
    }

    /// Whether there is such a queue.
    pub(super) fn has_queue(&self, number: u8) -> bool {
        number < QUEUES + self.made_queues && !self.deleted_queues.contains(&number)
    }

    /// The greatest number of a queue that there is.
    pub(super) fn last_queue(&self) -> Option<u64> {
        let numbers = (0..QUEUES + self.made_queues).rev();
        numbers
            .filter(|number| self.has_queue(*number))
            .map(u64::from)
            .next()
    }

    pub(super) fn delete_queue(&mut self, number: u8) {
        self.deleted_queues.insert(number);
        let queue = self.queues.entry(number).or_default();
        queue.deleted += 1;
        queue.segments.clear();
    }
}

/// Groups.
impl State {
    /// A new group without members.
    pub(super) fn add_group(&mut self) -> u8 {
        self.made_groups += 1;
        self.groups.insert(self.made_groups, Group::default());
        self.made_groups
    }

    /// A rank is of a group; false if there is no such group.
    pub(super) fn add_member(&mut self, number: u8, rank: u32) -> bool {
        let Some(group) = self.groups.get_mut(&number) else {
            return false;
        };
        if !group.members.contains(&rank) {
            group.members.push(rank);
            group.members.sort_unstable();
        }
        true
    }

    /// The members of a group that the program has made, and what stands for it if it is committed.
    pub(super) fn group(&self, number: u8) -> Option<(&[u32], Option<CommId>)> {
        let group = self.groups.get(&number)?;
        Some((&group.members, group.comm))
    }

    /// How often a group of these ranks was committed before.
    pub(super) fn commit(&mut self, members: &[u32]) -> u64 {
        let count = self.committed.entry(members.to_vec()).or_default();
        *count += 1;
        *count - 1
    }

    pub(super) fn set_comm(&mut self, number: u8, comm: CommId) {
        if let Some(group) = self.groups.get_mut(&number) {
            group.comm = Some(comm);
        }
    }

    pub(super) fn delete_group(&mut self, number: u8) {
        self.groups.remove(&number);
    }

    /// How many groups there are besides that of all.
    pub(super) fn group_count(&self) -> usize {
        self.groups.len()
    }

    /// The number of its next operation on a group; those of MPI on the same processes are others.
    pub(super) fn next_meeting(&mut self, comm: CommId) -> u64 {
        let next = self.sequences.entry(comm).or_default();
        *next += 1;
        (*next - 1) | OF_GASPI
    }

    /// The operation that an earlier call has begun on a group.
    pub(super) fn begun_meeting(&self, group: u8) -> Option<(CommId, u64)> {
        self.begun_meetings.get(&group).copied()
    }

    pub(super) fn begin_meeting(&mut self, group: u8, meeting: (CommId, u64)) {
        self.begun_meetings.insert(group, meeting);
    }

    pub(super) fn end_meeting(&mut self, group: u8) {
        self.begun_meetings.remove(&group);
    }
}
