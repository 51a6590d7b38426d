//! All that one simulation depends on, and how it is made.
//!
//! Promise: what comes of a question depends on nothing but the program, the question, and where the time at hand ends.
//! So it is the same whether this thread works it out or another one does.

use super::command_line::Line;
use super::{Options, Simulation};
use crate::budget::{Budget, End, Limits, Shortcuts};
use crate::execute::{Job, Order};
use crate::inputs::Inputs;
use crate::ir::Module;
use crate::report;
use crate::start::Given;
use crate::survey::Survey;
use crate::symbolic::Answers;
use crate::value::Symbol;
use farside_findings::Rule;
use farside_trial::Costs;
use rustc_hash::FxHashMap as HashMap;
use std::collections::BTreeMap;
use std::time::Duration;

/// What is simulated, and what is wanted of it.
#[derive(Clone, Copy)]
pub(super) struct Program<'m> {
    module: &'m Module,
    survey: &'m Survey,
    options: &'m Options,
}

impl<'m> Program<'m> {
    pub(super) fn new(module: &'m Module, survey: &'m Survey, options: &'m Options) -> Self {
        Self {
            module,
            survey,
            options,
        }
    }

    /// What says how much of the time that is limited has passed.
    pub(super) fn clock(self) -> Option<fn() -> Duration> {
        self.options.time.map(|limit| limit.clock)
    }
}

/// All that a simulation depends on, besides the program.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Question {
    /// The function that all processes begin with; `main` if there is none.
    entry: Option<u32>,
    size: u32,
    steps: u64,
    /// `None` where answers are given: they are the command line, too.
    line: Option<Line>,
    inputs: Inputs,
    answers: Option<Answers>,
    overrides: BTreeMap<Symbol, bool>,
    order: Order,
    /// Processes that share memory, if not all do.
    per_node: Option<u32>,
}

/// How the rounds of a loop are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Rounds {
    /// They are taken together early; the simulation ends where what was not computed by that matters.
    Together,
    /// They are followed one by one for longer.
    Longer,
    /// They are followed as long as the budget lasts.
    Whole,
}

impl Rounds {
    /// So many steps, of which rounds that are taken together save some.
    fn budget(self, limits: Limits) -> Budget {
        match self {
            Self::Together => Budget::of(limits, Shortcuts::early()).ending_without_values(),
            Self::Longer => Budget::of(limits, Shortcuts::default()),
            Self::Whole => Budget::of(limits, Shortcuts::default()).without_shortening(),
        }
    }
}

/// How a simulation was made.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Origin {
    question: Question,
    rounds: Rounds,
}

impl Origin {
    /// How many processes it has.
    pub(super) fn size(&self) -> u32 {
        self.question.size
    }

    /// The same simulation, without an end of time, with the suggestions of its findings tried.
    pub(super) fn tried(&self, program: Program<'_>) -> Option<Simulation> {
        let limits = (self.rounds, &End::default());
        self.question
            .simulate(program, limits, program.options.tries.as_ref())
    }
}

impl Question {
    /// What so many processes do from `entry` on, in the order of their ranks, in so many steps, given this, with
    /// conditions decided so.
    pub(super) fn of(
        (entry, size, steps): (Option<u32>, u32, u64),
        (line, inputs): (&Line, &Inputs),
        overrides: &HashMap<Symbol, bool>,
    ) -> Self {
        Self {
            entry,
            size,
            steps,
            line: Some(line.clone()),
            inputs: inputs.clone(),
            answers: None,
            overrides: overrides
                .iter()
                .map(|(symbol, truth)| (*symbol, *truth))
                .collect(),
            order: Order::Ranks,
            per_node: None,
        }
    }

    pub(super) fn size(&self) -> u32 {
        self.size
    }

    /// Whether all that the program asks of the outside world are symbols.
    pub(super) fn is_answered(&self) -> bool {
        self.answers.is_some()
    }

    /// Whether these answers have any word.
    pub(super) fn says_something(&self) -> bool {
        self.answers
            .as_ref()
            .is_some_and(|answers| !answers.say_nothing())
    }

    /// The same with all that the program asks of the outside world as symbols, with these answers.
    pub(super) fn answered(self, answers: Answers) -> Self {
        Self {
            line: None,
            answers: Some(answers),
            ..self
        }
    }

    /// The same with another command line.
    pub(super) fn with_line(self, line: Line) -> Self {
        Self {
            line: Some(line),
            answers: None,
            ..self
        }
    }

    /// The same, limited so.
    pub(super) fn limited(self, limits: Limits) -> Self {
        let Limits { steps } = limits;
        Self { steps, ..self }
    }

    /// Whether this is another one, in another number of steps.
    pub(super) fn is_limited_only(&self, other: &Self) -> bool {
        let steps = other.steps;
        self.clone().limited(Limits { steps }) == *other
    }

    /// The same with processes in another order.
    pub(super) fn in_order(self, order: Order) -> Self {
        Self { order, ..self }
    }

    /// The same with so many processes on a node.
    pub(super) fn on_nodes_of(self, per_node: u32) -> Self {
        Self {
            per_node: Some(per_node),
            ..self
        }
    }

    /// Simulates the program as it is asked. `None` if it has no `main`.
    pub(super) fn make(&self, program: Program<'_>, rounds: Rounds, end: &End) -> Option<Simulation> {
        self.simulate(program, (rounds, end), None)
    }

    fn simulate(
        &self,
        program: Program<'_>,
        (rounds, end): (Rounds, &End),
        tries: Option<&Costs>,
    ) -> Option<Simulation> {
        let Program {
            module,
            survey,
            options,
        } = program;
        let limits = Limits { steps: self.steps };
        let budget = || rounds.budget(limits).ending(end).within(options.memory);
        let overrides: HashMap<Symbol, bool> = self
            .overrides
            .iter()
            .map(|(symbol, truth)| (*symbol, *truth))
            .collect();
        let mut watches = Vec::new();
        let (job, mut raw) = loop {
            let mut job = Job::new(module, survey, self.size, &overrides, budget());
            if options.superfluous || tries.is_some() {
                job.keep_events();
            }
            if !self.begin(&mut job) {
                return None;
            }
            job.watch(&watches);
            let raw = job.run();
            // What another thread did to a buffer before the operation on it began may race with it: so it is known
            // from the start which memory operations will be concerned with.
            if !job.notes().made_threads() || !watches.is_empty() {
                break (job, raw);
            }
            watches = job.watches();
        };
        // What a simulation that was cut short says about the end of the program is not to be relied on.
        let whole = job.notes().unknown_calls().is_empty()
            && !job.notes().was_ended()
            && job.notes().cut_loops().is_empty();
        // Nor is what one function says about it.
        if !whole || self.entry.is_some() {
            raw.retain(|finding| {
                !matches!(
                    finding.rule,
                    Rule::Deadlock | Rule::FinalizedInEpoch | Rule::FreedInEpoch | Rule::GroupMismatch
                )
            });
        }
        let certain = job.notes().certain_of(raw.len());
        let shown = (&options.layers, options.name);
        let (mut findings, stopped) = report::findings(&job, raw, tries, shown);
        let followed = whole && self.entry.is_none() && certain == findings.len();
        let superfluous = options
            .superfluous
            .then(|| report::unneeded(&job, followed, shown));
        if let (None, None, Some(line @ (Line::Numbers(_) | Line::These(_)))) =
            (self.entry, &options.arguments, &self.line)
        {
            for finding in &mut findings {
                finding.arguments = Some(line.words());
                finding.inputs = line.inputs();
            }
        }
        let course = job.course();
        let depends_on_order = job.depends_on_order();
        let (decisions, mut notes, steps) = job.into_parts();
        if stopped {
            notes.stop_trials();
        }
        Some(Simulation {
            findings,
            certain,
            course,
            depends_on_order,
            decisions,
            notes,
            steps,
            spent: steps,
            superfluous,
            origin: Origin {
                question: self.clone(),
                rounds,
            },
        })
    }

    /// Lets a job begin; false if the program has no `main`.
    fn begin(&self, job: &mut Job<'_>) -> bool {
        job.take_turns(self.order);
        if let Some(per_node) = self.per_node {
            job.put_on_nodes(per_node);
        }
        if let Some(entry) = self.entry {
            job.enter_entry(entry);
            return true;
        }
        let given = match (&self.answers, &self.line) {
            (Some(answers), _) => Given::Answers(answers),
            (None, Some(line)) => line.given(),
            (None, None) => Given::Nothing,
        };
        job.enter_main(given, &self.inputs)
    }
}
