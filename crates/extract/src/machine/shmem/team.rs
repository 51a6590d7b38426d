//! Teams (OpenSHMEM 1.5 §9.4): some processes, with numbers of their own. They are communicators here, in which
//! collective calls are messages.

use super::context::HANDLE;
use crate::communicator::Communicator;
use crate::machine::bytes::constant;
use crate::machine::{Followed, Machine};
use crate::value::Value;
use farside_calls::shmem::WORLD_TEAM;
use farside_lint::ir::PlaceId;

/// `SHMEM_TEAM_INVALID` of Farside's header.
const INVALID: u64 = 0;
/// What a call gives that there is no such process or team for.
const NO: u64 = u32::MAX as u64;

impl Machine<'_> {
    /// `shmem_team_*`, without what is the same in all their names.
    pub(super) fn team_call(
        &mut self,
        call: &str,
        values: &[Value],
        place: PlaceId,
    ) -> Followed<Option<Value>> {
        let known = match (call, values) {
            ("my_pe", [team]) => {
                let rank = self.rank;
                self.numbers_of(team, place)?.and_then(|of| of.rank_of(rank))
            }
            ("n_pes", [team]) => self
                .numbers_of(team, place)?
                .and_then(|of| u32::try_from(of.members().len()).ok()),
            ("translate_pe", [from, pe, to]) => self.translated(from, pe, to, place)?,
            ("split_strided", [parent, start, stride, size, _, _, to]) => {
                return self.split_strided(parent, (start, stride, size), to, place);
            }
            ("split_2d", [parent, columns, _, _, x, _, _, y]) => {
                return self.split_2d(parent, columns, (x, y), place);
            }
            ("destroy", [_]) => return Ok(None),
            ("sync", [team]) => {
                let team = self.team(team, place)?;
                self.meet_of(team, place)?;
                return Ok(Some(Value::Known(0)));
            }
            ("create_ctx", [team, _, to]) => {
                let team = self.team(team, place)?;
                return self.make_context(team, to, place);
            }
            _ => {
                return Err(self.lost(
                    place,
                    &format!("a call of shmem_team_{call}, which is not followed"),
                ));
            }
        };
        Ok(Some(Value::Known(known.map_or(NO, u64::from))))
    }

    /// The number of the communicator of all processes.
    pub(in crate::machine) fn world(&mut self) -> u32 {
        self.tables.number_of(Communicator::world(self.ranks))
    }

    /// The communicator of a team of which this process is a member.
    pub(super) fn team(&mut self, team: &Value, place: PlaceId) -> Followed<u32> {
        let number = match *team {
            Value::Known(WORLD_TEAM) => Some(self.world()),
            Value::Known(handle) => self.tables.communicator_at(handle),
            _ => None,
        };
        let is_member = |of: &u32| self.tables.communicator_of(*of).rank_of(self.rank).is_some();
        match number.filter(is_member) {
            Some(number) => Ok(number),
            None => Err(self.lost(place, "a team that is not known, or not one of the process")),
        }
    }

    /// All processes of a communicator wait for all, and complete nothing.
    pub(super) fn meet_of(&mut self, communicator: u32, place: PlaceId) -> Followed<()> {
        if self.is_world(communicator) {
            self.emit_call("shmem_sync_all", Vec::new(), place);
            return Ok(());
        }
        self.meet_in(communicator, place)
    }

    /// Whether all processes are in a communicator, by their own numbers.
    pub(super) fn is_world(&self, communicator: u32) -> bool {
        self.tables
            .communicator_of(communicator)
            .is_like_world(self.ranks)
    }

    /// The numbers in a team, of which `SHMEM_TEAM_INVALID` has none.
    fn numbers_of(&mut self, team: &Value, place: PlaceId) -> Followed<Option<Communicator>> {
        if *team == Value::Known(INVALID) {
            return Ok(None);
        }
        let team = self.team(team, place)?;
        Ok(Some(self.tables.communicator_of(team).clone()))
    }

    fn translated(&mut self, from: &Value, pe: &Value, to: &Value, place: PlaceId) -> Followed<Option<u32>> {
        let (from, to) = (self.numbers_of(from, place)?, self.numbers_of(to, place)?);
        let (Some(from), Some(to)) = (from, to) else {
            return Ok(None);
        };
        let Some(pe) = constant(pe, 32) else {
            return Err(self.lost(place, "a number in a team that only a run knows"));
        };
        let process = usize::try_from(pe).ok().and_then(|pe| from.members().get(pe));
        Ok(process.and_then(|process| to.rank_of(*process)))
    }

    /// All members of the parent come to it, and wait for all: each knows afterwards whether it was made.
    fn split_strided(
        &mut self,
        parent: &Value,
        (start, stride, size): (&Value, &Value, &Value),
        to: &Value,
        place: PlaceId,
    ) -> Followed<Option<Value>> {
        let parent = self.team(parent, place)?;
        let all = self.tables.communicator_of(parent).members().to_vec();
        let numbers = [start, stride, size].map(|value| constant(value, 32));
        let [Some(start), Some(stride), Some(size)] = numbers else {
            return Err(self.lost(place, "a team of processes that are not known before a run"));
        };
        let Some(chosen) = members(start, stride, size, all.len() as u32) else {
            return Err(self.lost(place, "a team of processes that are not there"));
        };
        let chosen = chosen.into_iter().map(|at| all[at as usize]).collect();
        self.meet_of(parent, place)?;
        self.give_team(parent, chosen, to, place)?;
        Ok(Some(Value::Known(0)))
    }

    /// Rows of so many columns: a team of those in one row, and one of those in one column.
    fn split_2d(
        &mut self,
        parent: &Value,
        columns: &Value,
        (x, y): (&Value, &Value),
        place: PlaceId,
    ) -> Followed<Option<Value>> {
        let parent = self.team(parent, place)?;
        let of = self.tables.communicator_of(parent);
        let (all, own) = (of.members().to_vec(), of.rank_of(self.rank).unwrap_or(0) as usize);
        let columns = constant(columns, 32).and_then(|columns| usize::try_from(columns).ok());
        let Some(columns) = columns.filter(|columns| *columns > 0).map(|of| of.min(all.len())) else {
            return Err(self.lost(place, "a team of processes that are not known before a run"));
        };
        let chosen = |is_in: &dyn Fn(usize) -> bool| -> Vec<u32> {
            let members = all.iter().enumerate().filter(|(at, _)| is_in(*at));
            members.map(|(_, process)| *process).collect()
        };
        let row = chosen(&|at| at / columns == own / columns);
        let column = chosen(&|at| at % columns == own % columns);
        self.meet_of(parent, place)?;
        self.give_team(parent, row, x, place)?;
        self.give_team(parent, column, y, place)?;
        Ok(Some(Value::Known(0)))
    }

    /// Those that are not in a team get `SHMEM_TEAM_INVALID`.
    fn give_team(&mut self, parent: u32, members: Vec<u32>, to: &Value, place: PlaceId) -> Followed<()> {
        let call = (parent, self.state.progress_mut().next_made(parent));
        let handle = match members.contains(&self.rank) {
            true => self.tables.communicator(Communicator::child(members, call, None)),
            false => INVALID,
        };
        self.store(to, &Value::Known(handle), &HANDLE, place)
    }
}

/// The processes from `start` on, each `stride` after the one before, if there are so many.
pub(super) fn members(start: i64, stride: i64, size: i64, all: u32) -> Option<Vec<u32>> {
    let members = (0..size).map(|at| {
        let member = at.checked_mul(stride)?.checked_add(start)?;
        u32::try_from(member).ok().filter(|member| *member < all)
    });
    let members = members.collect::<Option<Vec<u32>>>()?;
    (!members.is_empty()).then_some(members)
}
