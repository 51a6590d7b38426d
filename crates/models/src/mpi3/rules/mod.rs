//! The rules (9) to (26) of §3.2 to §3.4, a function each, to be read beside the paper.
//!
//! A function adds the edges that its rule demands; `hb` is closed, `co` is closed afterwards. "Unless otherwise
//! stated, all relations and orders assume actions at the same process" (§3): `same` says so.

mod active;
mod extension;
mod local;
mod passive;

use super::action::Action;
use super::execution::Execution;
use super::order::Order;

/// A rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum RuleName {
    /// (9) fence
    R9,
    /// (10) lock, local consistency
    R10,
    /// (11) lock, what took effect before
    R11,
    /// (12) unlock completes
    R12,
    /// (13) unlock, local consistency
    R13,
    /// (14) unlock publishes
    R14,
    /// (15) unlock at the target
    R15,
    /// (16) flush local
    R16,
    /// (17) flush local all
    R17,
    /// (18) sync
    R18,
    /// (19) local accesses before operations
    R19,
    /// (20) unified: local accesses before effects
    R20,
    /// (20) the other way round (deviation 1)
    R20b,
    /// A read that is done (deviation 4)
    Read,
    /// Post, start, complete, wait (deviation 9)
    General,
    /// (21), (22) races
    R22,
    /// (23) the last written value
    R23,
    /// (24) no overwritten value
    R24,
    /// (25) no later value
    R25,
    /// (26) accumulates of one process to one location
    R26,
    /// §3.5 what a fetching accumulate has seen
    Seen,
}

impl RuleName {
    /// All, with the words that model files have for them.
    pub const ALL: [(Self, &'static str); 21] = [
        (Self::R9, "R9"),
        (Self::R10, "R10"),
        (Self::R11, "R11"),
        (Self::R12, "R12"),
        (Self::R13, "R13"),
        (Self::R14, "R14"),
        (Self::R15, "R15"),
        (Self::R16, "R16"),
        (Self::R17, "R17"),
        (Self::R18, "R18"),
        (Self::R19, "R19"),
        (Self::R20, "R20"),
        (Self::R20b, "R20-reversed"),
        (Self::Read, "read-done"),
        (Self::General, "post-wait"),
        (Self::R22, "R22"),
        (Self::R23, "R23"),
        (Self::R24, "R24"),
        (Self::R25, "R25"),
        (Self::R26, "R26"),
        (Self::Seen, "polling"),
    ];

    /// As it is printed at an edge.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::R9 => "(9)",
            Self::R10 => "(10)",
            Self::R11 => "(11)",
            Self::R12 => "(12)",
            Self::R13 => "(13)",
            Self::R14 => "(14)",
            Self::R15 => "(15)",
            Self::R16 => "(16)",
            Self::R17 => "(17)",
            Self::R18 => "(18)",
            Self::R19 => "(19)",
            Self::R20 | Self::R20b => "(20)",
            Self::Read => "read done",
            Self::General => "§12.5.2",
            Self::R22 => "(22)",
            Self::R23 => "(23)",
            Self::R24 => "(24)",
            Self::R25 => "(25)",
            Self::R26 => "(26)",
            Self::Seen => "§3.5",
        }
    }
}

/// Which rules are in force.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RuleSet(u32);

impl RuleSet {
    /// All of them: the model.
    pub const ALL: Self = Self(u32::MAX);

    /// With this one.
    #[must_use]
    pub fn with(self, rule: RuleName) -> Self {
        Self(self.0 | 1 << rule as u8)
    }

    /// Without this one.
    #[must_use]
    pub fn without(self, rule: RuleName) -> Self {
        Self(self.0 & !(1 << rule as u8))
    }

    /// Whether the rule is in force.
    #[must_use]
    pub fn has(self, rule: RuleName) -> bool {
        self.0 & (1 << rule as u8) != 0
    }
}

/// What a rule sees: an execution with `po` and `hb`.
pub(super) struct View<'a> {
    x: &'a Execution,
    po: &'a Order,
    hb: &'a Order,
}

impl View<'_> {
    fn action(&self, index: usize) -> &Action {
        &self.x.actions[index]
    }

    /// The actions that satisfy the condition.
    fn all(&self, wanted: impl Fn(&Action) -> bool) -> Vec<usize> {
        (0..self.x.actions.len())
            .filter(|&index| wanted(self.action(index)))
            .collect()
    }

    /// Both happen at the same process.
    fn same(&self, a: usize, b: usize) -> bool {
        self.action(a).process == self.action(b).process
    }

    /// Where a local access is over: itself for the program's own, for an effect at the origin the end of what
    /// completes its operation there.
    fn over(&self, local: usize) -> Option<usize> {
        match self.action(local).of {
            None => Some(local),
            Some(remote) => self.x.local_end(remote),
        }
    }
}

/// The edges of `co`, each with its rule.
#[must_use]
pub fn consistency_edges(
    x: &Execution,
    po: &Order,
    hb: &Order,
    rules: RuleSet,
) -> Vec<(usize, usize, RuleName)> {
    type Function = fn(&View<'_>, &mut dyn FnMut(usize, usize));
    const FUNCTIONS: &[(RuleName, Function)] = &[
        (RuleName::R9, active::rule_9),
        (RuleName::R10, passive::rule_10),
        (RuleName::R11, passive::rule_11),
        (RuleName::R12, passive::rule_12),
        (RuleName::R13, passive::rule_13),
        (RuleName::R14, passive::rule_14),
        (RuleName::R15, passive::rule_15),
        (RuleName::R16, passive::rule_16),
        (RuleName::R17, passive::rule_17),
        (RuleName::R18, local::rule_18),
        (RuleName::R19, local::rule_19),
        (RuleName::R20, local::rule_20),
        (RuleName::R20b, local::rule_20_reversed),
        (RuleName::Read, local::read_done),
        (RuleName::General, extension::general_active_target),
    ];
    let view = View { x, po, hb };
    let mut edges = Vec::new();
    for (rule, function) in FUNCTIONS.iter().filter(|(rule, _)| rules.has(*rule)) {
        function(&view, &mut |from, to| edges.push((from, to, *rule)));
    }
    edges
}
