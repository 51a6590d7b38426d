//! What advice is worth: random programs of several rounds lose one synchronisation, and get back what the advice on
//! each race says. Then that race must be gone, in every interleaving tried and wherever the words leave a choice of places,
//! and nothing new may have come.
//!
//! Loads and stores of a producer and a consumer, puts in turns, double buffers, two phases and more, locks, fences, requests,
//! shared windows, epochs of post and start are all among them. Where messages make the order, a message stands for
//! the barrier, as the advice says.

mod generate;
mod program;
mod repair;
mod run;
#[path = "../script/mod.rs"]
mod script;

use farside_findings::{Finding, Rule};
use generate::{FORMS, Form};
use program::Program;
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
                broken.body.iter().map(|line| format!("{}: {:?}", line.number, line.what)).collect::<Vec<_>>()
            )),
        }
    }
}

/// As many as `PROPTEST_CASES` says, else enough for every day.
fn cases() -> u64 {
    let given = std::env::var("PROPTEST_CASES").ok();
    given.and_then(|cases| cases.parse().ok()).unwrap_or(40)
}

#[test]
fn advice_repairs_what_was_taken_out() {
    let mut wrong = Vec::new();
    for form in FORMS {
        let mut score = Score::default();
        (0..cases()).for_each(|seed| judge(form, seed, &mut score));
        println!("{form:?}: {} of {} repaired", score.repaired, score.races);
        assert!(score.races >= cases() / 2, "{form:?}: too few races to say anything");
        // The first of each form, for the reader.
        wrong.extend(score.wrong.into_iter().take(2));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
