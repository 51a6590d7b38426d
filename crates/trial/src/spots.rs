//! Places in the program's text, one for all ranks.

use farside_events::{EventKind, Rank, StackId};
use farside_findings::{Frame, shown_frame};
use farside_race::{Places, Site};
use rustc_hash::FxHashMap as HashMap;

/// A stack of the program, by number: the same one on every rank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Spot(usize);

#[cfg(test)]
impl Spot {
    /// That of a number.
    pub(crate) fn numbered(number: usize) -> Self {
        Self(number)
    }
}

/// All that were asked for.
#[derive(Debug, Default)]
pub(crate) struct Spots {
    stacks: Vec<Vec<Frame>>,
    numbers: HashMap<Vec<Frame>, Spot>,
    /// By spot: the first one that stands at the same place of the text.
    statements: Vec<Spot>,
    /// By the frames down to the one to look at.
    first: HashMap<Vec<Frame>, Spot>,
    known: HashMap<(Rank, Option<u64>, StackId), Spot>,
}

impl Spots {
    /// That of a site.
    pub(crate) fn of(&mut self, site: Site, places: &mut impl Places) -> Spot {
        let key = (site.rank, site.pc, site.stack);
        if let Some(spot) = self.known.get(&key) {
            return *spot;
        }
        let stack = places.stack(site);
        let next = Spot(self.stacks.len());
        let spot = *self.numbers.entry(stack.clone()).or_insert(next);
        if spot == next {
            let text = shown_frame(&stack).filter(|shown| stack[*shown].place.is_some());
            let statement = match text {
                Some(shown) => *self.first.entry(stack[..=shown].to_vec()).or_insert(next),
                None => next,
            };
            self.statements.push(statement);
            self.stacks.push(stack);
        }
        self.known.insert(key, spot);
        spot
    }

    /// Whether both stand at one place of the text, whoever called the function that has it: what is written there is
    /// executed by both.
    pub(crate) fn are_one_statement(&self, one: Spot, other: Spot) -> bool {
        self.statement(one) == self.statement(other)
    }

    /// The first one that stands at the same place of the text.
    pub(crate) fn statement(&self, spot: Spot) -> Spot {
        self.statements[spot.0]
    }

    /// Whether one of these stands where the other does in the text.
    pub(crate) fn have_statement(&self, some: &[Spot], other: Spot) -> bool {
        some.iter().any(|spot| self.are_one_statement(*spot, other))
    }

    /// Whether both are done by one function itself, called from the same places.
    pub(crate) fn are_in_one_call(&self, one: Spot, other: Spot) -> bool {
        let callers = |spot: Spot| self.stack(spot).get(1..);
        callers(one).is_some() && callers(one) == callers(other)
    }

    /// Its frames, innermost first.
    pub(crate) fn stack(&self, spot: Spot) -> &[Frame] {
        &self.stacks[spot.0]
    }
}

/// The places of an event of a process.
pub(crate) fn sites(rank: Rank, kind: &EventKind) -> Vec<Site> {
    let site = |pc, stack| Site { rank, pc, stack };
    match kind {
        EventKind::Enter { stack, .. } => vec![site(None, *stack)],
        EventKind::Operation(operation) => vec![site(None, operation.stack)],
        EventKind::Accesses(runs) => runs.iter().map(|run| site(Some(run.pc), run.stack)).collect(),
        EventKind::Scattered(sets) => sets.iter().map(|set| site(Some(set.pc), set.stack)).collect(),
        _ => Vec::new(),
    }
}
