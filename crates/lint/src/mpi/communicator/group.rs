//! Groups (MPI-4.1 §7.3).

use crate::communicator::Comm;
use crate::flow::Flow;
use crate::invocation::Invocation;
use crate::mpi::Mpi;
use crate::mpi::SUCCESS;
use farside_calls::mpi::Procedure as P;
use farside_events::{CommId, Direction, Rank};
use std::hash::{DefaultHasher, Hash, Hasher};

impl Mpi<'_, '_> {
    pub(super) fn group(&self, handle: u64) -> Vec<u32> {
        self.caller.handles().group(handle).to_vec()
    }

    /// The processes of a group handle.
    pub(crate) fn group_ranks(&self, handle: u64) -> Vec<Rank> {
        self.group(handle).into_iter().map(Rank).collect()
    }

    pub(crate) fn give_group(&mut self, members: Vec<u32>, at: u64) -> Flow {
        let handle = self.caller.handles_mut().add_group(members);
        self.put_handle(at, handle);
        SUCCESS
    }

    pub(in crate::mpi) fn group_call(&mut self, a: &Invocation) -> Flow {
        let group = self.group(a[0].bits);
        let ranks: Vec<i32> = match a.procedure() {
            P::Group_incl | P::Group_excl => (0..u64::from(a[1].bits as u32).min(4096))
                .map(|i| self.caller.int_at(a[2].bits + 4 * i))
                .collect(),
            P::Group_range_incl | P::Group_range_excl => {
                let triple = |i: u64| [0, 4, 8].map(|at| self.caller.int_at(a[2].bits + 12 * i + at));
                (0..u64::from(a[1].bits as u32).min(64))
                    .flat_map(|i| {
                        let [first, last, step] = triple(i);
                        let ranks = (0..4096).map(|nth| first + nth * step);
                        let inside = |rank: &i32| if step < 0 { *rank >= last } else { *rank <= last };
                        ranks.take_while(inside).collect::<Vec<_>>()
                    })
                    .collect()
            }
            _ => Vec::new(),
        };
        match a.procedure() {
            P::Group_incl | P::Group_range_incl => {
                if ranks.iter().any(|rank| group.get(*rank as usize).is_none()) {
                    self.caller.notes().miss_rank();
                }
                let members = ranks
                    .iter()
                    .filter_map(|rank| group.get(*rank as usize).copied())
                    .collect();
                self.give_group(members, a[3].bits)
            }
            P::Group_excl | P::Group_range_excl => {
                let left = group
                    .iter()
                    .enumerate()
                    .filter(|(index, _)| !ranks.contains(&(*index as i32)));
                self.give_group(left.map(|(_, member)| *member).collect(), a[3].bits)
            }
            P::Group_size => {
                self.caller.put_int(a[1].bits, group.len() as i32);
                SUCCESS
            }
            P::Group_rank => {
                let own = group.iter().position(|member| *member == self.caller.rank());
                let undefined = self.numbers().undefined;
                self.caller
                    .put_int(a[1].bits, own.map_or(undefined, |own| own as i32));
                SUCCESS
            }
            P::Group_union | P::Group_intersection | P::Group_difference => {
                let other = self.group(a[1].bits);
                let common = |member: &u32| other.contains(member);
                let members = match a.procedure() {
                    P::Group_union => {
                        let more = other.iter().filter(|member| !group.contains(member));
                        group.iter().chain(more).copied().collect()
                    }
                    P::Group_intersection => group.iter().copied().filter(common).collect(),
                    _ => group.iter().copied().filter(|member| !common(member)).collect(),
                };
                self.give_group(members, a[2].bits)
            }
            P::Group_translate_ranks => self.translate_ranks(a, &group),
            P::Group_compare => {
                let other = self.group(a[1].bits);
                self.caller.put_int(a[2].bits, likeness(&group, &other).value());
                SUCCESS
            }
            _ => self.caller.unknown_call(a.name()),
        }
    }

    /// `MPI_Group_translate_ranks(group1, n, ranks1, group2, ranks2)`.
    fn translate_ranks(&mut self, a: &Invocation, from: &[u32]) -> Flow {
        let to = self.group(a[3].bits);
        for i in 0..u64::from(a[1].bits as u32).min(4096) {
            let rank = self.caller.int_at(a[2].bits + 4 * i);
            let member = usize::try_from(rank).ok().and_then(|rank| from.get(rank));
            let found = member.and_then(|member| to.iter().position(|other| other == member));
            let translated = match found {
                _ if rank == self.numbers().proc_null => rank,
                Some(position) => position as i32,
                None => self.numbers().undefined,
            };
            self.caller.put_int(a[4].bits + 4 * i, translated);
        }
        SUCCESS
    }

    /// `MPI_Comm_compare(comm1, comm2, result)`.
    pub(super) fn compare(&mut self, a: &Invocation, comm: &Comm) -> Flow {
        let Some(other) = self.comm(a[1].bits) else {
            return self.caller.unknown_call("MPI_Comm_compare");
        };
        let likeness = match (
            likeness(&comm.members, &other.members),
            comm.remote == other.remote,
        ) {
            (_, false) => Likeness::Unequal,
            (Likeness::Identical, true) if comm.id != other.id => Likeness::Congruent,
            (likeness, true) => likeness,
        };
        self.caller.put_int(a[2].bits, likeness.value());
        SUCCESS
    }

    /// `MPI_Comm_create_group(comm, group, tag, newcomm)`: only the processes of the group call, so that it is no call
    /// on `comm` whose number all of its processes count.
    pub(super) fn create_group(&mut self, a: &Invocation, parent: &Comm) -> Flow {
        let members = self.group(a[1].bits);
        if !members.contains(&self.caller.rank()) {
            self.give_comm(None, a[3].bits);
            return SUCCESS;
        }
        let mut hasher = DefaultHasher::new();
        ("group", parent.id.0, a[2].signed32(), &members).hash(&mut hasher);
        let description = hasher.finish();
        let nth = self.caller.handles().described(description);
        let made = Comm::new(CommId(description ^ nth), members);
        if self.caller.entered().is_none() {
            self.announce(&made);
        }
        let (name, processes) = ("MPI_Comm_create_group", made.processes());
        let met = self.meet(&made, processes, Direction::All, name, Vec::new());
        if met.is_none() {
            return Flow::Block;
        }
        self.caller.handles_mut().describe(description);
        self.give_comm(Some(made), a[3].bits);
        self.caller.done()
    }
}

/// How alike two groups or communicators are (MPI-4.1 §7.3.1, §7.4.1), with the values that both libraries give to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Likeness {
    Identical = 0,
    Congruent = 1,
    Similar = 2,
    Unequal = 3,
}

impl Likeness {
    fn value(self) -> i32 {
        self as i32
    }
}

fn likeness(left: &[u32], right: &[u32]) -> Likeness {
    let sorted = |members: &[u32]| {
        let mut members = members.to_vec();
        members.sort_unstable();
        members
    };
    if left == right {
        Likeness::Identical
    } else if sorted(left) == sorted(right) {
        Likeness::Similar
    } else {
        Likeness::Unequal
    }
}
