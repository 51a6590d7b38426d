//! Suggestions that were proved in the events of a run, put into the text of the program, which is then run anew, by
//! another schedule: what was promised must hold there.
//!
//! Programs are random: statements that one rank or all make, in one function, in rounds. Their happens-before is the
//! same in every schedule, for messages are received from one source.

mod program;
mod run;
mod state;

use farside_built::cases;
use farside_events::{Interface, Rank};
use farside_findings::{Action, Place, Proof, Rule, Stretch};
use farside_race::{Argument, Code, Note, Options, RawFinding, RawParty, RawSuggestion};
use farside_trial::Work;
use farside_trial::{Costs, Trials};
use program::{Line, Program, Statement, locking, notifying, program, setting};
use proptest::prelude::*;
use run::{Lines, Ran, run};
use state::State;
use std::collections::BTreeSet;

/// The number of a notification that no program has.
const FREE: u32 = 99;

/// The rule and the lines of each race, and what is done there.
type Races = BTreeSet<(Rule, Vec<(u64, String)>)>;

fn races(findings: &[RawFinding]) -> Races {
    let lines = |finding: &RawFinding| {
        let line = |party: &RawParty| (party.site.stack.0, format!("{:?}", party.name));
        let mut lines: Vec<_> = finding.parties.iter().map(line).collect();
        lines.sort_unstable();
        (finding.rule, lines)
    };
    findings.iter().map(lines).collect()
}

fn proved(ran: &Ran) -> Vec<RawFinding> {
    trials(ran, &mut Lines).prove(ran.findings.clone())
}

fn trials<'r>(ran: &'r Ran, lines: &'r mut Lines) -> Trials<'r, Lines> {
    let work = Work::ALL;
    let judged = (Options::default(), ran.interface);
    Trials::new(&ran.recording, judged, lines, work)
}

/// Copies that were proved, each with its finding, where they cost nothing.
fn copies(ran: &Ran) -> Vec<(RawFinding, RawSuggestion)> {
    let mut costs = Costs::default();
    costs.set("copy", 0.0).expect("a kind");
    let mut lines = Lines;
    let proved = trials(ran, &mut lines)
        .with_costs(costs)
        .prove(ran.findings.clone());
    let of_finding = |finding: RawFinding| {
        let own = finding.suggestion.clone().into_iter();
        let all = own.flat_map(|own| {
            let others = own.others.clone();
            std::iter::once(own).chain(others)
        });
        let is_copy = |one: &RawSuggestion| {
            matches!(one.code[..], [Code::SecondBuffer(_)]) && one.proof == Some(Proof::Verified)
        };
        let found: Vec<_> = all.filter(is_copy).map(|one| (finding.clone(), one)).collect();
        found
    };
    proved.into_iter().flat_map(of_finding).collect()
}

/// What is told of a finding, without where in the text.
fn told(finding: &RawFinding) -> Option<RawSuggestion> {
    let own = finding.suggestion.clone()?;
    Some(RawSuggestion {
        stands: Vec::new(),
        others: Vec::new(),
        ..own
    })
}

/// Whether a call for all is told first, and no line where all come to it.
fn has_no_place(finding: &RawFinding) -> bool {
    finding.suggestion.as_ref().is_some_and(|own| {
        let is_for_all = own
            .code
            .iter()
            .any(|code| matches!(code, Code::Barrier | Code::Meet | Code::Fence));
        is_for_all && own.stands.last().is_none_or(Vec::is_empty)
    })
}

/// All suggestions for a finding.
fn all(finding: &RawFinding) -> impl Iterator<Item = &RawSuggestion> {
    let own = finding.suggestion.iter();
    own.flat_map(|own| std::iter::once(own).chain(&own.others))
}

/// The program with what a suggestion adds to it: in the text, there may be more than one place for that.
fn repaired(program: &Program, suggestion: &RawSuggestion) -> Option<Vec<Program>> {
    let line = |spot: &Option<farside_race::Spot>| spot.as_ref().map(|spot| spot.site.stack.0);
    let (after, before) = (line(&suggestion.after), line(&suggestion.before));
    if suggestion.code == [Code::AtomicWrite] {
        let mut changed = program.clone();
        changed.make_atomic(line(&suggestion.at)?);
        return Some(vec![changed]);
    }
    if let [Code::Argument(Argument::Target(target))] = suggestion.code[..] {
        // What other ranks give is where their own operations went.
        if suggestion.notes.contains(&Note::AndOnOthersLikewise) {
            return None;
        }
        let mut changed = program.clone();
        changed.direct(line(&suggestion.at)?, target.0);
        return Some(vec![changed]);
    }
    if let [Code::SetBack] = suggestion.code[..] {
        let mut changed = program.clone();
        changed.set_back(after?);
        return Some(vec![changed]);
    }
    if let Some(flag) = suggestion.awaited_besides() {
        let mut changed = program.clone();
        changed.renumber(line(&suggestion.at)?, flag.number);
        let rank = suggestion.before.as_ref()?.site.rank.0;
        changed.insert_for(rank, (before?, false), Statement::See { number: flag.number });
        return Some(vec![changed]);
    }
    if let [Code::Await(flag)] = suggestion.code[..] {
        let mut changed = program.clone();
        if suggestion.action == Action::Replace {
            changed.wait_for(line(&suggestion.at)?, flag.number);
            return Some(vec![changed]);
        }
        let rank = suggestion.before.as_ref()?.site.rank.0;
        changed.insert_for(rank, (before?, false), Statement::See { number: flag.number });
        return Some(vec![changed]);
    }
    if let ([Code::Notify(target)], Some(Note::SeenBeforeCall(_))) =
        (&suggestion.code[..], suggestion.notes.first())
    {
        let mut changed = program.clone();
        let (target, number) = (target.0, FREE);
        changed.insert_at(after?, true, Statement::Notify { target, number });
        changed.insert_for(target, (before?, false), Statement::See { number });
        return Some(vec![changed]);
    }
    if let [Code::SecondBuffer(_)] = suggestion.code[..] {
        let mut changed = program.clone();
        changed.copy(before?);
        return Some(vec![changed]);
    }
    if suggestion.action == Action::Move {
        let mut changed = program.clone();
        // What the engine advises to move is written anew at the place; other calls stay those of who makes them.
        let own = matches!(suggestion.code[..], [Code::Call(_) | Code::Access]);
        let at = line(&suggestion.at)?;
        changed.shift(at, (after.or(before)?, after.is_some()), own);
        // What is found is told by the lines of accesses, so that one which is moved keeps its number.
        let known: BTreeSet<u64> = program.lines.iter().map(|line| line.number).collect();
        let moved = changed
            .lines
            .iter_mut()
            .find(|line| !known.contains(&line.number));
        if let Some(moved) = moved {
            moved.number = at;
        }
        return Some(vec![changed]);
    }
    let places = [after.map(|line| (line, true)), before.map(|line| (line, false))];
    let all = places.into_iter().flatten().map(|place| {
        let mut changed = program.clone();
        for code in &suggestion.code {
            match code {
                Code::Flush { local, .. } => {
                    changed.insert_at(after?, true, Statement::Flush { local: *local })
                }
                Code::Barrier | Code::Meet => changed.insert(place.0, place.1, Statement::Barrier),
                _ => return None,
            }
        }
        Some(changed)
    });
    all.collect()
}

/// The program with a suggestion's calls at each of the places that the suggestion names, in the middle of the lines
/// between which nothing happened.
fn placed(program: &Program, suggestion: &RawSuggestion) -> Vec<Program> {
    let line = |place: &Place| u64::from(place.line);
    let own = |code: &Code| !matches!(code, Code::Barrier | Code::Meet);
    let of_all = |(code, _): &(&Code, &Vec<Stretch>)| !own(code);
    let calls = || suggestion.code.iter().zip(&suggestion.stands);
    let of_one: Vec<(Statement, u64)> = calls()
        .filter_map(|(code, stretches)| match (code, stretches.first()?.beside()?) {
            (Code::Flush { local, .. }, (place, true)) => {
                Some((Statement::Flush { local: *local }, line(place)))
            }
            _ => None,
        })
        .collect();
    let changed = |stretch: Option<&Stretch>| {
        let mut changed = program.clone();
        for (statement, after) in &of_one {
            changed.insert_at(*after, true, statement.clone());
        }
        if let Some((place, after)) = stretch.and_then(Stretch::beside) {
            changed.insert(line(place), after, Statement::Barrier);
        }
        changed
    };
    let known = calls().filter(|(_, stretches)| !stretches.is_empty()).count();
    if known < suggestion.code.len() || calls().filter(|(code, _)| own(code)).count() > of_one.len() {
        return Vec::new();
    }
    match calls().find(of_all) {
        Some((_, stretches)) => stretches.iter().map(|stretch| changed(Some(stretch))).collect(),
        None => vec![changed(None)],
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases(128)) })]

    /// What is verified helps in the program itself.
    #[test]
    fn what_is_verified_helps(program in program(), seeds in any::<[u64; 2]>()) {
        let Some(ran) = run(&program, seeds[0]) else { return Ok(()) };
        let before = races(&ran.findings);
        for finding in proved(&ran) {
            let Some(suggestion) = finding.suggestion.as_ref().filter(|own| own.proof == Some(Proof::Verified)) else {
                continue;
            };
            let Some(changed) = repaired(&program, suggestion) else { continue };
            let gone = |changed: &Program| {
                let Some(ran) = run(changed, seeds[1]) else { return false };
                let now = races(&ran.findings);
                now.is_subset(&before) && races(std::slice::from_ref(&finding)).is_disjoint(&now)
            };
            prop_assert!(
                changed.iter().any(gone),
                "{program:?}\n{suggestion:?} does not help for {:?}",
                races(std::slice::from_ref(&finding))
            );
            for changed in placed(&program, suggestion) {
                prop_assert!(
                    gone(&changed),
                    "{program:?}\n{suggestion:?} does not help in\n{changed:?}"
                );
            }
        }
    }

    /// So do copies of what is sent, where they cost nothing and are tried wherever something is stored to too early.
    #[test]
    fn a_copy_that_is_verified_helps(program in program(), seeds in any::<[u64; 2]>()) {
        let Some(ran) = run(&program, seeds[0]) else { return Ok(()) };
        let before = races(&ran.findings);
        for (finding, copy) in copies(&ran) {
            let changed = repaired(&program, &copy).expect("a put");
            let now = races(&run(&changed[0], seeds[1]).expect("it ends as before").findings);
            let is_gone = races(std::slice::from_ref(&finding)).is_disjoint(&now);
            prop_assert!(is_gone && now.is_subset(&before), "{program:?}\n{copy:?} does not help: {now:?}");
        }
    }

    /// So does what waits for a notification, or has its target tell of a write.
    #[test]
    fn what_is_heard_helps(program in notifying(), seeds in any::<[u64; 2]>()) {
        let Some(ran) = run(&program, seeds[0]) else { return Ok(()) };
        let before = races(&ran.findings);
        for finding in proved(&ran) {
            for suggestion in all(&finding).filter(|one| is_heard(one)) {
                if suggestion.proof != Some(Proof::Verified) {
                    continue;
                }
                let changed = repaired(&program, suggestion).expect("a change of the text");
                let ran = run(&changed[0], seeds[1]);
                prop_assert!(ran.is_some(), "{program:?}\n{suggestion:?} does not end");
                let now = ran.map(|ran| races(&ran.findings)).unwrap_or_default();
                let is_gone = races(std::slice::from_ref(&finding)).is_disjoint(&now);
                prop_assert!(is_gone && now.is_subset(&before), "{program:?}\n{suggestion:?} does not help: {now:?}");
            }
        }
    }

    /// So does whatever is moved: calls, accesses, atomic operations and notifications.
    #[test]
    fn what_is_moved_helps(program in prop_oneof![program(), notifying(), setting()], seeds in any::<[u64; 2]>()) {
        let Some(ran) = run(&program, seeds[0]) else { return Ok(()) };
        let before = races(&ran.findings);
        for finding in proved(&ran) {
            for suggestion in all(&finding).filter(|one| one.action == Action::Move) {
                if suggestion.proof != Some(Proof::Verified) {
                    continue;
                }
                let changed = repaired(&program, suggestion).expect("a change of the text");
                let ran = run(&changed[0], seeds[1]);
                prop_assert!(ran.is_some(), "{program:?}\n{suggestion:?} does not end");
                let now = ran.map(|ran| races(&ran.findings)).unwrap_or_default();
                let is_gone = races(std::slice::from_ref(&finding)).is_disjoint(&now);
                prop_assert!(is_gone && now.is_subset(&before), "{program:?}\n{suggestion:?} does not help: {now:?}");
            }
        }
    }

    /// With it, the program comes to its end whoever takes a lock first.
    #[test]
    fn what_is_verified_ends_in_every_order(program in locking(), seed in any::<u64>()) {
        prop_assume!(State::always_ends(&program));
        let ran = run(&program, seed).expect("it ends in every order");
        for finding in proved(&ran) {
            for suggestion in all(&finding).filter(|one| one.proof == Some(Proof::Verified)) {
                let Some(changed) = repaired(&program, suggestion) else { continue };
                prop_assert!(
                    changed.iter().any(State::always_ends),
                    "{program:?}\n{suggestion:?} does not end in some order"
                );
                for changed in placed(&program, suggestion) {
                    let ends = State::always_ends(&changed);
                    prop_assert!(ends, "{suggestion:?} does not end in some order:\n{changed:?}");
                }
            }
        }
    }

    /// Nothing that helps is refused in a beginning of the run; judged further, the same is told as if all had been
    /// judged at once.
    #[test]
    fn a_beginning_refuses_nothing_that_helps(program in program(), seed in any::<u64>(), more in 0_u64..24) {
        let Some(ran) = run(&program, seed) else { return Ok(()) };
        let whole = proved(&ran);
        let of_beginnings = |further| {
            let mut lines = Lines;
            trials(&ran, &mut lines).by_beginnings(more, further).prove(ran.findings.clone())
        };
        for (whole, further) in whole.iter().zip(of_beginnings(true)) {
            // That a barrier has no place which all come to is seen in the whole run only, and something else told.
            if told(whole).is_some_and(|own| own.proof.is_none()) || has_no_place(&further) {
                continue;
            }
            let helps = |finding: &RawFinding| told(finding).is_some_and(|own| own.proof == Some(Proof::Verified));
            prop_assert_eq!(helps(whole), helps(&further), "{:?}\n{:?}", whole, further);
            if helps(whole) {
                prop_assert_eq!(told(whole), told(&further));
            }
        }
        for (whole, part) in whole.iter().zip(of_beginnings(false)) {
            if whole.suggestion.as_ref().is_some_and(|own| own.proof == Some(Proof::Verified)) {
                let own = part.suggestion.as_ref();
                prop_assert!(own.and_then(|own| own.proof).is_some_and(Proof::helps), "{:?}\n{:?}", whole, part);
            }
        }
    }

    /// Without a change, a trial finds what the run found.
    #[test]
    fn order_does_not_depend_on_the_schedule(program in program(), seeds in any::<[u64; 2]>()) {
        let both = seeds.map(|seed| run(&program, seed).map(|ran| races(&ran.findings)));
        prop_assert_eq!(&both[0], &both[1]);
    }
}

/// A put, a barrier, a load; the flush is missing.
fn put_and_load(between: &[Statement]) -> Program {
    let mut statements = vec![(Some(0), Statement::Put { target: 1, offset: 0 })];
    statements.extend(between.iter().map(|statement| (None, statement.clone())));
    statements.push((Some(1), Statement::Load { offset: 0 }));
    Program::new(2, 1, statements)
}

fn only(program: &Program) -> RawSuggestion {
    let ran = run(program, 1).expect("it ends");
    let [finding] = &proved(&ran)[..] else {
        panic!("{:?}", ran.findings)
    };
    finding.suggestion.clone().expect("advice")
}

/// A change that serves several findings was judged for one of them, and in a beginning of the run for the others.
#[test]
fn what_is_shared_is_judged_to_the_end() {
    let put = |target| Statement::Put { target, offset: 0 };
    let flush = || Statement::FlushOne {
        target: 1,
        local: false,
    };
    let statements = vec![
        (None, put(2)),
        (None, flush()),
        (Some(0), put(0)),
        (None, flush()),
        (Some(1), put(2)),
    ];
    let ran = run(&Program::new(3, 2, statements), 0).expect("it ends");
    let mut lines = Lines;
    let told = trials(&ran, &mut lines)
        .by_beginnings(0, true)
        .prove(ran.findings.clone());
    for (whole, told) in proved(&ran).iter().zip(&told) {
        let proof = |finding: &RawFinding| finding.suggestion.as_ref().and_then(|own| own.proof);
        assert_eq!(proof(whole), proof(told), "{told:?}");
    }
}

#[test]
fn a_flush_before_a_barrier() {
    let suggestion = only(&put_and_load(&[Statement::Barrier]));
    assert_eq!(suggestion.proof, Some(Proof::Verified));
    assert!(matches!(suggestion.code[..], [Code::Flush { local: false, .. }]));
}

/// Whether a notification that is there is awaited, or one tells the target before a call of its own.
fn is_heard(suggestion: &RawSuggestion) -> bool {
    let tells = |note: &Note| matches!(note, Note::SeenBeforeCall(_));
    matches!(suggestion.code[..], [Code::Await(_)]) || suggestion.notes.iter().any(tells)
}

fn of_gaspi(ranks: u32, statements: Vec<(Option<u32>, Statement)>) -> Program {
    Program {
        interface: Interface::Gaspi,
        ..Program::new(ranks, 1, statements)
    }
}

/// A wait for what comes with nothing is one for what comes with the data, which costs nothing.
#[test]
fn a_wait_that_brings_nothing() {
    let statements = |first: Option<(Option<u32>, Statement)>| {
        let rest = [
            (Some(0), Statement::Notify { target: 1, number: 3 }),
            (Some(0), Statement::Put { target: 1, offset: 0 }),
            (Some(0), Statement::Notify { target: 1, number: 7 }),
            (Some(1), Statement::See { number: 3 }),
            (Some(1), Statement::Load { offset: 0 }),
            (Some(0), Statement::Flush { local: true }),
        ];
        first.into_iter().chain(rest).collect()
    };
    let suggestion = only(&of_gaspi(2, statements(None)));
    assert_eq!(
        (suggestion.action, suggestion.proof, suggestion.cost),
        (Action::Replace, Some(Proof::Verified), Some(0))
    );
    assert!(matches!(suggestion.code[..], [Code::Await(flag)] if flag.number == 7));
    assert_eq!(suggestion.at.expect("a wait").site.stack.0, 400);
    // Where data come with it, it stays what it is for.
    let put = (Some(0), Statement::Put { target: 1, offset: 4 });
    let ran = run(&of_gaspi(2, statements(Some(put))), 1).expect("it ends");
    let found = proved(&ran);
    let is_replaced = |one: &RawSuggestion| one.action == Action::Replace;
    assert!(
        !found.is_empty() && !found.iter().flat_map(all).any(is_replaced),
        "{found:?}"
    );
}

/// What tells of a put by what it leaves comes after what completes the put.
#[test]
fn an_atomic_operation_is_moved_after_a_flush() {
    let statements = vec![
        (Some(0), Statement::Set { target: 1, word: 0 }),
        (Some(0), Statement::Put { target: 1, offset: 0 }),
        (Some(0), Statement::Flush { local: false }),
        (Some(1), Statement::Until { word: 0 }),
        (Some(1), Statement::Load { offset: 0 }),
    ];
    let program = Program {
        interface: Interface::Shmem,
        ..Program::new(2, 1, statements)
    };
    assert_eq!(of_moved(&program, 100), (300, true));
}

/// What others wait for before they go on is not moved after what waits for them.
#[test]
fn an_atomic_operation_that_is_needed_is_not_moved() {
    let part = |from, to, word| {
        [
            (Some(from), Statement::Set { target: to, word }),
            (
                Some(from),
                Statement::Put {
                    target: to,
                    offset: 0,
                },
            ),
            (Some(from), Statement::Flush { local: false }),
            (Some(to), Statement::Until { word }),
            (Some(to), Statement::Load { offset: 0 }),
        ]
    };
    let parts = [part(0, 2, 1), part(2, 0, 2), part(2, 0, 3)];
    let program = Program {
        interface: Interface::Shmem,
        ..Program::new(3, 1, parts.concat())
    };
    let ran = run(&program, 1).expect("it ends");
    for finding in proved(&ran) {
        let moves =
            all(&finding).filter(|one| one.action == Action::Move && one.proof == Some(Proof::Verified));
        for one in moves {
            let changed = repaired(&program, one).expect("a change of the text");
            assert!(run(&changed[0], 1).is_some(), "{one:?} does not end");
        }
    }
}

/// A notification comes after the write that it tells of.
#[test]
fn a_notification_is_moved_after_a_write() {
    let program = of_gaspi(
        2,
        vec![
            (Some(0), Statement::Notify { target: 1, number: 7 }),
            (Some(0), Statement::Put { target: 1, offset: 0 }),
            (Some(1), Statement::See { number: 7 }),
            (Some(1), Statement::Load { offset: 0 }),
            (Some(0), Statement::Flush { local: true }),
        ],
    );
    assert_eq!(of_moved(&program, 100), (200, true));
}

/// What is read was written to be read: a message that comes too early is sent after the write.
#[test]
fn a_read_comes_after_a_write() {
    let program = Program::new(
        2,
        1,
        vec![
            (Some(1), Statement::Send { to: 0 }),
            (Some(1), Statement::Store { offset: 0 }),
            (Some(0), Statement::Receive { from: 1 }),
            (Some(0), Statement::Get { target: 1, offset: 0 }),
            (Some(0), Statement::Flush { local: false }),
        ],
    );
    assert_eq!(of_moved(&program, 100), (200, true));
}

/// Where the statement of a line is moved to, and whether it stands after that.
fn of_moved(program: &Program, line: u64) -> (u64, bool) {
    let ran = run(program, 1).expect("it ends");
    let found = proved(&ran);
    let [finding] = &found[..] else {
        panic!("{:?}", ran.findings)
    };
    let is_it = |one: &&RawSuggestion| {
        one.action == Action::Move && one.at.as_ref().is_some_and(|at| at.site.stack.0 == line)
    };
    let suggestion = all(finding).find(is_it);
    let (_, to, after) = moved(suggestion.unwrap_or_else(|| panic!("{finding:?}")));
    (to, after)
}

/// A notification that nobody awaits is awaited, which costs less than another one.
#[test]
fn a_notification_that_nobody_awaits() {
    let statements = vec![
        (Some(0), Statement::Put { target: 1, offset: 0 }),
        (Some(0), Statement::Notify { target: 1, number: 7 }),
        (Some(1), Statement::Load { offset: 0 }),
        (Some(0), Statement::Flush { local: true }),
    ];
    let suggestion = only(&of_gaspi(2, statements));
    assert_eq!(suggestion.proof, Some(Proof::Verified));
    assert!(
        matches!(suggestion.code[..], [Code::Await(flag)] if flag.number == 7),
        "{suggestion:?}"
    );
}

/// A notification that its process sees and leaves there is lost by the next one, unless it is set back; where nobody
/// has seen it by then, the next one has another number, and is awaited besides.
#[test]
fn a_notification_that_is_seen_is_set_back() {
    let notify = (Some(0), Statement::Notify { target: 1, number: 7 });
    let find = (Some(1), Statement::Find { number: 7 });
    let barrier = || (None, Statement::Barrier);
    let end = (Some(0), Statement::Flush { local: true });
    let program = of_gaspi(
        2,
        vec![
            notify.clone(),
            find.clone(),
            barrier(),
            notify.clone(),
            find.clone(),
            end.clone(),
        ],
    );
    let suggestion = only(&program);
    assert_eq!(suggestion.proof, Some(Proof::Verified), "{suggestion:?}");
    assert_eq!(suggestion.code, [Code::SetBack]);
    assert_eq!(suggestion.after.as_ref().map(|wait| wait.site.stack.0), Some(200));
    let changed = repaired(&program, &suggestion).expect("a change of the text");
    assert!(run(&changed[0], 2).expect("it ends").findings.is_empty());
    let see = (Some(1), Statement::See { number: 7 });
    for wait in [find, see] {
        let twice = vec![
            notify.clone(),
            barrier(),
            notify.clone(),
            wait.clone(),
            end.clone(),
        ];
        let unseen = of_gaspi(2, twice);
        let suggestion = only(&unseen);
        assert_eq!(suggestion.proof, Some(Proof::Verified), "{suggestion:?}");
        let flag = suggestion.awaited_besides().expect("another number");
        assert!(flag.number != 7 && flag.number <= 65_535, "{flag:?}");
        let changed = repaired(&unseen, &suggestion).expect("a change of the text");
        for schedule in 0..4 {
            assert!(run(&changed[0], schedule).expect("it ends").findings.is_empty());
        }
        // Nobody waits, so that nothing tells where to wait for both.
        let nobody = of_gaspi(2, vec![notify.clone(), barrier(), notify.clone(), end.clone()]);
        assert!(only(&nobody).proof.is_none_or(|proof| !proof.helps()));
    }
}

/// A write that a barrier of all does not complete is told to its target before that barrier: no other one is needed.
#[test]
fn a_target_that_tells_by_a_barrier_that_is_there() {
    let statements = vec![
        (Some(0), Statement::Put { target: 1, offset: 0 }),
        (Some(0), Statement::Flush { local: true }),
        (None, Statement::Barrier),
        (Some(2), Statement::Put { target: 1, offset: 0 }),
        (Some(2), Statement::Flush { local: true }),
    ];
    let suggestion = only(&of_gaspi(3, statements));
    assert_eq!(suggestion.proof, Some(Proof::Verified));
    assert_eq!(suggestion.code, [Code::Notify(Rank(1))]);
    assert_eq!(suggestion.notes, [Note::SeenBeforeCall(Rank(1))]);
}

/// A flush of another target is given the right one, which costs nothing.
#[test]
fn a_flush_of_another_target() {
    let flush = Statement::FlushOne {
        target: 0,
        local: false,
    };
    let suggestion = only(&put_and_load(&[flush, Statement::Barrier]));
    assert_eq!(suggestion.proof, Some(Proof::Verified));
    assert_eq!(suggestion.code, [Code::Argument(Argument::Target(Rank(1)))]);
}

/// A barrier under a lock is told where the others take the lock after it, and not where one has to take it before: it
/// may come second.
#[test]
fn a_barrier_under_a_lock() {
    let of = [
        (Interface::Mpi, 0),
        (Interface::Mpi, 1),
        (Interface::Shmem, 0),
        (Interface::Gaspi, 0),
    ];
    for (interface, lock) in of {
        let local = interface == Interface::Gaspi;
        let taken = [Statement::Lock { lock }, Statement::Unlock { lock }].map(|one| (Some(1), one));
        let held = [
            (Some(0), Statement::Lock { lock }),
            (Some(0), Statement::Get { target: 1, offset: 0 }),
            (Some(0), Statement::Flush { local }),
            (Some(1), Statement::Store { offset: 0 }),
            (Some(0), Statement::Unlock { lock }),
        ];
        let has_barrier = |statements: Vec<(Option<u32>, Statement)>| {
            let program = Program {
                interface,
                ..Program::new(2, 1, statements)
            };
            assert!(State::always_ends(&program));
            let found = proved(&run(&program, 1).expect("it ends"));
            let is_barrier = |one: &RawSuggestion| {
                let meets = [Code::Barrier, Code::Meet]
                    .iter()
                    .any(|code| one.code.contains(code));
                meets && one.proof == Some(Proof::Verified)
            };
            assert!(!found.is_empty());
            found.iter().flat_map(all).any(is_barrier)
        };
        assert!(
            !has_barrier([&taken[..], &held].concat()),
            "{interface:?}, lock {lock}: taken before"
        );
        assert!(
            has_barrier([&held[..], &taken].concat()),
            "{interface:?}, lock {lock}: taken after"
        );
    }
}

#[test]
fn both_where_both_are_missing() {
    let suggestion = only(&put_and_load(&[]));
    assert_eq!(suggestion.proof, Some(Proof::Verified));
    assert!(matches!(
        suggestion.code[..],
        [Code::Flush { local: false, .. }, Code::Barrier]
    ));
}

/// Rank 1 loads before it sends what rank 0 waits for: no barrier between the two accesses can be passed by both, if
/// the put comes first.
#[test]
fn a_barrier_that_nobody_can_pass_is_none() {
    let program = Program::new(
        2,
        1,
        vec![
            (Some(1), Statement::Load { offset: 0 }),
            (Some(1), Statement::Send { to: 0 }),
            (Some(0), Statement::Receive { from: 1 }),
            (Some(0), Statement::Put { target: 1, offset: 4 }),
            (Some(1), Statement::Load { offset: 4 }),
        ],
    );
    let suggestion = only(&program);
    assert_eq!(suggestion.proof, Some(Proof::Verified), "{suggestion:?}");
}

/// The places between two accesses at which a barrier helps are told: not those before the flush that it relies on.
#[test]
fn each_place_that_helps_is_told() {
    let program = put_and_load(&[
        Statement::Use { store: false },
        Statement::Flush { local: false },
        Statement::Use { store: false },
    ]);
    let suggestion = only(&program);
    let lines = |stretch: &Stretch| {
        let line = |place: &Option<Place>| place.as_ref().map(|place| place.line);
        (line(&stretch.after), line(&stretch.before))
    };
    let [stretches] = &suggestion.stands[..] else {
        panic!("{suggestion:?}")
    };
    let told: BTreeSet<_> = stretches.iter().map(lines).collect();
    assert_eq!(
        told,
        BTreeSet::from([(Some(300), Some(400)), (Some(400), Some(500))])
    );
}

/// What leads round is passed once a round by all.
#[test]
fn a_barrier_at_the_end_of_each_round() {
    let program = Program::new(
        2,
        3,
        vec![
            (Some(0), Statement::Put { target: 1, offset: 0 }),
            (None, Statement::Flush { local: false }),
            (None, Statement::Barrier),
            (Some(1), Statement::Load { offset: 0 }),
        ],
    );
    let suggestion = only(&program);
    assert_eq!(suggestion.proof, Some(Proof::Verified), "{suggestion:?}");
}

/// What helps in the beginning of a run is said of that part alone.
#[test]
fn a_part_of_a_run_is_told_as_a_part() {
    let program = Program::new(
        2,
        50,
        vec![
            (Some(0), Statement::Put { target: 1, offset: 0 }),
            (None, Statement::Flush { local: false }),
            (None, Statement::Barrier),
            (Some(1), Statement::Load { offset: 0 }),
        ],
    );
    let ran = run(&program, 1).expect("it ends");
    let mut lines = Lines;
    let found = trials(&ran, &mut lines)
        .by_beginnings(20, false)
        .prove(ran.findings.clone());
    assert!(!found.is_empty());
    for finding in found {
        let suggestion = finding.suggestion.expect("advice");
        assert_eq!(suggestion.proof, Some(Proof::InPart), "{suggestion:?}");
        assert!(
            suggestion
                .judged
                .is_some_and(|percent| (1..20).contains(&percent)),
            "{suggestion:?}"
        );
    }
}

/// The place that a moved call goes to, and whether it stands after it.
fn moved(suggestion: &RawSuggestion) -> (u64, u64, bool) {
    assert_eq!(
        (suggestion.action, suggestion.proof),
        (Action::Move, Some(Proof::Verified))
    );
    assert_eq!(suggestion.cost, Some(0));
    let [stretches] = &suggestion.stands[..] else {
        panic!("{suggestion:?}")
    };
    let (place, after) = stretches[0].beside().expect("a place");
    let at = suggestion.at.as_ref().expect("a call").site.stack.0;
    (at, u64::from(place.line), after)
}

/// The message comes after the load that relies on it.
fn load_before_its_message() -> Program {
    Program::new(
        2,
        2,
        vec![
            (Some(0), Statement::Put { target: 1, offset: 0 }),
            (Some(0), Statement::Flush { local: false }),
            (Some(0), Statement::Send { to: 1 }),
            (Some(1), Statement::Load { offset: 0 }),
            (Some(1), Statement::Receive { from: 0 }),
            (None, Statement::Barrier),
        ],
    )
}

#[test]
fn a_receive_is_moved_before_a_load() {
    let suggestion = only(&load_before_its_message());
    assert_eq!(moved(&suggestion), (500, 400, false));
}

/// What a call is given is loaded in its line, right before it.
#[test]
fn a_call_is_moved_past_what_it_is_given() {
    let mut program = load_before_its_message();
    let given = Line {
        statement: Statement::Use { store: false },
        ..program.lines[4].clone()
    };
    program.lines.insert(4, given);
    assert_eq!(moved(&only(&program)), (500, 400, false));
}

/// What all ranks make is moved on all, and over what the others do there.
#[test]
fn a_barrier_is_moved_after_what_it_is_for() {
    let suggestion = only(&Program::new(
        2,
        1,
        vec![
            (None, Statement::Barrier),
            (Some(0), Statement::Put { target: 1, offset: 0 }),
            (Some(0), Statement::Flush { local: false }),
            (Some(1), Statement::Load { offset: 0 }),
        ],
    ));
    assert_eq!(moved(&suggestion), (100, 300, true));
}

/// The load may come after the message just as well.
#[test]
fn a_load_is_moved_after_a_receive() {
    let suggestion = only(&load_before_its_message());
    let of_load = suggestion
        .others
        .iter()
        .find(|other| other.code == [Code::Access]);
    assert_eq!(moved(of_load.expect("told besides")), (400, 500, true));
}

/// A barrier that other accesses need is not moved away from them.
#[test]
fn what_is_needed_where_it_is_stays_there() {
    let suggestion = only(&Program::new(
        2,
        1,
        vec![
            (Some(1), Statement::Store { offset: 0 }),
            (None, Statement::Barrier),
            (Some(0), Statement::Put { target: 1, offset: 0 }),
            (Some(0), Statement::Flush { local: false }),
            (Some(1), Statement::Load { offset: 0 }),
            (Some(0), Statement::Get { target: 1, offset: 4 }),
            (Some(0), Statement::Flush { local: false }),
        ],
    ));
    let is_moved = |one: &RawSuggestion| {
        one.action == Action::Move && one.at.as_ref().is_some_and(|at| at.site.stack.0 == 200)
    };
    assert!(
        !std::iter::once(&suggestion)
            .chain(&suggestion.others)
            .any(is_moved),
        "{suggestion:?}"
    );
}

/// A store after a put, in so many rounds, each with a flush at its end or without.
fn put_and_store(rounds: u32, is_flushed: bool) -> Ran {
    let mut statements = vec![
        (Some(0), Statement::Put { target: 1, offset: 0 }),
        (Some(0), Statement::Use { store: true }),
    ];
    statements.extend(is_flushed.then_some((Some(0), Statement::Flush { local: true })));
    run(&Program::new(2, rounds, statements), 1).expect("it ends")
}

#[test]
fn a_put_sends_a_copy() {
    for (rounds, is_flushed) in [(1, false), (1, true), (3, true)] {
        let copies = copies(&put_and_store(rounds, is_flushed));
        assert!(
            matches!(copies[0].1.code[..], [Code::SecondBuffer(4)]),
            "{copies:?}"
        );
    }
}

/// One buffer is not enough where the next round comes before the put is complete.
#[test]
fn the_copy_of_the_next_round_may_come_too_early() {
    assert!(copies(&put_and_store(2, false)).is_empty());
}

/// What a get brings is not copied: whoever uses the buffer afterwards would not have it.
#[test]
fn a_result_is_not_copied() {
    let get = (Some(0), Statement::Get { target: 1, offset: 0 });
    let store = (Some(0), Statement::Use { store: true });
    let ran = run(&Program::new(2, 1, vec![get, store]), 1).expect("it ends");
    assert!(!ran.findings.is_empty() && copies(&ran).is_empty());
}

/// What is read is what the round before has brought: the answer that lets the next one come has to wait for that.
#[test]
fn an_answer_that_comes_too_early() {
    let program = |rounds: u32| Program {
        interface: Interface::Gaspi,
        ..Program::new(
            2,
            rounds,
            vec![
                (Some(0), Statement::Put { target: 1, offset: 0 }),
                (Some(0), Statement::Notify { target: 1, number: 1 }),
                (Some(1), Statement::See { number: 1 }),
                (Some(1), Statement::Notify { target: 0, number: 2 }),
                (Some(1), Statement::Load { offset: 0 }),
                (Some(0), Statement::See { number: 2 }),
            ],
        )
    };
    let answer = program(2).lines[3].number;
    let is_moved = |one: &RawSuggestion| {
        let line = one.at.as_ref().map(|spot| spot.site.stack.0);
        one.action == Action::Move && one.proof == Some(Proof::Verified) && line == Some(answer)
    };
    let mut met = 0;
    for seed in 1..20 {
        assert_eq!(run(&program(1), seed).expect("it ends").findings.len(), 0);
        let found = proved(&run(&program(3), seed).expect("it ends"));
        for finding in found.iter().filter(|finding| !finding.parties[0].only_reads()) {
            met += 1;
            assert!(all(finding).any(is_moved), "{finding:?}");
        }
    }
    assert!(met > 0);
}
