//! Random one-sided programs against an independent judgement: what is reported is what brute force says.
//!
//! A program is rounds with a barrier after each; in a round each rank does some operations and flushes. Brute force
//! compares every two operations: the first must be complete, at the target for what writes and at the origin for what
//! reads, before the second is issued: by its own rank later, or by another one after a barrier in between.

use farside::check::{self, Rule};
use farside::{Operation, Window};
use proptest::prelude::*;
use std::collections::BTreeSet;

const RANKS: u32 = 3;
const ELEMENTS: usize = 2;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Put,
    Get,
    Accumulate,
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Operate(Kind, u32, usize),
    Flush(u32),
    FlushLocal(u32),
    FlushAll,
}

/// Rounds of steps, for each rank.
type Program = Vec<[Vec<Step>; RANKS as usize]>;

/// Calls that race: kind and rank of both, in order.
type Races = BTreeSet<[(Kind, u32); 2]>;

fn any_step() -> impl Strategy<Value = Step> {
    let kind = prop_oneof![Just(Kind::Put), Just(Kind::Get), Just(Kind::Accumulate)];
    prop_oneof![
        4 => (kind, 0..RANKS, 0..ELEMENTS).prop_map(|(kind, target, at)| Step::Operate(kind, target, at)),
        1 => (0..RANKS).prop_map(Step::Flush),
        1 => (0..RANKS).prop_map(Step::FlushLocal),
        1 => Just(Step::FlushAll),
    ]
}

fn any_program() -> impl Strategy<Value = Program> {
    let steps = || prop::collection::vec(any_step(), 0..4);
    let round = (steps(), steps(), steps()).prop_map(|(first, second, third)| [first, second, third]);
    prop::collection::vec(round, 1..4)
}

/// What brute force says.
fn expected(program: &Program) -> Races {
    struct Operation {
        kind: Kind,
        rank: u32,
        target: u32,
        at: usize,
        /// Barriers before it, and its place among the steps of its rank.
        issued: (usize, usize),
        /// The same of the flush that completes it.
        complete: Option<(usize, usize)>,
    }
    let mut all: Vec<Operation> = Vec::new();
    for rank in 0..RANKS {
        let steps = program
            .iter()
            .enumerate()
            .flat_map(|(round, steps)| steps[rank as usize].iter().map(move |step| (round, step)));
        for (place, (round, step)) in steps.enumerate() {
            let now = (round, place);
            let completes = |done: &Operation| match *step {
                Step::Operate(..) => false,
                Step::Flush(target) => done.target == target,
                Step::FlushLocal(target) => done.target == target && done.kind == Kind::Get,
                Step::FlushAll => true,
            };
            for done in all.iter_mut().filter(|done| done.rank == rank && completes(done)) {
                done.complete.get_or_insert(now);
            }
            if let Step::Operate(kind, target, at) = *step {
                all.push(Operation {
                    kind,
                    rank,
                    target,
                    at,
                    issued: now,
                    complete: None,
                });
            }
        }
    }
    let before = |first: &Operation, second: &Operation| {
        first
            .complete
            .is_some_and(|(barriers, place)| match first.rank == second.rank {
                true => place < second.issued.1,
                false => barriers < second.issued.0,
            })
    };
    let mut races = Races::new();
    for (index, one) in all.iter().enumerate() {
        for other in &all[index + 1..] {
            let meet = one.target == other.target && one.at == other.at;
            let conflict = one.kind != other.kind || one.kind == Kind::Put;
            if meet && conflict && !before(one, other) && !before(other, one) {
                let mut pair = [(one.kind, one.rank), (other.kind, other.rank)];
                pair.sort_unstable();
                races.insert(pair);
            }
        }
    }
    races
}

/// What the check says.
fn found(program: &Program) -> Races {
    let checked = check::simulate(RANKS, |world| {
        let mut window = Window::<u64>::allocate(world, ELEMENTS)?.into_passive()?;
        let rank = world.rank() as usize;
        let gets = program.iter().map(|round| round[rank].len()).sum();
        let mut rooms = vec![[0]; gets];
        let mut room = rooms.iter_mut();
        window.lock_all(|epoch| {
            for round in program {
                for step in &round[rank] {
                    match *step {
                        Step::Operate(Kind::Put, target, at) => epoch.put_value(1, target, at)?,
                        Step::Operate(Kind::Get, target, at) => {
                            epoch.get(room.next().expect("one a step"), target, at)?;
                        }
                        Step::Operate(Kind::Accumulate, target, at) => {
                            epoch.accumulate(Operation::Sum, &[1], target, at)?;
                        }
                        Step::Flush(target) => epoch.flush(target)?,
                        Step::FlushLocal(target) => epoch.flush_local(target)?,
                        Step::FlushAll => epoch.flush_all()?,
                    }
                }
                world.barrier()?;
            }
            Ok(())
        })?;
        window.free()
    })
    .expect("a detector");
    checked.result.as_ref().expect("the program runs");
    let kind = |call: &str| match call {
        "put" => Kind::Put,
        "get" => Kind::Get,
        "accumulate" => Kind::Accumulate,
        other => panic!("{other}"),
    };
    let pair = |finding: &check::Finding| {
        assert_eq!(finding.rule, Rule::RemoteRace, "{}", checked.text());
        let mut pair = [0, 1].map(|side| {
            let party = &finding.parties[side];
            (kind(&party.operation), party.rank)
        });
        pair.sort_unstable();
        pair
    };
    checked.report.findings.iter().map(pair).collect()
}

fn sorted(mut kinds: [Kind; 2]) -> [Kind; 2] {
    kinds.sort_unstable();
    kinds
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn what_is_found_is_what_brute_force_says(program in any_program()) {
        let (found, expected) = (found(&program), expected(&program));
        prop_assert!(found.is_subset(&expected), "{found:?} of {expected:?}");
        // A report joins findings at the same places, whatever the ranks; here a kind is a place.
        let kinds = |races: &Races| -> BTreeSet<_> { races.iter().map(|pair| sorted(pair.map(|side| side.0))).collect() };
        prop_assert_eq!(kinds(&found), kinds(&expected));
    }
}
