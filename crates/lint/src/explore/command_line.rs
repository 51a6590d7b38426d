//! Command lines that a program accepts, where nobody says any.
//!
//! What a program does without arguments may be a message on how to use it, or more than the limits allow; and a
//! choice by name (`-x fence`) is never made. So the program is asked: it is given an unlikely word, and what it
//! compares that with are words that it knows; `getopt` names its options; its texts name others. Each of them is
//! tried, in simulations of a few steps. What they give:
//! - a line with a small number for each option that takes one, which makes the program short;
//! - for each option by which the program is switched, and each word that it takes, that line with it.
//!
//! Promise: what is found with such a line is found in a real execution, by those who give it. Not promised: that all
//! options are found. Options whose names the program takes apart before it compares them are known only if a text of
//! it names them.

use super::{Exploration, Simulation, options};
use crate::asked::UNLIKELY;
use crate::budget::Limits;
use crate::start::Given;
use std::collections::{BTreeMap, BTreeSet};

/// Steps in which a program has read its command line, for all processes together.
const STEPS: u64 = 150_000;
/// Lines that are tried in this way.
const TRIED: usize = 160;
/// What is tried as the number of an option.
const NUMBERS: [&str; 8] = ["4", "2", "8", "3", "1", "16", "64", "0.1"];
/// Words of one option that are tried.
const WORDS: usize = 8;
/// Names that are tried where an option takes `NAME=VALUE`.
const NAMES: usize = 24;

/// What an option takes.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Takes {
    Nothing,
    Number,
    Words(Vec<String>),
    /// Another text: the name of a file, say.
    Text,
}

/// The command lines of a program.
#[derive(Clone, Debug, Default)]
pub(super) struct CommandLines {
    /// Options with small numbers, each with its number.
    small: Vec<[String; 2]>,
    /// Options and words by which it is switched.
    switches: Vec<Vec<String>>,
    /// Whether they have been given.
    taken: bool,
}

impl CommandLines {
    /// Options with small numbers; none if the program has no such options.
    pub(super) fn small(&self) -> Vec<String> {
        self.small.concat()
    }

    /// Options and words by which the program is switched; given once.
    pub(super) fn take_switched(&mut self) -> Vec<Vec<String>> {
        match std::mem::replace(&mut self.taken, true) {
            true => Vec::new(),
            false => self.switches.clone(),
        }
    }

    /// Lines to begin with, the best first: all small numbers, or all but one, since a number that is accepted may be
    /// too small for what the program does with it; the first switch where there are no numbers.
    pub(super) fn to_begin_with(&self) -> Vec<Vec<String>> {
        if self.small.is_empty() {
            return self.switches.first().cloned().into_iter().collect();
        }
        let without = (0..self.small.len()).map(|left_out| {
            let pairs = self.small.iter().enumerate();
            let kept = pairs.filter(|(nth, _)| *nth != left_out);
            kept.flat_map(|(_, pair)| pair.clone()).collect()
        });
        let lines = std::iter::once(self.small()).chain(without);
        lines.filter(|line: &Vec<String>| !line.is_empty()).collect()
    }
}

/// What a few steps with a command line show.
struct Try {
    accepted: bool,
    options: BTreeMap<String, bool>,
    words: BTreeSet<String>,
    wants_number: bool,
}

/// Tries lines with a program, as long as there are not too many.
struct Tries<'e, 'm> {
    exploration: &'e mut Exploration<'m>,
    size: u32,
    left: usize,
}

impl Tries<'_, '_> {
    fn run(&mut self, line: &[String]) -> Option<Try> {
        self.left = self.left.checked_sub(1)?;
        let simulation = self.exploration.simulate_briefly(self.size, line)?;
        let asked = simulation.notes.asked();
        Some(Try {
            accepted: self.exploration.goes_on(&simulation),
            options: asked.options().clone(),
            words: asked.words().clone(),
            wants_number: asked.wants_number(),
        })
    }

    fn accepts(&mut self, line: &[String]) -> bool {
        self.run(line).is_some_and(|tried| tried.accepted)
    }

    /// The options that the program knows, and what each takes.
    fn options(&mut self, first: &Try, named: options::Named) -> Vec<(String, Takes)> {
        let word = |text: &str| text.to_owned();
        let mut names: BTreeMap<String, Option<bool>> = BTreeMap::new();
        names.extend(
            first
                .options
                .iter()
                .map(|(name, takes)| (name.clone(), Some(*takes))),
        );
        let compared = first
            .words
            .iter()
            .filter(|known| known.starts_with('-') && known.len() > 1);
        names.extend(compared.map(|name| (name.clone(), None)));
        // A program that takes any option says nothing by taking one.
        if !self.accepts(&[word("--farside"), word("4")]) {
            for name in named.keys() {
                names.entry(name.clone()).or_insert(None);
            }
        }
        let is_option = |known: &String| names.contains_key(known);
        let mut options = Vec::new();
        for (name, takes) in &names {
            if *takes == Some(false) {
                options.push((name.clone(), Takes::Nothing));
                continue;
            }
            let Some(tried) = self.run(&[name.clone(), word(UNLIKELY)]) else {
                break;
            };
            let mut words: Vec<String> = tried
                .words
                .iter()
                .filter(|known| !is_option(known))
                .cloned()
                .collect();
            words.extend(named.get(name).cloned().unwrap_or_default());
            words.sort();
            words.dedup();
            words.truncate(WORDS);
            // The word after an option without an argument is compared with options.
            let takes = match takes {
                None if tried.words.iter().any(is_option) => Takes::Nothing,
                _ if !words.is_empty() => Takes::Words(words),
                _ if tried.wants_number => Takes::Number,
                _ => match self.pairs(name, &is_option) {
                    pairs if pairs.is_empty() => Takes::Text,
                    pairs => Takes::Words(pairs),
                },
            };
            options.push((name.clone(), takes));
        }
        options
    }

    /// Words of the form `NAME=VALUE` that an option takes, where the value is a word.
    fn pairs(&mut self, option: &str, is_option: &impl Fn(&String) -> bool) -> Vec<String> {
        let mut pairs = Vec::new();
        let mut run = |name: &str| self.run(&[option.to_owned(), format!("{name}={UNLIKELY}")]);
        let names = run(UNLIKELY).map(|tried| tried.words).unwrap_or_default();
        for name in names.iter().filter(|name| !is_option(name)).take(NAMES) {
            let Some(tried) = run(name) else { break };
            // Another text may be the name of a file.
            if tried.accepted && tried.words.is_empty() && !tried.wants_number {
                pairs.push(format!("{name}={}", NUMBERS[0]));
            }
            let values = tried
                .words
                .iter()
                .filter(|value| !names.contains(*value) && !is_option(value));
            pairs.extend(values.map(|value| format!("{name}={value}")));
        }
        pairs
    }

    /// A number for each option that takes one; if there is none, for each that takes some other text.
    fn numbers(&mut self, options: &[(String, Takes)]) -> Vec<[String; 2]> {
        let takes_number = |(_, takes): &(String, Takes)| *takes == Takes::Number;
        let wanted = match options.iter().any(takes_number) {
            true => Takes::Number,
            false => Takes::Text,
        };
        let taking = options.iter().filter(|(_, takes)| *takes == wanted);
        let names: Vec<&String> = taking.map(|(name, _)| name).collect();
        let with = |name: &String, number: &str| [name.clone(), number.to_owned()];
        let all: Vec<[String; 2]> = names.iter().map(|name| with(name, NUMBERS[0])).collect();
        if all.is_empty() || self.accepts(&all.concat()) {
            return all;
        }
        // One number may not suit the others, or several: then each is looked for after those that were found.
        let without = |left_out: &String| -> Vec<[String; 2]> {
            let kept = all.iter().filter(|pair| pair[0] != *left_out);
            kept.cloned().collect()
        };
        let mut others = names.iter().map(|name| (*name, without(name)));
        let found: Option<(&String, Vec<[String; 2]>)> =
            others.find(|(_, line)| !line.is_empty() && self.accepts(&line.concat()));
        let (mut open, mut line) = match found {
            Some((name, line)) => (vec![name], line),
            None => (names, Vec::new()),
        };
        // A number may be refused because of one that is given later: then it is asked for once more.
        for _ in 0..2 {
            let asked = std::mem::take(&mut open);
            for name in asked {
                let mut longer = NUMBERS.iter().map(|number| {
                    let mut longer = line.clone();
                    longer.push(with(name, number));
                    longer
                });
                match longer.find(|longer| self.accepts(&longer.concat())) {
                    Some(longer) => line = longer,
                    None => open.push(name),
                }
            }
        }
        line
    }
}

impl<'m> Exploration<'m> {
    /// The command lines of the program, tried with so many processes.
    pub(super) fn command_lines(&mut self, size: u32) -> CommandLines {
        let named = options::of(self.module);
        let mut tries = Tries {
            exploration: self,
            size,
            left: TRIED,
        };
        let mut lines = CommandLines::default();
        let Some(first) = tries.run(&[UNLIKELY.to_owned()]) else {
            return lines;
        };
        let options = tries.options(&first, named);
        lines.small = tries.numbers(&options);
        let mut switches: Vec<Vec<String>> = Vec::new();
        for (name, takes) in &options {
            match takes {
                Takes::Words(words) => {
                    switches.extend(words.iter().map(|word| vec![name.clone(), word.clone()]));
                }
                Takes::Nothing => switches.push(vec![name.clone()]),
                Takes::Text => switches.push(vec![name.clone(), NUMBERS[0].to_owned()]),
                Takes::Number => {}
            }
        }
        let plain = first.words.iter().filter(|word| !word.starts_with('-'));
        switches.extend(plain.map(|word| vec![word.clone()]));
        for switch in switches {
            if tries.accepts(&[lines.small(), switch.clone()].concat()) {
                lines.switches.push(switch);
            }
        }
        lines
    }

    /// A simulation of a few steps with a command line.
    fn simulate_briefly(&mut self, size: u32, line: &[String]) -> Option<Simulation> {
        let steps = STEPS.min(self.limits.steps);
        let limits = std::mem::replace(&mut self.limits, Limits { steps });
        let given = std::mem::replace(&mut self.given, Line::These(line.to_vec()));
        let simulation = self.simulate(size, &self.accepted);
        (self.limits, self.given) = (limits, given);
        if let Some(simulation) = &simulation {
            self.steps += simulation.steps;
            self.paths += 1;
        }
        simulation
    }

    /// Whether the program goes on with what it is for.
    fn goes_on(&self, simulation: &Simulation) -> bool {
        let notes = &simulation.notes;
        // A status that says no, after all that the program is for, may come of values that are not known.
        let failed = notes.has_aborted() || simulation.failed() && notes.met().is_empty();
        let is_idle = super::Coverage::is_idle(&self.survey, simulation);
        // What comes after a loop that was cut for the few steps is no execution of the program.
        !notes.misses_rank() && (simulation.is_cut() || !failed && !is_idle)
    }
}

/// The command line of a simulation.
#[derive(Clone, Debug, Default)]
pub(super) enum Line {
    /// It is not known; samples say that there are no arguments.
    #[default]
    Unknown,
    /// This number in the place of each argument.
    Each(u32),
    /// These words.
    These(Vec<String>),
}

impl Line {
    /// As a program is started with it.
    pub(super) fn given(&self) -> Given<'_> {
        match self {
            Self::Unknown => Given::Nothing,
            Self::Each(number) => Given::Each(*number),
            Self::These(words) => Given::These(words),
        }
    }

    /// For a report.
    pub(super) fn words(&self) -> String {
        match self {
            Self::Unknown => "no arguments".into(),
            Self::Each(number) => format!("the argument {number} in each place"),
            Self::These(words) => format!("the arguments \"{}\"", words.join(" ")),
        }
    }
}
