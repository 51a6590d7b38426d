//! The two engines agree on random programs.

use crate::compare::{Budget, Outcome, compare};
use crate::generate::{Drawn, generate};
use crate::shrink::shrink;
use crate::text::text;
use farside_pgas::lower::{Settings, lower};
use farside_pgas::parser::parse;
use farside_robust::{Options, Verdict, decide};
use std::sync::atomic::{AtomicU64, Ordering};

const BUDGET: Budget = Budget {
    direct: 300_000,
    product: 3_000_000,
};

/// How many programs to look at.
fn wanted(usually: u64) -> u64 {
    std::env::var("FARSIDE_RANDOM_PROGRAMS")
        .ok()
        .and_then(|count| count.parse().ok())
        .unwrap_or(usually)
}

#[test]
fn product_and_direct_explorer_agree_on_random_programs() {
    let wanted = wanted(400);
    let next = AtomicU64::new(0);
    let work = || {
        let (mut counts, mut faults) = ([0u64; 6], Vec::new());
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= wanted || faults.len() > 4 {
                return (counts, faults);
            }
            let drawn = generate(seed);
            match compare(&drawn, BUDGET) {
                Ok(outcome) => counts[kind(outcome)] += 1,
                Err(_) => faults.push(disagreement(seed, drawn)),
            }
        }
    };
    let (mut counts, mut faults) = ([0; 6], Vec::new());
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..2).map(|_| scope.spawn(work)).collect();
        for thread in threads {
            let (some, more) = thread.join().expect("a comparison ends");
            counts = std::array::from_fn(|index| counts[index] + some[index]);
            faults.extend(more);
        }
    });
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
    let [robust, up_to_bound, shortest, longer, beyond, unfinished] = counts;
    println!(
        "{wanted} programs: {robust} robust, {up_to_bound} robust up to the bound, {} not robust (by a shortest \
         computation: {shortest}), {beyond} not robust beyond the bound, {unfinished} too large",
        shortest + longer
    );
    // Programs that are all of one kind would compare nothing.
    assert!((robust + up_to_bound) * 5 > wanted, "{counts:?}");
    assert!((shortest + longer) * 5 > wanted, "{counts:?}");
    assert!(unfinished * 20 < wanted, "{counts:?}");
}

fn kind(outcome: Outcome) -> usize {
    match outcome {
        Outcome::Robust => 0,
        Outcome::RobustUpToBound => 1,
        Outcome::NotRobust { shortest: true } => 2,
        Outcome::NotRobust { shortest: false } => 3,
        Outcome::BeyondBound => 4,
        Outcome::Unfinished => 5,
    }
}

/// What is wrong with the program of a seed, said of a smaller one.
fn disagreement(seed: u64, drawn: Drawn) -> String {
    let small = shrink(drawn, &|drawn| compare(drawn, BUDGET).is_err());
    let why = compare(&small, BUDGET).expect_err("the smaller program has the fault");
    format!(
        "seed {seed}, bound {:?}: {why}\n{}",
        small.bound,
        text(&small.program)
    )
}

#[test]
fn a_program_as_text_has_the_same_verdict() {
    for seed in 0..wanted(400) / 4 {
        let program = generate(seed).program;
        let text = text(&program);
        let tree = parse(&text).unwrap_or_else(|errors| panic!("seed {seed}: {errors:?}\n{text}"));
        let lowered = lower(&tree, Settings::default())
            .unwrap_or_else(|errors| panic!("seed {seed}: {errors:?}\n{text}"));
        let robust = |program| {
            matches!(
                decide(program, &Options::default(), &mut || false).verdict,
                Verdict::Robust
            )
        };
        assert_eq!(robust(&program), robust(&lowered), "seed {seed}\n{text}");
    }
}
