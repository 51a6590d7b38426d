//! Races for any number of ranks: `farside lint --prove`.
//!
//! One process is executed whose rank and number of ranks are not known: values are numbers in these two, and a branch
//! that not all ranks take the same way makes two paths. What a process does on a path are its accesses to windows and to
//! buffers of operations, and the meetings of all processes between them. Two processes of a job are on two of the paths:
//! a solver is asked whether there is a number of ranks of which two accesses, which nothing orders, have a byte in
//! common.
//!
//! Promise: "proved" is said only if every line that any process executes was followed, all processes make the same
//! meetings, and no two accesses can race for any number of ranks from the smallest one on that the program was simulated
//! with. A race is told only if the simulation with its number of ranks finds it. Why this holds, with all assumptions:
//! `docs/design/prove.md`.
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
    let (mut paths_followed, mut pairs, mut questions) = (0, 0, 0);
    let verdict = match options.solver.and_then(|start| start()) {
        None => Verdict::Outside {
            place: None,
            reason: "z3 is not installed".to_owned(),
        },
        Some(solver) => {
            let mut prover = Prover::new(solver, least);
            let mut attempt = Attempt {
                module,
                options,
                known,
                prover: &mut prover,
                paths: 0,
                pairs: 0,
            };
            let verdict = attempt.verdict();
            (paths_followed, pairs) = (attempt.paths, attempt.pairs);
            questions = prover.questions();
            verdict
        }
    };
    AnyRanks {
        verdict,
        least,
        paths: paths_followed,
        pairs,
        questions,
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
    fn verdict(&mut self) -> Verdict {
        if let Some(race) = self.race_among_known() {
            return race;
        }
        if !self.known.entered || !self.known.entries.is_empty() {
            return self.outside(0, "there is no function main".to_owned());
        }
        match self.judged() {
            Ok(verdict) => verdict,
            Err(Outside { place, reason }) => self.outside(place, reason),
        }
    }

    fn judged(&mut self) -> Result<Verdict, Outside> {
        let survey = Survey::of(self.module);
        let arguments = self.options.arguments.as_deref();
        let paths = Paths::of(self.module, &survey, self.prover).all(arguments)?;
        self.paths = paths.len() as u64;
        let judgement = judge::judge(self.prover, &paths, MOST)?;
        self.pairs = judgement.pairs;
        // Sizes that show a race first, then one for each path: a simulation sees more than races.
        let mut suspected: BTreeSet<u32> = judgement
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
                suspected.extend(self.prover.smallest(&question, MOST));
            }
        }
        for size in suspected {
            if let Some(race) = self.simulated(size) {
                return Ok(race);
            }
        }
        if let Some(suspect) = judgement.suspects.first() {
            let reason = match suspect.size {
                Some(size) => format!(
                    "nothing that is looked at orders the two with {size} ranks, though the simulation finds no race"
                ),
                None => format!("the solver does not say that the two never meet with more than {MOST} ranks"),
            };
            return Ok(Verdict::NotProved {
                one: self.place(suspect.places.0),
                other: self.place(suspect.places.1),
                reason,
            });
        }
        Ok(Verdict::Proved)
    }

    /// What a simulation with exactly so many ranks finds.
    fn simulated(&mut self, size: u32) -> Option<Verdict> {
        if self.known.processes.contains(&size) {
            return None;
        }
        let found = self.analysed(size);
        self.known.processes.push(size);
        self.known.processes.sort_unstable();
        let race = found
            .findings
            .first()
            .and_then(|finding| Self::race(size, finding));
        self.known.findings.extend(found.findings);
        race
    }

    /// What the simulations found that were made before: with the fewest ranks that show something.
    fn race_among_known(&mut self) -> Option<Verdict> {
        self.known.findings.first()?;
        let sizes = self.known.processes.clone();
        sizes.into_iter().find_map(|size| {
            let found = self.analysed(size);
            Self::race(size, found.findings.first()?)
        })
    }

    fn analysed(&self, size: u32) -> Analysis {
        let options = Options {
            processes: vec![size],
            ..self.options.clone()
        };
        analyse(self.module, &options)
    }

    fn race(processes: u32, finding: &Finding) -> Option<Verdict> {
        let ranks: BTreeSet<u32> = finding.parties.iter().map(|party| party.rank).collect();
        Some(Verdict::Found {
            processes,
            ranks: ranks.into_iter().collect(),
            rule: finding.rule,
        })
    }

    fn outside(&self, place: PlaceId, reason: String) -> Verdict {
        Verdict::Outside {
            place: self.place(place),
            reason,
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
