//! Communicators and groups (MPI-4.1 chapter 7).

use super::SUCCESS;
use super::meeting::Meeting;
use crate::execute::Flow;
use crate::handles::{Comm, HandleKind};
use crate::job::Job;
use crate::start::ARGUMENT;
use crate::thread::Site;
use crate::value::Scalar;
use farside_events::{CommId, Direction, EventKind, Rank};
use std::hash::{DefaultHasher, Hash, Hasher};

impl Job<'_> {
    pub(crate) fn define_world(&mut self, rank: u32) {
        let members = (0..self.size).collect();
        let comms = &mut self.processes[rank as usize].handles.comms;
        comms.push(Some(Comm {
            id: CommId(1),
            members,
            grid: None,
        }));
        comms.push(Some(Comm {
            id: CommId(100 + u64::from(rank)),
            members: vec![rank],
            grid: None,
        }));
    }

    pub(crate) fn announce_communicators(&mut self, site: &Site) {
        let comms: Vec<Comm> = self.processes[site.rank as usize]
            .handles
            .comms
            .iter()
            .flatten()
            .cloned()
            .collect();
        for comm in comms {
            self.announce(site, &comm);
        }
    }

    fn announce(&mut self, site: &Site, comm: &Comm) {
        let members = comm.members.iter().copied().map(Rank).collect();
        self.emit(site.rank, site.thread, EventKind::Comm { id: comm.id, members });
    }

    /// The communicator of a handle.
    pub(crate) fn comm(&self, site: &Site, handle: u64) -> Option<Comm> {
        let handles = &self.processes[site.rank as usize].handles;
        if self.abi.is_world(handle) {
            return handles.comms[0].clone();
        }
        if self.abi.is_self(handle) {
            return handles.comms[1].clone();
        }
        if let Some(known) = handles.comm(handle) {
            return Some(known.clone());
        }
        // What an unknown caller of a function gives as a communicator is taken to be the largest.
        let memory = &self.processes[site.rank as usize].memory;
        let given = memory
            .object(handle)
            .is_some_and(|(_, object)| object.name == ARGUMENT);
        given.then(|| handles.comms[0].clone()).flatten()
    }

    /// The process that a rank of a communicator means; `None` for `MPI_PROC_NULL` and ranks that are not there.
    pub(crate) fn peer(&mut self, comm: &Comm, rank: i32) -> Option<u32> {
        let found = usize::try_from(rank)
            .ok()
            .and_then(|rank| comm.members.get(rank).copied());
        if found.is_none() && rank != self.abi.proc_null {
            self.notes.missing_rank = true;
        }
        found
    }

    fn group(&self, site: &Site, handle: u64) -> Vec<u32> {
        let groups = &self.processes[site.rank as usize].handles.groups;
        HandleKind::Group
            .index(handle)
            .and_then(|index| groups.get(index))
            .cloned()
            .unwrap_or_default()
    }

    /// The processes of a group handle.
    pub(crate) fn group_ranks(&self, site: &Site, handle: u64) -> Vec<Rank> {
        self.group(site, handle).into_iter().map(Rank).collect()
    }

    pub(crate) fn give_group(&mut self, site: &Site, members: Vec<u32>, at: u64) -> Flow {
        let handles = &mut self.processes[site.rank as usize].handles;
        handles.groups.push(members);
        let handle = HandleKind::Group.handle(handles.groups.len() - 1);
        self.put_handle(site, at, handle);
        SUCCESS
    }

    fn give_comm(&mut self, site: &Site, comm: Option<Comm>, at: u64) {
        let handle = match comm {
            Some(comm) => {
                self.announce(site, &comm);
                let comms = &mut self.processes[site.rank as usize].handles.comms;
                comms.push(Some(comm));
                HandleKind::Comm.handle(comms.len() - 1)
            }
            None => self.abi.null("comm"),
        };
        self.put_handle(site, at, handle);
    }

    pub(crate) fn communicator_call(&mut self, site: &Site, name: &str, a: &[Scalar]) -> Flow {
        match name {
            "MPI_Comm_free" | "MPI_Comm_get_attr" => return SUCCESS,
            "MPI_Dims_create" => return self.dims(site, a),
            _ => {}
        }
        if name.starts_with("MPI_Group_") {
            return self.group_call(site, name, a);
        }
        let Some(comm) = self.comm(site, a[0].bits) else {
            return self.unknown_call(site, name);
        };
        let own = comm
            .members
            .iter()
            .position(|member| *member == site.rank)
            .unwrap_or(0);
        match name {
            "MPI_Comm_rank" => {
                let symbol = if comm.members.len() == self.size as usize {
                    crate::value::RANK
                } else {
                    0
                };
                let at = a[1].bits;
                self.memory_mut(site.rank, at).store(
                    at,
                    4,
                    Scalar {
                        bits: own as u64,
                        symbol,
                    },
                );
                SUCCESS
            }
            "MPI_Comm_size" => {
                self.notes.asked_for_size = true;
                self.put_int(site, a[1].bits, comm.members.len() as i32);
                SUCCESS
            }
            "MPI_Comm_group" => self.give_group(site, comm.members, a[1].bits),
            "MPI_Cart_shift" => {
                let (dimension, step) = (a[1].signed32(), a[2].signed32());
                let (from, to) = (
                    self.neighbor(&comm, own, dimension, -step),
                    self.neighbor(&comm, own, dimension, step),
                );
                self.put_int(site, a[3].bits, from);
                self.put_int(site, a[4].bits, to);
                SUCCESS
            }
            "MPI_Cart_coords" => {
                let (sizes, _) = comm.grid.unwrap_or_default();
                for (index, value) in coordinates(a[1].signed32(), &sizes).into_iter().enumerate() {
                    self.put_int(site, a[3].bits + 4 * index as u64, value);
                }
                SUCCESS
            }
            "MPI_Cart_rank" => {
                let (sizes, _) = comm.grid.unwrap_or_default();
                let rank = (0..sizes.len()).fold(0, |rank, index| {
                    let value = self.int_at(site, a[1].bits + 4 * index as u64);
                    rank * sizes[index] + value.rem_euclid(sizes[index].max(1))
                });
                self.put_int(site, a[2].bits, rank);
                SUCCESS
            }
            "MPI_Comm_dup"
            | "MPI_Comm_split"
            | "MPI_Comm_split_type"
            | "MPI_Comm_create"
            | "MPI_Comm_create_group"
            | "MPI_Cart_create" => self.create(site, name, a, comm),
            _ => self.unknown_call(site, name),
        }
    }

    /// A collective call that makes communicators.
    fn create(&mut self, site: &Site, name: &str, a: &[Scalar], comm: Comm) -> Flow {
        let (words, result) = match name {
            "MPI_Comm_split" => (vec![a[1].bits, a[2].bits], a[3].bits),
            "MPI_Comm_split_type" => (vec![0, a[2].bits], a[4].bits),
            "MPI_Cart_create" => (vec![0, 0], a[5].bits),
            "MPI_Comm_create" => (vec![0, 0], a[2].bits),
            "MPI_Comm_create_group" => (vec![0, 0], a[3].bits),
            _ => (vec![0, 0], a[1].bits),
        };
        let only =
            matches!(name, "MPI_Comm_create" | "MPI_Comm_create_group").then(|| self.group(site, a[1].bits));
        let expected = match (&only, name) {
            (Some(group), "MPI_Comm_create_group") => group.len(),
            _ => comm.members.len(),
        };
        let Some((sequence, meeting)) =
            self.meet(site, &comm, expected, Direction::All, name, words, Vec::new())
        else {
            return Flow::Block;
        };
        let color = meeting.words[&site.rank][0];
        let mut members = match only {
            Some(group) => group,
            None => members_of(&comm, &meeting, color),
        };
        let grid = (name == "MPI_Cart_create").then(|| {
            let count = a[1].bits;
            let sizes: Vec<i32> = (0..count).map(|i| self.int_at(site, a[2].bits + 4 * i)).collect();
            let wraps = (0..count)
                .map(|i| self.int_at(site, a[3].bits + 4 * i) != 0)
                .collect();
            members.truncate(sizes.iter().product::<i32>().max(0) as usize);
            (sizes, wraps)
        });
        let mut hasher = DefaultHasher::new();
        (comm.id.0, sequence, color, &members).hash(&mut hasher);
        let wanted = members.contains(&site.rank)
            && (color as u32 as i32 != self.abi.undefined || name != "MPI_Comm_split");
        let made = wanted.then(|| Comm {
            id: CommId(hasher.finish()),
            members,
            grid,
        });
        self.give_comm(site, made, result);
        self.done(site)
    }

    fn neighbor(&self, comm: &Comm, own: usize, dimension: i32, step: i32) -> i32 {
        let Some((sizes, wraps)) = &comm.grid else {
            return self.abi.proc_null;
        };
        let mut place = coordinates(own as i32, sizes);
        let dimension = dimension as usize;
        let Some(value) = place.get_mut(dimension) else {
            return self.abi.proc_null;
        };
        *value += step;
        if wraps[dimension] {
            *value = value.rem_euclid(sizes[dimension]);
        } else if *value < 0 || *value >= sizes[dimension] {
            return self.abi.proc_null;
        }
        place
            .iter()
            .zip(sizes)
            .fold(0, |rank, (value, size)| rank * size + value)
    }

    fn dims(&mut self, site: &Site, a: &[Scalar]) -> Flow {
        let count = a[1].bits;
        let mut sizes: Vec<i32> = (0..count).map(|i| self.int_at(site, a[2].bits + 4 * i)).collect();
        let mut rest = a[0].signed32() / sizes.iter().filter(|size| **size > 0).product::<i32>().max(1);
        let mut free: Vec<usize> = (0..sizes.len()).filter(|i| sizes[*i] == 0).collect();
        free.iter().for_each(|index| sizes[*index] = 1);
        let mut factor = 2;
        let mut factors = Vec::new();
        while rest > 1 {
            if rest % factor == 0 {
                factors.push(factor);
                rest /= factor;
            } else {
                factor += 1;
            }
        }
        for factor in factors.into_iter().rev() {
            if let Some(smallest) = free.iter().copied().min_by_key(|index| sizes[*index]) {
                sizes[smallest] *= factor;
            }
        }
        let mut sorted: Vec<i32> = free.iter().map(|index| sizes[*index]).collect();
        sorted.sort_unstable_by(|x, y| y.cmp(x));
        for (index, size) in free.drain(..).zip(sorted) {
            sizes[index] = size;
        }
        for (index, size) in sizes.into_iter().enumerate() {
            self.put_int(site, a[2].bits + 4 * index as u64, size);
        }
        SUCCESS
    }

    fn group_call(&mut self, site: &Site, name: &str, a: &[Scalar]) -> Flow {
        let group = self.group(site, a[0].bits);
        let ranks: Vec<i32> = match name {
            "MPI_Group_incl" | "MPI_Group_excl" => (0..u64::from(a[1].bits as u32).min(4096))
                .map(|i| self.int_at(site, a[2].bits + 4 * i))
                .collect(),
            "MPI_Group_range_incl" => {
                let triple = |i: u64| [0, 4, 8].map(|at| self.int_at(site, a[2].bits + 12 * i + at));
                (0..u64::from(a[1].bits as u32).min(64))
                    .flat_map(|i| {
                        let [first, last, step] = triple(i);
                        (first..=last).step_by(step.max(1) as usize).collect::<Vec<_>>()
                    })
                    .collect()
            }
            _ => Vec::new(),
        };
        match name {
            "MPI_Group_incl" | "MPI_Group_range_incl" => {
                if ranks.iter().any(|rank| group.get(*rank as usize).is_none()) {
                    self.notes.missing_rank = true;
                }
                let members = ranks
                    .iter()
                    .filter_map(|rank| group.get(*rank as usize).copied())
                    .collect();
                self.give_group(site, members, a[3].bits)
            }
            "MPI_Group_excl" => {
                let left = group
                    .iter()
                    .enumerate()
                    .filter(|(index, _)| !ranks.contains(&(*index as i32)));
                self.give_group(site, left.map(|(_, member)| *member).collect(), a[3].bits)
            }
            "MPI_Group_size" => {
                self.put_int(site, a[1].bits, group.len() as i32);
                SUCCESS
            }
            "MPI_Group_rank" => {
                let own = group.iter().position(|member| *member == site.rank);
                let undefined = self.abi.undefined;
                self.put_int(site, a[1].bits, own.map_or(undefined, |own| own as i32));
                SUCCESS
            }
            _ => self.unknown_call(site, name),
        }
    }
}

/// The members with this color, by key and then by rank.
fn members_of(comm: &Comm, meeting: &Meeting, color: u64) -> Vec<u32> {
    let mut members: Vec<(i32, usize, u32)> = comm
        .members
        .iter()
        .enumerate()
        .filter_map(|(position, member)| {
            let words = meeting.words.get(member)?;
            (words[0] == color).then_some((words[1] as u32 as i32, position, *member))
        })
        .collect();
    members.sort_unstable();
    members.into_iter().map(|(_, _, member)| member).collect()
}

fn coordinates(rank: i32, sizes: &[i32]) -> Vec<i32> {
    let mut rest = rank;
    let mut place: Vec<i32> = sizes
        .iter()
        .rev()
        .map(|size| {
            let value = rest % size.max(&1);
            rest /= size.max(&1);
            value
        })
        .collect();
    place.reverse();
    place
}
