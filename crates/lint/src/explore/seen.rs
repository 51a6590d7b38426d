//! What was not followed, over all simulations, as a report says it.

use crate::budget::Resource;
use crate::ir::Module;
use crate::notes::Notes;
use crate::value::{Symbol, rests_on};
use farside_findings::{Shortfall, ShortfallKind};
use std::collections::{BTreeMap, BTreeSet};

/// Of functions whose code was not given, so many are named.
const FUNCTIONS_NAMED: usize = 8;

/// What was not followed, over all simulations.
#[derive(Default)]
pub(super) struct Seen {
    /// Functions that are not followed and may order or complete something, and where they are called.
    calls: BTreeMap<String, BTreeSet<u32>>,
    /// Functions whose code was not given, and where they are called.
    foreign: BTreeMap<String, BTreeSet<u32>>,
    loops: BTreeSet<u32>,
    /// Where something depended on values that are not computed.
    uncomputed: BTreeSet<u32>,
    /// Loops that were cut with the program's default input only.
    shortened: BTreeSet<u32>,
    /// The arguments of that other simulation.
    given: String,
    /// The arguments that the program wants where it gives up without.
    wanted: Option<String>,
    /// What was added to the command line, in other simulations.
    added: BTreeSet<String>,
    out_of_steps: bool,
    out_of_time: bool,
    out_of_memory: bool,
    trials_stopped: bool,
    /// What was not tried for want of time, and how many of it.
    untried: BTreeMap<&'static str, u64>,
    /// No solver is installed.
    no_solver: bool,
    /// Ways for which no inputs were looked for, by place.
    left: BTreeMap<u32, u64>,
    /// How many findings are possible only as they rest on functions whose code was not given, and on what values.
    doubted: (usize, BTreeSet<Symbol>),
    /// The greatest number of a target that no number of processes had, and how many processes there were at the most.
    missing_target: Option<(i32, u32)>,
    /// From this number of processes on the program hung, and so many findings were there before.
    hanging: Option<(u32, usize)>,
    /// With so many processes it hung or named a rank that is not there, with more it did not; and so many findings.
    fewer: Option<(u32, usize)>,
    /// From this number of processes on the program hung, and did nothing wrong before.
    left_numbers: Option<u32>,
}

impl Seen {
    /// What a simulation did not follow.
    pub(super) fn note(&mut self, notes: &Notes) {
        self.note_calls(notes);
        self.loops.extend(notes.cut_loops());
        self.uncomputed.extend(notes.uncomputed_at());
        match notes.out_of() {
            Some(Resource::Steps) => self.out_of_steps = true,
            Some(Resource::Time) => self.out_of_time = true,
            Some(Resource::Memory) => self.out_of_memory = true,
            None => {}
        }
    }

    /// The clock has ended the trial of suggestions.
    pub(super) fn stop_trials(&mut self) {
        self.trials_stopped = true;
    }

    /// What a simulation did not follow that another one, of a smaller input, followed to the end.
    pub(super) fn note_shortened(&mut self, notes: &Notes, given: String) {
        self.given = given;
        self.shortened.extend(notes.cut_loops());
        self.note_calls(notes);
    }

    /// The program was followed with this on its command line, too.
    pub(super) fn note_added(&mut self, words: String) {
        self.added.insert(words);
    }

    /// The program gives up without arguments; it was followed with these.
    pub(super) fn note_wanted(&mut self, given: String) {
        self.wanted = Some(given);
    }

    fn note_calls(&mut self, notes: &Notes) {
        for (name, place) in notes.unknown_calls() {
            self.calls.entry(name.clone()).or_default().insert(*place);
        }
        for (name, place) in notes.foreign_calls() {
            self.foreign.entry(name.clone()).or_default().insert(*place);
        }
    }

    /// So many findings are possible only, as they rest on these results of functions whose code was not given.
    pub(super) fn doubt(&mut self, findings: usize, on: BTreeSet<Symbol>) {
        self.doubted = (findings, on);
    }

    /// For want of time, so many of these were not tried.
    pub(super) fn leave_untried(&mut self, what: &'static str, count: u64) {
        *self.untried.entry(what).or_default() += count;
    }

    /// A target has this number, and there were no more processes than these.
    pub(super) fn miss_target(&mut self, number: i32, processes: u32) {
        self.missing_target = self.missing_target.max(Some((number, processes)));
    }

    /// With this number of processes and more the program hung, and so many findings were there before.
    pub(super) fn note_hanging(&mut self, processes: u32, findings: usize) {
        self.hanging = Some((processes, findings));
    }

    /// With this number of processes the program hung or named a rank that is not there, and with more it did not; so
    /// many findings were there.
    pub(super) fn note_fewer(&mut self, processes: u32, findings: usize) {
        self.fewer = Some((processes, findings));
    }

    /// From this number of processes on the program hung, and did nothing wrong before.
    pub(super) fn leave_numbers(&mut self, processes: u32) {
        self.left_numbers = Some(processes);
    }

    /// No solver is installed, and there is something to ask.
    pub(super) fn miss_solver(&mut self) {
        self.no_solver = true;
    }

    /// No inputs were found, and none excluded, for the ways to these places.
    pub(super) fn leave_inputs(&mut self, places: Vec<u32>) {
        for place in places {
            *self.left.entry(place).or_default() += 1;
        }
    }

    /// Not all functions could be begun with.
    pub(super) fn run_out_of_steps(&mut self) {
        self.out_of_steps = true;
    }

    /// That a simulation of other inputs did not come to its end for want of time.
    pub(super) fn note_time(&mut self, notes: &Notes) {
        self.out_of_time |= notes.out_of() == Some(Resource::Time);
    }

    /// The shortfalls of the report.
    pub(super) fn shortfalls(&self, module: &Module, shown: fn(&str) -> String) -> Vec<Shortfall> {
        let place = |id: u32| {
            let place = &module.places[id as usize];
            format!("{}:{}", place.file, place.line)
        };
        let places = |ids: &BTreeSet<u32>| {
            let mut lines: Vec<String> = Vec::new();
            for line in ids.iter().map(|id| place(*id)) {
                if lines.len() < 5 && !lines.contains(&line) {
                    lines.push(line);
                }
            }
            lines.join(", ")
        };
        let mut shortfalls = Vec::new();
        for (name, at) in &self.calls {
            shortfalls.push(Shortfall {
                id: ShortfallKind::UnknownCall,
                message: format!(
                    "{}, called at {}, is not followed: what it orders or touches was not seen",
                    shown(name),
                    places(at)
                ),
                ranks: Vec::new(),
            });
        }
        if !self.foreign.is_empty() {
            let named = self.foreign.iter().take(FUNCTIONS_NAMED);
            let named: Vec<String> = named
                .map(|(name, at)| format!("{} (called at {})", shown(name), places(at)))
                .collect();
            let others = match self.foreign.len().saturating_sub(FUNCTIONS_NAMED) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            let unseen = match self.foreign.len() {
                1 => "it loads, stores and calls",
                _ => "they load, store and call",
            };
            shortfalls.push(Shortfall::of_all(
                ShortfallKind::UnknownCall,
                format!(
                    "no code was given of {}{others}: what {unseen} was not seen",
                    named.join(", ")
                ),
            ));
        }
        if !self.uncomputed.is_empty() {
            shortfalls.push(Shortfall::of_all(
                ShortfallKind::NotComputed,
                format!(
                    "values are not computed on which these lines depend: {}; what is found after them is possible only \
                     (--possible)",
                    places(&self.uncomputed)
                ),
            ));
        }
        if let Some((number, processes)) = self.missing_target {
            shortfalls.push(Shortfall::of_all(
                ShortfallKind::MissingProcesses,
                format!(
                    "a target is rank {number}, which {processes} processes do not have: what is done with more was \
                     not seen; --ranks {} has it",
                    i64::from(number) + 1
                ),
            ));
        }
        if let Some((processes, findings)) = self.hanging {
            let (were, them) = match findings {
                1 => ("finding was", "it"),
                _ => ("findings were", "them"),
            };
            shortfalls.push(Shortfall::of_all(
                ShortfallKind::MissingProcesses,
                format!(
                    "with {processes} processes and more the program hangs, so that it may be meant for fewer; {findings} \
                     {were} there before: --ranks {processes} shows {them}"
                ),
            ));
        }
        if let Some((processes, findings)) = self.fewer {
            let (was, them) = match findings {
                1 => ("finding was", "it"),
                _ => ("findings were", "them"),
            };
            shortfalls.push(Shortfall::of_all(
                ShortfallKind::MissingProcesses,
                format!(
                    "with {processes} processes the program hangs or names a rank that is not there, so that it may be \
                     meant for more; {findings} {was} there: --ranks {processes} shows {them}"
                ),
            ));
        }
        if let Some(processes) = self.left_numbers {
            shortfalls.push(Shortfall::of_all(
                ShortfallKind::NumbersLeft,
                format!(
                    "with {processes} processes and more the program hangs, so that it may be meant for fewer: --ranks \
                     {processes} shows where"
                ),
            ));
        }
        if let (findings @ 1.., on) = &self.doubted {
            let rest = |name: &String| on.iter().any(|symbol| rests_on(*symbol, name));
            let named: Vec<String> = self
                .foreign
                .keys()
                .filter(|name| rest(name))
                .map(|name| shown(name))
                .collect();
            let (is, them) = match findings {
                1 => ("finding is", "it"),
                _ => ("findings are", "them"),
            };
            let named = named[..named.len().min(FUNCTIONS_NAMED)].join(", ");
            shortfalls.push(Shortfall::of_all(
                ShortfallKind::UnknownCall,
                format!(
                    "{findings} {is} possible only (--possible shows {them}): what {named} returns or stores decides, of \
                     which no code was given"
                ),
            ));
        }
        if !self.loops.is_empty() {
            shortfalls.push(Shortfall {
                id: ShortfallKind::LoopCut,
                message: format!(
                    "not all rounds of these loops were followed: {}",
                    places(&self.loops)
                ),
                ranks: Vec::new(),
            });
        } else if !self.shortened.is_empty() {
            shortfalls.push(Shortfall {
                id: ShortfallKind::SmallInput,
                message: format!(
                    "without arguments, not all rounds of these loops were followed: {}; with {}, the program \
                     was followed to its end",
                    places(&self.shortened),
                    self.given
                ),
                ranks: Vec::new(),
            });
        }
        if let Some(given) = &self.wanted {
            shortfalls.push(Shortfall {
                id: ShortfallKind::SmallInput,
                message: format!(
                    "without arguments, the program gives up; it was followed with {given} (--args gives others)"
                ),
                ranks: Vec::new(),
            });
        }
        if !self.added.is_empty() {
            let added: Vec<&str> = self.added.iter().map(String::as_str).collect();
            shortfalls.push(Shortfall {
                id: ShortfallKind::SmallInput,
                message: format!(
                    "to these arguments was added, one at a time: {}",
                    added.join(", ")
                ),
                ranks: Vec::new(),
            });
        }
        if self.out_of_steps {
            shortfalls.push(Shortfall {
                id: ShortfallKind::OutOfSteps,
                message: "the program is longer than the limit; what comes after it was not seen (--steps raises it)".into(),
                ranks: Vec::new(),
            });
        }
        if self.no_solver {
            shortfalls.push(Shortfall {
                id: ShortfallKind::NoSolver,
                message: "inputs that lead elsewhere were not worked out, as z3 is not installed; conditions on inputs \
                          were tried one at a time"
                    .into(),
                ranks: Vec::new(),
            });
        }
        if !self.left.is_empty() {
            let named: BTreeSet<String> = self.left.keys().map(|id| place(*id)).collect();
            let named: Vec<String> = named.into_iter().take(5).collect();
            shortfalls.push(Shortfall {
                id: ShortfallKind::InputsLeft,
                message: format!(
                    "{} ways that inputs decide were not tried with inputs of their own (--paths and --time allow \
                     more): those to {}",
                    self.left.values().sum::<u64>(),
                    named.join(", ")
                ),
                ranks: Vec::new(),
            });
        }
        if self.out_of_memory {
            shortfalls.push(Shortfall {
                id: ShortfallKind::MemoryLimit,
                message: "a simulation was ended for want of memory (--memory allows more)".into(),
                ranks: Vec::new(),
            });
        }
        if self.trials_stopped {
            shortfalls.push(farside_trial::stopped());
        }
        let untried = self.untried.iter().filter(|(_, count)| **count > 0);
        let mut parts: Vec<String> = untried
            .map(|(what, count)| format!("{count} {what} were not tried"))
            .collect();
        if self.out_of_time {
            parts.insert(0, "a simulation was ended".into());
        }
        if !parts.is_empty() {
            shortfalls.push(Shortfall {
                id: ShortfallKind::TimeLimit,
                message: format!("for want of time (--time allows more), {}", parts.join(", ")),
                ranks: Vec::new(),
            });
        }
        shortfalls
    }
}
