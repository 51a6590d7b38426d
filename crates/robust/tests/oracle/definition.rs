//! The happens-before relation of section 3, letter by letter, against what the direct explorer remembers of it, on
//! random computations of random programs. Here no event is ever forgotten.

use crate::compare::show;
use crate::generate::generate;
use crate::random::Random;
use farside_pgas::calculus::{Command, Program};
use farside_robust::direct::{Access, replay};
use farside_robust::{Action, cycle};

/// An event, as far as the relation looks at it.
struct Event {
    rank: usize,
    /// popa and popb are not in program order.
    pops: bool,
    /// Events of one command, or of one barrier.
    identity: usize,
    access: Option<Access>,
}

/// Whether the union of program order, conflicts and identity has a cycle that is not in identity alone.
fn violating(events: &[Event]) -> bool {
    let count = events.len();
    let mut edges = vec![vec![false; count]; count];
    for (one, event) in events.iter().enumerate() {
        // succ of the subsequence of the process without pops.
        let next = (one + 1..count).find(|&other| events[other].rank == event.rank && !events[other].pops);
        if let Some(next) = next
            && !event.pops
        {
            edges[one][next] = true;
        }
        let Some(access) = event.access else { continue };
        let address = |access: &Access| (access.rank, access.cell);
        for (other, later) in events.iter().enumerate().skip(one + 1) {
            let Some(second) = later.access.filter(|second| address(second) == address(&access)) else {
                continue;
            };
            edges[one][other] |= access.writes || second.writes;
            if second.writes {
                break;
            }
        }
    }
    let proper: Vec<(usize, usize)> = (0..count)
        .flat_map(|one| (0..count).map(move |other| (one, other)))
        .filter(|&(one, other)| edges[one][other] && events[one].identity != events[other].identity)
        .collect();
    for one in 0..count {
        for other in 0..count {
            edges[one][other] |= events[one].identity == events[other].identity;
        }
    }
    for between in 0..count {
        let behind = edges[between].clone();
        for from in edges.iter_mut().filter(|from| from[between]) {
            for (other, edge) in from.iter_mut().enumerate() {
                *edge |= behind[other];
            }
        }
    }
    proper.iter().any(|&(one, other)| edges[other][one])
}

/// The events of a computation that the direct machine has.
fn events(program: &Program, actions: &[Action], accesses: &[Option<Access>]) -> Vec<Event> {
    let rank_of = |number: usize| {
        actions.iter().find_map(|action| match *action {
            Action::Command { rank, command, .. } if command == number => Some(rank),
            _ => None,
        })
    };
    let (mut barriers, mut met) = (0, 0);
    let mut found = Vec::new();
    for (action, &access) in actions.iter().zip(accesses) {
        found.push(match *action {
            Action::Command {
                rank,
                transition,
                command,
            } => {
                let mut identity = command;
                if program.codes[program.code_of_rank[rank]].transitions[transition].command
                    == Command::Barrier
                {
                    identity = usize::MAX - barriers;
                    met += 1;
                    if met == program.ranks as usize {
                        (barriers, met) = (barriers + 1, 0);
                    }
                }
                Event {
                    rank,
                    pops: false,
                    identity,
                    access,
                }
            }
            Action::Popa { command } | Action::Popb { command } => Event {
                rank: rank_of(command).expect("an operation is issued before"),
                pops: true,
                identity: command,
                access,
            },
        });
    }
    found
}

/// Actions that may come next, many of which are not possible.
fn candidates(program: &Program, done: &[Action]) -> Vec<Vec<Action>> {
    let number = done.len();
    let mut found = Vec::new();
    let transition_of = |rank: usize, wanted: &dyn Fn(&Command) -> bool| -> Vec<usize> {
        let transitions = program.codes[program.code_of_rank[rank]]
            .transitions
            .iter()
            .enumerate();
        transitions
            .filter(|(_, known)| wanted(&known.command))
            .map(|(index, _)| index)
            .collect()
    };
    let mut barriers: Vec<Vec<Action>> = vec![Vec::new()];
    for rank in 0..program.ranks as usize {
        for transition in transition_of(rank, &|command| *command != Command::Barrier) {
            found.push(vec![Action::Command {
                rank,
                transition,
                command: number,
            }]);
        }
        let own = transition_of(rank, &|command| *command == Command::Barrier);
        let with = |before: &Vec<Action>, transition| {
            let command = number + before.len();
            [
                &before[..],
                &[Action::Command {
                    rank,
                    transition,
                    command,
                }],
            ]
            .concat()
        };
        let with = &with;
        barriers = barriers
            .iter()
            .flat_map(|before| own.iter().map(move |&next| with(before, next)))
            .collect();
    }
    found.extend(barriers);
    for action in done {
        if let Action::Command { command, .. } = *action {
            found.push(vec![Action::Popa { command }]);
            found.push(vec![Action::Popb { command }]);
        }
    }
    found
}

/// With pops until all queues are empty, in the order of issue, which is always possible.
fn drained(program: &Program, actions: &[Action]) -> Option<Vec<Action>> {
    let mut all = actions.to_vec();
    let commands = actions.iter().filter_map(|action| match *action {
        Action::Command {
            rank,
            transition,
            command,
        } => {
            let code = &program.codes[program.code_of_rank[rank]];
            match &code.transitions[transition].command {
                Command::Transfer(_) => Some((command, true)),
                Command::Atomic(atomic) => Some((command, atomic.local.is_some())),
                _ => None,
            }
        }
        _ => None,
    });
    for (command, delivers) in commands {
        let popa = Action::Popa { command };
        if !actions.contains(&popa) {
            all.push(popa);
        }
        let popb = Action::Popb { command };
        if delivers && !actions.contains(&popb) {
            all.push(popb);
        }
    }
    replay(program, &all).map(|_| all)
}

#[test]
fn what_is_remembered_of_the_relation_tells_cycles_as_the_definition_does() {
    let mut counts = [0u64; 2];
    for seed in 0..1000 {
        let program = generate(seed).program;
        let mut random = Random::new(!seed);
        let mut actions: Vec<Action> = Vec::new();
        for _ in 0..16 {
            let mut next = candidates(&program, &actions);
            let mut found = None;
            while found.is_none() && !next.is_empty() {
                let more = next.swap_remove(random.below(next.len()));
                let longer = [&actions[..], &more].concat();
                found = drained(&program, &longer).map(|_| longer);
            }
            let Some(longer) = found else { break };
            actions = longer;
        }
        let all = drained(&program, &actions).expect("it is a computation");
        let replayed = replay(&program, &all).expect("it is a computation");
        let expected = violating(&events(&program, &all, &replayed.accesses));
        assert_eq!(
            replayed.violating,
            expected,
            "seed {seed}\n{}",
            show(&program, &all)
        );
        let plain = farside_robust::replay(&program, &all)
            .unwrap_or_else(|| panic!("seed {seed}: no computation\n{}", show(&program, &all)));
        assert_eq!(
            cycle(&plain).is_some(),
            expected,
            "seed {seed}\n{}",
            show(&program, &all)
        );
        counts[usize::from(expected)] += 1;
    }
    println!("{} computations with a cycle, {} without", counts[1], counts[0]);
    assert!(counts.iter().all(|&count| count > 200), "{counts:?}");
}
