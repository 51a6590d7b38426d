//! What a simulation notes for those who choose the next ones and write the report, besides its findings.

use crate::asked::Asked;
use crate::budget::{Budget, Resource};
use crate::events::Events;
use crate::ir::{Module, PlaceId};
use crate::reach::{Point, Stop};
use crate::symbolic::Terms;
use crate::value::{Scalar, Symbol};
use std::collections::BTreeSet;

/// How a simulation went and ended.
#[derive(Clone, Debug)]
pub(crate) struct Notes {
    /// Functions that were met and are not followed, and may order or complete something.
    unknown_calls: BTreeSet<(String, PlaceId)>,
    /// Functions that were met whose code was not given, and which are taken to do neither.
    foreign_calls: BTreeSet<(String, PlaceId)>,
    /// Loops that were left early.
    cut_loops: BTreeSet<PlaceId>,
    /// The program ended itself: exit with a status, abort, `MPI_Abort`.
    aborted: bool,
    /// `main` returned with a status other than zero.
    failed: bool,
    /// What ended processes, threads, or the simulation.
    stops: BTreeSet<Stop>,
    /// Branches on conditions that the outside world decides.
    outside: BTreeSet<(u32, u32)>,
    /// Sites of the survey that were met, by number.
    met: BTreeSet<usize>,
    /// Calls of such functions by instructions that the survey does not know for sites.
    further: BTreeSet<Point>,
    /// A rank or target that is not there was named: the program needs more processes.
    missing_rank: bool,
    /// The targets among them.
    missing_targets: BTreeSet<i32>,
    asked_for_size: bool,
    /// The program asks which processes share memory.
    asked_for_nodes: bool,
    made_threads: bool,
    /// What was used up, if that ended it.
    out_of: Option<Resource>,
    /// The clock has ended trials of suggestions.
    trials_stopped: bool,
    /// No process could go on.
    hung: bool,
    /// Something depended on a value that was not computed, as rounds of a loop were taken together.
    uncomputed_at: BTreeSet<PlaceId>,
    /// The program looked at more of what it is given than how many words its command line has.
    looked_at_input: bool,
    /// What the program asked of its command line.
    asked: Asked,
    /// What unknown values are made of, where inputs are symbols.
    terms: Terms,
    /// How many findings there were when something was first met that is not followed and may order or complete.
    certain: Option<usize>,
    /// Something depended on a number that functions decide whose code was not given.
    unseen: BTreeSet<Symbol>,
    /// Something depended on a value that conditions deny.
    denied: bool,
    /// Blocks that some process entered, by function and block.
    entered: Vec<Vec<bool>>,
}

impl Notes {
    /// Nothing has happened yet.
    pub(crate) fn new(module: &Module) -> Self {
        let functions = module.functions.iter();
        Self {
            unknown_calls: BTreeSet::new(),
            foreign_calls: BTreeSet::new(),
            cut_loops: BTreeSet::new(),
            aborted: false,
            failed: false,
            stops: BTreeSet::new(),
            outside: BTreeSet::new(),
            met: BTreeSet::new(),
            further: BTreeSet::new(),
            missing_rank: false,
            missing_targets: BTreeSet::new(),
            asked_for_size: false,
            asked_for_nodes: false,
            made_threads: false,
            out_of: None,
            trials_stopped: false,
            hung: false,
            uncomputed_at: BTreeSet::new(),
            looked_at_input: false,
            asked: Asked::default(),
            terms: Terms::default(),
            certain: None,
            unseen: BTreeSet::new(),
            denied: false,
            entered: functions
                .map(|function| vec![false; function.blocks.len()])
                .collect(),
        }
    }

    /// A function is called that is not followed.
    pub(crate) fn unknown_call(&mut self, name: &str, place: PlaceId) {
        self.unknown_calls.insert((name.to_owned(), place));
    }

    pub(crate) fn unknown_calls(&self) -> &BTreeSet<(String, PlaceId)> {
        &self.unknown_calls
    }

    /// A function is called whose code was not given, and which is taken to order and complete nothing.
    pub(crate) fn foreign_call(&mut self, name: &str, place: PlaceId) {
        self.foreign_calls.insert((name.to_owned(), place));
    }

    pub(crate) fn foreign_calls(&self) -> &BTreeSet<(String, PlaceId)> {
        &self.foreign_calls
    }

    /// A loop or a recursion is left early.
    pub(crate) fn cut_loop(&mut self, place: PlaceId) {
        self.cut_loops.insert(place);
    }

    pub(crate) fn cut_loops(&self) -> &BTreeSet<PlaceId> {
        &self.cut_loops
    }

    /// The program ends itself.
    pub(crate) fn abort(&mut self) {
        self.aborted = true;
    }

    pub(crate) fn has_aborted(&self) -> bool {
        self.aborted
    }

    /// `main` returns with a status other than zero.
    pub(crate) fn fail(&mut self) {
        self.failed = true;
    }

    /// Whether the program said that it failed.
    pub(crate) fn has_failed(&self) -> bool {
        self.aborted || self.failed
    }

    /// Something ends a process, a thread, or the simulation.
    pub(crate) fn stop(&mut self, stop: Stop) {
        self.stops.insert(stop);
    }

    pub(crate) fn stops(&self) -> &BTreeSet<Stop> {
        &self.stops
    }

    /// The outside world decides where control goes from a block.
    pub(crate) fn outside(&mut self, block: (u32, u32)) {
        self.outside.insert(block);
    }

    pub(crate) fn decided_outside(&self) -> &BTreeSet<(u32, u32)> {
        &self.outside
    }

    /// A one-sided or synchronising call is made, which is the site with this number.
    pub(crate) fn meet(&mut self, point: Point, site: Option<usize>) {
        match site {
            Some(site) => self.met.insert(site),
            None => self.further.insert(point),
        };
    }

    pub(crate) fn met(&self) -> &BTreeSet<usize> {
        &self.met
    }

    pub(crate) fn further(&self) -> &BTreeSet<Point> {
        &self.further
    }

    /// A rank is named that is not there.
    pub(crate) fn miss_rank(&mut self) {
        self.missing_rank = true;
    }

    /// A target is named that is not there.
    pub(crate) fn miss_target(&mut self, number: i32) {
        self.missing_rank = true;
        self.missing_targets.insert(number);
    }

    /// The targets that were named and are not there.
    pub(crate) fn missing_targets(&self) -> &BTreeSet<i32> {
        &self.missing_targets
    }

    pub(crate) fn misses_rank(&self) -> bool {
        self.missing_rank
    }

    /// Where it is noted that a rank is named that is not there, and what values are made of.
    pub(crate) fn of_values(&mut self) -> (&mut bool, &mut Terms) {
        (&mut self.missing_rank, &mut self.terms)
    }

    /// What unknown values are made of, where inputs are symbols.
    pub(crate) fn terms(&self) -> &Terms {
        &self.terms
    }

    /// Likewise, to go on with it.
    pub(crate) fn terms_mut(&mut self) -> &mut Terms {
        &mut self.terms
    }

    pub(crate) fn ask_for_size(&mut self) {
        self.asked_for_size = true;
    }

    pub(crate) fn asked_for_size(&self) -> bool {
        self.asked_for_size
    }

    pub(crate) fn ask_for_nodes(&mut self) {
        self.asked_for_nodes = true;
    }

    pub(crate) fn asked_for_nodes(&self) -> bool {
        self.asked_for_nodes
    }

    /// The program looks at what it is given: words of its command line, its environment, files, its standard input.
    pub(crate) fn look_at_input(&mut self) {
        self.looked_at_input = true;
    }

    /// Whether it looked at more of what it is given than how many words its command line has.
    pub(crate) fn has_looked_at_input(&self) -> bool {
        self.looked_at_input
    }

    /// What the program asked of its command line.
    pub(crate) fn asked(&self) -> &Asked {
        &self.asked
    }

    pub(crate) fn asked_mut(&mut self) -> &mut Asked {
        &mut self.asked
    }

    pub(crate) fn make_thread(&mut self) {
        self.made_threads = true;
    }

    pub(crate) fn made_threads(&self) -> bool {
        self.made_threads
    }

    pub(crate) fn run_out_of(&mut self, resource: Resource) {
        self.out_of = Some(resource);
    }

    pub(crate) fn out_of(&self) -> Option<Resource> {
        self.out_of
    }

    /// Whether it was ended before the program came to its end.
    pub(crate) fn was_ended(&self) -> bool {
        self.out_of.is_some()
    }

    pub(crate) fn stop_trials(&mut self) {
        self.trials_stopped = true;
    }

    pub(crate) fn trials_stopped(&self) -> bool {
        self.trials_stopped
    }

    pub(crate) fn hang(&mut self) {
        self.hung = true;
    }

    pub(crate) fn has_hung(&self) -> bool {
        self.hung
    }

    /// Whether something depended on a value that was not computed.
    pub(crate) fn met_uncomputed(&self) -> bool {
        !self.uncomputed_at.is_empty()
    }

    /// Where something depended on such a value.
    pub(crate) fn uncomputed_at(&self) -> &BTreeSet<PlaceId> {
        &self.uncomputed_at
    }

    /// What the simulation finds from here on is found in no execution of the program.
    pub(crate) fn end_certainty(&mut self, events: &mut Events, budget: &mut Budget) {
        if self.certain.is_none() {
            // What was loaded and stored before is judged before.
            events.flush_all(budget);
            self.certain = Some(events.found());
        }
    }

    /// What comes next depends on a number that a function whose code was not given decides.
    pub(crate) fn rest_on(&mut self, value: Scalar, events: &mut Events, budget: &mut Budget) {
        if self.certain.is_none() {
            self.unseen.insert(value.symbol);
        }
        self.end_certainty(events, budget);
    }

    /// What comes next depends on a value that is not as a condition says that was decided the other way.
    pub(crate) fn deny(&mut self, events: &mut Events, budget: &mut Budget) {
        self.denied |= self.certain.is_none();
        self.end_certainty(events, budget);
    }

    /// Whether certainty ended by such a value.
    pub(crate) fn is_denied(&self) -> bool {
        self.denied
    }

    /// By what numbers certainty ended that functions decide whose code was not given.
    pub(crate) fn unseen(&self) -> &BTreeSet<Symbol> {
        &self.unseen
    }

    /// What comes next depends on a value that was not computed.
    pub(crate) fn end_computation(&mut self, place: PlaceId, events: &mut Events, budget: &mut Budget) {
        self.uncomputed_at.insert(place);
        budget.want_values();
        self.end_certainty(events, budget);
    }

    /// How many of so many findings are certain.
    pub(crate) fn certain_of(&self, all: usize) -> usize {
        self.certain.map_or(all, |certain| certain.min(all))
    }

    /// Whether everything that was met was followed.
    pub(crate) fn is_certain(&self) -> bool {
        self.certain.is_none()
    }

    /// A process enters a block.
    pub(crate) fn enter(&mut self, function: u32, block: u32) {
        if let Some(entered) = self.entered[function as usize].get_mut(block as usize) {
            *entered = true;
        }
    }

    /// What a thread notes in a function that it does not leave: the blocks that it enters, whether it names a rank that
    /// is not there, and what values are made of.
    pub(crate) fn within(&mut self, function: u32) -> (&mut [bool], &mut bool, &mut Terms) {
        (
            &mut self.entered[function as usize],
            &mut self.missing_rank,
            &mut self.terms,
        )
    }

    /// Which blocks were entered, by function and block.
    pub(crate) fn entered(&self) -> &[Vec<bool>] {
        &self.entered
    }

    /// How many blocks were entered.
    pub(crate) fn reached(&self) -> usize {
        self.entered.iter().flatten().filter(|entered| **entered).count()
    }
}
