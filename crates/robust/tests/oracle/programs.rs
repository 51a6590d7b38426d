//! The two engines agree on random programs.

use crate::compare::{Budget, Compared, Outcome, WAYS, compare, ways};
use crate::generate::{Drawn, generate};
use crate::shrink::shrink;
use crate::text::text;
use farside_pgas::calculus::{Command, Polls, Program};
use farside_pgas::diagnostic::Diagnostic;
use farside_pgas::lower::{Settings, lower};
use farside_pgas::parser::parse;
use farside_robust::{Options, Procedure, Verdict, decide};
use std::sync::atomic::{AtomicU64, Ordering};

const BUDGET: Budget = Budget {
    direct: 300_000,
    delay: 1_000_000,
    four_parts: 4_000,
};

/// What came of many comparisons.
#[derive(Debug, Default)]
struct Counts {
    /// By [`kind`].
    outcomes: [u64; 6],
    /// Of each way to search.
    finished: [u64; WAYS],
    shortest: [u64; WAYS],
    faults: Vec<String>,
}

impl Counts {
    fn count(&mut self, compared: Compared) {
        self.outcomes[kind(compared.outcome)] += 1;
        for way in 0..WAYS {
            self.finished[way] += u64::from(compared.finished[way]);
            self.shortest[way] += u64::from(compared.shortest[way]);
        }
    }

    fn add(&mut self, other: Self) {
        let sum =
            |one: &mut [u64], other: &[u64]| one.iter_mut().zip(other).for_each(|(one, other)| *one += other);
        sum(&mut self.outcomes, &other.outcomes);
        sum(&mut self.finished, &other.finished);
        sum(&mut self.shortest, &other.shortest);
        self.faults.extend(other.faults);
    }
}

fn kind(outcome: Outcome) -> usize {
    match outcome {
        Outcome::Robust => 0,
        Outcome::RobustUpToBound => 1,
        Outcome::NotRobust => 2,
        Outcome::BeyondBound => 3,
        Outcome::Unfinished => 4,
        Outcome::OutsideDomain => 5,
    }
}

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
        let mut counts = Counts::default();
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= wanted || counts.faults.len() > 4 {
                return counts;
            }
            let drawn = generate(seed);
            match compare(&drawn, BUDGET) {
                Ok(compared) => counts.count(compared),
                Err(_) => counts.faults.push(disagreement(seed, drawn)),
            }
        }
    };
    let mut counts = Counts::default();
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..2).map(|_| scope.spawn(work)).collect();
        for thread in threads {
            counts.add(thread.join().expect("a comparison ends"));
        }
    });
    assert!(counts.faults.is_empty(), "{}", counts.faults.join("\n\n"));
    let [robust, up_to_bound, not_robust, beyond_bound, unfinished, outside] = counts.outcomes;
    println!(
        "{wanted} programs: {robust} robust, {up_to_bound} robust up to the bound, {not_robust} not robust, \
         {beyond_bound} not robust beyond the bound, {unfinished} too large for the direct explorer, {outside} that \
         leave their domain"
    );
    for (way, (name, options)) in ways().into_iter().enumerate() {
        let (finished, shortest) = (counts.finished[way], counts.shortest[way]);
        println!("    {name}: {finished} decided, {shortest} of {not_robust} by a shortest computation");
        // The four parts grow fast; what has one delayed event must end on programs this small.
        let least = match options.procedure {
            Procedure::Delay => wanted - unfinished,
            Procedure::FourParts => wanted / 3,
        };
        assert!(finished >= least, "{name}: {counts:?}");
    }
    // Programs that are all of one kind would compare nothing.
    assert!((robust + up_to_bound) * 5 > wanted, "{counts:?}");
    assert!(not_robust * 5 > wanted, "{counts:?}");
    assert!(unfinished * 20 < wanted, "{counts:?}");
    assert!(outside * 30 > wanted && outside * 3 < wanted, "{counts:?}");
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

fn verdict(program: &Program) -> &'static str {
    match decide(program, &Options::default(), &mut || false).verdict {
        Verdict::Robust => "robust",
        Verdict::NotRobust(_) => "not robust",
        Verdict::OutsideDomain(_) => "outside of the domain",
        Verdict::Inconclusive(_) => "inconclusive",
    }
}

/// The program of a text; none if `me` is more than the domain has, which is said before anything is searched.
fn lowered(text: &str, seed: u64, polls: Polls) -> Option<Program> {
    let tree = parse(text).unwrap_or_else(|errors| panic!("seed {seed}: {errors:?}\n{text}"));
    let settings = Settings {
        polls,
        ..Settings::default()
    };
    lower(&tree, settings)
        .inspect_err(|errors| {
            let outside = |error: &Diagnostic| error.message.contains("is outside of the domain");
            assert!(errors.iter().all(outside), "seed {seed}: {errors:?}\n{text}");
        })
        .ok()
}

fn awaits(program: &Program) -> bool {
    let mut transitions = program.codes.iter().flat_map(|code| &code.transitions);
    transitions.any(|transition| matches!(transition.command, Command::Load { until: Some(_), .. }))
}

#[test]
fn a_program_as_text_has_the_same_verdict() {
    for seed in 0..wanted(400) / 4 {
        let program = generate(seed).program;
        let text = text(&program);
        // The text of a load that waits is a loop, which means the same only where polls are awaited.
        if !awaits(&program)
            && let Some(lowered) = lowered(&text, seed, Polls::Observed)
        {
            assert_eq!(verdict(&program), verdict(&lowered), "seed {seed}\n{text}");
        }
    }
}

/// Each computation in which polls are awaited is one in which they are observed, and none fails.
#[test]
fn what_is_not_robust_with_awaited_polls_is_not_with_observed_ones() {
    let (mut awaited_only, mut both) = (0, 0);
    for seed in 0..wanted(400) {
        let text = text(&generate(seed).program);
        let Some(observed) = lowered(&text, seed, Polls::Observed) else {
            continue;
        };
        let Some(awaited) = lowered(&text, seed, Polls::Awaited).filter(awaits) else {
            continue;
        };
        match (verdict(&awaited), verdict(&observed)) {
            ("robust", "not robust") => awaited_only += 1,
            (one, other) if one == other => both += 1,
            (one, other) => panic!("seed {seed}: {one} if awaited, {other} if observed\n{text}"),
        }
    }
    println!("{awaited_only} programs are robust only if polls are awaited, {both} are the same");
    assert!(awaited_only > 0 && both > 0);
}
