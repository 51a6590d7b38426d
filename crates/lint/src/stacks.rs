//! Stacks of calls, as numbers.

use crate::ir::PlaceId;
use farside_events::StackId;
use rustc_hash::FxHashMap as HashMap;

/// Call chains, each named once.
#[derive(Debug, Default)]
pub(crate) struct Stacks {
    known: HashMap<(PlaceId, StackId), StackId>,
    /// Each stack as its innermost place and the rest.
    links: Vec<(PlaceId, StackId)>,
}

impl Stacks {
    /// The stack `place` on top of `rest`.
    pub(crate) fn push(&mut self, place: PlaceId, rest: StackId) -> StackId {
        let links = &mut self.links;
        *self.known.entry((place, rest)).or_insert_with(|| {
            links.push((place, rest));
            StackId(links.len() as u64)
        })
    }

    /// Its places, innermost first.
    pub(crate) fn places(&self, mut stack: StackId) -> Vec<PlaceId> {
        let mut places = Vec::new();
        while let Some((place, rest)) = (stack.0 as usize)
            .checked_sub(1)
            .and_then(|index| self.links.get(index))
        {
            places.push(*place);
            stack = *rest;
        }
        places
    }
}
