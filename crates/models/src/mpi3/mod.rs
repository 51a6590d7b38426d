//! MPI-3 one-sided communication (Hoefler et al.: Remote Memory Access Programming in MPI-3, TOPC 2014, §3).
//!
//! Promise: what an execution is ([`action`], [`execution`]), the rules (9) to (26) as one function each ([`rules`]),
//! conflicts and races ([`conflicts`]), and when an execution is valid ([`validity`]), to be read beside the paper. A
//! [`RaceModel`] is data: whose copies there are, which rules hold, what conflicts; model files make others. How
//! executions are found is for an engine.
//!
//! The text at hand is scanned and has gaps. Deviations, each decided from the prose, the examples of §3.7 and MPI-4.1
//! chapter 12:
//!
//! 1. (20) orders a local access before what takes effect later (`l* hb vac`), but nothing orders an effect that is
//!    complete before a later local access in the unified model; Figure 9b would be undefined. So also
//!    `vas hb l* => vas co l*` (unified; in the separate model (11) with (10), (9) or (18) must do it, so that Figure
//!    9b is undefined there without a sync).
//! 2. (19) is about the effects of an operation at its origin. Read with the target as well, a store would be visible
//!    in the public copy of its own process without any synchronisation.
//! 3. §3.3.1 is read for what an operation does at its origin, too: a get writes its buffer, a put or accumulate reads
//!    it, from the call to local completion (MPI-4.1 §12.3). Else Figure 9a would have no conflict. Accesses that both
//!    only read do not conflict; `get_accumulate` with `no_op` reads only (MPI-4.1 §12.7 speaks of locations that are
//!    updated). The `origin` operand of a `no_op` is not accessed (§12.3.4).
//! 4. An end `r*_e` in `po` right after the call would put every effect before all later statements, and a sync at the
//!    target would do instead of a flush at the origin. `r*_e` is the end of what completes the operation: `vac hb`
//!    what completes it, and nothing else. A fetch that only reads is done at its target when it is done at its origin.
//!    A read that is done needs no `co` to what comes after it: nothing has to be made visible. That is said of the two
//!    and leads no further: what is consistent before the read is not by that before what comes after it.
//! 5. (13) holds after a local flush too; (16) and (17) alone would leave it without use. A flush does not publish
//!    local stores (MPI-4.1 §12.7 names post, fence, unlock and sync), so that (14) is for unlocks only.
//! 6. (14) and (15) name `vas.o`; "the location where a virtual action happens is its origin" (§3.2.2), so that is the
//!    target. The vas of (14) is any virtual action at the process that unlocks: MPI-4.1 §12.7 has "executed on that
//!    window by the window owner".
//! 7. Condition (5) excludes *all* synchronisation between a fence and an operation. Only calls that open another epoch
//!    are meant: barriers, messages and syncs are fine.
//! 8. (23) demands `W(r) cohb r` also of accumulates that read what concurrent ones wrote; Figure 8a would have no
//!    execution. Accumulates do not conflict with each other, whatever their operators (the window has no
//!    `accumulate_ops` restriction): they read in the order in which they take effect, and every order that (26) allows
//!    is an outcome. §3.5: a fetching accumulate that reads what another left, directly or through accumulates that
//!    build on the old value, happens after that one's call, from its local completion on; this is the "eventual"
//!    order of polling.
//! 9. Extension: post, start, complete, wait, from MPI-4.1 §12.5.2. An operation takes effect after the matching post;
//!    it is complete at its origin after complete, and at its target after wait. Start and complete may wait for the
//!    post, and need not: that start waits counts for deadlocks, that it need not counts for order; but a result that
//!    is there after complete comes from after the post. Wait is after the end of complete ("blocks until all matching
//!    calls ... have occurred"). A window that is locked must not be posted, and the other way round, in any schedule
//!    (§12.5.3, condition (4)).
//! 10. Extension: assertions of fences (MPI-4.1 §12.5.5). A fence with `noprecede` need not wait for others; operations
//!     of the epoch that it opens take effect after their target has entered it. `nosucceed` and `noprecede` are given
//!     by all processes or by none.
//! 11. The race that is named says "no `co`" only if `hb` alone would not be enough: in the unified model (20) gives
//!     `co` once a local access happens before. Figure 10 is read so.
//!
//! 12. A lock is held from the return of the call on (§3.2.5). MPI-4.1 §12.5.3 lets a process take the lock of another
//!     one's window later, with its first operation there. So a program that counts on a lock without an operation may
//!     be defined here and a race for `farside check`.
//!
//! Not judged: a lock, by a third process, of a window that is the target of operations between two fences (MPI-4.1
//! §12.5.3 excludes it as well; condition (4) of the paper does not reach it).

pub mod action;
pub mod conflicts;
pub mod execution;
pub mod order;
pub mod orders;
pub mod reads;
pub mod rules;
pub mod validity;

use conflicts::{Conflicts, Relation};
use rules::RuleSet;

/// Which of MPI's two memory models (MPI-4.1 §12.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MemoryModel {
    /// One copy of the window.
    Unified,
    /// A public and a private copy.
    Separate,
}

impl MemoryModel {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Unified, Self::Separate];

    /// As model files write it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Unified => "unified",
            Self::Separate => "separate",
        }
    }
}

/// A model of races: which accesses conflict, and by which rules synchronisation orders them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RaceModel {
    name: String,
    about: String,
    memory: MemoryModel,
    rules: RuleSet,
    conflicts: Conflicts,
}

impl RaceModel {
    /// A model of this name, and what it is in one line.
    #[must_use]
    pub fn new(
        name: &str,
        about: &str,
        memory: MemoryModel,
        rules: RuleSet,
        conflicts: Vec<(Relation, String)>,
    ) -> Self {
        Self {
            name: name.to_owned(),
            about: about.to_owned(),
            memory,
            rules,
            conflicts: Conflicts::new(conflicts),
        }
    }

    /// As `--model` takes it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it is, in one line.
    #[must_use]
    pub fn about(&self) -> &str {
        &self.about
    }

    /// Whose copies of a window there are.
    #[must_use]
    pub fn memory(&self) -> MemoryModel {
        self.memory
    }

    /// The rules in force.
    #[must_use]
    pub fn rules(&self) -> RuleSet {
        self.rules
    }

    /// The same model, by other rules.
    #[must_use]
    pub fn with_rules(self, rules: RuleSet) -> Self {
        Self { rules, ..self }
    }

    /// What conflicts.
    #[must_use]
    pub fn conflicts(&self) -> &Conflicts {
        &self.conflicts
    }

    /// Whether every race of the other model is one of this model as well, by their forms: the same copies and rules,
    /// and all that conflicts there conflicts here.
    #[must_use]
    pub fn is_at_least_as_strict_as(&self, other: &Self) -> bool {
        let alike = self.memory == other.memory && self.rules == other.rules;
        alike && self.conflicts.include(&other.conflicts)
    }
}
