//! What advice is worth: random programs of several rounds lose one synchronisation, and get back what the advice on
//! each race says. Then that race must be gone, in every interleaving tried and wherever the words leave a choice of
//! places,
//! and nothing new may have come.
//!
//! Loads and stores of a producer and a consumer, puts in turns, double buffers, two phases and more, locks, fences,
//! requests,
//! shared windows, epochs of post and start are all among them. Where messages make the order, a message stands for
//! the barrier, as the advice says.

mod generate;
mod program;
mod repair;
mod run;

use farside_findings::{Finding, Rule};
use generate::{FORMS, Form};
use program::{Around, Cell, Program, What};
use repair::repaired;
use run::{Choices, run};
use std::collections::BTreeSet;

/// Rule, and of a race both accesses: operation, line, rank.
type Key = (String, Vec<(String, u32, u32)>);

/// Interleavings of the program that lacks something, and of one that is repaired.
const SEEN: u64 = 8;
const TRIED: u64 = 3;

fn key(finding: &Finding) -> Key {
    let party = |party: &farside_findings::Party| {
        let line = party.place().map_or(0, |place| place.line);
        (party.operation.clone(), line, party.rank)
    };
    let parties = finding.parties.iter().filter(|_| is_race(finding));
    let mut parties: Vec<_> = parties.map(party).collect();
    parties.sort();
    (finding.rule.id().to_owned(), parties)
}

fn is_race(finding: &Finding) -> bool {
    finding.missing.is_some() && finding.rule != Rule::Polling
}

/// Whether the advice on a race repairs it.
fn repairs(broken: &Program, finding: &Finding, known: &BTreeSet<Key>, messages: bool) -> Result<(), String> {
    let own = key(finding);
    for (number, program) in repaired(broken, finding, messages)?.iter().enumerate() {
        for seed in 0..TRIED {
            let found = run(program, seed).map_err(|why| format!("place {number}: {why}"))?;
            let keys: BTreeSet<Key> = found.iter().map(key).collect();
            if keys.contains(&own) {
                return Err(format!("place {number}: it is still there"));
            }
            if let Some(new) = keys.difference(known).next() {
                return Err(format!("place {number}: new: {new:?}"));
            }
        }
    }
    Ok(())
}

/// Races met, and those among them whose advice repairs; the others in words.
#[derive(Default)]
struct Score {
    races: u64,
    repaired: u64,
    wrong: Vec<String>,
}

fn judge(form: Form, seed: u64, score: &mut Score) {
    let mut choices = Choices::new(seed + 1);
    let Some((correct, broken)) = generate::program(form, &mut choices) else {
        return;
    };
    let messages = matches!(form, Form::Producer | Form::PingPong);
    for seed in 0..SEEN {
        let found = run(&correct, seed).expect("a correct program ends");
        assert!(found.is_empty(), "{form:?} {seed}: {found:#?}\n{correct:#?}");
    }
    let runs: Vec<Vec<Finding>> = (0..SEEN).filter_map(|seed| run(&broken, seed).ok()).collect();
    let known: BTreeSet<Key> = runs.iter().flatten().map(key).collect();
    for finding in runs.iter().flatten().filter(|finding| is_race(finding)) {
        score.races += 1;
        match repairs(&broken, finding, &known, messages) {
            Ok(()) => score.repaired += 1,
            Err(why) => score.wrong.push(format!(
                "{form:?}, seed {seed}: {why}\n{}\n{:?}\n{:#?}",
                finding.message,
                finding.suggestion,
                broken
                    .body
                    .iter()
                    .map(|line| format!("{}: {:?}", line.number, line.what))
                    .collect::<Vec<_>>()
            )),
        }
    }
}

/// As many as `PROPTEST_CASES` says, else enough for every day.
fn cases() -> u64 {
    farside_built::cases(10).into()
}

#[test]
fn advice_repairs_what_was_taken_out() {
    let mut wrong = Vec::new();
    for form in FORMS {
        let mut score = Score::default();
        (0..cases()).for_each(|seed| judge(form, seed, &mut score));
        println!("{form:?}: {} of {} repaired", score.repaired, score.races);
        assert!(
            score.races >= cases() / 2,
            "{form:?}: too few races to say anything"
        );
        // The first of each form, for the reader.
        wrong.extend(score.wrong.into_iter().take(2));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What is said of the one race of a program in whatever order it is executed: both accesses, and the advice.
fn said(ranks: u32, around: Around, body: &[What]) -> Vec<String> {
    let program = Program::new(ranks, 3, around, body);
    let sentence = |finding: &Finding| {
        let [first, second] = [0, 1].map(|index| {
            let party = &finding.parties[index];
            format!(
                "{} {}",
                party.operation,
                party.place().map_or(0, |place| place.line)
            )
        });
        let suggestion = finding.suggestion.clone().unwrap_or_default();
        let (old, call) = (suggestion.instead_of.unwrap_or_default(), suggestion.call);
        format!(
            "{first}, {second}: {:?} {old} {call} {}",
            suggestion.action, suggestion.position
        )
    };
    let runs = (0..20).flat_map(|seed| run(&program, seed).expect("it ends"));
    let all: BTreeSet<String> = runs.map(|finding| sentence(&finding)).collect();
    all.into_iter().collect()
}

const CELL: Cell = Cell {
    owner: 1,
    number: 0,
    turns: 1,
};
const PUT: What = What::Put {
    rank: 0,
    to: CELL,
    request: false,
};
const LOAD: What = What::Load { rank: 1, cell: CELL };
const FLUSH: What = What::Flush {
    rank: 0,
    target: 1,
    local: false,
};
const FLUSH_LOCAL: What = What::Flush {
    rank: 0,
    target: 1,
    local: true,
};
const FENCE: What = What::Fence { noprecede: false };

#[test]
fn a_load_after_the_barrier_comes_before_the_next_put() {
    // The put of line 10, the flush of 20 and the barrier of 30 are there; whichever of load and next put comes first
    // in time.
    assert_eq!(
        said(2, Around::LockAll, &[PUT, FLUSH, What::Barrier, LOAD]),
        [
            "LOAD 40, MPI_Put 10: Insert  MPI_Barrier(comm) after text:40 and before text:10 of the next round, on all \
             ranks, \
          or a message from rank 1 to rank 0"
        ]
    );
}

#[test]
fn a_put_comes_before_the_load_below_it() {
    assert_eq!(
        said(2, Around::Fence, &[PUT, LOAD, FENCE]),
        [
            "MPI_Put 10, LOAD 20: Insert  MPI_Win_fence(0, win) after text:10 and before text:20, on all ranks of the \
             window"
        ]
    );
    // With the flush there, only the barrier is missing.
    assert_eq!(
        said(2, Around::LockAll, &[PUT, FLUSH, LOAD, What::Barrier]),
        [
            "MPI_Put 10, LOAD 30: Insert  MPI_Barrier(comm) after text:20 and before text:30, on all ranks, \
          or a message from rank 0 to rank 1"
        ]
    );
    // And a flush that comes after the load is not in time.
    assert_eq!(
        said(2, Around::LockAll, &[PUT, LOAD, FLUSH, What::Barrier]),
        [
            "MPI_Put 10, LOAD 20: Insert  MPI_Win_flush(1, win); MPI_Barrier(comm) after text:10 and before text:20, \
          on rank 0, the barrier on all ranks, or in its place a message from rank 0 to rank 1"
        ]
    );
}

#[test]
fn what_is_there_too_late_or_too_weak_is_moved_or_replaced() {
    let last = What::Barrier;
    assert_eq!(
        said(2, Around::LockAll, &[PUT, What::Barrier, FLUSH, LOAD, last]),
        [
            "MPI_Put 10, LOAD 40: Move  MPI_Win_flush(1, win) from text:30 to after text:10 and before text:20, on \
             rank 0"
        ]
    );
    assert_eq!(
        said(2, Around::LockAll, &[PUT, FLUSH_LOCAL, What::Barrier, LOAD, last])[0],
        "MPI_Put 10, LOAD 40: Replace MPI_Win_flush_local(1, win) MPI_Win_flush(1, win) \
         in the MPI_Win_flush_local at text:20, on rank 0"
    );
    assert_eq!(
        said(2, Around::LockAll, &[PUT, What::Barrier, LOAD, last])[0],
        "MPI_Put 10, LOAD 30: Insert  MPI_Win_flush(1, win) after text:10 and before text:20, on rank 0"
    );
    let (post, start) = (What::Post { rank: 1, to: 0 }, What::Start { rank: 0, to: 1 });
    let (complete, wait) = (What::Complete { rank: 0 }, What::Wait { rank: 1 });
    assert_eq!(
        said(2, Around::Nothing, &[post, start, PUT, complete, LOAD, wait]),
        ["MPI_Put 30, LOAD 50: Move  MPI_Win_wait(win) from text:60 to before text:50, on rank 1"]
    );
}

#[test]
fn a_fence_that_need_not_order_is_told_to() {
    let weak = What::Fence { noprecede: true };
    let other = What::Store {
        rank: 0,
        cell: Cell { owner: 0, ..CELL },
    };
    let get = What::Get {
        rank: 1,
        from: Cell { owner: 0, ..CELL },
    };
    let said = said(2, Around::Fence, &[get, weak, other, FENCE]);
    let replaces =
        |sentence: &String| sentence.contains("Replace MPI_MODE_NOPRECEDE 0 in the MPI_Win_fence at text:20");
    assert!(!said.is_empty() && said.iter().all(replaces), "{said:#?}");
}
