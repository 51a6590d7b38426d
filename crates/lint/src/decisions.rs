//! The conditions that the outside world decides, as a simulation met them.

use crate::value::{Scalar, Symbol, origins};
use rustc_hash::FxHashMap as HashMap;

/// Conditions that are noted of one simulation, at most.
const MOST: usize = 256;

/// A condition that the outside world decides, and how it was decided.
#[derive(Clone, Debug)]
pub(crate) struct Decision {
    symbol: Symbol,
    truth: bool,
    /// How many findings there were then.
    found: usize,
    /// How many findings there were when something came to rest on a function whose code was not given, by this
    /// condition; none if nothing does.
    rests: Option<usize>,
    /// Where control would have gone on the other way: the block of each function that was being executed, the
    /// innermost last.
    other: Vec<(u32, u32)>,
}

/// What was decided, in the order in which it was met first, and how it is to be.
#[derive(Debug)]
pub(crate) struct Decisions<'m> {
    overrides: &'m HashMap<Symbol, bool>,
    /// The values from outside that are not as the conditions say which are to be decided otherwise.
    denied: Symbol,
    made: Vec<Decision>,
}

impl Decision {
    pub(crate) fn symbol(&self) -> Symbol {
        self.symbol
    }

    pub(crate) fn truth(&self) -> bool {
        self.truth
    }

    pub(crate) fn found(&self) -> usize {
        self.found
    }

    /// How many findings there were when something came to rest on a function whose code was not given.
    pub(crate) fn rests(&self) -> Option<usize> {
        self.rests
    }

    pub(crate) fn other(&self) -> &[(u32, u32)] {
        &self.other
    }
}

impl<'m> Decisions<'m> {
    /// Nothing was decided yet; these conditions are to be decided so.
    pub(crate) fn new(overrides: &'m HashMap<Symbol, bool>) -> Self {
        Self {
            overrides,
            denied: overrides.keys().fold(0, |all, symbol| all | origins(*symbol)),
            made: Vec::new(),
        }
    }

    /// Whether a number may be made of a value of which a condition is to be otherwise than this value is: with it as
    /// it would have to be, the number would be another one.
    pub(crate) fn deny(&self, value: Scalar) -> bool {
        !value.is_known() && origins(value.symbol) & self.denied != 0
    }

    /// Whether a condition holds that is so by its sample; there are so many findings now. What comes next rests on a
    /// function whose code was not given, or not.
    pub(crate) fn decide(&mut self, symbol: Symbol, sample: bool, found: usize, rests: bool) -> bool {
        let truth = self.overrides.get(&symbol).copied().unwrap_or(sample);
        let rests = rests.then_some(found);
        // Further ones that something rests on are kept: nobody looks for what comes of their other sides.
        let most = if rests.is_some() { 2 * MOST } else { MOST };
        let count = self.made.len();
        match self.made.iter_mut().find(|known| known.symbol == symbol) {
            Some(known) => known.rests = known.rests.or(rests),
            None if count < most => self.made.push(Decision {
                symbol,
                truth,
                found,
                rests,
                other: Vec::new(),
            }),
            None => {}
        }
        truth
    }

    /// Where the other way would have led; that of the first time is kept.
    pub(crate) fn set_other(&mut self, symbol: Symbol, other: Vec<(u32, u32)>) {
        let mut made = self.made.iter_mut().rev();
        let decision = made.find(|decision| decision.symbol == symbol);
        if let Some(decision) = decision.filter(|decision| decision.other.is_empty()) {
            decision.other = other;
        }
    }

    pub(crate) fn into_made(self) -> Vec<Decision> {
        self.made
    }
}
