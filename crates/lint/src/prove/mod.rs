//! Races for any number of ranks: `farside lint --prove`.
//!
//! One process is executed whose rank and number of ranks are not known: values are numbers in these two, and a branch
//! that not all ranks take the same way makes two paths. What a process does on a path are its accesses to windows and
//! to buffers of operations, and the meetings of all processes between them. Two processes of a job are on two of the
//! paths: a solver is asked whether there is a number of ranks of which two accesses, which nothing orders, have a
//! byte in common.
//!
//! Promise: "proved" is said only if every line that any process executes was followed, all processes make the same
//! meetings, and no two accesses can race for any number of ranks from the smallest one on that the program was
//! simulated with. A race is told only if the simulation with its number of ranks finds it. Why this holds, with all
//! assumptions: `docs/design/prove.md`.
//!
//! | what | file |
//! |---|---|
//! | numbers as sums over the rank and the number of ranks | `affine` |
//! | questions to the solver | `question` |
//! | values, and what instructions make of them | `number`, `facts`, `domain` |
//! | memory, and a process in the middle of a path | `memory`, `state` |
//! | the paths; a process at its instruction | `paths`, `follow`, `running` |
//! | rounds of loops that the number of ranks counts | `rounds` |
//! | calls, by name and interface | `library`, `mpi`, `shmem` |
//! | what a process did | `trace` |
//! | which pairs may race | `judge` |

mod affine;
mod domain;
mod facts;
mod follow;
mod judge;
mod library;
mod memory;
mod mpi;
mod number;
mod paths;
mod question;
mod rounds;
mod running;
mod shmem;
mod state;
mod trace;

use crate::explore::{Analysis, Options, analyse};
use crate::ir::{Module, PlaceId};
use crate::survey::Survey;
use farside_findings::{AnyRanks, AnyRanksVerdict as Verdict, Finding, Place};
use judge::Judgement;
use number::Outside;
use paths::Paths;
use question::{Answer, Prover, Question, Who};
use std::collections::BTreeSet;

/// Most ranks of a simulation that is to show what was found.
const MOST: u32 = 16;

/// Looks for races for any number of ranks. `known` is what the simulations found; what further ones find is added to
/// it.
pub fn prove(module: &Module, options: &Options, known: &mut Analysis) -> AnyRanks {
    let least = known.processes.first().copied().unwrap_or(2).max(2);
    let Some(solver) = options.solver.and_then(|start| start()) else {
        let reason = "z3 is not installed".to_owned();
        return AnyRanks::of(Verdict::Outside { place: None, reason }, least);
    };
    let mut prover = Prover::new(solver, least);
    let mut attempt = Attempt {
        module,
        options,
        known,
        prover: &mut prover,
        paths: 0,
        pairs: 0,
    };
    let (verdict, refuted) = attempt.verdict();
    let (paths, pairs) = (attempt.paths, attempt.pairs);
    AnyRanks {
        refuted,
        paths,
        pairs,
        questions: prover.questions(),
        ..AnyRanks::of(verdict, least)
    }
}

/// A proof that is being looked for.
struct Attempt<'a> {
    module: &'a Module,
    options: &'a Options,
    known: &'a mut Analysis,
    prover: &'a mut Prover,
    paths: u64,
    pairs: u64,
}

impl Attempt<'_> {
    /// The answer, and whether a simulation refutes what was proved.
    fn verdict(&mut self) -> (Verdict, bool) {
        let judged = match self.known.entered && self.known.entries.is_empty() {
            true => self.judged(),
            false => Err(Outside {
                place: 0,
                reason: "there is no function main".to_owned(),
            }),
        };
        if let Some(found) = self.found_before() {
            let races = self.known.findings.iter().any(|finding| finding.rule.is_race());
            let proved = judged.is_ok_and(|(judgement, _)| judgement.suspects.is_empty());
            return (found, proved && races);
        }
        let (judgement, sizes) = match judged {
            Ok(judged) => judged,
            Err(Outside { place, reason }) => {
                let place = self.place(place);
                return (Verdict::Outside { place, reason }, false);
            }
        };
        let further = sizes.into_iter().find_map(|size| self.simulated(size));
        if let Some((found, races)) = further {
            return (found, races && judgement.suspects.is_empty());
        }
        let verdict = match judgement.suspects.first() {
            None => Verdict::Proved,
            Some(suspect) => Verdict::NotProved {
                one: self.place(suspect.places.0),
                other: self.place(suspect.places.1),
                reason: match suspect.size {
                    Some(size) => format!(
                        "nothing that is looked at orders the two with {size} ranks; the simulation finds no race"
                    ),
                    None => {
                        format!("the solver does not say that the two never meet with more than {MOST} ranks")
                    }
                },
            },
        };
        (verdict, false)
    }

    /// Which pairs may race, and the numbers of ranks that are to be simulated: those that show a race, and one for
    /// each path, as a simulation sees more than races.
    fn judged(&mut self) -> Result<(Judgement, BTreeSet<u32>), Outside> {
        let survey = Survey::of(self.module);
        let arguments = self.options.arguments.as_deref();
        let paths = Paths::of(self.module, &survey, self.prover).all(arguments)?;
        self.paths = paths.len() as u64;
        let judgement = judge::judge(self.prover, &paths, MOST)?;
        self.pairs = judgement.pairs;
        let mut sizes: BTreeSet<u32> = judgement
            .suspects
            .iter()
            .filter_map(|suspect| suspect.size)
            .collect();
        for path in &paths {
            let mut question = Question::default();
            for condition in &path.given {
                question.holds(&self.prover.terms, *condition, Who::One);
            }
            if self.prover.ask(&question) != Answer::Never {
                sizes.extend(self.prover.smallest(&question, MOST));
            }
        }
        Ok((judgement, sizes))
    }

    /// What a simulation with exactly so many ranks finds, and whether that is a race.
    fn simulated(&mut self, size: u32) -> Option<(Verdict, bool)> {
        if self.known.processes.contains(&size) {
            return None;
        }
        let found = self.analysed(size);
        self.known.processes.push(size);
        self.known.processes.sort_unstable();
        let races = found.findings.iter().any(|finding| finding.rule.is_race());
        let first = found.findings.first().map(|finding| Self::found(size, finding));
        self.known.findings.extend(found.findings);
        first.map(|found| (found, races))
    }

    /// What the simulations found that were made before: with the fewest ranks that show something.
    fn found_before(&self) -> Option<Verdict> {
        self.known.findings.first()?;
        let mut sizes = self.known.processes.iter();
        sizes.find_map(|size| {
            let found = self.analysed(*size);
            found.findings.first().map(|finding| Self::found(*size, finding))
        })
    }

    fn analysed(&self, size: u32) -> Analysis {
        let options = Options {
            processes: vec![size],
            ..self.options.clone()
        };
        analyse(self.module, &options)
    }

    fn found(processes: u32, finding: &Finding) -> Verdict {
        let ranks: BTreeSet<u32> = finding.parties.iter().map(|party| party.rank).collect();
        Verdict::Found {
            processes,
            ranks: ranks.into_iter().collect(),
            rule: finding.rule,
        }
    }

    fn place(&self, place: PlaceId) -> Option<Place> {
        let known = self
            .module
            .places
            .get(place as usize)
            .filter(|place| place.line > 0)?;
        Some(Place {
            file: known.file.clone(),
            line: known.line,
            column: Some(known.column).filter(|column| *column > 0),
        })
    }
}
