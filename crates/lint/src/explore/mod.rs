//! Which simulations are run, and what they say together.
//!
//! A program is simulated for a few numbers of processes. Conditions that the outside world decides (arguments, files,
//! unknown functions) are first decided as their samples say; then each of them is decided the other way, alone, and
//! then two of them at once, until the limit is reached. The same condition is decided the same way wherever it is
//! met in a simulation.
//!
//! Where nobody says a command line, those that the program itself knows are tried (`command_line`).

mod accepted;
mod agreed;
mod ahead;
mod clock;
mod command_line;
mod coverage;
mod nodes;
mod options;
mod orders;
mod question;
mod remembered;
mod resting;
mod seen;
mod simulation;
mod sizes;
mod small;
mod solved;
mod suggested;
mod switched;
mod unsuitable;
mod ways;

use crate::budget::{Limits, MemoryLimit, TimeLimit};
use crate::decisions::Decision;
use crate::inputs::Inputs;
use crate::ir::Module;
use crate::notes::Notes;
use crate::start;
use crate::survey::Survey;
use crate::symbolic::{Answers, Said, Solver, StartSolver};
use crate::value::Symbol;
use ahead::{Ahead, Urgency};
use clock::Clock;
use command_line::{CommandLines, Line};
use coverage::Coverage;
use farside_findings::{Count, Finding, GivenInputs, Layers, Shortfall, Superfluous};
use farside_trial::Costs;
use question::{Origin, Program, Question, Rounds};
use remembered::Remembered;
use resting::Rests;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use seen::Seen;
use small::Small;
use std::cell::{Cell, RefCell};
use std::num::NonZeroUsize;
use suggested::Origins;

/// What is simulated.
#[derive(Clone, Debug)]
pub struct Options {
    /// Numbers of processes; empty means that the program's own needs decide.
    pub processes: Vec<u32>,
    /// Whether findings are wanted that hold only if an unknown condition goes the other way than its sample.
    pub possible: bool,
    /// Simulations for one number of processes.
    pub paths: usize,
    /// The program's arguments, without its name; `None` if they are not known.
    pub arguments: Option<Vec<String>>,
    /// What the program reads, as far as that is known.
    pub inputs: Inputs,
    /// What limits one simulation; `None`: [`Limits::of`] the program, and more where it is cut and there is time.
    pub limits: Option<Limits>,
    /// What all simulations together may take; `None`: as long as they need.
    pub time: Option<TimeLimit>,
    /// What the process may use; `None`: what it needs.
    pub memory: Option<MemoryLimit>,
    /// Threads that simulate at once; `None`: one a processor, at most four. What is found does not depend on it.
    pub threads: Option<NonZeroUsize>,
    /// How the name of a function is shown: demangled, say.
    pub name: fn(&str) -> String,
    /// What lies between the program and MPI: findings are shown where the program calls it.
    pub layers: Layers,
    /// What calls cost, if suggestions are to be tried in the events of the simulations.
    pub tries: Option<Costs>,
    /// Whether synchronising calls are tried to be left out.
    pub superfluous: bool,
    /// Who works out inputs that lead elsewhere; `None`: conditions on inputs are only tried one at a time.
    pub solver: Option<StartSolver>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            processes: Vec::new(),
            possible: false,
            paths: 16,
            arguments: None,
            inputs: Inputs::default(),
            limits: None,
            time: None,
            memory: None,
            threads: None,
            name: str::to_owned,
            layers: Layers::default(),
            tries: None,
            superfluous: false,
            solver: None,
        }
    }
}

impl Options {
    /// The command line, as far as a user said it.
    fn line(&self) -> Line {
        self.arguments.clone().map_or(Line::Unknown, Line::These)
    }
}

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Analysis {
    /// Findings that hold in an execution of the program, joined by their places.
    pub findings: Vec<Finding>,
    /// Findings that hold only if unknown conditions can be as they were taken to be.
    pub possible: Vec<Finding>,
    /// What was not seen.
    pub shortfalls: Vec<Shortfall>,
    /// The numbers of processes that were simulated.
    pub processes: Vec<u32>,
    /// The one-sided and synchronising calls, and which of them no simulation reached.
    pub coverage: farside_findings::Coverage,
    /// What was done.
    pub counts: Vec<Count>,
    /// The functions that were analysed for themselves, as there is no `main`.
    pub entries: Vec<String>,
    /// Whether anything was simulated.
    pub entered: bool,
    /// Which synchronisation no simulation needed, if that was asked.
    pub superfluous: Option<Superfluous>,
}

/// Processes that are tried where the program does not say how many it needs.
const SIZES: [u32; 3] = [2, 3, 4];
/// How much longer than usual a simulation may be that was cut.
const LONGER: u64 = 16;
/// How many more steps variations may have while there are calls that were not reached.
const UNREACHED: u64 = 4;
/// More than these a program is not given.
const MOST: u32 = 8;
/// Threads that simulate at once if nobody says how many: each needs memory for a simulation.
const MOST_THREADS: usize = 4;

/// Analyses a linked program, or each function of a part of one that others could call.
///
/// Other threads make simulations before they are asked for. What comes of the analysis does not depend on how many
/// there are, but for where a limit of time or memory ends it.
pub fn analyse(module: &Module, options: &Options) -> Analysis {
    let survey = Survey::of(module);
    let program = Program::new(module, &survey, options);
    let threads = options.threads.map_or_else(own_threads, NonZeroUsize::get);
    ahead::with_helpers(program, threads - 1, |ahead| {
        let mut exploration = Exploration::new(program, (module, &survey, options), ahead);
        exploration.explore();
        if !exploration.analysis.entered {
            exploration.explore_entries();
        }
        exploration.finish(threads)
    })
}

fn own_threads() -> usize {
    std::thread::available_parallelism().map_or(1, |all| all.get().min(MOST_THREADS))
}

/// What is simulated, and what was found so far.
struct Exploration<'m> {
    program: Program<'m>,
    module: &'m Module,
    options: &'m Options,
    survey: &'m Survey,
    /// What limits a simulation, unless there are others for the number of processes at hand.
    limits: Limits,
    /// Those, where a small input is known.
    here: Option<Limits>,
    /// What was simulated first with that number, with such limits.
    begun: Option<Question>,
    /// A simulation with a larger budget was tried.
    stretched: bool,
    /// Whether something depended on values that are not computed where rounds of loops are taken together early: then
    /// it is likely to with other inputs, too.
    values_matter: Cell<bool>,
    /// Simulations that may be asked for again.
    remembered: RefCell<Remembered>,
    /// Simulations that other threads make.
    ahead: &'m Ahead<'m>,
    /// What is left of the time, for what is done at the moment.
    clock: Clock,
    /// The function that all processes begin with; `main` if there is none.
    entry: Option<u32>,
    /// The command line of the simulations at hand.
    given: Line,
    /// Those that the program accepts, when they have been looked for.
    lines: Option<CommandLines>,
    /// What is known of small numbers as its arguments.
    small: Small,
    analysis: Analysis,
    seen: Seen,
    /// Findings that rest on functions whose code was not given.
    rests: Rests,
    /// How the simulations were made that have the findings.
    origins: Origins,
    coverage: Coverage,
    /// Conditions decided so that the program accepts its input.
    accepted: HashMap<Symbol, bool>,
    /// The functions that the program begins with.
    roots: Vec<u32>,
    /// Simulations of the number of processes at hand.
    tried: usize,
    steps: u64,
    paths: u64,
    /// What the program reads in the simulations at hand.
    inputs: Inputs,
    /// The solver, once it was looked for.
    solver: Option<Option<Box<dyn Solver>>>,
    /// What it said.
    said: Said,
    /// Branches of which it could not say in time whether they can be turned, by the blocks to which the other ways
    /// lead.
    hard: HashSet<(u32, u32)>,
    /// Answers that led to something new, with fewer processes: with more of them they are simulated first.
    leading: Vec<Answers>,
    /// The inputs that were worked out for findings, by their ids.
    solved: HashMap<String, GivenInputs>,
}

/// What one simulation found.
#[derive(Clone)]
struct Simulation {
    findings: Vec<Finding>,
    /// How many of them, the first ones, do not depend on something that is not followed.
    certain: usize,
    decisions: Vec<Decision>,
    notes: Notes,
    /// How long it was.
    steps: u64,
    /// How many steps were made for it: none if it was made before.
    spent: u64,
    /// What it did, as far as that can be told without its values: the blocks that it entered, and how many events
    /// there were.
    course: u64,
    /// Whether it may have gone another way if processes had come in another order.
    depends_on_order: bool,
    /// Which synchronisation it did not need, if that was asked.
    superfluous: Option<Superfluous>,
    /// How it was made.
    origin: Origin,
}

impl<'m> Exploration<'m> {
    fn new(
        program: Program<'m>,
        (module, survey, options): (&'m Module, &'m Survey, &'m Options),
        ahead: &'m Ahead<'m>,
    ) -> Self {
        Self {
            program,
            module,
            options,
            survey,
            coverage: Coverage::of(module, survey),
            limits: options.limits.unwrap_or_else(|| Limits::of(module)),
            here: None,
            begun: None,
            stretched: false,
            values_matter: Cell::default(),
            remembered: RefCell::default(),
            ahead,
            clock: Clock::begin(options.time),
            entry: None,
            given: options.line(),
            lines: None,
            small: Small::default(),
            analysis: Analysis::default(),
            seen: Seen::default(),
            rests: Rests::default(),
            origins: Origins::default(),
            accepted: HashMap::default(),
            roots: Vec::new(),
            tried: 0,
            steps: 0,
            paths: 0,
            inputs: options.inputs.clone(),
            solver: None,
            said: Said::default(),
            hard: HashSet::default(),
            leading: Vec::new(),
            solved: HashMap::default(),
        }
    }
}

impl Exploration<'_> {
    /// All functions that an unknown caller could call take as much time together as a few programs.
    fn explore_entries(&mut self) {
        for entry in start::entries(self.module) {
            if self.steps > 4 * self.limits.steps {
                self.seen.run_out_of_steps();
                break;
            }
            if self.clock.is_over() {
                self.seen.leave_untried("functions to begin with", 1);
                continue;
            }
            self.entry = Some(entry);
            self.roots.push(entry);
            self.accepted.clear();
            self.explore();
            self.analysis
                .entries
                .push(self.module.functions[entry as usize].name.clone());
        }
    }

    /// Takes what a simulation found, and decides its unknown conditions the other way.
    ///
    /// What a program does without arguments may be too much for the limits: if small numbers as arguments make it
    /// short enough to be followed to its end, that is the run of which the other ways are tried.
    fn take(&mut self, size: u32, first: Simulation) {
        self.coverage.take(&first);
        let is_given = matches!(self.given, Line::These(_)) && self.options.arguments.is_none();
        let meets_inputs = is_given || !first.decisions.is_empty();
        if meets_inputs && self.entry.is_none() {
            // It takes some time to begin: meanwhile, what needs no solver is simulated.
            self.solver();
        }
        let may_vary = self.entry.is_none() && matches!(self.given, Line::Unknown);
        let was_cut = first.is_cut();
        if was_cut {
            // More processes begin with other limits.
            self.ahead.forget_above(size);
        }
        self.here = None;
        let small = match was_cut && may_vary {
            true => self.small_input(size, &first),
            false => None,
        };
        let first = match was_cut && self.begun.is_some() && small.is_none() {
            true => self.first_in_full(size).unwrap_or(first),
            false => first,
        };
        self.take_findings(size, &first);
        let base = match small {
            Some(small) => {
                self.seen.note_shortened(&first.notes, self.given.words());
                self.take_findings(size, &small);
                self.coverage.take(&small);
                self.longer_than_least(size, first, &small);
                small
            }
            None => self.longer(size, first),
        };
        self.seen.note(&base.notes);
        if was_cut {
            self.foresee_starts(size);
        }
        self.foresee(self.likely_orders(size, &base), Urgency::Later);
        let whole = self.clock;
        if self.entry.is_none() && self.options.arguments.is_none() {
            self.clock = whole.part(2);
            self.switched_ways(size);
        }
        let mut settled = HashSet::default();
        if meets_inputs || !base.decisions.is_empty() {
            self.clock = whole.part(3);
            settled = self.solved_ways(size, &base);
        }
        self.clock = whole.part(2);
        self.other_ways(size, &base, &settled);
        self.clock = whole.part(2);
        self.other_orders(size, &base);
        self.other_nodes(size, &base);
        self.clock = whole;
        self.here = None;
    }

    /// A simulation that was cut, once more with a larger budget, if that brings it further in a part of the time. If
    /// it comes to further calls so, the others have that budget, too, from then on; if it comes to its end, twice of
    /// what it took; else it is tried with no other number of processes: where the program computes much, it would
    /// bring no more there.
    fn longer(&mut self, size: u32, cut: Simulation) -> Simulation {
        let is_free = self.options.limits.is_none() && self.entry.is_none() && !self.stretched;
        if !is_free || !cut.is_cut() || cut.notes.misses_rank() {
            return cut;
        }
        self.stretched = true;
        let (clock, limits) = (self.clock, self.limits());
        self.clock = clock.part(3);
        let steps = LONGER * Limits::of(self.module).steps;
        let question = self.question(size, &self.accepted).limited(Limits { steps });
        // It may be that values matter only after most of it; then it is half done.
        let again = std::iter::once((question.clone(), Rounds::Longer));
        self.ahead.ask(again, self.clock, Urgency::Next);
        let longer = self.made(question);
        self.clock = clock;
        let steps = match &longer {
            // What is not much longer comes to its end, too.
            Some(longer) if !longer.is_cut() => steps.min(2 * longer.steps).max(limits.steps),
            Some(longer) if longer.notes.met().len() > cut.notes.met().len() => steps,
            _ => limits.steps,
        };
        *self.here.as_mut().unwrap_or(&mut self.limits) = Limits { steps };
        let Some(longer) = longer.filter(|longer| longer.goes_further_than(&cut)) else {
            return cut;
        };
        self.count(&longer);
        self.coverage.take(&longer);
        self.take_findings(size, &longer);
        longer
    }

    /// A simulation with a command line, which is the one at hand from then on.
    fn simulate_with(&mut self, size: u32, line: Line) -> Option<Simulation> {
        self.given = line;
        let simulation = self.simulate_whole(size)?;
        self.count(&simulation);
        Some(simulation)
    }

    fn finish(mut self, threads: usize) -> Analysis {
        let mut analysis = self.analysis;
        let certain = analysis
            .findings
            .iter()
            .map(|finding| finding.id.clone())
            .collect();
        let (doubted, on) = self
            .rests
            .settle(&certain, &mut analysis.findings, &mut analysis.possible);
        self.seen.doubt(doubted, on);
        analysis.processes.sort_unstable();
        analysis.processes.dedup();
        analysis.findings = farside_findings::merge(std::mem::take(&mut analysis.findings));
        let certain: HashSet<String> = analysis
            .findings
            .iter()
            .map(|finding| finding.id.clone())
            .collect();
        analysis.possible = farside_findings::merge(std::mem::take(&mut analysis.possible));
        analysis.possible.retain(|finding| !certain.contains(&finding.id));
        if self.options.tries.is_some() {
            let possible = analysis.possible.iter_mut().filter(|_| self.options.possible);
            let told = analysis.findings.iter_mut().chain(possible);
            if self.origins.suggest(self.program, threads, told) {
                self.seen.stop_trials();
            }
        }
        analysis.shortfalls = self.seen.shortfalls(self.module, self.options.name);
        let roots = match self.roots.is_empty() {
            true => start::program(self.module),
            false => self.roots,
        };
        analysis.coverage = self
            .coverage
            .report(self.module, self.survey, &roots, self.options.name);
        let count = |name: &str, value: u64| Count {
            name: name.into(),
            value,
        };
        analysis.counts = vec![count("steps", self.steps), count("simulations", self.paths)];
        analysis
    }

    /// The simulation of what the program does if nothing is known of what it is given.
    ///
    /// Where all that it looks at is how many words its command line has, that is the simulation of the answer "none",
    /// too, from which inputs are varied.
    fn first(&mut self, size: u32) -> Option<Simulation> {
        let start = self.start(size, self.limits());
        self.begun = self.here.is_some().then(|| start.clone());
        if start.is_answered() {
            let answered = self.made(start);
            if let Some(answered) = answered.filter(Simulation::depends_on_count_only) {
                return self.followed_whole(size, answered);
            }
        }
        self.simulate_whole(size)
    }

    /// The same with the usual limits, where a small input does not suit so many processes.
    fn first_in_full(&mut self, size: u32) -> Option<Simulation> {
        let first = self.first(size)?;
        self.count(&first);
        self.coverage.take(&first);
        Some(first)
    }

    /// What is simulated first with so many processes.
    fn start(&self, size: u32, limits: Limits) -> Question {
        let nothing_is_said = self.options.arguments.is_none() && matches!(self.given, Line::Unknown);
        let may_be_answered = self.entry.is_none()
            && nothing_is_said
            && self.options.solver.is_some()
            && self.accepted.is_empty();
        let question = self.question(size, &self.accepted).limited(limits);
        match may_be_answered {
            true => question.answered(Answers::of(Vec::new(), false)),
            false => question,
        }
    }

    /// What limits the simulations at hand.
    fn limits(&self) -> Limits {
        self.here.unwrap_or(self.limits)
    }

    /// The simulation of the program as its input is at hand.
    fn question(&self, size: u32, overrides: &HashMap<Symbol, bool>) -> Question {
        Question::of(
            (self.entry, size, self.limits().steps),
            (&self.given, &self.inputs),
            overrides,
        )
    }

    /// Simulates the program as its input is at hand, if that was not done before.
    fn simulate(&self, size: u32, overrides: &HashMap<Symbol, bool>) -> Option<Simulation> {
        self.made(self.question(size, overrides))
    }

    /// The simulation that is asked for. Rounds of loops are taken together early at first; where what was not computed
    /// by that matters, all is simulated again, with rounds that are followed one by one for longer.
    fn made(&self, question: Question) -> Option<Simulation> {
        let known = self.remembered.borrow().recall(&question);
        if known.is_some() {
            return known;
        }
        let make = |rounds: Rounds| {
            let key = (question.clone(), rounds);
            let made = self.ahead.take(&key);
            made.or_else(|| question.make(self.program, rounds, &self.clock.end()))
        };
        let mut simulation = make(self.rounds())?;
        let matters = self.rounds() == Rounds::Together && simulation.notes.met_uncomputed();
        if matters && !self.clock.is_over() {
            self.values_matter.set(true);
            self.ahead.follow_longer();
            let spent = simulation.steps;
            simulation = make(Rounds::Longer)?;
            simulation.steps += spent;
            simulation.spent = simulation.steps;
        } else {
            self.ahead.give_up(&(question.clone(), Rounds::Longer));
        }
        self.remembered.borrow_mut().keep(question, &simulation);
        Some(simulation)
    }

    /// Lets other threads make simulations that are likely to be asked for, in this order.
    fn foresee(&self, questions: impl IntoIterator<Item = Question>, urgency: Urgency) {
        let remembered = self.remembered.borrow();
        let new = questions.into_iter().filter(|question| !remembered.has(question));
        let rounds = self.rounds();
        let keys = new.map(|question| (question, rounds));
        self.ahead.ask(keys, self.clock, urgency);
    }

    /// These will not be asked for.
    fn give_up(&self, questions: impl IntoIterator<Item = Question>) {
        for question in questions {
            self.ahead.give_up(&(question, self.rounds()));
        }
    }

    /// Rounds of loops are taken together early until values mattered that are not computed by that.
    fn rounds(&self) -> Rounds {
        match self.values_matter.get() {
            false => Rounds::Together,
            true => Rounds::Longer,
        }
    }

    /// Steps for all variations of one kind together: as many as one simulation may have, and more while they may lead
    /// to calls that were not reached.
    fn steps_of_variations(&self) -> u64 {
        let Limits { steps } = self.limits;
        match self.coverage.is_whole() {
            true => steps,
            false => UNREACHED * steps,
        }
    }

    /// Simulates the program.
    fn simulate_whole(&self, size: u32) -> Option<Simulation> {
        let simulation = self.simulate(size, &self.accepted)?;
        self.followed_whole(size, simulation)
    }

    /// A simulation of the program. Loops become shorter as the budget is used: where that cost the end of one, or
    /// certainty, and little of the budget, all is simulated again without.
    fn followed_whole(&self, size: u32, simulation: Simulation) -> Option<Simulation> {
        let notes = &simulation.notes;
        let shortened = !notes.cut_loops().is_empty()
            || !notes.is_certain()
                && notes.unknown_calls().is_empty()
                && notes.unseen().is_empty()
                && !notes.is_denied();
        if !shortened || 2 * simulation.steps > self.limits().steps || self.clock.is_over() {
            return Some(simulation);
        }
        let question = self.question(size, &self.accepted);
        let whole = question.make(self.program, Rounds::Whole, &self.clock.end())?;
        let (steps, spent) = (simulation.steps + whole.steps, simulation.spent + whole.spent);
        let mut better = if whole.notes.was_ended() {
            simulation
        } else {
            whole
        };
        (better.steps, better.spent) = (steps, spent);
        Some(better)
    }
}

impl Exploration<'_> {
    /// A simulation was made for the number of processes at hand.
    fn count(&mut self, simulation: &Simulation) {
        self.steps += simulation.spent;
        self.paths += 1;
        self.coverage.ended(simulation);
    }

    /// Takes what a simulation found.
    fn take_findings(&mut self, size: u32, simulation: &Simulation) {
        self.analysis.processes.push(size);
        self.origins.note(simulation);
        // Few programs are meant for less than one thing for each process, and not all of them say so.
        let certain = match self.given {
            Line::Numbers(numbers) if numbers.are_below(size) => 0,
            _ => simulation.certain,
        };
        for (nth, finding) in simulation.findings.iter().enumerate() {
            if nth < certain {
                let certain = self.rests.pass(size, simulation, nth);
                self.analysis.findings.extend(certain);
            } else {
                self.rests.doubt(simulation, finding);
                self.analysis.possible.push(finding.clone());
            }
        }
        if let Some(more) = simulation.superfluous.clone() {
            self.analysis.superfluous = Some(match self.analysis.superfluous.take() {
                Some(known) => known.joined(more),
                None => more,
            });
        }
    }
}
