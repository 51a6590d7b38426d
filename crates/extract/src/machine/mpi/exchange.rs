//! Collective calls in which each process gives each something: a barrier, by which values come.
//!
//! What comes is not followed at first. Where a value of it decides something, the calls on the communicator are told
//! apart, and each part has cells of its own at the process that gets it, which are set before the barrier and read
//! after it: nothing else is ordered by them.

use super::collectives::{Collective, Planned, dense};
use crate::machine::{Followed, Machine};
use crate::message::{Kind, Message};
use crate::request::Elements;
use crate::tables::Span;
use crate::value::{Cause, Value};
use farside_calls::collective::{Gets, Take};
use farside_events::Rank;
use farside_lint::ir::PlaceId;

/// The number of no call: what is asked of all of a communicator.
const ASKED: u32 = u32::MAX;

impl Machine<'_> {
    /// A call in which all wait for all, and each gets what others gave.
    pub(super) fn exchange(
        &mut self,
        communicator: u32,
        planned: Planned,
        call: &str,
        place: PlaceId,
    ) -> Followed<()> {
        let asked = self.asked_of(communicator);
        if !self.knowledge.is_followed(asked) {
            let collective = planned.matched_by(Kind::Exchange(communicator, ASKED));
            self.give_all(collective.plan(), place)?;
            self.barrier(place);
            for take in takes(&collective) {
                self.take_without_value(take, asked, call, place)?;
            }
            return Ok(());
        }
        let kind = Kind::Exchange(
            communicator,
            self.state.progress_mut().next_exchange(communicator),
        );
        let collective = planned.matched_by(kind);
        let others: Vec<u32> = (0..self.ranks).filter(|other| *other != self.rank).collect();
        for &other in &others {
            let Some(part) = collective.given_to(other) else {
                continue;
            };
            let message = self.next_sent(other, kind, place)?;
            match dense(&part) {
                Some(elements) => {
                    self.give_values(message, &Value::Known(part.address), elements, place)?;
                }
                None => self.give_part(&part, place)?,
            }
        }
        self.barrier(place);
        for take in takes(&collective) {
            let Rank(from) = take.from;
            if from == self.rank {
                self.take_own(take, collective.plan(), call, place)?;
                continue;
            }
            let message = self.next_received(from, collective.kind(), place)?;
            match dense(&take.into) {
                Some(elements) => {
                    self.take_values(message, &Value::Known(take.into.address), elements, place)?;
                }
                None => self.get_part(&take.into, call, place)?,
            }
        }
        Ok(())
    }

    /// What a process gets, of which nothing is known unless it is asked for.
    fn take_without_value(&mut self, take: &Take, asked: Span, call: &str, place: PlaceId) -> Followed<()> {
        let elements = dense(&take.into);
        let Some((elements, count)) = elements.and_then(|of| Some((of, of.followed()?))) else {
            return self.get_part(&take.into, call, place);
        };
        let (buffer, value) = (
            Value::Known(take.into.address),
            Value::Unknown(Cause::Memory(asked)),
        );
        (0..count).try_for_each(|at| self.put_element(&buffer, elements, at, &value, place))
    }

    /// What is followed if a value that such a call brings decides something.
    fn asked_of(&mut self, communicator: u32) -> Span {
        let call = Message::new((0, 0), Kind::Exchange(communicator, ASKED), 0);
        self.cell_of(call, Elements::new(1, 4), 0).1
    }
}

/// What a process gets, by parts.
fn takes(collective: &Collective) -> &[Take] {
    match &collective.plan().gets {
        Gets::Parcels(takes) => takes,
        Gets::Reduction(_) => &[],
    }
}
