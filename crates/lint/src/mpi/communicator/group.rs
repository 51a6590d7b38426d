//! Groups (MPI-4.1 §7.3).

use crate::execute::Flow;
use crate::handles::HandleKind;
use crate::job::Job;
use crate::mpi::SUCCESS;
use crate::thread::Site;
use crate::value::Scalar;
use farside_events::Rank;

impl Job<'_> {
    pub(super) fn group(&self, site: &Site, handle: u64) -> Vec<u32> {
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

    pub(super) fn group_call(&mut self, site: &Site, name: &str, a: &[Scalar]) -> Flow {
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
