//! What a final state shows, and whether a proposition holds in it.

use crate::ast::{Observable, Program, Proposition, Quantifier, Rank, RegisterId, Value};
use crate::print::observable;
use std::fmt;

impl Proposition {
    /// Whether it holds in the state with these values. `T` equals only `T`.
    pub fn holds(&self, value_of: &impl Fn(Observable) -> Value) -> bool {
        match self {
            Self::Constant(constant) => *constant,
            Self::Equal(what, value) => value_of(*what) == *value,
            Self::NotEqual(what, value) => value_of(*what) != *value,
            Self::Not(negated) => !negated.holds(value_of),
            Self::And(left, right) => left.holds(value_of) && right.holds(value_of),
            Self::Or(left, right) => left.holds(value_of) || right.holds(value_of),
        }
    }

    /// The registers and variables that it names, once each, in order of appearance.
    #[must_use]
    pub fn observables(&self) -> Vec<Observable> {
        fn collect(proposition: &Proposition, found: &mut Vec<Observable>) {
            match proposition {
                Proposition::Constant(_) => {}
                Proposition::Equal(what, _) | Proposition::NotEqual(what, _) => {
                    if !found.contains(what) {
                        found.push(*what);
                    }
                }
                Proposition::Not(negated) => collect(negated, found),
                Proposition::And(left, right) | Proposition::Or(left, right) => {
                    collect(left, found);
                    collect(right, found);
                }
            }
        }
        let mut found = Vec::new();
        collect(self, &mut found);
        found
    }
}

impl Program {
    /// What a state of this test shows: the registers and variables of the condition, then those of `locations`; all
    /// registers, process by process, where it has neither.
    #[must_use]
    pub fn observables(&self) -> Vec<Observable> {
        let condition = self
            .condition
            .as_ref()
            .map(|condition| condition.proposition.observables());
        let mut shown = condition.unwrap_or_default();
        for location in &self.locations {
            if !shown.contains(location) {
                shown.push(*location);
            }
        }
        if shown.is_empty() {
            for (rank, process) in (0_u32..).zip(&self.processes) {
                let registers = 0..process.registers.len() as u32;
                shown
                    .extend(registers.map(|register| Observable::Register(Rank(rank), RegisterId(register))));
            }
        }
        shown
    }

    /// `0:a`, `X`: as conditions and states name it.
    #[must_use]
    pub fn observable_name(&self, what: Observable) -> String {
        observable(self, what)
    }

    /// A state as the field prints it: `0:a=1; X=T;`. Values in the order of `observables`.
    #[must_use]
    pub fn state(&self, observables: &[Observable], values: &[Value]) -> String {
        let bindings = observables
            .iter()
            .zip(values)
            .map(|(what, value)| format!("{}={value};", self.observable_name(*what)));
        bindings.collect::<Vec<_>>().join(" ")
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Known(number) => write!(f, "{number}"),
            Self::Undefined => f.write_str("T"),
        }
    }
}

impl fmt::Display for Quantifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Exists => "exists",
            Self::NotExists => "~exists",
            Self::Forall => "forall",
        })
    }
}
