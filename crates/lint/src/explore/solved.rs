//! Inputs that lead elsewhere, worked out by a solver.
//!
//! A simulation of answers says which conditions on inputs were met, and what they are made of. For each of them, the
//! solver is asked for answers by which it goes the other way, after the same conditions before it; these are simulated
//! next. Ways that were gone, or asked for, are not asked for again. Conditions whose other way leads to calls that
//! were not reached come first, then those that were turned least often.
//!
//! Promise: what is found so was found by a simulation of exactly the inputs that the finding names, as the user would
//! give them. Budgets: simulations, questions, turns of one branch, and the steps of one long simulation; what they
//! leave is a shortfall of the report.

use super::ahead::Urgency;
use super::command_line::Line;
use super::coverage::Coverage;
use super::simulation::is_race;
use super::{Exploration, Simulation};
use crate::decisions::Decision;
use crate::symbolic::{Answer, Answers, Question, Solver, Terms};
use crate::value::Symbol;
use farside_findings::{Finding, finding_id};
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Simulations of answers, for each of those that `--paths` allows.
const SIMULATIONS: usize = 4;
/// Answers that are worked out before the first of them is simulated. It is the same on each machine, so that the
/// search goes the same way.
const TOGETHER: usize = 4;
/// Questions, likewise.
const QUESTIONS: usize = 12;
/// How often one branch is turned to the same side.
const TURNS: u32 = 12;
/// How often a finding is looked at that is possible only.
const DOUBTS: u32 = 3;
/// With more processes than before, this part of the search is made again, once all calls were reached.
const AGAIN: usize = 4;
/// Command lines to begin with, at most.
const SEEDS: usize = 12;

/// A branch, by the block to which its other way leads.
type Branch = (u32, u32);

/// A simulation of answers.
struct Gone {
    answers: Answers,
    terms: Terms,
    path: Vec<Decision>,
    /// Whether nothing was decided but by the answers.
    is_whole: bool,
}

/// A condition that was met, to be decided the other way.
struct Turn {
    gone: usize,
    nth: usize,
    way: u64,
    branch: Option<Branch>,
    urgent: bool,
}

/// The search at hand.
#[derive(Default)]
struct Search {
    gone: Vec<Gone>,
    waiting: Vec<Turn>,
    /// Those of which the solver says nothing.
    left: Vec<Turn>,
    /// Answers that are to be simulated before anything is asked, and all that ever were.
    next: Vec<Answers>,
    known: HashSet<Answers>,
    /// Ways that were gone or asked for: the conditions from the first on, and how they were decided.
    ways: HashSet<u64>,
    /// Those that were gone with inputs that lead there, or that no input leads to.
    settled: HashSet<u64>,
    turned: BTreeMap<Branch, u32>,
    met: HashSet<usize>,
    ids: HashSet<String>,
    /// How often what is possible only was looked at.
    doubted: HashMap<String, u32>,
    questions: usize,
    steps: u64,
    /// So many times less than usual is simulated and asked.
    shorter: usize,
}

impl Search {
    fn add(&mut self, answers: Answers) {
        if self.known.insert(answers.clone()) {
            self.next.push(answers);
        }
    }

    /// Whether a finding is worth to be looked at with exactly the inputs that led to it.
    fn is_new(&self, id: &str) -> bool {
        !self.ids.contains(id) && self.doubted.get(id).is_none_or(|times| *times < DOUBTS)
    }

    /// Notes the way that a simulation went, and what can be turned on it.
    fn note(&mut self, gone: Gone, urgent: impl Fn(&[Branch]) -> bool) {
        let number = self.gone.len();
        for (nth, (decision, (way, other))) in gone.path.iter().zip(ways(&gone.path)).enumerate() {
            self.ways.insert(way);
            if gone.is_whole {
                self.settled.insert(way);
            }
            if self.ways.insert(other) {
                self.waiting.push(Turn {
                    gone: number,
                    nth,
                    way: other,
                    branch: decision.other().last().copied(),
                    urgent: urgent(decision.other()),
                });
            }
        }
        for (list, nth) in gone.terms.wanted() {
            let longer = gone.answers.with_length(list, nth + 1);
            self.add(longer);
        }
        self.gone.push(gone);
    }

    /// The best condition to turn; none of a branch that was turned often.
    fn take(&mut self) -> Option<Turn> {
        let turns = |turn: &Turn| {
            let turned = turn.branch.and_then(|branch| self.turned.get(&branch));
            turned.copied().unwrap_or(0)
        };
        let open = self.waiting.iter().enumerate();
        let open = open.filter(|(_, turn)| turns(turn) < TURNS);
        let (best, _) = open.min_by_key(|(nth, turn)| (!turn.urgent, turns(turn), *nth))?;
        let turn = self.waiting.remove(best);
        if let Some(branch) = turn.branch {
            *self.turned.entry(branch).or_default() += 1;
        }
        Some(turn)
    }

    /// The question for a condition.
    fn question(&self, turn: &Turn) -> (Question<'_>, Symbol, bool) {
        let gone = &self.gone[turn.gone];
        let mut question = Question::about(&gone.terms, &gone.answers);
        for decision in &gone.path[..turn.nth] {
            question.assert(decision.symbol(), decision.truth());
        }
        let decision = &gone.path[turn.nth];
        (question, decision.symbol(), !decision.truth())
    }
}

/// The ways along these conditions: as each of them was decided, and the other way, after those before it.
fn ways<'a>(path: impl IntoIterator<Item = &'a Decision>) -> impl Iterator<Item = (u64, u64)> {
    path.into_iter().scan(DefaultHasher::new(), |way, decision| {
        let mut other = way.clone();
        (decision.symbol(), !decision.truth()).hash(&mut other);
        (decision.symbol(), decision.truth()).hash(way);
        Some((way.finish(), other.finish()))
    })
}

impl Exploration<'_> {
    /// Looks for inputs that lead elsewhere than those that were simulated. What comes of it are the conditions of the
    /// first simulation of which no more can be said: they were decided the other way by inputs, or cannot be.
    pub(super) fn solved_ways(&mut self, size: u32, first: &Simulation) -> HashSet<Symbol> {
        if self.entry.is_some() || self.options.solver.is_none() {
            return HashSet::default();
        }
        let mut fewer = self.analysis.processes.iter().filter(|fewer| **fewer < size);
        let is_repeated = fewer.next().is_some() && self.coverage.is_whole();
        let mut search = Search {
            shorter: if is_repeated { AGAIN } else { 1 },
            ..Search::default()
        };
        search.ids.extend(self.analysis.findings.iter().map(id));
        search.met.extend(self.coverage.met());
        self.seeds(size).into_iter().for_each(|seed| search.add(seed));
        while !self.is_spent(&search) {
            let together = self.next_answers(&mut search);
            if together.is_empty() {
                break;
            }
            let question = self.question(size, &HashMap::default());
            let others = together.iter().skip(1);
            let others = others.map(|answers| question.clone().answered(answers.clone()));
            self.foresee(others, Urgency::Next);
            for answers in together {
                if self.is_spent(&search) {
                    break;
                }
                self.go(size, answers, first, &mut search);
            }
        }
        self.steps += search.steps;
        let open = search.waiting.iter().chain(&search.left);
        let open = open.filter_map(|turn| turn.branch);
        let places: Vec<u32> = open.map(|branch| self.place_of(branch)).collect();
        self.seen.leave_inputs(places);
        let terms = first.notes.terms();
        let path = first.decisions.iter();
        let path: Vec<&Decision> = path.filter(|decision| terms.knows(decision.symbol())).collect();
        let others = path.iter().zip(ways(path.iter().copied()));
        let settled = others.filter(|(_, (_, other))| search.settled.contains(other));
        settled.map(|(decision, _)| decision.symbol()).collect()
    }

    /// Whether no more is to be simulated or asked.
    fn is_spent(&self, search: &Search) -> bool {
        let Search { shorter, .. } = *search;
        shorter * search.gone.len() >= SIMULATIONS * self.options.paths
            || shorter * search.questions >= QUESTIONS * self.options.paths
            || shorter as u64 * search.steps > self.steps_of_variations()
            || self.clock.is_over()
    }

    /// The next answers to be simulated, which do not depend on what comes of each other.
    fn next_answers(&mut self, search: &mut Search) -> Vec<Answers> {
        let mut together = Vec::new();
        while together.len() < TOGETHER && !self.is_spent(search) {
            if let Some(answers) = search.next.pop() {
                together.push(answers);
                continue;
            }
            let Some(turn) = search.take() else { break };
            search.questions += 1;
            match self.ask(search, &turn) {
                Answer::Found(answers) => search.add(answers),
                Answer::Excluded => {
                    search.settled.insert(turn.way);
                }
                Answer::Unknown => search.left.push(turn),
            }
        }
        together
    }

    /// Asks for answers by which a condition goes the other way.
    fn ask(&mut self, search: &Search, turn: &Turn) -> Answer {
        let (mut question, symbol, truth) = search.question(turn);
        let answer = match question.nearby(symbol, truth) {
            None => Answer::Unknown,
            Some(found @ Answer::Found(_)) => found,
            Some(nearby) => match question.anywhere() {
                Answer::Unknown if turn.branch.is_some_and(|branch| self.hard.contains(&branch)) => {
                    Answer::Unknown
                }
                Answer::Unknown if !self.start_solver() => Answer::Unknown,
                Answer::Unknown => match &mut self.solver {
                    Some(Some(solver)) => question.answer((solver.as_mut(), &mut self.said), &nearby),
                    _ => Answer::Unknown,
                },
                known => known,
            },
        };
        if let (Answer::Unknown, Some(branch)) = (&answer, turn.branch) {
            self.hard.insert(branch);
        }
        answer
    }

    /// Answers to begin with: the command line at hand, none, and those that the program knows.
    fn seeds(&mut self, size: u32) -> Vec<Answers> {
        if let Some(arguments) = &self.options.arguments {
            return vec![Answers::of(arguments.clone(), true)];
        }
        let mut lines = vec![Vec::new()];
        match &self.given {
            Line::Numbers(numbers) if !numbers.are_below(size) => lines.push(numbers.first_words()),
            Line::Unknown | Line::Numbers(_) => {}
            Line::These(words) => lines.push(words.clone()),
        }
        let known = self.lines(size);
        let small = known.small();
        let switched = known.switched().to_vec();
        lines.push(small.clone());
        lines.extend(switched.into_iter().map(|words| [small.clone(), words].concat()));
        lines.truncate(SEEDS);
        // The last one is simulated first.
        lines.reverse();
        let lines = lines.into_iter().map(|words| Answers::of(words, false));
        lines.chain(self.leading.iter().cloned()).collect()
    }

    /// Whether there is a solver; it is started when it is needed first.
    fn start_solver(&mut self) -> bool {
        let is_there = self.solver().is_some();
        if !is_there {
            self.seen.miss_solver();
        }
        is_there
    }

    pub(super) fn solver(&mut self) -> Option<&mut Box<dyn Solver>> {
        let start = self.options.solver;
        let solver = self.solver.get_or_insert_with(|| start.and_then(|start| start()));
        solver.as_mut()
    }

    /// Simulates answers, and exactly these inputs if that finds or reaches something new.
    fn go(&mut self, size: u32, answers: Answers, first: &Simulation, search: &mut Search) {
        let question = self.question(size, &HashMap::default()).answered(answers.clone());
        // What was simulated first, to be cut, is not followed for longer.
        let begun = self.begun.clone();
        let question = begun
            .filter(|begun| begun.is_limited_only(&question))
            .unwrap_or(question);
        let Some(mut found) = self.made(question) else {
            return;
        };
        self.paths += 1;
        self.steps += found.spent;
        // What was made before counts, too: the search is as long as it was meant to be.
        search.steps += found.steps;
        let terms = std::mem::take(found.notes.terms_mut());
        let answers = answers.completed(&terms);
        search.known.insert(answers.clone());
        let path = std::mem::take(&mut found.decisions);
        let is_new = found.findings.iter().any(|finding| search.is_new(&id(finding)))
            || found.notes.met().iter().any(|site| !search.met.contains(site));
        search.met.extend(found.notes.met());
        // A program that uses an argument that it has not got does what nobody knows.
        if is_new && terms.wanted().next().is_none() && !found.notes.misses_rank() {
            if !self.leading.contains(&answers) {
                self.leading.push(answers.clone());
            }
            self.take_exactly(size, (&answers, &terms), first, search);
        }
        let leads = self.coverage.leads(self.survey, self.module);
        let (path, others): (Vec<_>, Vec<_>) = path
            .into_iter()
            .partition(|decision| terms.knows(decision.symbol()));
        let is_whole = others.is_empty();
        let gone = Gone {
            answers,
            terms,
            path,
            is_whole,
        };
        search.note(gone, |other| leads.to_unreached(other));
    }

    /// Simulates these inputs as a user would give them, and takes what is found.
    fn take_exactly(
        &mut self,
        size: u32,
        (answers, terms): (&Answers, &Terms),
        first: &Simulation,
        search: &mut Search,
    ) {
        let line = Line::These(answers.arguments().to_vec());
        let line = std::mem::replace(&mut self.given, line);
        let inputs = answers.inputs(&self.options.inputs, terms);
        let inputs = std::mem::replace(&mut self.inputs, inputs);
        let accepted = std::mem::take(&mut self.accepted);
        let found = self.simulate_whole(size);
        (self.given, self.inputs, self.accepted) = (line, inputs, accepted);
        let Some(mut found) = found else { return };
        self.count(&found);
        search.steps += found.spent;
        self.seen.note_time(&found.notes);
        if found.notes.misses_rank() {
            return;
        }
        self.coverage.take(&found);
        // What the program does because it rejects its input happens to those only who give it such. One that did
        // one-sided calls before it says no may have checked its result.
        let fails = found.failed() && !first.failed() && found.notes.has_aborted();
        if fails || Coverage::is_idle(self.survey, &found) {
            found.doubt_from(0);
        }
        self.origins.note(&found);
        let given = answers.given(terms);
        for nth in 0..found.findings.len() {
            let finding = &mut found.findings[nth];
            let id = id(finding);
            let certain = nth < found.certain && is_race(finding.rule);
            if search.ids.contains(&id) {
                continue;
            }
            finding.arguments = Some(given.to_string());
            finding.inputs = Some(given.clone());
            let certain = match certain {
                true => self.rests.pass(size, &found, nth),
                false => {
                    let finding = found.findings[nth].clone();
                    self.rests.doubt(&found, &finding);
                    self.analysis.possible.push(finding);
                    None
                }
            };
            match certain {
                Some(finding) => {
                    self.solved.entry(id.clone()).or_insert_with(|| given.clone());
                    self.analysis.findings.push(finding);
                }
                None => *search.doubted.entry(id).or_default() += 1,
            }
        }
        search.ids.extend(self.solved.keys().cloned());
    }

    /// A finding of conditions that were decided the other way, with the inputs that do so, if they are known.
    pub(super) fn with_inputs(&self, mut finding: Finding) -> Finding {
        if let Some(given) = self.solved.get(&id(&finding)) {
            finding.arguments = Some(given.to_string());
            finding.inputs = Some(given.clone());
        }
        finding
    }

    /// The place to which a branch leads.
    fn place_of(&self, (function, block): Branch) -> u32 {
        let code = &self.module.functions[function as usize];
        code.blocks.get(block as usize).map_or(0, |block| {
            let first = block.instructions.first();
            first.map_or(block.end_place, |instruction| instruction.place)
        })
    }
}

fn id(finding: &Finding) -> String {
    finding_id(finding.rule, &finding.parties)
}
