//! Barriers of a team and waits for tasks that were proved, put into the text at each place that is told.

use super::{helps, verified};
use crate::run::{Program, STARTED, Statement};
use farside_findings::Stretch;
use farside_race::{Code, RawSuggestion};
use proptest::prelude::*;

/// The program with a meeting in each of the stretches where it was tried.
fn with(program: &Program, meeting: &RawSuggestion) -> Vec<Program> {
    let of_code = |code: &Code| {
        let at = meeting.code.iter().position(|other| other == code);
        at.and_then(|at| meeting.stands.get(at))
            .cloned()
            .unwrap_or_default()
    };
    let mut base = program.clone();
    let mut statement = None;
    for code in &meeting.code {
        match code {
            Code::Flush { local, .. } => {
                let after = meeting.after.as_ref().expect("a place").site.stack.0;
                insert(&mut base, after, true, Statement::Flush { local: *local });
            }
            Code::TeamBarrier => statement = Some((*code, Statement::Barrier)),
            Code::TaskWait => statement = Some((*code, Statement::TaskWait)),
            _ => panic!("{meeting:?}"),
        }
    }
    let (code, statement) = statement.expect("a meeting");
    let place = |stretch: &Stretch| {
        let (place, after) = stretch.beside().expect("a place");
        let mut changed = base.clone();
        insert(&mut changed, u64::from(place.line), after, statement);
        changed
    };
    of_code(&code).iter().map(place).collect()
}

/// Adds a line next to another one; those who make that line make it, or all threads, if it is a barrier.
fn insert(program: &mut Program, line: u64, after: bool, statement: Statement) {
    // What a task does has the line that makes it besides.
    let line = line % (1 << 32) % STARTED;
    let has = |text: &&mut Vec<(u64, Statement)>| text.iter().any(|(number, _)| *number == line);
    let text = program.texts.iter_mut().find(has).expect("a text");
    let at = text
        .iter()
        .position(|(number, _)| *number == line)
        .expect("a line");
    let number = match after {
        true => line + 1 + u64::from(matches!(statement, Statement::Barrier | Statement::TaskWait)),
        false => line - 1,
    };
    // A call that was added after the line comes first.
    let at = at
        + usize::from(after)
        + usize::from(after && text.get(at + 1).is_some_and(|(next, _)| *next == line + 1));
    text.insert(at, (number, statement));
    let own: Vec<_> = program
        .only
        .iter()
        .filter(|(other, _)| *other == line)
        .copied()
        .collect();
    if statement != Statement::Barrier {
        program
            .only
            .extend(own.into_iter().map(|(_, thread)| (number, thread)));
    }
}

fn one() -> impl Strategy<Value = Statement> {
    let buffer = 0..2_u64;
    prop_oneof![
        3 => (buffer.clone(), prop::sample::select(vec![0_u64, 4]))
            .prop_map(|(buffer, offset)| Statement::Put { buffer, offset }),
        4 => (buffer, any::<bool>()).prop_map(|(buffer, store)| Statement::Use { buffer, store }),
        2 => any::<bool>().prop_map(|local| Statement::Flush { local }),
    ]
}

/// Lines that a thread alone executes, or all threads of a team.
fn team() -> impl Strategy<Value = Program> {
    let line = (
        one(),
        prop_oneof![1 => Just(None), 3 => (0..3_usize).prop_map(Some)],
    );
    let lines = prop::collection::vec(line, 2..7);
    (lines, 2..4_usize, any::<bool>()).prop_map(|(lines, threads, in_a_run)| {
        let (statements, only): (Vec<_>, Vec<_>) = lines.into_iter().unzip();
        let mut program = Program::new([statements, Vec::new()], vec![0; threads]);
        let numbers: Vec<u64> = program.texts[0].iter().map(|(number, _)| *number).collect();
        let only = numbers.into_iter().zip(only);
        program.only = only.filter_map(|(number, only)| Some((number, only?))).collect();
        program.in_a_run = in_a_run;
        program
    })
}

/// One thread, which makes a task or two besides.
fn tasks() -> impl Strategy<Value = Program> {
    let own = prop_oneof![3 => one(), 1 => Just(Statement::Task)];
    let text = prop::collection::vec(own, 1..5);
    (text, prop::collection::vec(one(), 1..3), 2..4_usize).prop_map(|(mut text, task, threads)| {
        text.insert(0, Statement::Task);
        let mut all = vec![0];
        all.extend(vec![1; threads - 1]);
        Program::new([text, task], all)
    })
}

fn check(program: &Program, seeds: [u64; 4]) -> Result<(), TestCaseError> {
    let is_wanted = |one: &RawSuggestion| {
        let meets = |code: &Code| matches!(code, Code::TeamBarrier | Code::TaskWait);
        one.code.iter().any(meets)
    };
    let (before, meetings) = verified(program, seeds[0], is_wanted);
    let changes = meetings.into_iter().flat_map(|(race, meeting)| {
        let all = with(program, &meeting).into_iter();
        all.map(move |changed| (race.clone(), meeting.clone(), changed))
    });
    helps(program, (before, changes), &seeds[1..])
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// A barrier that is verified helps in the program itself, by whatever schedule it runs.
    #[test]
    fn a_barrier_that_is_verified_helps(program in team(), seeds in any::<[u64; 4]>()) {
        check(&program, seeds)?;
    }

    /// So does a wait for tasks.
    #[test]
    fn a_wait_for_tasks_that_is_verified_helps(program in tasks(), seeds in any::<[u64; 4]>()) {
        check(&program, seeds)?;
    }
}

fn first(program: &Program, seed: u64) -> Option<RawSuggestion> {
    let (_, found) = verified(program, seed, |_| true);
    found.into_iter().next().map(|(_, suggestion)| suggestion)
}

const STORE: Statement = Statement::Use {
    buffer: 0,
    store: true,
};
const PUT: Statement = Statement::Put { buffer: 0, offset: 0 };

/// Each thread stores, and the first one sends: a barrier says in which order, so it comes before a lock.
#[test]
fn a_barrier_comes_before_a_lock() {
    let flush = Statement::Flush { local: true };
    for (seed, in_a_run) in (0..8).flat_map(|seed| [(seed, false), (seed, true)]) {
        let mut program = Program::new([vec![STORE, PUT, flush], Vec::new()], vec![0, 0]);
        program.in_a_run = in_a_run;
        program.only = vec![(10_100, 1), (10_200, 0), (10_300, 0)];
        let suggestion = first(&program, seed).expect("a suggestion");
        assert_eq!(suggestion.code, [Code::TeamBarrier], "{suggestion:?}");
    }
}

#[test]
fn a_thread_waits_for_the_task_that_fills_the_buffer() {
    for seed in 0..8 {
        let program = Program::new([vec![Statement::Task, PUT], vec![STORE]], vec![0, 1]);
        let suggestion = first(&program, seed).expect("a suggestion");
        assert_eq!(suggestion.code, [Code::TaskWait], "{suggestion:?}");
    }
}
