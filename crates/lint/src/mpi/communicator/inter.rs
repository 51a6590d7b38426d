//! Inter-communicators (MPI-4.1 §7.6).

use crate::communicator::Comm;
use crate::flow::Flow;
use crate::invocation::Invocation;
use crate::matching::Kind;
use crate::mpi::Mpi;
use crate::mpi::SUCCESS;
use crate::process::Entered;
use farside_calls::mpi::Procedure as P;
use farside_events::{CommId, Direction};
use std::hash::{DefaultHasher, Hash, Hasher};

impl Mpi<'_, '_> {
    /// What is asked of an inter-communicator that exists.
    pub(super) fn remote_group_call(&mut self, a: &Invocation, comm: &Comm) -> Flow {
        let remote = comm.remote.clone().unwrap_or_default();
        match a.procedure() {
            P::Comm_test_inter => {
                self.caller.put_int(a[1].bits, i32::from(comm.is_inter()));
                SUCCESS
            }
            P::Comm_remote_size => {
                self.caller.put_int(a[1].bits, remote.len() as i32);
                SUCCESS
            }
            _ => self.give_group(remote, a[1].bits),
        }
    }

    /// `MPI_Intercomm_create(local_comm, local_leader, peer_comm, remote_leader, tag, newintercomm)`: the group meets, its
    /// leader meets the other one, and then both groups are in step, which a barrier stands for.
    pub(super) fn create_inter(&mut self, a: &Invocation, local: Comm) -> Flow {
        let name = "MPI_Intercomm_create";
        let entered = match self.caller.entered() {
            Some(Entered::Meeting(key)) => Some(key),
            _ => None,
        };
        if let Some(key) = entered
            && key.1 != local.id.0
        {
            let inter = self.caller.handles().comm_of(CommId(key.1));
            let processes = inter.map_or(0, Comm::processes);
            return match !self.have_come(key, processes) {
                true => Flow::Block,
                false => self.caller.done(),
            };
        }
        let leader = local.member(a[1].signed32());
        let mut words = vec![u64::MAX];
        if leader == Some(self.caller.rank()) {
            let peers = self.comm(a[2].bits);
            let other = peers.and_then(|peers| self.peer(&peers, a[3].signed32()));
            words[0] = other.map_or(u64::MAX, u64::from);
        }
        let Some((_, meeting)) = self.meet(&local, local.processes(), Direction::All, name, words) else {
            return Flow::Block;
        };
        let other = leader.and_then(|leader| u32::try_from(*meeting.words(leader).first()?).ok());
        let (Some(leader), Some(other)) = (leader, other) else {
            // The other leader is nobody: no communicator comes of it.
            self.give_comm(None, a[5].bits);
            return self.caller.done();
        };
        let mut hasher = DefaultHasher::new();
        (leader.min(other), leader.max(other), a[4].signed32(), "leaders").hash(&mut hasher);
        let description = hasher.finish();
        let nth = self.caller.handles().described(description);
        let key = (Kind::Leaders, description, nth);
        if leader == self.caller.rank() {
            let members = local.members.iter().copied().map(u64::from).collect();
            self.library
                .meetings
                .arrive(key, self.caller.rank(), members, Vec::new());
        }
        let Some(leaders) = self.library.meetings.complete(key, 2) else {
            return Flow::Block;
        };
        self.caller.handles_mut().describe(description);
        let remote = leaders.words(other).iter();
        let inter = Comm {
            remote: Some(remote.map(|member| *member as u32).collect()),
            ..Comm::new(CommId(description ^ nth), local.members.clone())
        };
        self.give_comm(Some(inter.clone()), a[5].bits);
        self.caller.done();
        self.meet(&inter, inter.processes(), Direction::All, name, Vec::new());
        match self.caller.entered() {
            Some(Entered::Meeting(key)) if self.have_come(key, inter.processes()) => self.caller.done(),
            _ => Flow::Block,
        }
    }

    /// `MPI_Intercomm_merge(intercomm, high, newintracomm)`: the group with the lower value of `high` comes first; which
    /// one if they are equal is not defined, and is the one with the lower process here.
    pub(super) fn merge(&mut self, a: &Invocation, inter: Comm) -> Flow {
        let high = u64::from(a[1].signed32() != 0);
        let name = "MPI_Intercomm_merge";
        let Some((sequence, meeting)) =
            self.meet(&inter, inter.processes(), Direction::All, name, vec![high])
        else {
            return Flow::Block;
        };
        let remote = inter.remote.clone().unwrap_or_default();
        let key = |group: &[u32]| {
            let first = group.first().copied().unwrap_or(u32::MAX);
            let high = meeting.word(first, 0);
            (high, group.iter().min().copied())
        };
        let mut groups = [inter.members.clone(), remote];
        groups.sort_by_key(|group| key(group));
        let made = super::child(&inter, sequence, 0, groups.concat());
        self.give_comm(Some(made), a[2].bits);
        self.caller.done()
    }
}
