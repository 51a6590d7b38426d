//! What paper 003 says of its examples, and repairs of its Figure 1.

use farside_pgas::calculus::{Polls, Program};
use farside_pgas::lower::{Settings, lower};
use farside_pgas::parser::parse;
use farside_robust::{Action, Options, Relation, Verdict, cycle, decide, replay};

const FIGURE_1: &str = "shared x = 1, y\nqueue q\nwrite(x, (me + 1) % n, y, q)\nbarrier\nassert y == 1\n";

fn program(text: &str) -> Program {
    let settings = Settings {
        ranks: Some(2),
        domain: Some(2),
        api: None,
        polls: Polls::Awaited,
    };
    lower(&parse(text).unwrap(), settings).unwrap()
}

/// The transition after the first `count` of the only way.
fn nth(program: &Program, count: usize) -> usize {
    let code = &program.codes[0];
    let (mut at, mut found) = (0, 0);
    for _ in 0..=count {
        found = code
            .transitions
            .iter()
            .position(|transition| transition.from == at)
            .unwrap();
        at = code.transitions[found].to;
    }
    found
}

/// write, write, popa, popa, bar, bar, load, popb, popb
fn example_1(program: &Program) -> Vec<Action> {
    let command = |rank, count, command| Action::Command {
        rank,
        transition: nth(program, count),
        command,
    };
    vec![
        command(0, 0, 0),
        command(1, 0, 1),
        Action::Popa { command: 0 },
        Action::Popa { command: 1 },
        command(0, 1, 2),
        command(1, 1, 3),
        command(0, 2, 4),
        Action::Popb { command: 0 },
        Action::Popb { command: 1 },
    ]
}

#[test]
fn example_1_is_a_computation_and_example_2_says_that_it_is_violating() {
    let program = program(FIGURE_1);
    let events = replay(&program, &example_1(&program)).expect("Example 1 is a computation");
    let found = cycle(&events).expect("Figure 3 has a cycle");
    // Example 14: load -> popb ~ write -> bar ~ bar -> load.
    let count = |relation| found.iter().filter(|edge| edge.relation == relation).count();
    assert_eq!(
        (
            count(Relation::Conflict),
            count(Relation::ProgramOrder),
            count(Relation::Identity)
        ),
        (1, 2, 2)
    );
    assert!(
        found
            .iter()
            .zip(found.iter().cycle().skip(1))
            .all(|(edge, next)| edge.to == next.from)
    );
}

#[test]
fn what_table_1_does_not_have_is_no_computation() {
    let program = program(FIGURE_1);
    let all = example_1(&program);
    let without = |index: usize| {
        let mut actions = all.clone();
        actions.remove(index);
        actions
    };
    assert!(
        replay(&program, &without(7)).is_none(),
        "queues must be empty at the end"
    );
    assert!(replay(&program, &without(2)).is_none(), "popb before popa");
    assert!(
        replay(&program, &without(5)).is_none(),
        "a barrier is all processes"
    );
    assert!(
        replay(&program, &without(0)).is_none(),
        "an effect without a command"
    );
    let mut swapped = all.clone();
    swapped.swap(2, 7);
    assert!(replay(&program, &swapped).is_none());
    // A sequentially consistent computation has no cycle.
    let order = [0, 2, 7, 1, 3, 8, 4, 5, 6];
    let actions: Vec<Action> = order.iter().map(|&index| all[index]).collect();
    assert_eq!(cycle(&replay(&program, &actions).unwrap()), None);
}

#[test]
fn limits_are_inconclusive_and_never_robust() {
    let program = program(&FIGURE_1.replace("barrier", "wait q\nbarrier"));
    let mut options = Options::default();
    options.limits.states = 3;
    assert!(matches!(
        decide(&program, &options, &mut || false).verdict,
        Verdict::Inconclusive(_)
    ));
    assert!(matches!(
        decide(&program, &Options::default(), &mut || true).verdict,
        Verdict::Inconclusive(_)
    ));
    assert!(matches!(
        decide(&program, &Options::default(), &mut || false).verdict,
        Verdict::Robust
    ));
}
