//! Synchronisation that is said not to be needed is taken out of random programs: the model must find no conflict in
//! what is left, and no outcome that the program does not have.
//!
//! The program is judged by the events of one schedule, as a run is; the model knows no events.

use super::{MODEL, generate, stream};
use crate::case::{Case, Role, programs};
use crate::schedule::{self, End};
use farside_events::{Rank, WinId};
use farside_explore::answer::Outcome;
use farside_explore::core_rma::conflicting;
use farside_explore::{Engine, Limits, outcomes};
use farside_findings::{Frame, Lessening, Place, Superfluous};
use farside_litmus::ast::{
    Access, Atomicity, Observable, Program, Queue, Rank as Process, StatementKind, Variable, VariableId,
};
use farside_models::Model;
use farside_models::core_rma::CoreModel;
use farside_models::file::parse_model;
use farside_race::{Options, Places, Site, WindowLabel};
use farside_trial::{Work, superfluous};
use std::collections::BTreeSet;

const LIMITS: Limits = Limits { steps: 400_000 };

/// The stack is the line.
struct Lines;

impl Places for Lines {
    fn stack(&mut self, site: Site) -> Vec<Frame> {
        let place = Place {
            file: "program".into(),
            line: site.stack.0 as u32,
            column: None,
        };
        vec![Frame {
            place: Some(place),
            ..Frame::default()
        }]
    }

    fn variable(&mut self, _: Rank, _: u64) -> Option<String> {
        None
    }

    fn window(&mut self, _: WinId) -> Option<WindowLabel> {
        None
    }
}

/// What the words of the program are called in a case.
fn model() -> CoreModel {
    match parse_model(MODEL, &|_| None) {
        Ok(Model::CoreRma(model)) => model,
        other => panic!("{other:?}"),
    }
}

/// What is not needed in the first schedule of a program that does not hang.
fn found(case: &Case) -> Option<Superfluous> {
    let mut found = None;
    let end = schedule::all(case, 600, &mut |steps| {
        if found.is_none() {
            let recording = stream::recording(case, steps);
            found = Some(superfluous(&recording, Options::default(), &mut Lines, Work::ALL));
        }
        false
    });
    found.filter(|_| end == End::Done)
}

/// The program without what is not needed, and how many calls went or became weaker.
fn without(case: &Case, found: &Superfluous) -> (Program, usize) {
    let mut program = case.program.clone();
    let (mut gone, mut changed) = (BTreeSet::new(), 0);
    for call in &found.calls {
        changed += 1;
        for line in call.places().map(|place| place.line) {
            let at = ((line / 1000 - 1) as usize, (line % 1000) as usize);
            match &call.change {
                Lessening::Remove => {
                    gone.insert(at);
                }
                Lessening::Weaken(weaker) => {
                    assert_eq!(weaker, "shmem_fence");
                    order(&mut program, at);
                }
            }
        }
    }
    for (rank, number) in gone.into_iter().rev() {
        program.processes[rank].statements.remove(number);
    }
    (program, changed)
}

/// A quiet becomes a fence, which the model knows as an operation on words of its own.
fn order(program: &mut Program, (rank, number): (usize, usize)) {
    let statement = &mut program.processes[rank].statements[number];
    let StatementKind::WaitQueue(queue) = statement.kind else {
        panic!("no quiet: {statement:?}");
    };
    let [into, target, compare, swap] = [(); 4].map(|()| {
        let variable = VariableId(program.variables.len() as u32);
        program.variables.push(Variable {
            name: format!("w{}", variable.0),
            owner: Process(rank as u32),
            value: 1,
            place: farside_litmus::ast::Place::default(),
        });
        Access {
            variable,
            atomicity: Atomicity::NonAtomic,
        }
    });
    let operation = Box::new(StatementKind::Cas {
        into,
        target,
        compare,
        swap,
    });
    statement.kind = StatementKind::On {
        queue: Queue(queue.0),
        operation,
    };
}

/// All outcomes, with the variables that data and values of calls are in; `None` if there are too many.
fn all(case: &Case, program: &Program, model: &CoreModel) -> Option<BTreeSet<Outcome>> {
    let mut program = program.clone();
    let roles = (0..).map(VariableId).zip(&case.roles);
    let shown = roles.filter(|(_, role)| matches!(role, Role::Data | Role::Value));
    program.locations = shown
        .map(|(variable, _)| Observable::Variable(variable))
        .collect();
    let model = Model::CoreRma(model.clone());
    let answer = outcomes(&program, &model, Engine::Fast, &LIMITS).ok()?;
    Some(answer.outcomes.into_iter().collect())
}

#[test]
fn what_is_not_needed_can_go() {
    let model = model();
    let wanted = programs(400);
    let (mut judged, mut changed, mut weaker, mut compared) = (0, 0, 0, 0);
    for seed in 0.. {
        if judged >= wanted {
            break;
        }
        let case = generate::generate(seed, 8);
        let Some(found) = found(&case) else { continue };
        if !matches!(conflicting(&case.program, &model, &LIMITS), Ok(None)) {
            continue;
        }
        judged += 1;
        let (program, calls) = without(&case, &found);
        if calls == 0 {
            continue;
        }
        changed += calls;
        weaker += found
            .calls
            .iter()
            .filter(|call| call.change != Lessening::Remove)
            .count();
        let say = || {
            let after = Case {
                program: program.clone(),
                ..case.clone()
            };
            format!(
                "seed {seed}\n{}without\n{}",
                generate::describe(&case),
                generate::describe(&after)
            )
        };
        let conflict = conflicting(&program, &model, &LIMITS);
        assert!(!matches!(conflict, Ok(Some(_))), "{}\n{conflict:?}", say());
        if let (Some(before), Some(after)) = (all(&case, &case.program, &model), all(&case, &program, &model))
        {
            compared += 1;
            let more: Vec<&Outcome> = after.difference(&before).collect();
            assert!(more.is_empty(), "{}\n{more:?}", say());
        }
    }
    println!(
        "{judged} programs without a race, {changed} calls not needed as they are, {weaker} of them weaker; {compared} compared"
    );
    assert!(changed > 100 && compared > 50, "{changed} {compared}");
}
