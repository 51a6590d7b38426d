//! One program read, and decided by `farside_robust`.

use super::arguments::{Engine as EngineArgument, RobustArguments};
use super::code;
use super::given::Given;
use super::source::{Source, Trouble};
use farside_pgas::change::Kind;
use farside_pgas::lower::Settings;
use farside_robust::Limits;
use farside_robust::judgement::{Engine, Question, Subject, Text, judge};
use farside_robust::repair::Costs;
use farside_robustness::Judgement;
use std::time::Instant;

/// What is said of a program.
pub(super) fn program(given: Given, arguments: &RobustArguments) -> Result<Judgement, Trouble> {
    let source = match given {
        Given::Sources(sources) => return code::judged(sources, arguments, &question(arguments)),
        Given::Trouble(_, trouble) => return Err(trouble),
        Given::Text(path) => Source::read(&path)?,
    };
    let subject = Subject {
        file: &source.name,
        text: Text::of(source.read.text()),
        program: source.read.program(),
        patched: &|changes| source.read.patched(changes),
        elsewhere: &|_| None,
    };
    let begin = Instant::now();
    judge(&subject, &question(arguments), &|| begin.elapsed()).map_err(|errors| source.mistakes(&errors))
}

/// A program in the language of `.pgas` files.
pub(super) fn printed(given: Given, arguments: &RobustArguments) -> Result<String, Trouble> {
    match given {
        Given::Sources(sources) => code::printed(sources, arguments),
        Given::Trouble(_, trouble) => Err(trouble),
        Given::Text(path) => Ok(Source::read(&path)?.read.program().to_string()),
    }
}

fn question(arguments: &RobustArguments) -> Question {
    Question {
        settings: Settings {
            ranks: arguments.ranks,
            domain: arguments.domain,
            api: arguments.api,
            polls: arguments.polls(),
        },
        engine: match arguments.engine {
            EngineArgument::Delay => Engine::Delay,
            EngineArgument::Product => Engine::Product,
            EngineArgument::Direct => Engine::Direct(arguments.queue_bound.map(|bound| bound as usize)),
        },
        limits: Limits {
            states: arguments.states,
            bytes: arguments.memory << 20,
        },
        reduce: !arguments.no_reduction,
        repair: arguments.repair.then(|| costs(arguments)),
        superfluous: arguments.superfluous,
        every: arguments.proves(),
        time_limit: arguments.time_limit,
    }
}

fn costs(arguments: &RobustArguments) -> Costs {
    let mut costs = Costs::default();
    for &(kind, cost) in &arguments.cost {
        match kind {
            Kind::Wait => costs.wait = cost,
            Kind::Fence => costs.fence = cost,
            Kind::Barrier => costs.barrier = cost,
            Kind::Ordered => costs.ordered = cost,
        }
    }
    costs
}
