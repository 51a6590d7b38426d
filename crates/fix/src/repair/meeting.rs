//! A barrier of the threads of a team, or a wait for tasks, between two statements of a block: a directive of OpenMP.
//!
//! A barrier stands in the block of the region itself, to which all threads of the team come equally often: in none of
//! what only some of them do, or not together (loops, sections, `single`, `if`). A wait for tasks stands in the block
//! that makes the task.

use super::{Changes, Repair};
use crate::edit::{Edit, Side, beside};
use crate::language::Language;
use crate::refusal::Refusal;
use crate::source::Source;
use crate::statement::{Kind, Step};
use crate::template::Template;
use farside_findings::Place;

impl Repair<'_> {
    /// Lets threads meet between the two places; before that, calls of the one that comes first.
    pub(super) fn meet(&self) -> Result<Changes, Refusal> {
        let suggestion = self.suggestion;
        let (ahead, directive) = match suggestion.call.rsplit_once("; ") {
            Some((ahead, directive)) => (Template::all(ahead)?, directive),
            None => (Vec::new(), suggestion.call.as_str()),
        };
        let (after, before) = self.ends()?;
        let source = self.sources.get(&after.file)?;
        if before.file != after.file || source.language() != Language::C {
            return Err(Refusal::WordsOnly(suggestion.call.clone()));
        }
        let paths = [
            source.path(source.offset(after)?)?,
            source.path(source.offset(before)?)?,
        ];
        let (outer, first, second) =
            common(&paths).ok_or_else(|| Refusal::NothingBetween(directive.to_owned()))?;
        match directive.ends_with("taskwait") {
            true => check_task(&source, first, after)?,
            false => check_region(&source, outer, before)?,
        }
        let mut changes = Changes::new();
        if !ahead.is_empty() {
            changes.push(self.insert_on_one(&ahead)?);
        }
        let steps = (first.index() + 1..=second.index())
            .rev()
            .map(|index| first.sibling(index));
        let is_there = |step: &Step<'_>| self.tried.allows(directive, &source, &[(*step, Side::Before)]);
        let step = steps.into_iter().find(is_there);
        let step = step.ok_or_else(|| Refusal::NotThere(directive.to_owned()))?;
        if source.is_labelled(step.statement()) || !source.is_first(step.statement().range().start) {
            return Err(Refusal::NotThere(directive.to_owned()));
        }
        let edits: Vec<Edit> = beside(&source, &step, Side::Before, &[directive.to_owned()]);
        changes.push((source.file().to_owned(), edits));
        Ok(changes)
    }
}

/// What two ways lead through, and the statements of one block in which they part, the first one above the second.
fn common<'p, 's>(paths: &'p [Vec<Step<'s>>; 2]) -> Option<(&'p [Step<'s>], &'p Step<'s>, &'p Step<'s>)> {
    let [first, second] = paths;
    let shared = first.iter().zip(second).take_while(|(a, b)| a.is(b)).count();
    let (one, other) = (first.get(shared)?, second.get(shared)?);
    let is_one_block = one.number() == other.number() && one.index() < other.index();
    (is_one_block && one.block().is_braced()).then_some((&first[..shared], one, other))
}

/// Whether a block is that of a region that all threads of a team run.
fn check_region(source: &Source, outer: &[Step<'_>], place: &Place) -> Result<(), Refusal> {
    let not_all = || Refusal::SomeThreads(place.clone());
    let around = outer.last().ok_or_else(not_all)?.statement();
    let directive = source.directive_above(around).ok_or_else(not_all)?;
    let words: Vec<&str> = directive
        .split(|c: char| !c.is_ascii_alphanumeric() && c != '#')
        .collect();
    let is_region = matches!(words.as_slice(), ["#pragma", "omp", "parallel", rest @ ..]
        if !rest.iter().any(|word| ["for", "sections", "loop", "master", "masked"].contains(word)));
    match is_region && around.kind() == Kind::Plain {
        true => Ok(()),
        false => Err(not_all()),
    }
}

/// Whether a statement makes a task.
fn check_task(source: &Source, step: &Step<'_>, place: &Place) -> Result<(), Refusal> {
    let makes = |line: &str| {
        let mut words = line.split_whitespace();
        [words.next(), words.next()] == [Some("#pragma"), Some("omp")]
            && words
                .next()
                .is_some_and(|word| word == "task" || word.starts_with("task("))
    };
    let own = source.directive_above(step.statement()).is_some_and(makes);
    let within = source
        .part(step.statement().range())
        .lines()
        .any(|line| makes(line.trim_start()));
    match own || within {
        true => Ok(()),
        false => Err(Refusal::Directive(place.clone())),
    }
}
