//! What a network may promise: the points by which models of coreRMA's family differ.

use farside_models::core_rma::{Rule, Switch};
use std::fmt;

/// Which operation, where in-order routing is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operation {
    /// `put`
    Put,
    /// `get`
    Get,
    /// `rga` and `cas`
    ReadModifyWrite,
}

impl Operation {
    const fn set(self) -> &'static str {
        match self {
            Self::Put => "put",
            Self::Get => "get",
            Self::ReadModifyWrite => "(rga | cas)",
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Put => "put",
            Self::Get => "get",
            Self::ReadModifyWrite => "rmw",
        }
    }
}

/// A guarantee. With more guarantees, a model allows fewer outcomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Guarantee {
    /// A rule of Figure 4, other than no-C, C and IR.
    Rule(Rule),
    /// Rule IR between two kinds of operations, in program order.
    Routing(Operation, Operation),
    /// rga and cas of one process at one variable keep their order (MPI's `accumulate_ordering`).
    AccumulateOrder,
    /// A switch that strengthens a rule.
    Switch(Switch),
    /// rga and cas are atomic against local accesses and puts: `rmw-remote-only` is off.
    AtomicAgainstAll,
}

use Operation::{Get, Put, ReadModifyWrite};

impl Guarantee {
    /// Every guarantee, in the order in which reports list them.
    pub const ALL: [Self; 25] = [
        Self::Rule(Rule::R1),
        Self::Rule(Rule::R2),
        Self::Rule(Rule::Ws),
        Self::Rule(Rule::Pg),
        Self::Rule(Rule::Ga),
        Self::Rule(Rule::CasF),
        Self::Rule(Rule::CasT),
        Self::Rule(Rule::Lo),
        Self::Rule(Rule::F1),
        Self::Rule(Rule::F2),
        Self::Rule(Rule::F3),
        Self::Routing(Put, Put),
        Self::Routing(Put, Get),
        Self::Routing(Put, ReadModifyWrite),
        Self::Routing(Get, Put),
        Self::Routing(Get, Get),
        Self::Routing(Get, ReadModifyWrite),
        Self::Routing(ReadModifyWrite, Put),
        Self::Routing(ReadModifyWrite, Get),
        Self::Routing(ReadModifyWrite, ReadModifyWrite),
        Self::AccumulateOrder,
        Self::AtomicAgainstAll,
        Self::Switch(Switch::IrSelf),
        Self::Switch(Switch::PutReadsAtOnce),
        Self::Switch(Switch::GaAtomic),
    ];

    /// How much is given up with it: coherence of a location is the last thing that a network lacks, the order of what
    /// it carries the first. Each step is more than everything below it together.
    pub(super) fn weight(self) -> u32 {
        match self {
            Self::Rule(Rule::R1 | Rule::R2 | Rule::Ws) => 400,
            Self::Rule(_) => 20,
            _ => 1,
        }
    }

    /// Whether stock coreRMA has it.
    #[must_use]
    pub fn is_stock(self) -> bool {
        !matches!(self, Self::Switch(_))
    }
}

impl fmt::Display for Guarantee {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rule(rule) => f.write_str(rule.name()),
            Self::Routing(first, second) => write!(f, "IR {}-{}", first.name(), second.name()),
            Self::AccumulateOrder => f.write_str("accumulate-order"),
            Self::Switch(switch) => f.write_str(switch.name()),
            Self::AtomicAgainstAll => f.write_str("rmw-atomic-against-all"),
        }
    }
}

/// A set of guarantees, by their places in [`Guarantee::ALL`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Guarantees(pub(super) u32);

impl Guarantees {
    /// Every guarantee.
    #[must_use]
    pub fn all() -> Self {
        Self((1 << Guarantee::ALL.len()) - 1)
    }

    /// Whether it is in the set.
    #[must_use]
    pub fn has(self, guarantee: Guarantee) -> bool {
        self.iter().any(|known| known == guarantee)
    }

    /// The set without one.
    #[must_use]
    pub fn without(self, guarantee: Guarantee) -> Self {
        let place = Guarantee::ALL.iter().position(|known| *known == guarantee);
        Self(self.0 & !place.map_or(0, |place| 1 << place))
    }

    /// What is in the set, in the order of reports.
    pub fn iter(self) -> impl Iterator<Item = Guarantee> {
        let places = Guarantee::ALL.into_iter().enumerate();
        places.filter_map(move |(place, guarantee)| (self.0 & 1 << place != 0).then_some(guarantee))
    }

    /// What giving all of it up would cost: of two sets, the one of more worth is preferred.
    #[must_use]
    pub fn worth(self) -> u32 {
        self.iter().map(Guarantee::weight).sum()
    }

    /// As a model file.
    #[must_use]
    pub fn text(self, name: &str, about: &str) -> String {
        let mut rules = vec!["no-C", "C"];
        let mut orders = String::new();
        let mut switches = String::new();
        let routing = |guarantee: &Guarantee| matches!(guarantee, Guarantee::Routing(..));
        let routed = Guarantee::ALL.iter().filter(|guarantee| routing(guarantee));
        let in_order = routed.clone().all(|guarantee| self.has(*guarantee));
        if in_order {
            rules.push("IR");
        }
        for guarantee in self.iter() {
            match guarantee {
                Guarantee::Rule(rule) => rules.push(rule.name()),
                Guarantee::Routing(..) if in_order => {}
                Guarantee::Routing(first, second) => {
                    orders += &format!(
                        "order IR & ({} * {}) as {}-{}\n",
                        first.set(),
                        second.set(),
                        first.name(),
                        second.name()
                    );
                }
                Guarantee::AccumulateOrder => {
                    orders += "order po & loc & same-destination & ((Remote & (rga | cas)) * (Remote & (rga | cas))) \
                        as accumulate-order\n";
                }
                Guarantee::Switch(switch) => switches += &format!("switch {}\n", switch.name()),
                Guarantee::AtomicAgainstAll => {}
            }
        }
        if !self.has(Guarantee::AtomicAgainstAll) {
            switches += "switch rmw-remote-only\n";
        }
        format!(
            "model \"{name}\" \"{about}\"\n\nrules {}\n{switches}{orders}",
            rules.join(" ")
        )
    }
}

impl FromIterator<Guarantee> for Guarantees {
    fn from_iter<I: IntoIterator<Item = Guarantee>>(guarantees: I) -> Self {
        let places = guarantees
            .into_iter()
            .filter_map(|guarantee| Guarantee::ALL.iter().position(|known| *known == guarantee));
        Self(places.fold(0, |bits, place| bits | 1 << place))
    }
}
