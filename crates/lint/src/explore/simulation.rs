//! What one simulation found, and which others it asks for.

use super::Simulation;
use crate::decisions::Decision;
use crate::ir::{End, Module};
use crate::value::{Symbol, origins};
use farside_findings::Rule;

impl Simulation {
    /// Whether not all of it was followed.
    pub(super) fn is_cut(&self) -> bool {
        self.notes.was_ended() || !self.notes.cut_loops().is_empty()
    }

    /// Whether more of the program was followed than by another simulation of it.
    pub(super) fn goes_further_than(&self, other: &Self) -> bool {
        let cuts = |simulation: &Self| simulation.notes.cut_loops().len();
        !self.is_cut()
            || self.notes.met().len() > other.notes.met().len()
            || self.notes.reached() > other.notes.reached()
            || !self.notes.was_ended() && cuts(self) < cuts(other)
    }

    /// Whether it came to all one-sided and synchronising calls that another one came to.
    pub(super) fn meets_all_of(&self, other: &Self) -> bool {
        self.notes.met().is_superset(other.notes.met())
    }

    /// Whether nothing of it depends on what the program is given but for how many words its command line has.
    pub(super) fn depends_on_count_only(&self) -> bool {
        let terms = self.notes.terms();
        let mut decisions = self.decisions.iter();
        !self.notes.has_looked_at_input() && decisions.all(|decision| terms.is_of_count(decision.symbol()))
    }

    /// Whether the program said that it failed.
    pub(super) fn failed(&self) -> bool {
        self.notes.has_failed()
    }

    /// After a condition was decided otherwise than by its sample, others of the same values from outside were decided
    /// by theirs: no values may be so. What another process, or another round, decides at the same branch has a value
    /// of its own.
    pub(super) fn doubt_mixed(&mut self, module: &Module, turned: Symbol) {
        let Some(decision) = self.decision(turned) else {
            return;
        };
        let from = decision.found();
        let is_mixed = |other: &&Decision| {
            other.symbol() != turned
                && origins(other.symbol()) & origins(turned) != 0
                && !are_of_one_branch(module, decision, other)
        };
        let mixed = self.decisions.iter().filter(is_mixed);
        if let Some(found) = mixed.map(|other| other.found().max(from)).min() {
            self.doubt_from(found);
        }
    }

    /// What was found from here on is found only by those who start the program so that it fails.
    pub(super) fn doubt_from(&mut self, found: usize) {
        self.certain = self.certain.min(found);
    }

    /// What it found against this rule does not hold where there are more processes.
    pub(super) fn leave_out(&mut self, rule: Rule) {
        let certain = self.findings.iter().take(self.certain);
        self.certain = certain.filter(|finding| finding.rule != rule).count();
        self.findings.retain(|finding| finding.rule != rule);
    }

    /// How a condition was decided.
    pub(super) fn decision(&self, symbol: Symbol) -> Option<&Decision> {
        self.decisions.iter().find(|decision| decision.symbol() == symbol)
    }

    /// Whether the program came to its end.
    pub(super) fn works(&self) -> bool {
        !self.notes.has_hung() && self.suits()
    }

    /// Whether the program may be meant for so many processes: it came to its end, or hangs only after a loop that was
    /// cut, in one process earlier than in another.
    pub(super) fn may_suit(&self) -> bool {
        self.suits() && (self.is_cut() || !self.notes.has_hung())
    }

    /// Whether it neither names a rank that is not there, nor gives up.
    pub(super) fn suits(&self) -> bool {
        !self.notes.misses_rank() && !self.notes.has_aborted()
    }
}

/// Whether two conditions were met at the same branch of the program.
fn are_of_one_branch(module: &Module, one: &Decision, other: &Decision) -> bool {
    let ways = [one, other].map(|decision| decision.other().last());
    let [Some((function, one)), Some((of_other, other))] = ways else {
        return false;
    };
    let is_of_both = |end: &End| match end {
        End::Branch { yes, no, .. } => [one, other].iter().all(|to| *to == yes || *to == no),
        _ => false,
    };
    function == of_other
        && module.functions.get(*function as usize).is_some_and(|code| {
            let mut ends = code.blocks.iter().map(|block| &block.end);
            ends.any(is_of_both)
        })
}

/// Whether a rule is about races: what a program does on its way out when something fails is not.
pub(super) fn is_race(rule: Rule) -> bool {
    matches!(
        rule,
        Rule::LocalRace | Rule::RemoteRace | Rule::AccumulateMismatch | Rule::SharedMemoryRace
    )
}
