//! Locks that were proved in the events of a run, put into the text of the program, which is then run anew, by other
//! schedules: the race must be gone, and nothing new be there.
//!
//! Programs are random: two or three threads of one process, each of which runs one of two texts; what they share are
//! two buffers and the process' own part of a window.

mod lives;
mod meetings;
mod run;

use farside_events::Interface;
use farside_findings::{Proof, Rule};
use farside_race::{Code, Options, RawFinding, RawParty, RawSuggestion};
use farside_trial::Trials;
use farside_trial::Work;
use proptest::prelude::*;
use run::{Lines, Program, STARTED, Statement, TASK, run};
use std::collections::BTreeSet;

impl Program {
    /// With what a suggestion adds; `None` if it is no lock.
    fn with(&self, suggestion: &RawSuggestion) -> Option<Self> {
        let mut changed = self.clone();
        let line = |spot: &farside_race::Spot| spot.site.stack.0;
        for code in &suggestion.code {
            match code {
                Code::Exclusion => {
                    let lines = |ends: &[farside_race::Spot; 2]| ends.each_ref().map(line);
                    changed.sections = suggestion.sections.iter().map(lines).collect();
                }
                Code::Flush { local, .. } => {
                    let after = line(suggestion.after.as_ref()?);
                    for text in &mut changed.texts {
                        if let Some(at) = text.iter().position(|(number, _)| *number == after) {
                            text.insert(at + 1, (after + 1, Statement::Flush { local: *local }));
                        }
                    }
                }
                _ => return None,
            }
        }
        // What completes an operation is a part of the section that ends with that one.
        let after = suggestion.after.as_ref().map(line);
        let ends = |section: &mut [u64; 2]| section[1] += u64::from(after == Some(section[1]));
        changed.sections.iter_mut().for_each(ends);
        (!changed.sections.is_empty()).then_some(changed)
    }
}

fn program() -> impl Strategy<Value = Program> {
    let buffer = 0..2_u64;
    let one = prop_oneof![
        3 => (buffer.clone(), prop::sample::select(vec![0_u64, 4]))
            .prop_map(|(buffer, offset)| Statement::Put { buffer, offset }),
        3 => (buffer, any::<bool>()).prop_map(|(buffer, store)| Statement::Use { buffer, store }),
        3 => any::<bool>().prop_map(|local| Statement::Flush { local }),
    ];
    let text = prop::collection::vec(one, 1..5);
    let threads = prop::collection::vec(0..2_usize, 2..4);
    ([text.clone(), text], threads).prop_map(|(texts, threads)| Program::new(texts, threads))
}

/// A line, whoever comes to it.
fn own_line(line: u64) -> u64 {
    match line < TASK {
        true => line % STARTED,
        false => line,
    }
}

/// The rule and the lines of each race, and what is done there.
type Races = BTreeSet<(Rule, Vec<(u64, String)>)>;

fn races(findings: &[RawFinding]) -> Races {
    let lines = |finding: &RawFinding| {
        let line = |party: &RawParty| (own_line(party.site.stack.0), format!("{:?}", party.name));
        let mut lines: Vec<_> = finding.parties.iter().map(line).collect();
        lines.sort_unstable();
        (finding.rule, lines)
    };
    findings.iter().map(lines).collect()
}

/// The races of a program that ran, with the locks that were proved for them.
fn proved(program: &Program, seed: u64) -> (Races, Vec<(Races, RawSuggestion)>) {
    verified(program, seed, |one| !one.sections.is_empty())
}

/// The races of a program that ran, with what was proved for them, as far as it is wanted.
fn verified(
    program: &Program,
    seed: u64,
    is_wanted: impl Fn(&RawSuggestion) -> bool,
) -> (Races, Vec<(Races, RawSuggestion)>) {
    let (recording, findings) = run(program, seed).expect("a program without locks ends");
    let before = races(&findings);
    let judged = (Options::default(), Interface::Mpi);
    let work = Work::ALL;
    let proved = Trials::new(&recording, judged, &mut Lines, work).prove(findings);
    let found = proved.into_iter().flat_map(|finding| {
        let own = finding.suggestion.clone();
        let all = own.into_iter().flat_map(|own| {
            let others = own.others.clone();
            std::iter::once(own).chain(others)
        });
        let id = races(std::slice::from_ref(&finding));
        let helps = |one: &RawSuggestion| is_wanted(one) && one.proof == Some(Proof::Verified);
        all.filter(helps)
            .map(move |one| (id.clone(), one))
            .collect::<Vec<_>>()
    });
    let found = found.collect();
    (before, found)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// A lock that is verified helps in the program itself, by whatever schedule it runs.
    #[test]
    fn a_lock_that_is_verified_helps(program in program(), seeds in any::<[u64; 4]>()) {
        let (before, locks) = proved(&program, seeds[0]);
        let changed = locks.into_iter().filter_map(|(race, lock)| {
            let changed = program.with(&lock)?;
            Some((race, lock, changed))
        });
        helps(&program, (before, changed), &seeds[1..])?;
    }
}

/// Each change helps in the program itself, by whatever schedule it runs.
fn helps(
    program: &Program,
    (mut before, changes): (Races, impl Iterator<Item = (Races, RawSuggestion, Program)>),
    seeds: &[u64],
) -> Result<(), TestCaseError> {
    // Which thread's flush completes what depends on the schedule.
    for seed in seeds {
        before.extend(races(&run(program, *seed).expect("it ends").1));
    }
    for (race, suggestion, changed) in changes {
        for seed in seeds {
            let Some((_, findings)) = run(&changed, *seed) else {
                return Err(TestCaseError::fail(format!("{changed:?} does not end")));
            };
            let now = races(&findings);
            prop_assert!(
                race.is_disjoint(&now) && now.is_subset(&before),
                "{program:?}\n{suggestion:?} does not help in\n{changed:?}: {now:?}"
            );
        }
    }
    Ok(())
}

fn lines(lock: &RawSuggestion) -> Vec<[u64; 2]> {
    let ends = |ends: &[farside_race::Spot; 2]| ends.each_ref().map(|end| end.site.stack.0);
    lock.sections.iter().map(ends).collect()
}

/// Two threads, each with its text: a put that is flushed, and a store to its buffer.
#[test]
fn a_put_and_a_store_exclude_each_other() {
    let put = vec![
        Statement::Put { buffer: 0, offset: 0 },
        Statement::Flush { local: true },
    ];
    let store = vec![Statement::Use {
        buffer: 0,
        store: true,
    }];
    for seed in 0..8 {
        let program = Program::new([put.clone(), store.clone()], vec![0, 1]);
        let (_, locks) = proved(&program, seed);
        let [(_, lock)] = &locks[..] else {
            panic!("{locks:?}")
        };
        let mut told = lines(lock);
        told.sort_unstable();
        assert_eq!(told, [[10_100, 10_200], [20_100, 20_100]]);
    }
}

/// What fills a buffer and what sends it is one section, where both threads do both.
#[test]
fn a_buffer_is_sent_before_it_is_filled_again() {
    let both = vec![
        Statement::Use {
            buffer: 0,
            store: true,
        },
        Statement::Put { buffer: 0, offset: 0 },
        Statement::Flush { local: false },
    ];
    let program = Program::new([both, Vec::new()], vec![0, 0]);
    let (races, locks) = proved(&program, 3);
    assert!(!races.is_empty());
    for (race, _) in &locks {
        let first = locks
            .iter()
            .find(|(other, _)| other == race)
            .map(|(_, lock)| lines(lock));
        let has_store = race
            .iter()
            .any(|(_, lines)| lines.iter().any(|(line, _)| *line == 10_100));
        if has_store {
            assert_eq!(first, Some(vec![[10_100, 10_300]]));
        }
    }
    assert!(!locks.is_empty());
}

/// A put that nothing completes in its section gets a flush there.
#[test]
fn a_put_is_completed_under_the_lock() {
    let put = vec![Statement::Put { buffer: 0, offset: 0 }];
    let store = vec![Statement::Use {
        buffer: 0,
        store: true,
    }];
    let program = Program::new([put, store], vec![0, 1]);
    let (_, locks) = proved(&program, 5);
    let completes = |lock: &RawSuggestion| matches!(lock.code[..], [Code::Flush { .. }, Code::Exclusion]);
    assert!(locks.iter().any(|(_, lock)| completes(lock)), "{locks:?}");
}
