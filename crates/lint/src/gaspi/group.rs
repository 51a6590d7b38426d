//! Groups (GASPI 17.1 §6): which ranks meet.

use super::{Call, Gaspi, WORLD, code, mix};
use crate::flow::Flow;
use crate::value::Scalar;
use farside_events::{CommId, EventKind, Rank};

/// `GASPI_GROUP_ALL`.
pub(super) const ALL: u8 = 0;

impl Gaspi<'_, '_> {
    /// The ranks of a group, and what stands for it, if it is committed.
    pub(super) fn committed(&self, number: u8) -> Option<(Vec<u32>, CommId)> {
        if number == ALL {
            return Some(((0..self.caller.size()).collect(), WORLD));
        }
        let (members, comm) = self.state().group(number)?;
        Some((members.to_vec(), comm?))
    }

    /// `gaspi_group_create(group)`.
    pub(super) fn create_group(&mut self, call: &Call<'_>) -> Flow {
        let number = self.state_mut().add_group();
        self.caller.put(call.word(0), 1, Scalar::known(number.into()));
        code::SUCCESS
    }

    /// `gaspi_group_add(group, rank)`.
    pub(super) fn add_to_group(&mut self, call: &Call<'_>) -> Flow {
        let rank = call.number(1);
        if !self.is_rank(rank) {
            return code::NO_RANK;
        }
        match self.state_mut().add_member(call.small(0), rank) {
            true => code::SUCCESS,
            false => code::NO_GROUP,
        }
    }

    /// `gaspi_group_commit(group, timeout)`: its members meet.
    pub(super) fn commit_group(&mut self, call: &Call<'_>) -> Flow {
        let number = call.small(0);
        if number != ALL {
            let Some((members, comm)) = self.state().group(number) else {
                return code::NO_GROUP;
            };
            if !members.contains(&self.caller.rank()) {
                return code::NO_GROUP;
            }
            if comm.is_none() {
                let members = members.to_vec();
                let count = self.state_mut().commit(&members);
                let id = CommId(mix(("group", count, &members)));
                self.state_mut().set_comm(number, id);
                let members = members.into_iter().map(Rank).collect();
                self.caller.emit(EventKind::Comm { id, members });
            }
        }
        match self.come_together(call, number, call.word(1), None, &[]) {
            Ok(_) => code::SUCCESS,
            Err(flow) => flow,
        }
    }

    /// `gaspi_group_delete(group)`.
    pub(super) fn delete_group(&mut self, call: &Call<'_>) -> Flow {
        self.state_mut().delete_group(call.small(0));
        code::SUCCESS
    }
}
