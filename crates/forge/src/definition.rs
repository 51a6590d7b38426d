//! Which tests are wanted: the pivot rules with their bounds, and a choice for each detail that the paper leaves open.
//!
//! What the paper says (section 6.1): an instance has a cycle in hb; the cycle has an edge made by the *pivot* rule,
//! and hb without this edge has no cycle; from each writer there is a local read into a register of its own; local
//! writes have distinct values; a size counts actions. What it leaves open, and what is taken here:
//!
//! 1. *An instance* is a program with a reads-from. Its hb is the least one; what an edge entails by R1 goes with it.
//!    So a pivot is an edge without which the instance is consistent: its rule is needed to forbid it.
//! 2. *WS* demands of two atomic writes one order or the other. It is a pivot if the instance is consistent with the
//!    two left unordered, and with neither order; or, as [`Sequentiality`] says, if it is not with one of them.
//! 3. *The pivot is an edge*, not all edges of an application of GA or CAS: [`Removal`].
//! 4. *CAS-F and CAS-T order alike.* Which one an edge belongs to depends on the values in the instance without that
//!    edge: CAS-T if what `er1` reads equals what `erw` reads. A value that depends on itself is no value (as
//!    everywhere here), and a comparison of such values belongs to neither rule, unless [`SelfDependence`] says
//!    otherwise.
//! 5. *A local read from each writer* is a read of its variable, whatever it sees in the instance: Figure 9 could not
//!    have been generated otherwise. Whether there may be more such reads than writers: [`Reads`].
//! 6. *First values* count as actions and are distinct, but need no reads. With `n` variables, they are `n-1` down to 0
//!    in order of first use (as in four of the five printed tests; the fifth, Figure 7 left, has them the other way
//!    round); local writes go on with `n`, `n+1`, ... in order.
//! 7. *Only variables that are used* exist; there is no limit on their number besides the size, unless
//!    [`Definition::variables`].
//! 8. *A process may be passive*: it owns a variable that others use and has no statement, if [`Definition::passive`].
//! 9. *Processes interact* ("two interacting processes"): the graph in which a statement connects its process with the
//!    owners of its variables is connected, if [`Definition::interacting`].
//! 10. *Targets*: with one process, remote statements target that process, and IR holds for them, though as printed it
//!     never would (Table 6 has such tests). With more, statements target other processes, as in every printed test,
//!     unless [`Definition::self_targets`]; IR holds for a process that targets itself if
//!     [`Definition::routing_to_self`].
//! 11. *Redundant flushes* are statements like others.
//! 12. *Atomicity*: every access is atomic. R1, R2 and WS order nothing else.

use crate::MOST_PROCESSES;
use std::fmt;
use std::str::FromStr;

/// A rule of Figure 4 that makes edges of hb.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PivotRule {
    /// A read stands before the next write.
    R1,
    /// A read stands after the write that it reads.
    R2,
    /// Flush, then local.
    F1,
    /// Remote, then flush.
    F2,
    /// Flush, then remote.
    F3,
    /// In-order routing.
    Ir,
    /// Remote get accumulate.
    Ga,
    /// Remote put and remote get.
    Pg,
    /// Compare and swap that fails.
    CasF,
    /// Compare and swap that succeeds.
    CasT,
    /// Local order.
    Lo,
    /// Write sequentiality.
    Ws,
}

impl PivotRule {
    /// Every pivot rule, in the order of Table 6.
    pub const ALL: [Self; 12] = [
        Self::R1,
        Self::R2,
        Self::F1,
        Self::F2,
        Self::F3,
        Self::Ir,
        Self::Ga,
        Self::Pg,
        Self::CasF,
        Self::CasT,
        Self::Lo,
        Self::Ws,
    ];

    /// As in the paper.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::R1 => "R1",
            Self::R2 => "R2",
            Self::F1 => "F1",
            Self::F2 => "F2",
            Self::F3 => "F3",
            Self::Ir => "IR",
            Self::Ga => "GA",
            Self::Pg => "PG",
            Self::CasF => "CAS-F",
            Self::CasT => "CAS-T",
            Self::Lo => "LO",
            Self::Ws => "WS",
        }
    }
}

impl fmt::Display for PivotRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for PivotRule {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL
            .into_iter()
            .find(|rule| rule.name().eq_ignore_ascii_case(text))
            .ok_or_else(|| {
                let names: Vec<&str> = Self::ALL.iter().map(|rule| rule.name()).collect();
                format!("no pivot rule; the rules are {}", names.join(", "))
            })
    }
}

/// A set of pivot rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PivotRules(u16);

impl PivotRules {
    /// Whether the rule is in it.
    #[must_use]
    pub fn contains(self, rule: PivotRule) -> bool {
        self.0 & (1 << rule as u16) != 0
    }

    /// Adds a rule.
    pub fn insert(&mut self, rule: PivotRule) {
        self.0 |= 1 << rule as u16;
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The rules, in the order of Table 6.
    pub fn iter(self) -> impl Iterator<Item = PivotRule> {
        PivotRule::ALL
            .into_iter()
            .filter(move |&rule| self.contains(rule))
    }
}

/// By pivot rule: the most actions of its tests, first values counted; none for rules that are not wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bounds([Option<u8>; 12]);

impl Bounds {
    /// One rule up to a size.
    #[must_use]
    pub fn one(rule: PivotRule, actions: u8) -> Self {
        let mut bounds = Self::default();
        bounds.set(rule, actions);
        bounds
    }

    /// Every rule up to a size.
    #[must_use]
    pub fn all(actions: u8) -> Self {
        Self([Some(actions); 12])
    }

    /// Wants tests of this rule up to this size.
    pub fn set(&mut self, rule: PivotRule, actions: u8) {
        self.0[rule as usize] = Some(actions);
    }

    /// The bound of a rule.
    #[must_use]
    pub fn of(self, rule: PivotRule) -> Option<u8> {
        self.0[rule as usize]
    }

    /// The greatest bound.
    #[must_use]
    pub fn most(self) -> u8 {
        self.0.iter().flatten().copied().max().unwrap_or(0)
    }

    /// Rules with their bounds.
    pub fn iter(self) -> impl Iterator<Item = (PivotRule, u8)> {
        PivotRule::ALL
            .into_iter()
            .filter_map(move |rule| Some((rule, self.of(rule)?)))
    }
}

/// How many local reads a variable has (open detail 5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reads {
    /// As many as writers: one from each, as in every printed test.
    #[default]
    AsManyAsWriters,
    /// At least as many as writers: the paper's words taken literally. A test is then also every smaller test with
    /// reads added.
    AtLeast,
}

/// What is taken away from hb (open detail 3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Removal {
    /// One edge.
    #[default]
    Edge,
    /// All edges of one application of a rule: two of GA, three of CAS; for the other rules the same as an edge.
    Application,
}

/// When WS is a pivot (open detail 2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sequentiality {
    /// The instance is consistent with neither order of the two writes: WS forbids it.
    #[default]
    BothWays,
    /// The instance chooses an order of the two writes, and is consistent without it but not with it. Nearly every test
    /// with two writes to a variable has such an instance.
    OneWay,
}

/// Which rule an edge of a compare and swap belongs to if what is compared depends on itself (open detail 4). An
/// example is `X = cas(Y@0, Y, Y)` whose comparison reads, for want of the edge, what the swap wrote: there is no value
/// to begin with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SelfDependence {
    /// None: there is no such instance.
    #[default]
    NeitherRule,
    /// CAS-F: what is not known to be equal is unequal.
    CasF,
}

/// Which tests are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Definition {
    /// Number of processes.
    pub processes: u8,
    /// Rules and sizes.
    pub bounds: Bounds,
    /// Open detail 5.
    pub reads: Reads,
    /// Open detail 7: most variables of a test.
    pub variables: Option<u8>,
    /// Open detail 8.
    pub passive: bool,
    /// Open detail 9.
    pub interacting: bool,
    /// Open detail 10: remote statements and flushes may target their own process.
    pub self_targets: bool,
    /// Open detail 10: IR holds for a process that targets itself.
    pub routing_to_self: bool,
    /// Open detail 3.
    pub removal: Removal,
    /// Open detail 2.
    pub sequentiality: Sequentiality,
    /// Open detail 4.
    pub self_dependence: SelfDependence,
}

impl Definition {
    /// The choices taken where nothing else is said.
    ///
    /// # Panics
    /// If `processes` is 0 or more than [`MOST_PROCESSES`].
    #[must_use]
    pub fn new(processes: u8, bounds: Bounds) -> Self {
        assert!(
            (1..=MOST_PROCESSES).contains(&usize::from(processes)),
            "a test has 1 to {MOST_PROCESSES} processes"
        );
        Self {
            processes,
            bounds,
            reads: Reads::default(),
            variables: None,
            passive: true,
            interacting: true,
            self_targets: processes == 1,
            routing_to_self: processes == 1,
            removal: Removal::default(),
            sequentiality: Sequentiality::default(),
            self_dependence: SelfDependence::default(),
        }
    }
}
