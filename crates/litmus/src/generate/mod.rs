//! Random programs of every kind of statement, as a strategy of proptest: they shrink.
//!
//! Promise: every program is one that the parser could have read: names are unique and no words of the language,
//! registers are in order of first use, targets are at their owners, groups of ranks are sorted, all limits are kept.
//! So what is printed of it must parse back to the same program. Programs mean nothing in particular: most MPI programs
//! made here deadlock or synchronise wrongly.
//!
//! For tests of this and other crates, under the feature `generate`.

mod registers;
mod statements;

use crate::ast::{
    Atomicity, Condition, Observable, Place, Process, Program, Proposition, Quantifier, Rank, RegisterId,
    Value, Variable, VariableId,
};
use crate::parser::RESERVED;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

/// Programs of one to four processes.
pub fn programs() -> impl Strategy<Value = Program> {
    (1..=4_u32)
        .prop_flat_map(|processes| {
            let variables = vec((0..processes, values()), 1..=5);
            (Just(processes), variables, atomicities())
        })
        .prop_flat_map(|(processes, variables, accesses)| {
            let owners: Vec<Rank> = variables.iter().map(|(owner, _)| Rank(*owner)).collect();
            let body = (0..processes).map(|rank| {
                let scope = statements::Scope {
                    rank: Rank(rank),
                    processes,
                    owners: owners.clone(),
                };
                statements::processes(scope)
            });
            let head = (
                "[a-zA-Z0-9][-+_.a-zA-Z0-9]{0,12}",
                vec(about_lines(), 0..3),
                Just(accesses),
            );
            let names = vec(names(), variables.len());
            (head, names, Just(variables), body.collect::<Vec<_>>(), tails())
        })
        .prop_map(
            |((name, about, accesses), names, variables, mut processes, tail)| {
                let variables = variables_of(&names, &variables);
                for process in &mut processes {
                    registers::in_order_of_use(process);
                    rename(process, &variables);
                }
                let known = observables(&variables, &processes);
                let tail = tail.resolve(&known);
                Program {
                    name,
                    about,
                    accesses,
                    variables,
                    processes,
                    locations: tail.locations,
                    filter: tail.filter,
                    condition: tail.condition,
                }
            },
        )
}

pub(crate) fn values() -> impl Strategy<Value = i64> {
    prop_oneof![4 => 0..3_i64, 1 => any::<i64>(), 1 => prop::sample::select(vec![i64::MIN, i64::MAX, -1])]
}

pub(crate) fn atomicities() -> impl Strategy<Value = Atomicity> {
    prop::sample::select(vec![Atomicity::Atomic, Atomicity::NonAtomic])
}

fn about_lines() -> impl Strategy<Value = String> {
    "[^\"\n\r]{0,20}"
}

/// Words that no process' column, mark or statement could be mistaken for.
fn names() -> impl Strategy<Value = String> {
    "[A-Za-z_][A-Za-z0-9_']{0,4}".prop_filter("a word of the language", |name| {
        !RESERVED.contains(&name.as_str())
    })
}

fn variables_of(names: &[String], variables: &[(u32, i64)]) -> Vec<Variable> {
    let mut made: Vec<Variable> = Vec::new();
    for (name, (owner, value)) in names.iter().zip(variables) {
        let mut name = name.clone();
        while made.iter().any(|other| other.name == name) {
            name.push('\'');
        }
        made.push(Variable {
            name,
            owner: Rank(*owner),
            value: *value,
            place: Place::default(),
        });
    }
    made
}

/// Registers whose names variables have get others.
fn rename(process: &mut Process, variables: &[Variable]) {
    for at in 0..process.registers.len() {
        let taken = |name: &str, registers: &[String]| {
            variables.iter().any(|variable| variable.name == name)
                || registers
                    .iter()
                    .enumerate()
                    .any(|(other, register)| other != at && register == name)
        };
        let mut name = process.registers[at].clone();
        while taken(&name, &process.registers) {
            name.push('_');
        }
        process.registers[at] = name;
    }
}

fn observables(variables: &[Variable], processes: &[Process]) -> Vec<Observable> {
    let registers = (0_u32..).zip(processes).flat_map(|(rank, process)| {
        let registers = 0..process.registers.len() as u32;
        registers.map(move |register| Observable::Register(Rank(rank), RegisterId(register)))
    });
    let variables = (0..variables.len() as u32).map(|variable| Observable::Variable(VariableId(variable)));
    registers.chain(variables).collect()
}

/// A proposition over observables that are not known yet.
#[derive(Clone, Debug)]
enum Raw {
    Constant(bool),
    Compare(bool, Index, Value),
    Not(Box<Raw>),
    And(Box<Raw>, Box<Raw>),
    Or(Box<Raw>, Box<Raw>),
}

impl Raw {
    fn resolve(&self, known: &[Observable]) -> Proposition {
        let inner = |raw: &Raw| Box::new(raw.resolve(known));
        match self {
            Self::Constant(constant) => Proposition::Constant(*constant),
            Self::Compare(true, at, value) => Proposition::Equal(*at.get(known), *value),
            Self::Compare(false, at, value) => Proposition::NotEqual(*at.get(known), *value),
            Self::Not(raw) => Proposition::Not(inner(raw)),
            Self::And(left, right) => Proposition::And(inner(left), inner(right)),
            Self::Or(left, right) => Proposition::Or(inner(left), inner(right)),
        }
    }
}

fn propositions() -> impl Strategy<Value = Raw> {
    let value = prop_oneof![3 => values().prop_map(Value::Known), 1 => Just(Value::Undefined)];
    let leaf = prop_oneof![
        6 => (any::<bool>(), any::<Index>(), value).prop_map(|(equal, at, value)| Raw::Compare(equal, at, value)),
        1 => any::<bool>().prop_map(Raw::Constant),
    ];
    leaf.prop_recursive(4, 12, 2, |inner| {
        prop_oneof![
            inner.clone().prop_map(|raw| Raw::Not(Box::new(raw))),
            (inner.clone(), inner.clone())
                .prop_map(|(left, right)| Raw::And(Box::new(left), Box::new(right))),
            (inner.clone(), inner).prop_map(|(left, right)| Raw::Or(Box::new(left), Box::new(right))),
        ]
    })
}

/// What stands after the processes.
#[derive(Clone, Debug)]
struct RawTail {
    locations: Vec<Index>,
    filter: Option<Raw>,
    condition: Option<(Quantifier, Raw)>,
}

/// The same with its observables.
struct Tail {
    locations: Vec<Observable>,
    filter: Option<Proposition>,
    condition: Option<Condition>,
}

impl RawTail {
    fn resolve(&self, known: &[Observable]) -> Tail {
        let mut locations = Vec::new();
        for at in &self.locations {
            let location = *at.get(known);
            if !locations.contains(&location) {
                locations.push(location);
            }
        }
        Tail {
            locations,
            filter: self.filter.as_ref().map(|raw| raw.resolve(known)),
            condition: self.condition.as_ref().map(|(quantifier, raw)| Condition {
                quantifier: *quantifier,
                proposition: raw.resolve(known),
            }),
        }
    }
}

fn tails() -> impl Strategy<Value = RawTail> {
    let quantifier = prop::sample::select(vec![
        Quantifier::Exists,
        Quantifier::NotExists,
        Quantifier::Forall,
    ]);
    let parts = (
        vec(any::<Index>(), 0..4),
        prop::option::weighted(0.3, propositions()),
        prop::option::weighted(0.8, (quantifier, propositions())),
    );
    parts.prop_map(|(locations, filter, condition)| RawTail {
        locations,
        filter,
        condition,
    })
}
