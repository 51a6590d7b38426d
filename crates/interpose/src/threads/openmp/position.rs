//! Where the calling thread is in the program's OpenMP structure, as far as libgomp does not say.

use super::super::object::Kind;
use crate::recorder;
use farside_events::ObjectId;
use std::cell::Cell;
use std::ffi::c_void;
use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering};

/// A team, named by the thread that made it and how many teams that thread was in then; 0 is "none".
///
/// The same name is given again when the same thread makes its next team at that depth. That is exact: all that the
/// earlier team released was acquired by that thread, at the earlier team's end, before it releases anything to the
/// next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Team(u64);

impl Team {
    /// Outside all parallel regions.
    pub(super) const NONE: Self = Self(0);

    /// The team that the calling thread, which has number `parent`, makes at `depth`.
    pub(super) fn made_by(parent: u32, depth: u16) -> Self {
        match recorder::thread_id().is_strand() {
            true => Self::of_strand(parent),
            false => Self(u64::from(parent) << 16 | u64::from(depth)),
        }
    }

    /// The team that a strand of thread `parent` makes. It has a name that no other gets: what the strands of a thread
    /// release to their teams is not acquired by the next.
    fn of_strand(parent: u32) -> Self {
        let number = fresh() << Self::PARENT_BITS & (Self::OF_STRAND - 1);
        Self(Self::OF_STRAND | number | u64::from(parent) & ((1 << Self::PARENT_BITS) - 1))
    }

    /// Set in the names of teams that strands make; such a name has a number of the team below, then the parent.
    const OF_STRAND: u64 = 1 << 54;
    /// Bits of the parent there. Threads and teams of strands come to 2^24 and 2^30 before two have one name.
    const PARENT_BITS: u32 = 24;

    /// The number of the thread that made it; 0 for [`Team::NONE`].
    pub(super) fn parent(self) -> u32 {
        let parent = match self.0 & Self::OF_STRAND {
            0 => self.0 >> 16,
            _ => self.0 & ((1 << Self::PARENT_BITS) - 1),
        };
        parent as u32
    }

    /// Set in the word that OMPT keeps for a region, if it has strands. Names of teams are smaller.
    const STRANDS: u64 = 1 << 63;

    /// As the word that OMPT keeps for a region, and whether it has strands.
    pub(super) fn into_word(self, strands: bool) -> *mut c_void {
        let strands = if strands { Self::STRANDS } else { 0 };
        ptr::without_provenance_mut((self.0 | strands) as usize)
    }

    /// Back from that word.
    pub(super) fn from_word(word: *mut c_void) -> (Self, bool) {
        let word = word.addr() as u64;
        (Self(word & !Self::STRANDS), word & Self::STRANDS != 0)
    }

    /// What the beginning of its region releases.
    pub(super) fn fork(self) -> ObjectId {
        Kind::Fork.number(self.0)
    }

    /// What its members and tasks release when they end.
    pub(super) fn join(self) -> ObjectId {
        Kind::Join.number(self.0)
    }

    /// Its barrier with this number. Two objects are enough: nobody arrives at barrier n + 2 before all have
    /// left barrier n, since they have to arrive at n + 1.
    pub(super) fn barrier(self, number: u32) -> ObjectId {
        let kind = if number.is_multiple_of(2) {
            Kind::TeamBarrierEven
        } else {
            Kind::TeamBarrierOdd
        };
        kind.number(self.0)
    }

    /// Its ordered regions.
    pub(super) fn ordered(self) -> ObjectId {
        Kind::Ordered.number(self.0)
    }

    /// One iteration of its loop with cross-iteration dependences.
    pub(super) fn iteration(self, iteration: &[i64]) -> ObjectId {
        Kind::Iteration.hash(std::iter::once(self.0).chain(iteration.iter().map(|&index| index as u64)))
    }
}

/// Where a thread is. The initial value is right for a thread outside all parallel regions.
#[derive(Clone, Copy)]
pub(super) struct Position {
    /// The innermost team.
    pub(super) team: Team,
    /// Barriers of that team that the thread has left.
    pub(super) barriers: u32,
    /// It is in one now.
    pub(super) in_barrier: bool,
    /// The current task, implicit or explicit; 0 until it needs a number.
    pub(super) task: u64,
    /// The innermost task group; 0 is "none".
    pub(super) group: u64,
    /// Teams that the thread is in.
    pub(super) depth: u16,
    /// What OpenMP does not order in that team is recorded as strands.
    strands: bool,
    /// That team has one thread, as far as LLVM's runtime told.
    is_alone: bool,
    /// The current task is an explicit one.
    explicit: bool,
    /// The current task, or the one that created it, is final: it waits for each task that it creates.
    is_final: bool,
    /// The current task has asked for the number of its thread.
    asked: bool,
    /// The strand that the implicit task goes on as since it created a task, and the number of its start and end.
    own: Option<(Strand, u64)>,
    /// The work-shared construct that the implicit task is in; 0 is "none".
    construct: u64,
    /// The part of it that the thread is in.
    chunk: Option<Chunk>,
    /// Which loop with a static schedule that construct is, if it is one.
    static_loop: Option<StaticLoop>,
    /// The constructs that the implicit task went through last, with nothing between them, and the [`moment`] when it
    /// was through with the last.
    chain: Option<(u64, u64)>,
}

/// How far a thread is in its part of a loop with a static schedule.
#[derive(Clone, Copy, Debug)]
pub(super) struct StaticLoop {
    /// The same for loops that give the same iterations to the same threads; `None` if it is not known.
    schedule: Option<u64>,
    /// Strands that it has begun.
    strands: u32,
    /// Chunks that are yet to come before its next strand.
    chunks_left: u64,
}

impl StaticLoop {
    /// At its beginning.
    pub(super) fn new(schedule: Option<u64>) -> Self {
        Self {
            schedule,
            strands: 0,
            chunks_left: 0,
        }
    }

    /// The same for loops that give the same iterations to the same threads; `None` if it is not known.
    pub(super) fn schedule(&self) -> Option<u64> {
        self.schedule
    }

    /// Strands that it has begun.
    pub(super) fn strands(&self) -> u32 {
        self.strands
    }

    /// The next strand begins.
    pub(super) fn begin_strand(&mut self) {
        self.strands += 1;
    }

    /// The next strand comes after so many more chunks.
    pub(super) fn expect_chunks(&mut self, chunks: u64) {
        self.chunks_left = chunks;
    }

    /// A chunk begins: whether it is one that the strand still has to come.
    pub(super) fn take_chunk(&mut self) -> bool {
        let is_of_strand = self.chunks_left > 0;
        self.chunks_left = self.chunks_left.saturating_sub(1);
        is_of_strand
    }
}

/// A strand that a thread is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Strand {
    /// From 1 on.
    number: u8,
    /// What the thread was before; 0 is itself.
    before: u8,
}

impl Strand {
    /// The strand with this number, of a thread that was another one before.
    pub(super) fn new(number: u8, before: u8) -> Self {
        Self { number, before }
    }

    /// Its number.
    pub(super) fn number(self) -> u8 {
        self.number
    }

    /// What the thread was before.
    pub(super) fn before(self) -> u8 {
        self.before
    }
}

/// A section, or a chunk of a loop, that a thread is in.
#[derive(Clone, Copy, Debug)]
struct Chunk {
    strand: Strand,
    /// It has asked for the number of its thread.
    asked: bool,
}

thread_local! {
    static POSITION: Cell<Position> = const {
        Cell::new(Position::in_team(Team::NONE, 0, false))
    };
}

impl Position {
    /// That of an implicit task when it begins.
    pub(super) const fn in_team(team: Team, depth: u16, strands: bool) -> Self {
        Self {
            team,
            barriers: 0,
            in_barrier: false,
            task: 0,
            group: 0,
            depth,
            strands,
            is_alone: false,
            explicit: false,
            is_final: false,
            asked: false,
            own: None,
            construct: 0,
            chunk: None,
            static_loop: None,
            chain: None,
        }
    }

    /// That of an explicit task that a thread at this position executes.
    pub(super) fn in_task(self, (task, group): (u64, u64), strands: bool, is_final: bool) -> Self {
        Self {
            team: self.team,
            barriers: self.barriers,
            in_barrier: self.in_barrier,
            task,
            group,
            explicit: true,
            is_final,
            is_alone: self.is_alone,
            ..Self::in_team(self.team, self.depth, strands)
        }
    }

    /// The same, in a team that has one thread if `is_alone`.
    pub(super) fn alone(self, is_alone: bool) -> Self {
        Self { is_alone, ..self }
    }

    /// Whether the team is known to have one thread.
    pub(super) fn is_alone(&self) -> bool {
        self.is_alone
    }

    /// Whether what OpenMP does not order is recorded as strands.
    pub(super) fn has_strands(&self) -> bool {
        self.strands
    }

    /// Whether the current task waits for each task that it creates.
    pub(super) fn is_final(&self) -> bool {
        self.is_final
    }

    /// Whether the current task is an implicit one, outside of sections and chunks, that has no strand of its own.
    pub(super) fn is_plain(&self) -> bool {
        !self.explicit && self.own.is_none() && self.chunk.is_none()
    }

    /// The strand that the implicit task goes on as since it created a task, and the number of its start and end.
    pub(super) fn own(&self) -> Option<(Strand, u64)> {
        self.own
    }

    /// The implicit task goes on as a strand of its own, or does not any more.
    pub(super) fn set_own(&mut self, own: Option<(Strand, u64)>) {
        self.own = own;
    }

    /// The work-shared construct that the implicit task is in; 0 is "none".
    pub(super) fn construct(&self) -> u64 {
        self.construct
    }

    /// The implicit task enters a work-shared construct: which loop with a static schedule it is, if it is one.
    pub(super) fn enter_construct(&mut self, construct: u64, static_loop: Option<StaticLoop>) {
        self.construct = construct;
        self.static_loop = static_loop;
    }

    /// It is through with it. A further construct may come at once.
    pub(super) fn leave_construct(&mut self) {
        // What a loop of unknown iterations did comes before all that follows.
        let unknown = self.static_loop.is_some_and(|it| it.schedule.is_none());
        let moment = moment().filter(|_| !unknown);
        self.chain = moment.map(|moment| (self.construct, moment));
        self.construct = 0;
        self.static_loop = None;
    }

    /// The constructs that the implicit task went through, if it did nothing since that later ones must know of; 0 is
    /// "none".
    pub(super) fn chain(&self) -> u64 {
        match self.chain {
            Some((chain, then)) if moment() == Some(then) => chain,
            _ => 0,
        }
    }

    /// How far the thread is in the loop with a static schedule that it is in.
    pub(super) fn static_loop(&mut self) -> Option<&mut StaticLoop> {
        self.static_loop.as_mut()
    }

    /// The section or chunk that the thread is in.
    pub(super) fn chunk(&self) -> Option<Strand> {
        self.chunk.map(|chunk| chunk.strand)
    }

    /// The thread is in this section or chunk now.
    pub(super) fn set_chunk(&mut self, strand: Option<Strand>) {
        let asked = false;
        self.chunk = strand.map(|strand| Chunk { strand, asked });
    }

    /// What the thread executes asks for the number of the thread.
    pub(super) fn ask(&mut self) {
        match &mut self.chunk {
            Some(chunk) => chunk.asked = true,
            None => self.asked = true,
        }
    }

    /// Whether what the thread executes has asked for the number of the thread.
    pub(super) fn has_asked(&self) -> bool {
        self.asked || self.chunk.is_some_and(|chunk| chunk.asked)
    }

    /// The calling thread's.
    pub(super) fn get() -> Self {
        POSITION.get()
    }

    /// The calling thread is here now.
    pub(super) fn set(self) {
        POSITION.set(self);
    }

    /// Changes the calling thread's.
    pub(super) fn change(change: impl FnOnce(&mut Self)) {
        let mut position = Self::get();
        change(&mut position);
        position.set();
    }
}

/// The same until the calling thread does something that its next strands must know of. What a thread itself loads and
/// stores they know, also of that; not what a strand does that goes on as others.
fn moment() -> Option<u64> {
    match recorder::thread_id().is_strand() {
        true => recorder::said(),
        false => Some(recorder::learned()),
    }
}

/// A number for a task or a task group that no other gets.
pub(super) fn fresh() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// The number of the task that the calling thread executes.
pub(super) fn current_task() -> u64 {
    let position = Position::get();
    if position.task != 0 {
        return position.task;
    }
    let task = fresh();
    Position { task, ..position }.set();
    task
}
