//! Groups: which ranks do collective operations together (GASPI 17.1 §6).
//!
//! Groups are numbered by each rank for itself. What names a group between ranks is who is in it, and how many groups
//! of the same ranks were committed before: so members that commit different groups never meet, and wait.
//!
//! `GASPI_GROUP_ALL` is committed from the start, as in GPI-2; committing it again does nothing.

use crate::abi::{Failure, GROUP_ALL, GROUPS, GroupId, Number, Outcome, Timeout};
use crate::collective::{Combine, Kind, Members, Running, keep};
use crate::net::{Net, locked};
use farside_fabric::Rank;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

/// A group of this rank.
pub(crate) struct Group {
    /// From low to high, each once.
    members: Vec<Rank>,
    /// The name of the group between ranks, once it is committed or wants to be.
    context: Option<u64>,
    committed: bool,
    /// Of the next collective operation.
    operation: u64,
    running: Option<Running>,
}

impl Group {
    fn new(members: Vec<Rank>, context: Option<u64>) -> Self {
        Self {
            members,
            context,
            committed: context.is_some(),
            operation: 0,
            running: None,
        }
    }
}

/// The groups of a rank.
pub(crate) struct Groups {
    all: Mutex<Vec<Option<Arc<Mutex<Group>>>>>,
    /// How many groups of the same ranks were committed.
    commits: Mutex<HashMap<u64, u64>>,
    /// Everybody, for the end of the job.
    ending: Arc<Mutex<Group>>,
    limit: usize,
}

/// FNV-1a, of 8 bytes each: the same at all ranks.
fn hash(words: impl IntoIterator<Item = u64>) -> u64 {
    let bytes = words.into_iter().flat_map(u64::to_le_bytes);
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

impl Groups {
    /// With `GASPI_GROUP_ALL`, and room for so many.
    pub(crate) fn new(size: u32, limit: u32) -> Self {
        let everybody = |context| Arc::new(Mutex::new(Group::new((0..size).collect(), Some(context))));
        Self {
            all: Mutex::new(vec![Some(everybody(hash([0])))]),
            commits: Mutex::default(),
            ending: everybody(hash([1])),
            limit: GROUPS.min(limit as usize),
        }
    }

    fn get(&self, group: GroupId) -> Outcome<Arc<Mutex<Group>>> {
        let all = locked(&self.all);
        all.get(group as usize).cloned().flatten().ok_or(Failure::GROUP)
    }

    /// Number of groups.
    pub(crate) fn number(&self) -> Number {
        locked(&self.all).iter().flatten().count() as Number
    }

    pub(crate) fn create(&self) -> Outcome<GroupId> {
        let mut all = locked(&self.all);
        let free = all.iter().position(Option::is_none).unwrap_or(all.len());
        if free >= self.limit {
            return Err(Failure::MANY_GROUPS);
        }
        let group = Some(Arc::new(Mutex::new(Group::new(Vec::new(), None))));
        match all.get_mut(free) {
            Some(slot) => *slot = group,
            None => all.push(group),
        }
        Ok(free as GroupId)
    }

    /// # Errors
    /// GROUP: there is none, or it is committed; RANK: it is in already.
    pub(crate) fn add(&self, group: GroupId, rank: Rank) -> Outcome {
        let group = self.get(group)?;
        let mut group = locked(&group);
        if group.context.is_some() {
            return Err(Failure::GROUP);
        }
        match group.members.binary_search(&rank) {
            Ok(_) => Err(Failure::RANK),
            Err(at) => {
                group.members.insert(at, rank);
                Ok(())
            }
        }
    }

    /// # Errors
    /// GROUP: there is none, or it is that of all; ACTIVE_COLLECTIVE.
    pub(crate) fn delete(&self, group: GroupId) -> Outcome {
        if locked(&*self.get(group)?).running.is_some() {
            return Err(Failure::ACTIVE_COLLECTIVE);
        }
        if group == GROUP_ALL {
            return Err(Failure::GROUP);
        }
        locked(&self.all)[group as usize] = None;
        Ok(())
    }

    /// The members of a group, from low to high.
    pub(crate) fn members(&self, group: GroupId) -> Outcome<Vec<Rank>> {
        self.get(group).map(|group| locked(&group).members.clone())
    }

    /// The members of a group that may do collective operations.
    ///
    /// # Errors
    /// GROUP: there is none, or it is not committed.
    pub(crate) fn committed(&self, group: GroupId) -> Outcome<Vec<Rank>> {
        let group = self.get(group)?;
        let group = locked(&group);
        match group.committed {
            true => Ok(group.members.clone()),
            false => Err(Failure::GROUP),
        }
    }

    /// Whether an operation of the group waits to be called again, and is this one.
    ///
    /// # Errors
    /// ACTIVE_COLLECTIVE: it is another one.
    pub(crate) fn is_running(&self, group: GroupId, kind: Kind) -> Outcome<bool> {
        let group = self.get(group)?;
        match &locked(&group).running {
            None => Ok(false),
            Some(running) if running.kind() == kind => Ok(true),
            Some(_) => Err(Failure::ACTIVE_COLLECTIVE),
        }
    }

    /// Makes a group usable; all its members call it (GASPI 17.1 §6.2.2).
    pub(crate) fn commit(&self, net: &Net, id: GroupId, timeout: Timeout) -> Outcome {
        let group = self.get(id)?;
        {
            let mut group = locked(&group);
            if group.committed {
                return match id {
                    GROUP_ALL => Ok(()),
                    _ => Err(Failure::GROUP),
                };
            }
            if !group.members.contains(&net.rank()) {
                return Err(Failure::GROUP);
            }
            if group.context.is_none() {
                let members = hash(group.members.iter().map(|&rank| rank.into()));
                let mut commits = locked(&self.commits);
                let before = commits.entry(members).or_default();
                *before += 1;
                group.context = Some(hash([members, *before]));
            }
        }
        run(net, &group, Kind::Commit, &[], timeout, &mut keep)?;
        locked(&group).committed = true;
        Ok(())
    }

    /// A collective operation: gives all members the values of all, combined. What `value` is counts in the first call
    /// only.
    pub(crate) fn run(
        &self,
        net: &Net,
        group: GroupId,
        kind: Kind,
        value: &[u8],
        timeout: Timeout,
        combine: &mut Combine<'_>,
    ) -> Outcome<Vec<u8>> {
        self.committed(group)?;
        let group = self.get(group)?;
        run(net, &group, kind, value, timeout, combine)
    }

    /// Waits for all ranks, at the end.
    pub(crate) fn end(&self, net: &Net, timeout: Timeout) -> Outcome {
        run(net, &self.ending, Kind::Barrier, &[], timeout, &mut keep).map(drop)
    }
}

fn run(
    net: &Net,
    group: &Mutex<Group>,
    kind: Kind,
    value: &[u8],
    timeout: Timeout,
    combine: &mut Combine<'_>,
) -> Outcome<Vec<u8>> {
    let members = {
        let mut group = locked(group);
        let Group {
            members,
            context,
            operation,
            running,
            ..
        } = &mut *group;
        let context = context.ok_or(Failure::GROUP)?;
        match running {
            Some(running) if running.kind() == kind => {}
            Some(_) => return Err(Failure::ACTIVE_COLLECTIVE),
            None => {
                let members = Members::new(members, net.rank()).ok_or(Failure::GROUP)?;
                *running = Some(Running::new(kind, (context, *operation), members, value));
                *operation += 1;
            }
        }
        members.clone()
    };
    net.wait(timeout, &|rank| members.binary_search(&rank).is_ok(), &mut || {
        match &mut locked(group).running {
            Some(running) => running.advance(net, combine),
            // Another thread has done it.
            None => Ok(true),
        }
    })?;
    let done = locked(group).running.take();
    done.map(Running::into_value).ok_or(Failure::ERROR)
}
