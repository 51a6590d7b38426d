//! What comes of a program is the same with and without each shortcut; and small programs, in the text of the IR.

mod program;

use crate::budget::{Budget, Limits, Shortcuts};
use crate::ir::Module;
use crate::job::Job;
use crate::memory::{FIRST_OBJECT, Memory};
use crate::survey::Survey;
use crate::value::UNCOMPUTED;
use farside_events::{AccessRun, Event, EventKind, StackId};
use farside_race::RawFinding;
use program::{Program, program};
use proptest::prelude::*;
use std::collections::{BTreeSet, HashMap};
use std::fmt::Debug;

/// What comes of a simulation. Stacks are shown by their places: their numbers say only which of them was met first.
#[derive(Debug, PartialEq)]
struct Outcome {
    sent: Vec<(u32, String)>,
    /// By process: the single accesses between two other events, in any order, and the event.
    courses: [Vec<(Vec<String>, String)>; 2],
    findings: Vec<String>,
    /// The rule and the places of each finding, whichever way it was counted.
    rules: BTreeSet<String>,
    notes: String,
    /// The blocks that were entered, and whether a process was named that is not there.
    visited: (Vec<Vec<bool>>, bool),
    certain: bool,
    steps: u64,
    course: u64,
    /// What the objects hold at the end; nothing of what was not computed.
    memory: Vec<Option<u8>>,
}

/// Simulates a program of two processes.
fn outcome(module: &Module, shortcuts: Shortcuts) -> Outcome {
    let survey = Survey::of(module);
    let overrides = HashMap::new();
    let budget = Budget::of(Limits { steps: 4_000_000 }, shortcuts);
    let mut job = Job::new(module, &survey, 2, &overrides, budget);
    assert!(job.enter_main());
    let found = job.run();
    let sent = job.events.sent();
    let shown = |of: &dyn Debug| with_places(&job, &format!("{of:?}"));
    let rule = |finding: &RawFinding| {
        let sites: BTreeSet<String> = finding.parties.iter().map(|party| shown(&party.site)).collect();
        format!("{:?} {sites:?}", finding.rule)
    };
    Outcome {
        sent: sent.iter().map(|(rank, event)| (*rank, shown(event))).collect(),
        courses: [0, 1].map(|rank| course(sent, rank, shown)),
        findings: found.iter().map(|finding| shown(finding)).collect(),
        rules: found.iter().map(rule).collect(),
        notes: format!("{:?} {:?}", job.notes, job.decisions),
        visited: (job.notes.entered().to_vec(), job.notes.misses_rank()),
        certain: job.notes.is_certain(),
        steps: job.budget.steps(),
        course: job.course(),
        memory: job
            .processes
            .all()
            .iter()
            .flat_map(|process| contents(&process.memory))
            .collect(),
    }
}

fn contents(memory: &Memory) -> impl Iterator<Item = Option<u8>> {
    let bytes = (FIRST_OBJECT..FIRST_OBJECT + (1 << 14)).map(|at| memory.load(at, 1));
    bytes.map(|byte| (byte.symbol != UNCOMPUTED).then_some(byte.bits as u8))
}

/// A text with each stack that it names replaced by the stack's places.
fn with_places(job: &Job, text: &str) -> String {
    let mut parts = text.split("StackId(");
    let mut shown = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (number, rest) = part.split_once(')').expect("a number in parentheses");
        let stack = StackId(number.parse().expect("the number of a stack"));
        shown.push_str(&format!("{:?}{rest}", job.stacks.places(stack)));
    }
    shown
}

fn course(
    sent: &[(u32, Event)],
    rank: u32,
    shown: impl Fn(&dyn Debug) -> String,
) -> Vec<(Vec<String>, String)> {
    let mut course = Vec::new();
    let mut accesses = Vec::new();
    for (_, event) in sent.iter().filter(|(of, _)| *of == rank) {
        let EventKind::Accesses(runs) = &event.kind else {
            accesses.sort();
            course.push((std::mem::take(&mut accesses), shown(&event.kind)));
            continue;
        };
        for run in runs {
            for single in single_accesses(run) {
                accesses.push(shown(&single));
            }
        }
    }
    accesses.sort();
    course.push((accesses, String::new()));
    course
}

fn single_accesses(run: &AccessRun) -> impl Iterator<Item = AccessRun> {
    assert_eq!(run.outer_count, 1);
    let times = run.repeats as usize + 1;
    (0..run.inner_count as i64).flat_map(move |nth| {
        let address = run.base.wrapping_add_signed(nth * run.inner_stride);
        let single = AccessRun {
            source: run.source.clone(),
            ..AccessRun::single(run.kind, address, run.size, run.pc, run.stack)
        };
        std::iter::repeat_n(single, times)
    })
}

const PLAIN: Shortcuts = Shortcuts {
    alone: false,
    together: false,
    after: None,
};

fn module(program: &Program) -> Module {
    let text = program.to_string();
    text.parse().unwrap_or_else(|wrong| panic!("{wrong}:\n{text}"))
}

proptest! {
    /// Whatever a thread does alone is what it does step by step, to the last event and the last step.
    #[test]
    fn a_thread_does_alone_what_it_does_step_by_step(
        program in program(12),
        together in any::<bool>(),
        after in 2u32..6,
    ) {
        let module = module(&program);
        let plain = Shortcuts { alone: false, together, after: Some(after) };
        let (expected, alone) = (outcome(&module, plain), outcome(&module, Shortcuts { alone: true, ..plain }));
        prop_assert_eq!(expected, alone, "{}", program);
    }

    /// Rounds that are taken together make the accesses of single ones, and lead to the same findings.
    #[test]
    fn rounds_that_are_taken_together_make_the_same_accesses(
        program in program(60),
        alone in any::<bool>(),
        after in 2u32..6,
    ) {
        let module = module(&program);
        let together = Shortcuts { alone, together: true, after: Some(after) };
        let (expected, found) = (outcome(&module, PLAIN), outcome(&module, together));
        // After a condition on what was not computed, or an access to where that says, nothing is certain; but addresses that
        // depend on counters are the same in any case.
        if found.certain || program.is_plain() {
            prop_assert_eq!(expected.courses, found.courses, "{}", program);
            prop_assert_eq!(expected.rules, found.rules, "{}", program);
            prop_assert_eq!(expected.visited, found.visited, "{}", program);
        }
        if found.certain {
            for (expected, found) in expected.memory.into_iter().zip(found.memory) {
                prop_assert!(found.is_none_or(|found| Some(found) == expected), "{}", program);
            }
        }
    }
}

/// Random programs would show nothing if none of them was made shorter, or had accesses to speak of.
#[test]
fn the_shortcuts_are_taken() {
    use proptest::strategy::ValueTree as _;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let (mut shorter, mut certain, mut racing, mut accessing) = (0, 0, 0, 0);
    for _ in 0..64 {
        let program = program(60).new_tree(&mut runner).unwrap().current();
        let module = module(&program);
        let after = Some(3);
        let together = Shortcuts {
            together: true,
            after,
            ..PLAIN
        };
        let (plain, together) = (outcome(&module, PLAIN), outcome(&module, together));
        shorter += u32::from(together.steps < plain.steps);
        certain += u32::from(together.steps < plain.steps && together.certain);
        racing += u32::from(!plain.findings.is_empty());
        let events = plain.courses.iter().flatten();
        accessing += u32::from(events.into_iter().any(|(accesses, _)| !accesses.is_empty()));
        assert!(plain.notes.contains("hung: false"), "{}\n{program}", plain.notes);
    }
    assert!(
        shorter > 16 && certain > 8 && racing > 8 && accessing > 16,
        "{shorter} {certain} {racing} {accessing}"
    );
}
