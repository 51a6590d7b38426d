//! Command lines that a program accepts, where nobody says any.
//!
//! What a program does without arguments may be a message on how to use it, or more than the limits allow; and a
//! choice by name (`-x fence`) is never made. So the program is asked: it is given an unlikely word, and what it
//! compares that with are words that it knows; `getopt` names its options; its texts name others. Each of them is
//! tried, in simulations of a few steps. What they give:
//! - a line with a small number for each option that takes one, which makes the program short; where no option does,
//!   and the program does nothing without arguments, a line of as many numbers as it wants;
//! - for each option by which the program is switched, and each word that it takes, that line with it.
//!
//! Promise: what is found with such a line is found in a real execution, by those who give it. Not promised: that all
//! options are found. Of names that the program takes apart before it compares them, those are known that a text of it
//! names, and those that it takes two dashes away from.

use super::options::Said;
use super::{Exploration, Simulation, options};
use crate::asked::UNLIKELY;
use crate::budget::Limits;
use crate::start::{Given, Numbers};
use farside_findings::GivenInputs;
use std::collections::{BTreeMap, BTreeSet};

/// Steps in which a program has read its command line, for all processes together.
const STEPS: u64 = 150_000;
/// What a program may take away from a word before it compares the rest with names of options.
const DASHES: &str = "--";
/// What is tried as the number of an option.
const NUMBERS: [&str; 8] = ["4", "2", "8", "3", "1", "16", "64", "0.1"];
/// Words of one option that are tried.
const WORDS: usize = 8;
/// Numbers in a row that are tried where a program does nothing without arguments.
const IN_A_ROW: usize = 6;
/// Names that are tried where an option takes `NAME=VALUE`.
const NAMES: usize = 24;

/// How an option and what it takes are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Spelling {
    /// `-n 4`.
    Words,
    /// `steps=4`, `--steps=4`.
    Joined,
}

/// An option of the program.
#[derive(Clone, Debug)]
struct Known {
    name: String,
    spelling: Spelling,
    takes: Takes,
}

impl Known {
    /// The words of a command line that give it this value.
    fn with(&self, value: &str) -> Vec<String> {
        joined(&self.name, self.spelling, value)
    }
}

/// Whether a word is only how options begin.
fn begins_options(word: &str) -> bool {
    word.bytes().all(|byte| byte == b'-')
}

fn joined(name: &str, spelling: Spelling, value: &str) -> Vec<String> {
    match spelling {
        Spelling::Words => vec![name.to_owned(), value.to_owned()],
        Spelling::Joined => vec![format!("{}={value}", name.trim_end_matches('='))],
    }
}

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
    /// Options with small numbers: the words of each.
    small: Vec<Vec<String>>,
    /// Options and words by which it is switched.
    switches: Vec<Vec<String>>,
    /// Texts of options, such as names of files, that it takes and then gives up with.
    doubtful: Vec<Vec<String>>,
    /// Whether they have been given.
    taken: bool,
}

impl CommandLines {
    /// Options with small numbers; none if the program has no such options.
    pub(super) fn small(&self) -> Vec<String> {
        self.small.concat()
    }

    /// Options and words by which the program is switched.
    pub(super) fn switched(&self) -> &[Vec<String>] {
        &self.switches
    }

    /// Options and words by which the program is switched; given once.
    pub(super) fn take_switched(&mut self) -> Vec<Vec<String>> {
        match std::mem::replace(&mut self.taken, true) {
            true => Vec::new(),
            false => self.switches.clone(),
        }
    }

    /// Texts that it gives up with, as what it reads by their names is not known; given once.
    pub(super) fn take_doubtful(&mut self) -> Vec<Vec<String>> {
        std::mem::take(&mut self.doubtful)
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
            kept.flat_map(|(_, words)| words.clone()).collect()
        });
        let lines = std::iter::once(self.small()).chain(without);
        lines.filter(|line: &Vec<String>| !line.is_empty()).collect()
    }
}

/// An option by its place in a list, and its number.
type Numbered = (usize, &'static str);

/// What a few steps with a command line show.
struct Try {
    accepted: bool,
    options: BTreeMap<String, bool>,
    words: BTreeSet<String>,
    wants_number: bool,
}

/// Tries lines with a program, as long as there is time.
struct Tries<'e, 'm> {
    exploration: &'e mut Exploration<'m>,
    size: u32,
    /// Lines that were not tried.
    untried: u64,
}

impl Tries<'_, '_> {
    fn run(&mut self, line: &[String]) -> Option<Try> {
        if self.exploration.clock.is_over() {
            self.untried += 1;
            return None;
        }
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

    /// The options that the program knows.
    fn options(&mut self, first: &Try, named: options::Named) -> Vec<Known> {
        let word = |text: &str| text.to_owned();
        let mut names: BTreeMap<String, Option<bool>> = BTreeMap::new();
        names.extend(
            first
                .options
                .iter()
                .map(|(name, takes)| (name.clone(), Some(*takes))),
        );
        let words = self.words_of(first, |word| vec![word.to_owned()]);
        let compared = words
            .iter()
            .filter(|known| known.starts_with('-') && !begins_options(known));
        names.extend(compared.map(|name| (name.clone(), None)));
        for name in self.dashed(first) {
            names.entry(name).or_insert(None);
        }
        // A program that takes any option says nothing by taking one.
        if !self.accepts(&[word("--farside"), word("4")]) {
            for name in named.keys() {
                names.entry(name.clone()).or_insert(None);
            }
        }
        let mut options: Vec<Known> = Vec::new();
        let is_option =
            |known: &String| names.contains_key(known) || names.contains_key(&format!("{DASHES}{known}"));
        for (name, takes) in &names {
            let said = named.get(name);
            // What the program itself was seen to compare as a word of its own is one.
            let is_seen = first.options.contains_key(name) || words.contains(name);
            let spelling = match name.ends_with('=') || !is_seen && said.is_some_and(Said::is_joined) {
                true => Spelling::Joined,
                false => Spelling::Words,
            };
            let takes = match takes {
                Some(false) => Takes::Nothing,
                _ => {
                    let listed = said.map(|said| said.words().to_vec()).unwrap_or_default();
                    match self.takes(name, spelling, listed, takes.is_none(), &is_option) {
                        Some(takes) => takes,
                        None => break,
                    }
                }
            };
            let name = name.clone();
            options.push(Known {
                name,
                spelling,
                takes,
            });
        }
        for dashes in ["", DASHES] {
            options.extend(self.assignments(first, dashes, &is_option));
        }
        options
    }

    /// Names of options that the program compares with what comes after two dashes.
    fn dashed(&mut self, first: &Try) -> Vec<String> {
        let dashed = |word: &str| vec![format!("{DASHES}{word}")];
        let Some(tried) = self.run(&dashed(UNLIKELY)) else {
            return Vec::new();
        };
        let words = self.words_of(&tried, dashed);
        let names = words
            .into_iter()
            .filter(|word| !word.starts_with('-') && !first.words.contains(word));
        names.take(NAMES).flat_map(|word| dashed(&word)).collect()
    }

    /// Keys of words `KEY=VALUE` of the command line itself, after these dashes.
    fn assignments(&mut self, first: &Try, dashes: &str, is_option: &impl Fn(&String) -> bool) -> Vec<Known> {
        let spelling = Spelling::Joined;
        // A word may mean something by its first letter.
        let [plain, named] = ["", "none"].map(|begin| format!("{dashes}{begin}{UNLIKELY}"));
        let (Some(mut tried), Some(other)) = (
            self.run(&joined(&plain, spelling, UNLIKELY)),
            self.run(&joined(&named, spelling, UNLIKELY)),
        ) else {
            return Vec::new();
        };
        tried.words.extend(other.words);
        let dashed = |key: &str| format!("{dashes}{key}");
        let keys = self.words_of(&tried, |key| joined(&dashed(key), spelling, UNLIKELY));
        let keys = keys
            .into_iter()
            .filter(|key| !first.words.contains(key) && !is_option(key) && !begins_options(key))
            // Found without dashes.
            .filter(|key| dashes.is_empty() || !key.starts_with('-'));
        let keys: Vec<String> = keys.take(NAMES).map(|key| dashed(&key)).collect();
        let is_key = |known: &String| keys.contains(&dashed(known)) || is_option(known);
        let mut known = Vec::new();
        for name in &keys {
            let Some(takes) = self.takes(name, spelling, Vec::new(), false, &is_key) else {
                break;
            };
            let name = name.clone();
            known.push(Known {
                name,
                spelling,
                takes,
            });
        }
        known
    }

    /// What an option takes, with the words that a text lists for it; `None` if there is no time to try.
    /// `may_take_none`: it may be an option without an argument.
    fn takes(
        &mut self,
        name: &str,
        spelling: Spelling,
        listed: Vec<String>,
        may_take_none: bool,
        is_option: &impl Fn(&String) -> bool,
    ) -> Option<Takes> {
        let tried = self.run(&joined(name, spelling, UNLIKELY))?;
        // The word after an option without an argument is compared with options.
        let of_options = |word: &String| is_option(word) || begins_options(word);
        if may_take_none && spelling == Spelling::Words && tried.words.iter().any(of_options) {
            return Some(Takes::Nothing);
        }
        let mut words = self.words_of(&tried, |word| joined(name, spelling, word));
        words.retain(|known| !of_options(known));
        words.extend(listed);
        let words: Vec<String> = words.into_iter().take(WORDS).collect();
        Some(match () {
            () if !words.is_empty() => Takes::Words(words),
            () if tried.wants_number => Takes::Number,
            () if spelling == Spelling::Joined => Takes::Text,
            () => match self.pairs(name, is_option) {
                pairs if pairs.is_empty() => Takes::Text,
                pairs => Takes::Words(pairs),
            },
        })
    }

    /// The words that the program compares with what is in the place of the unlikely word, after a first try with it. A
    /// search in a sorted table meets the neighbours of the word that is looked for: so words that come right after
    /// known ones are tried, too.
    fn words_of(&mut self, first: &Try, line: impl Fn(&str) -> Vec<String>) -> BTreeSet<String> {
        let mut known = first.words.clone();
        let mut open: Vec<String> = known.iter().cloned().collect();
        while let Some(word) = open.pop() {
            if known.len() > NAMES {
                break;
            }
            let Some(tried) = self.run(&line(&format!("{word}{UNLIKELY}"))) else {
                break;
            };
            open.extend(tried.words.difference(&known).cloned());
            known.extend(tried.words);
        }
        known
    }

    /// Words of the form `NAME=VALUE` that an option takes, where the value is a word.
    fn pairs(&mut self, option: &str, is_option: &impl Fn(&String) -> bool) -> Vec<String> {
        let mut pairs = Vec::new();
        let mut run = |name: &str| self.run(&[option.to_owned(), format!("{name}={UNLIKELY}")]);
        let names = run(UNLIKELY).map(|tried| tried.words).unwrap_or_default();
        for name in names.iter().filter(|name| !is_option(name)).take(NAMES) {
            let Some(tried) = run(name) else { break };
            // Another text may be the name of a file.
            if tried.words.is_empty() && !tried.wants_number {
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
    fn numbers(&mut self, options: &[Known]) -> Vec<Vec<String>> {
        let takes_number = |option: &Known| option.takes == Takes::Number;
        let wanted = match options.iter().any(takes_number) {
            true => Takes::Number,
            false => Takes::Text,
        };
        let taking: Vec<&Known> = options.iter().filter(|option| option.takes == wanted).collect();
        let found = self.fitting(&taking);
        found
            .iter()
            .map(|(nth, number)| taking[*nth].with(number))
            .collect()
    }

    /// As many numbers in a row as the program wants: a word each. None if it goes on without arguments.
    fn numbers_in_a_row(&mut self) -> Vec<Vec<String>> {
        if self.accepts(&[]) {
            return Vec::new();
        }
        for count in 1..=IN_A_ROW {
            let Some(tried) = self.run(&vec![UNLIKELY.to_owned(); count]) else {
                break;
            };
            if !tried.wants_number {
                continue;
            }
            // All the same, or one of them another: too large for the others, say.
            let others = NUMBERS[1..].iter();
            let changes = others.flat_map(|number| (0..count).map(move |nth| Some((nth, *number))));
            for change in std::iter::once(None).chain(changes) {
                let mut line = vec![vec![NUMBERS[0].to_owned()]; count];
                if let Some((nth, number)) = change {
                    line[nth] = vec![number.to_owned()];
                }
                if self.accepts(&line.concat()) {
                    return line;
                }
            }
        }
        Vec::new()
    }

    /// Options, by their place among these, with numbers that suit each other.
    fn fitting(&mut self, names: &[&Known]) -> Vec<Numbered> {
        let mut fits = |line: &[Numbered]| {
            let words = line.iter().flat_map(|(nth, number)| names[*nth].with(number));
            !line.is_empty() && self.accepts(&words.collect::<Vec<_>>())
        };
        let all: Vec<Numbered> = (0..names.len()).map(|nth| (nth, NUMBERS[0])).collect();
        if all.is_empty() || fits(&all) {
            return all;
        }
        let without = |line: &[Numbered], nth: usize| -> Vec<Numbered> {
            let kept = line.iter().filter(|(other, _)| *other != nth);
            kept.copied().collect()
        };
        // One number may not suit the others: it is left out, and another one is looked for after that; if that does
        // not help, it is another one at once.
        let (mut open, mut line): (Vec<usize>, Vec<Numbered>) = ((0..names.len()).collect(), Vec::new());
        if let Some(nth) = open.iter().find(|nth| fits(&without(&all, **nth))) {
            line = without(&all, *nth);
            open = vec![*nth];
        } else {
            let others = NUMBERS[1..].iter();
            for (nth, number) in others.flat_map(|number| open.iter().map(move |nth| (*nth, *number))) {
                let mut changed = all.clone();
                changed[nth].1 = number;
                if fits(&changed) {
                    return changed;
                }
            }
        }
        // A number may be refused because of one that is given later, or of one that was given before.
        for _ in 0..2 {
            for nth in std::mem::take(&mut open) {
                let longer = |line: &[Numbered], number| [line, &[(nth, number)]].concat();
                if fits(&longer(&line, NUMBERS[0])) {
                    line = longer(&line, NUMBERS[0]);
                    continue;
                }
                let mut before = line.iter().map(|(other, _)| *other);
                if let Some(other) = before.find(|other| fits(&longer(&without(&line, *other), NUMBERS[0]))) {
                    line = longer(&without(&line, other), NUMBERS[0]);
                    open.push(other);
                    continue;
                }
                match NUMBERS[1..].iter().find(|number| fits(&longer(&line, number))) {
                    Some(number) => line = longer(&line, number),
                    None => open.push(nth),
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
            untried: 0,
        };
        let mut lines = CommandLines::default();
        let Some(first) = tries.run(&[UNLIKELY.to_owned()]) else {
            return lines;
        };
        let options = tries.options(&first, named);
        lines.small = tries.numbers(&options);
        if lines.small.is_empty() {
            lines.small = tries.numbers_in_a_row();
        }
        let mut switches: Vec<Vec<String>> = Vec::new();
        for option in &options {
            match &option.takes {
                Takes::Words(words) => {
                    switches.extend(words.iter().map(|word| option.with(word)));
                    lines.doubtful.push(option.with(NUMBERS[0]));
                }
                Takes::Nothing => switches.push(vec![option.name.clone()]),
                Takes::Text => switches.push(option.with(NUMBERS[0])),
                Takes::Number => {}
            }
        }
        let plain = first.words.iter().filter(|word| !word.starts_with('-'));
        switches.extend(plain.map(|word| vec![word.clone()]));
        for switch in switches {
            match tries.run(&[lines.small(), switch.clone()].concat()) {
                Some(tried) if tried.accepted => lines.switches.push(switch),
                Some(_) => lines.doubtful.push(switch),
                None => {}
            }
        }
        let untried = tries.untried;
        self.seen.leave_untried("lines that could name options", untried);
        lines
    }

    /// A simulation of a few steps with a command line.
    fn simulate_briefly(&mut self, size: u32, line: &[String]) -> Option<Simulation> {
        let steps = STEPS.min(self.limits.steps);
        let question = self.question(size, &self.accepted).limited(Limits { steps });
        let simulation = self.made(question.with_line(Line::These(line.to_vec())));
        if let Some(simulation) = &simulation {
            self.steps += simulation.spent;
            self.paths += 1;
        }
        simulation
    }

    /// Whether the program goes on with what it is for.
    fn goes_on(&self, simulation: &Simulation) -> bool {
        let notes = &simulation.notes;
        // A status that says no, after all that the program is for, may come of values that are not known.
        let failed = notes.has_aborted() || simulation.failed() && notes.met().is_empty();
        let is_idle = super::Coverage::is_idle(self.survey, simulation);
        // What comes after a loop that was cut for the few steps is no execution of the program.
        !notes.misses_rank() && (simulation.is_cut() || !failed && !is_idle)
    }
}

/// The command line of a simulation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) enum Line {
    /// It is not known; samples say that there are no arguments.
    #[default]
    Unknown,
    /// These numbers as arguments.
    Numbers(Numbers),
    /// These words.
    These(Vec<String>),
}

impl Line {
    /// As a program is started with it.
    pub(super) fn given(&self) -> Given<'_> {
        match self {
            Self::Unknown => Given::Nothing,
            Self::Numbers(numbers) => Given::Numbers(*numbers),
            Self::These(words) => Given::These(words),
        }
    }

    /// For a report: the words.
    pub(super) fn inputs(&self) -> Option<GivenInputs> {
        let arguments = match self {
            Self::Unknown | Self::Numbers(_) => return None,
            Self::These(words) => words.clone(),
        };
        Some(GivenInputs {
            arguments,
            ..GivenInputs::default()
        })
    }

    /// For a report.
    pub(super) fn words(&self) -> String {
        match self {
            Self::Unknown => "no arguments".into(),
            Self::Numbers(numbers) => numbers.to_string(),
            Self::These(words) => format!("the arguments \"{}\"", words.join(" ")),
        }
    }
}
