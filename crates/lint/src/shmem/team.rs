//! Teams (OpenSHMEM 1.5 §9.4) and what their members do together.

use super::movement::Movement;
use super::pe::Set;
use super::{Call, Shmem};
use crate::flow::{Flow, NOTHING};
use farside_calls::shmem::{Collective, SHARED_TEAM, WORLD_TEAM};
use farside_events::{CommId, Direction};

/// `SHMEM_TEAM_INVALID`.
const INVALID: u64 = 0;

impl Shmem<'_, '_> {
    /// The members of a team, in the numbers of the world; `None` if there is no such team.
    pub(super) fn members_of(&mut self, team: u64) -> Option<Vec<u32>> {
        match team {
            WORLD_TEAM => Some((0..self.caller.size()).collect()),
            SHARED_TEAM => Some(self.caller.on_own_node()),
            _ => self.pe().team(team).map(|team| team.members().to_vec()),
        }
    }

    /// A team; `None` if there is no such.
    fn team(&mut self, handle: u64) -> Option<Set> {
        match handle {
            WORLD_TEAM | SHARED_TEAM => self.members_of(handle).map(|members| self.set_of(members)),
            _ => self.pe().team(handle).cloned(),
        }
    }

    /// `shmem_team_sync(team)`, and the calls that make a team of some members of another: all members have come.
    pub(super) fn team_call(&mut self, call: &Call<'_>) -> Flow {
        let Some(team) = self.team(call.word(0)) else {
            return self.caller.unknown_call(call.name());
        };
        if self.caller.entered().is_none() {
            self.enter_together(call, team.comm(), Direction::All, Vec::new(), None);
        }
        let Some((_, comm, sequence)) = self.met(team.members().len()) else {
            return Flow::Block;
        };
        self.caller.done();
        match call.name() {
            "shmem_team_split_strided" => self.split_strided(call, team.members(), (CommId(comm), sequence)),
            "shmem_team_split_2d" => self.split_2d(call, team.members(), (CommId(comm), sequence)),
            _ => {}
        }
        NOTHING
    }

    /// `shmem_team_split_strided(parent, start, stride, size, config, mask, new)`
    fn split_strided(&mut self, call: &Call<'_>, parent: &[u32], by: (CommId, u64)) {
        let (start, stride, size) = (call.int(1), call.int(2), call.int(3));
        let place = |number: i32| {
            let place = i64::from(start) + i64::from(number) * i64::from(stride);
            usize::try_from(place).ok()
        };
        let members = (0..size).map(|number| parent.get(place(number)?).copied());
        let members: Option<Vec<u32>> = members.collect();
        if members.is_none() {
            self.caller.notes().miss_rank();
        }
        self.give_team(members, call.word(6), (by, 6));
    }

    /// `shmem_team_split_2d(parent, xrange, xconfig, xmask, xteam, yconfig, ymask, yteam)`: the members are numbered
    /// along x first.
    fn split_2d(&mut self, call: &Call<'_>, parent: &[u32], by: (CommId, u64)) {
        let range = usize::try_from(call.int(1))
            .unwrap_or(0)
            .clamp(1, parent.len().max(1));
        let own = parent.iter().position(|member| *member == self.caller.rank());
        let own = own.unwrap_or(0);
        let with = |same: &dyn Fn(usize) -> bool| {
            let numbered = parent.iter().enumerate().filter(|(number, _)| same(*number));
            numbered.map(|(_, member)| *member).collect::<Vec<u32>>()
        };
        let row = with(&|number| number / range == own / range);
        let column = with(&|number| number % range == own % range);
        self.give_team(Some(row), call.word(4), (by, 4));
        self.give_team(Some(column), call.word(7), (by, 7));
    }

    /// Gives the handle of a new team to its members, and to others none.
    fn give_team(&mut self, members: Option<Vec<u32>>, at: u64, (by, which): ((CommId, u64), u64)) {
        let rank = self.caller.rank();
        let own = members.filter(|members| members.contains(&rank));
        let handle = own.map_or(INVALID, |members| {
            let team = self.team_of(by, which, members);
            self.pe_mut().add_team(team)
        });
        if at != 0 {
            self.caller.put_long(at, handle);
        }
    }

    /// `shmem_team_destroy(team)`.
    pub(super) fn destroy_team(&mut self, call: &Call<'_>) -> Flow {
        let by = (call.name(), self.caller.stack());
        self.pe_mut().destroy_team(call.word(0), by);
        NOTHING
    }

    /// `(team, dest, source, nelems)`, with strides before the number (alltoalls), or a root after it (broadcast).
    pub(super) fn move_data_of_team(&mut self, call: &Call<'_>, what: Collective) -> Flow {
        let Some(team) = self.team(call.word(0)) else {
            return self.caller.unknown_call(call.name());
        };
        let root = match what {
            Collective::Broadcast => {
                let Some(root) = self.root(call, call.int(4), team.members()) else {
                    return NOTHING;
                };
                Some(root)
            }
            _ => None,
        };
        let (elements, strides) = match what {
            Collective::Alltoalls => (call.word(5), (call.word(3), call.word(4))),
            _ => (call.word(3), (1, 1)),
        };
        let movement = Movement::new(what, elements, root, strides).on_a_team();
        self.carry_out(call, &movement, &team)
    }
}
