//! What kept all simulations from a call site.
//!
//! From the site backwards, against the ways that control can take, up to the blocks that simulations entered: these ended with a
//! branch that went another way, or were not left at all. What stands there is the reason.

use super::{CallSite, Graph, Point, Stop, controlling};
use crate::ir::{Action, End, Module, PlaceId};
use crate::loops::successors;
use crate::names;
use rustc_hash::FxHashSet as HashSet;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Reasons that are named for one site.
const NAMED: usize = 3;

/// What simulations came to, and how they ended, over all of them.
#[derive(Debug, Default)]
pub(crate) struct Sightings {
    /// The blocks that were entered, by function and block.
    entered: Vec<Vec<bool>>,
    /// Branches on conditions that the outside world decides.
    outside: BTreeSet<(u32, u32)>,
    /// What ended simulations, with the number of them.
    stops: BTreeMap<Stop, u64>,
}

/// How things are called in a report.
pub(crate) struct Words<'a> {
    module: &'a Module,
    name: fn(&str) -> String,
}

impl Sightings {
    /// Blocks that a simulation entered, by function and block.
    pub(crate) fn enter(&mut self, blocks: &[Vec<bool>]) {
        self.entered.resize(blocks.len(), Vec::new());
        for (known, more) in self.entered.iter_mut().zip(blocks) {
            known.resize(more.len(), false);
            let pairs = known.iter_mut().zip(more);
            pairs.for_each(|(known, more)| *known |= more);
        }
    }

    /// What ended a simulation, and the branches that the outside world decided in it.
    pub(crate) fn end(&mut self, stops: &BTreeSet<Stop>, outside: &BTreeSet<(u32, u32)>) {
        for stop in stops {
            *self.stops.entry(stop.clone()).or_default() += 1;
        }
        self.outside.extend(outside);
    }

    /// What ended simulations, with the number of them.
    pub(crate) fn stops(&self) -> &BTreeMap<Stop, u64> {
        &self.stops
    }

    /// Whether the outside world decided a branch.
    pub(crate) fn is_outside(&self, branch: (u32, u32)) -> bool {
        self.outside.contains(&branch)
    }
}

impl<'a> Words<'a> {
    /// Those of a module, with how the name of a function is shown.
    pub(crate) fn of(module: &'a Module, name: fn(&str) -> String) -> Self {
        Self { module, name }
    }

    /// `main.c:41`
    pub(crate) fn place(&self, place: PlaceId) -> String {
        match self.module.places.get(place as usize) {
            Some(known) if known.line > 0 => format!("{}:{}", known.file, known.line),
            _ => "a place that is not known".into(),
        }
    }

    /// A function's name.
    pub(crate) fn function(&self, function: u32) -> String {
        names::of_function(&self.module.functions[function as usize].name, self.name)
    }
}

/// A sentence: what kept the simulations from a site.
pub(crate) fn reason(
    words: &Words,
    graph: &Graph,
    live: &[bool],
    seen: &Sightings,
    site: &CallSite,
) -> String {
    let function = site.at.function;
    if !live[function as usize] {
        return nothing_calls(words, graph, function);
    }
    let mut reasons = Vec::new();
    for front in fronts(words.module, graph, seen, site.at) {
        let said = front.words(words, seen);
        if !reasons.contains(&said) && reasons.len() < NAMED {
            reasons.push(said);
        }
    }
    if reasons.is_empty() {
        return format!(
            "no way leads there from the start of {}",
            words.function(function)
        );
    }
    reasons.join("; ")
}

/// No way leads from the start of the program to this function: the reason lies where such functions begin.
fn nothing_calls(words: &Words, graph: &Graph, function: u32) -> String {
    let (mut top, mut seen) = (function, HashSet::from_iter([function]));
    while let Some(above) = graph.namers(top).find(|above| !seen.contains(above)) {
        seen.insert(above);
        top = above;
    }
    let (name, first) = (words.function(function), words.function(top));
    match () {
        () if top == function => format!("nothing calls {name}"),
        () if graph.namers(top).next().is_none() => {
            format!("nothing calls {first}, which leads to {name}")
        }
        () => format!("nothing that the program does leads to {name}"),
    }
}

/// A place where simulations went another way than towards a site.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Front {
    /// A branch, by function and block, that went another way.
    Branch(u32, u32),
    /// A block that was entered and, in front of this instruction, not left.
    Stuck(Point),
    /// A call through a pointer that never led to this function.
    Pointer(Point, u32),
    /// A call that never threw an exception.
    Throw(u32, u32),
}

/// The nearest places where simulations went another way.
fn fronts(module: &Module, graph: &Graph, seen: &Sightings, site: Point) -> Vec<Front> {
    let entered = |function: u32, block: u32| seen.entered[function as usize][block as usize];
    if entered(site.function, site.block) {
        return vec![Front::Stuck(site)];
    }
    let mut found = Vec::new();
    let mut waiting = VecDeque::from([(site.function, site.block)]);
    let mut known = HashSet::from_iter([(site.function, site.block)]);
    while let Some((function, block)) = waiting.pop_front() {
        let code = &module.functions[function as usize];
        for (from, before) in (0..).zip(&code.blocks) {
            if !successors(&before.end).contains(&(block as usize)) {
                continue;
            }
            if !entered(function, from) {
                if known.insert((function, from)) {
                    waiting.push_back((function, from));
                }
                continue;
            }
            let front = match &before.end {
                End::Branch { .. } | End::Switch { .. } => Front::Branch(function, from),
                End::Invoke { unwind, .. } if *unwind == block => Front::Throw(function, from),
                _ => Front::Stuck(Point {
                    function,
                    block: from,
                    index: u32::MAX,
                }),
            };
            found.push(front);
        }
        if block != 0 {
            continue;
        }
        for call in graph.callers(function, code.parameters as usize) {
            if !entered(call.function, call.block) {
                if known.insert((call.function, call.block)) {
                    waiting.push_back((call.function, call.block));
                }
            } else if graph.is_named_by(function, call) {
                found.push(Front::Stuck(call));
            } else {
                found.push(Front::Pointer(call, function));
            }
        }
    }
    // Calls through pointers are many, and less telling.
    found.sort_by_key(|front| matches!(front, Front::Pointer(..)));
    found
}

impl Front {
    fn words(&self, words: &Words, seen: &Sightings) -> String {
        let module = words.module;
        match self {
            Self::Branch(function, block) => {
                let condition = condition(words, seen, (*function, *block));
                let led = |(stop, _): &(&Stop, &u64)| {
                    controlling(module, &stop.frames) == Some((*function, *block))
                };
                let ends: BTreeSet<String> = seen
                    .stops
                    .iter()
                    .filter(led)
                    .map(|(stop, _)| end(words, stop))
                    .collect();
                match ends.first() {
                    Some(end) => format!("{condition} always led to {end}"),
                    None => format!("{condition} never led there"),
                }
            }
            Self::Stuck(at) => {
                let here = |(stop, _): &(&Stop, &u64)| stop.frames.contains(&(at.function, at.block));
                let Some((stop, _)) = seen.stops.iter().find(here) else {
                    return format!("no simulation got beyond {}", words.place(start(module, *at)));
                };
                let mut said = format!("{} came first", end(words, stop));
                if let Some(branch) = controlling(module, &stop.frames) {
                    said.push_str(&format!(", to which {} led", condition(words, seen, branch)));
                }
                said
            }
            Self::Pointer(call, function) => format!(
                "the call through a pointer at {} never led to {}",
                words.place(start(module, *call)),
                words.function(*function)
            ),
            Self::Throw(function, block) => {
                let block = &module.functions[*function as usize].blocks[*block as usize];
                format!("no exception was thrown at {}", words.place(block.end_place))
            }
        }
    }
}

/// `the condition on input at main.c:41`
fn condition(words: &Words, seen: &Sightings, branch: (u32, u32)) -> String {
    let block = &words.module.functions[branch.0 as usize].blocks[branch.1 as usize];
    let kind = if seen.outside.contains(&branch) {
        "the condition on input"
    } else {
        "the condition"
    };
    format!("{kind} at {}", words.place(block.end_place))
}

/// `exit(1) at main.c:22`
fn end(words: &Words, stop: &Stop) -> String {
    format!("{} at {}", stop.cause.words(), words.place(stop.place))
}

/// Where a block, or a call in it, stands.
fn start(module: &Module, at: Point) -> PlaceId {
    let block = &module.functions[at.function as usize].blocks[at.block as usize];
    let instruction = block.instructions.get(at.index as usize);
    let named = instruction.filter(|instruction| matches!(instruction.action, Action::Call { .. }));
    named.map_or(block.end_place, |instruction| instruction.place)
}
