//! Communicators and groups (MPI-4.1 chapters 7 and 8).
//!
//! Copies of a communicator, and those of some of its processes that all know (`MPI_Comm_create`), are made without
//! waiting for anybody, as the standard lets libraries do it (§7.4.2). `MPI_Comm_split` waits for all, since a process
//! has the others' colors in what it gets. What others give it is learnt by an earlier attempt to follow them.
//!
//! Taken for granted: a grid has its processes in the order that they had, also if the program lets the library order
//! them anew.

use super::constants::{Constant, NO_COMMUNICATOR, SELF, WORLD};
use crate::communicator::Communicator;
use crate::machine::bytes::constant;
use crate::machine::{Followed, Machine};
use crate::value::Value;
use farside_calls::grid::{Grid, balance};
use farside_lint::ir::{PlaceId, Type};

impl Machine<'_> {
    /// The number of the communicator of a handle.
    pub(super) fn communicator(&mut self, handle: &Value, place: PlaceId) -> Followed<u32> {
        let known = if self.is(handle, WORLD) {
            self.tables.communicator(Communicator::world(self.ranks))
        } else if self.is(handle, SELF) {
            self.tables.communicator(Communicator::alone(self.rank))
        } else if let Value::Known(handle) = *handle {
            handle
        } else {
            0
        };
        match self.tables.communicator_at(known) {
            Some(number) => Ok(number),
            None => Err(self.lost(place, "a communicator that is not known")),
        }
    }

    /// The process of `MPI_COMM_WORLD` that a rank in a communicator means; `MPI_PROC_NULL` stays what it is.
    pub(in crate::machine) fn process(
        &mut self,
        rank: &Value,
        communicator: u32,
        place: PlaceId,
    ) -> Followed<Value> {
        let of = self.tables.communicator_of(communicator);
        if of.is_like_world(self.ranks) || self.is_nobody(rank) {
            return Ok(rank.clone());
        }
        let known =
            constant(rank, 32).map(|rank| usize::try_from(rank).ok().and_then(|at| of.members().get(at)));
        match known {
            Some(Some(process)) => Ok(Value::Known(u64::from(*process))),
            Some(None) => Err(self.lost(place, "a rank that the communicator does not have")),
            None => Err(self.lost(
                place,
                "a rank that only a run knows, in a communicator with other ranks than MPI_COMM_WORLD",
            )),
        }
    }

    /// Calls that make, free and ask communicators; false if it is none of these.
    pub(super) fn communicator_call(
        &mut self,
        call: &str,
        values: &[Value],
        place: PlaceId,
    ) -> Followed<bool> {
        match (call, values) {
            ("Comm_rank" | "Comm_size", [communicator, to]) => {
                let communicator = self.communicator(communicator, place)?;
                let of = self.tables.communicator_of(communicator);
                let number = match call {
                    "Comm_rank" => of.rank_of(self.rank),
                    _ => u32::try_from(of.members().len()).ok(),
                };
                let Some(number) = number else {
                    return Err(self.lost(place, "a call on a communicator of other processes"));
                };
                self.put(to, number, place)?;
            }
            ("Comm_dup", [communicator, to]) | ("Comm_dup_with_info", [communicator, _, to]) => {
                let parent = self.communicator(communicator, place)?;
                let of = self.tables.communicator_of(parent);
                let (members, grid) = (of.members().to_vec(), of.grid().cloned());
                self.make_communicator(parent, members, grid, to, place)?;
            }
            ("Comm_create", [communicator, group, to])
            | ("Comm_create_group", [communicator, group, _, to]) => {
                let parent = self.communicator(communicator, place)?;
                let members = self.members(group, place)?;
                self.make_communicator(parent, members, None, to, place)?;
            }
            ("Comm_split", [communicator, color, key, to]) => {
                let parent = self.communicator(communicator, place)?;
                self.split(parent, (color, key), to, place)?;
            }
            ("Comm_free", [handle]) => {
                let none = self.constant_value(NO_COMMUNICATOR);
                self.store(handle, &none, &self.handle_type(), place)?;
            }
            ("Dims_create", [processes, count, sizes]) => {
                let mut all = self.integers(count, sizes, place)?;
                let Some(processes) = constant(processes, 32) else {
                    return Err(self.lost(place, "a number of processes that is not known"));
                };
                balance(processes as i32, &mut all);
                self.put_all(sizes, &all, place)?;
            }
            (
                "Dist_graph_create_adjacent",
                [communicator, sources, from, _, destinations, into, _, _, _, to],
            ) => {
                let parent = self.communicator(communicator, place)?;
                let from = self.integers(sources, from, place)?;
                let into = self.integers(destinations, into, place)?;
                self.make_graph(parent, (&from, &into), to, place)?;
            }
            _ => return self.grid_call(call, values, place),
        }
        Ok(true)
    }

    fn grid_call(&mut self, call: &str, values: &[Value], place: PlaceId) -> Followed<bool> {
        match (call, values) {
            ("Cart_create", [communicator, count, sizes, wraps, _, to]) => {
                let parent = self.communicator(communicator, place)?;
                let sizes = self.integers(count, sizes, place)?;
                let wraps = self.integers(count, wraps, place)?;
                let grid = Grid::new(sizes, wraps.into_iter().map(|wraps| wraps != 0).collect());
                let members = self.tables.communicator_of(parent).members();
                let members = members.iter().copied().take(grid.processes()).collect();
                self.make_communicator(parent, members, Some(grid), to, place)?;
            }
            ("Cart_sub", [communicator, kept, to]) => {
                let (parent, grid, own) = self.grid(communicator, place)?;
                let dimensions = Value::Known(grid.sizes().len() as u64);
                let kept = self.integers(&dimensions, kept, place)?;
                let kept: Vec<bool> = kept.into_iter().map(|kept| kept != 0).collect();
                let (part, ranks) = grid.part(&kept, own);
                let of = self.tables.communicator_of(parent).members();
                let members = ranks
                    .into_iter()
                    .filter_map(|rank| of.get(rank).copied())
                    .collect();
                self.make_communicator(parent, members, Some(part), to, place)?;
            }
            ("Cart_shift", [communicator, dimension, step, source, destination]) => {
                let (_, grid, own) = self.grid(communicator, place)?;
                let (Some(dimension), Some(step)) = (constant(dimension, 32), constant(step, 32)) else {
                    return Err(self.lost(place, "a step in a grid that is not known"));
                };
                for (step, to) in [(-step, source), (step, destination)] {
                    let there = grid.shifted(own, dimension as i32, step as i32);
                    let there = there.map_or(self.nobody(), |rank| rank as u32);
                    self.put(to, there, place)?;
                }
            }
            ("Cart_coords", [communicator, rank, _, to]) => {
                let (_, grid, _) = self.grid(communicator, place)?;
                let Some(rank) = constant(rank, 32) else {
                    return Err(self.lost(place, "a rank in a grid that is not known"));
                };
                self.put_all(to, &grid.coordinates(rank as i32), place)?;
            }
            ("Cart_rank", [communicator, coordinates, to]) => {
                let (_, grid, _) = self.grid(communicator, place)?;
                let dimensions = Value::Known(grid.sizes().len() as u64);
                let coordinates = self.integers(&dimensions, coordinates, place)?;
                self.put(to, grid.rank(coordinates) as u32, place)?;
            }
            ("Cart_get", [communicator, _, sizes, wraps, coordinates]) => {
                let (_, grid, own) = self.grid(communicator, place)?;
                let around: Vec<i32> = grid.wraps().iter().map(|wraps| i32::from(*wraps)).collect();
                self.put_all(sizes, grid.sizes(), place)?;
                self.put_all(wraps, &around, place)?;
                self.put_all(coordinates, &grid.coordinates(own as i32), place)?;
            }
            ("Cartdim_get", [communicator, to]) => {
                let (_, grid, _) = self.grid(communicator, place)?;
                self.put(to, grid.sizes().len() as u32, place)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// `MPI_Comm_group`, and groups made of groups; false if it is none of these. Groups are numbers here, and cost
    /// nothing.
    pub(super) fn group(&mut self, call: &str, values: &[Value], place: PlaceId) -> Followed<bool> {
        let (members, to) = match (call, values) {
            ("Comm_group", [communicator, to]) => {
                let communicator = self.communicator(communicator, place)?;
                (self.tables.communicator_of(communicator).members().to_vec(), to)
            }
            ("Win_get_group", [window, to]) => {
                let window = self.window_of(window, place)?;
                let communicator = self.tables.window(window).communicator();
                (self.tables.communicator_of(communicator).members().to_vec(), to)
            }
            ("Group_incl" | "Group_excl", [group, count, ranks, to]) => {
                let all = self.members(group, place)?;
                let listed = self.integers(count, ranks, place)?;
                let is_listed = |at: usize| listed.iter().any(|listed| usize::try_from(*listed) == Ok(at));
                let members = match call {
                    "Group_incl" => {
                        let chosen = listed
                            .iter()
                            .map(|at| all.get(usize::try_from(*at).ok()?).copied());
                        match chosen.collect::<Option<Vec<u32>>>() {
                            Some(chosen) => chosen,
                            None => return Err(self.lost(place, "a group of processes that are not there")),
                        }
                    }
                    _ => all
                        .iter()
                        .enumerate()
                        .filter(|(at, _)| !is_listed(*at))
                        .map(|(_, member)| *member)
                        .collect(),
                };
                (members, to)
            }
            ("Group_rank" | "Group_size", [group, to]) => {
                let members = self.members(group, place)?;
                let own = members.iter().position(|member| *member == self.rank);
                let number = match (call, own) {
                    ("Group_size", _) => Value::Known(members.len() as u64),
                    (_, Some(own)) => Value::Known(own as u64),
                    (_, None) => self.undefined(),
                };
                self.store(to, &number, &Type::Integer(32), place)?;
                return Ok(true);
            }
            ("Group_free", [_]) => return Ok(true),
            _ => return Ok(false),
        };
        let handle = Value::Known(self.tables.group(members));
        self.store(to, &handle, &self.handle_type(), place)?;
        Ok(true)
    }

    /// The processes of a group.
    pub(super) fn members(&mut self, group: &Value, place: PlaceId) -> Followed<Vec<u32>> {
        let known = match group {
            Value::Known(handle) => self.tables.group_at(*handle).cloned(),
            _ => None,
        };
        match known {
            Some(members) => Ok(members),
            None => Err(self.lost(place, "a group that is not known")),
        }
    }

    fn split(&mut self, parent: u32, given: (&Value, &Value), to: &Value, place: PlaceId) -> Followed<()> {
        let (Some(color), Some(key)) = (constant(given.0, 32), constant(given.1, 32)) else {
            return Err(self.lost(place, "a color or a key that is not known before a run"));
        };
        let members = self.tables.communicator_of(parent).members().to_vec();
        let call = (parent, self.state.progress_mut().next_made(parent));
        if !self.knowledge.split(call, self.rank, (color, key)) {
            return Err(self.lost(place, "a color or a key that differs from run to run"));
        }
        let mut same = Vec::new();
        for (rank, &member) in members.iter().enumerate() {
            let Some((its, key)) = self.knowledge.split_of(call, member) else {
                return Err(self.lost(place, "MPI_Comm_split, to which a process is not followed"));
            };
            if its == color {
                same.push((key, rank, member));
            }
        }
        // By key, and then by rank in the parent (MPI-4.1 §7.4.2).
        same.sort_unstable();
        self.meet_in(parent, place)?;
        let none = constant(&self.undefined(), 32) == Some(color);
        let same = (!none).then(|| same.into_iter().map(|(_, _, member)| member).collect());
        self.give_communicator(call, same, None, to, place)
    }

    /// A communicator of some processes of another one; those that are not in it get `MPI_COMM_NULL`.
    fn make_communicator(
        &mut self,
        parent: u32,
        members: Vec<u32>,
        grid: Option<Grid>,
        to: &Value,
        place: PlaceId,
    ) -> Followed<()> {
        let call = (parent, self.state.progress_mut().next_made(parent));
        self.give_communicator(call, Some(members), grid, to, place)
    }

    /// A communicator of the same processes with a graph (MPI-4.1 §8.5.4). Each knows its part of it without waiting.
    fn make_graph(
        &mut self,
        parent: u32,
        (from, into): (&[i32], &[i32]),
        to: &Value,
        place: PlaceId,
    ) -> Followed<()> {
        let members = self.tables.communicator_of(parent).members().to_vec();
        let process = |rank: &i32| members.get(usize::try_from(*rank).ok()?).copied();
        let all = |ranks: &[i32]| -> Option<Vec<u32>> { ranks.iter().map(process).collect() };
        let (Some(sources), Some(destinations)) = (all(from), all(into)) else {
            return Err(self.lost(place, "a graph with processes that are not known"));
        };
        let call = (parent, self.state.progress_mut().next_made(parent));
        let made = Communicator::child(members, call, None);
        let number = self.tables.number_of(made.clone());
        if !self
            .knowledge
            .neighbour(number, self.rank, (sources, destinations))
        {
            return Err(self.lost(place, "a graph that differs from run to run"));
        }
        let handle = Value::Known(self.tables.communicator(made));
        self.store(to, &handle, &self.handle_type(), place)
    }

    fn give_communicator(
        &mut self,
        call: (u32, u32),
        members: Option<Vec<u32>>,
        grid: Option<Grid>,
        to: &Value,
        place: PlaceId,
    ) -> Followed<()> {
        let handle = match members.filter(|members| members.contains(&self.rank)) {
            Some(members) => {
                let made = Communicator::child(members, call, grid);
                Value::Known(self.tables.communicator(made))
            }
            None => self.constant_value(NO_COMMUNICATOR),
        };
        self.store(to, &handle, &self.handle_type(), place)
    }

    /// A communicator with a grid: its number, the grid, and where in it this process is.
    fn grid(&mut self, communicator: &Value, place: PlaceId) -> Followed<(u32, Grid, usize)> {
        let number = self.communicator(communicator, place)?;
        let of = self.tables.communicator_of(number);
        match (of.grid(), of.rank_of(self.rank)) {
            (Some(grid), Some(own)) => Ok((number, grid.clone(), own as usize)),
            _ => Err(self.lost(place, "a communicator that has no grid")),
        }
    }

    /// The numbers in an array.
    pub(super) fn integers(&mut self, count: &Value, array: &Value, place: PlaceId) -> Followed<Vec<i32>> {
        let mut numbers = Vec::new();
        for at in 0..self.count(count, place)? {
            let from = self.moved(array, 4 * at, place)?;
            let element = self.load(&from, &Type::Integer(32), u32::MAX, place)?;
            match constant(&element, 32) {
                Some(number) => numbers.push(number as i32),
                None => return Err(self.lost(place, "an array of numbers that are not known")),
            }
        }
        Ok(numbers)
    }

    fn put(&mut self, to: &Value, number: u32, place: PlaceId) -> Followed<()> {
        self.store(to, &Value::Known(u64::from(number)), &Type::Integer(32), place)
    }

    fn put_all(&mut self, to: &Value, numbers: &[i32], place: PlaceId) -> Followed<()> {
        for (at, number) in (0..).zip(numbers) {
            let to = self.moved(to, 4 * at, place)?;
            self.put(&to, number.cast_unsigned(), place)?;
        }
        Ok(())
    }

    /// The value of a constant of the library: of Open MPI an address. A program that does not name it cannot tell it
    /// from another one.
    pub(super) fn constant_value(&mut self, (variable, number): Constant) -> Value {
        if !self.is_open_mpi() {
            return Value::Known(number as u64);
        }
        let mut globals = self.module.globals.iter();
        let found = globals.position(|global| global.name == variable);
        let object = found.map(|global| self.global(global as u32));
        Value::Known(object.map_or(0, |object| crate::tables::Tables::address(object, 0)))
    }
}
