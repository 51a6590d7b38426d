//! What collective calls do for their processes, against the standard's definitions (MPI-4.1 chapter 6, §8.6): the
//! plans of all processes of a job, carried out, move each element where the definition says, and order whoever it
//! comes from.

use farside_calls::arguments::{Arguments, Window};
use farside_calls::collective::{CollectiveForm, Gets, Parcel, Plan};
use farside_calls::communicator::{Communicator, Neighbors};
use farside_calls::datatype::{Datatype, Elements, Shape};
use farside_calls::meaning::Meaning;
use farside_calls::mpi::Procedure;
use farside_calls::signature::{Role, Signature};
use farside_events::{AccumulateOp, CommId, Direction, Rank, TypeId, WinId};
use proptest::collection::vec;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Where the buffers of every process lie.
const SENT: u64 = 0x1000;
const RECEIVED: u64 = 0x8000;
const PROCEDURES: [Procedure; 17] = [
    Procedure::Bcast,
    Procedure::Gather,
    Procedure::Gatherv,
    Procedure::Scatter,
    Procedure::Scatterv,
    Procedure::Allgather,
    Procedure::Allgatherv,
    Procedure::Alltoall,
    Procedure::Alltoallv,
    Procedure::Reduce,
    Procedure::Allreduce,
    Procedure::Reduce_scatter,
    Procedure::Reduce_scatter_block,
    Procedure::Scan,
    Procedure::Exscan,
    Procedure::Neighbor_allgather,
    Procedure::Neighbor_alltoall,
];

/// A collective call of all processes.
#[derive(Clone, Debug)]
struct Job {
    procedure: Procedure,
    size: usize,
    root: usize,
    in_place: bool,
    /// Elements of a form with one count.
    count: i64,
    /// Elements from each process to each.
    counts: Vec<Vec<i64>>,
    /// The edges of a graph, which neighbourhood collectives go along.
    edges: Vec<(usize, usize)>,
}

#[derive(Clone, Debug)]
struct Group {
    members: Vec<u32>,
    own: usize,
    neighbors: Neighbors,
}

/// The call of one process.
struct Call<'j> {
    job: &'j Job,
    group: Group,
}

struct NoWindow;

/// One element that moves: from whom, from where, to whom, to where.
type Move = (usize, u64, usize, u64);

impl Job {
    fn form(&self) -> CollectiveForm {
        match self.procedure.meaning() {
            Some(Meaning::Collective(form, _)) => form,
            other => panic!("{other:?} is no collective operation"),
        }
    }

    /// Displacements that leave a gap of one element after each part.
    fn displacements(counts: &[i64]) -> Vec<i64> {
        let next = |at: &mut i64, count: &i64| {
            let here = *at;
            *at += count + 1;
            Some(here)
        };
        counts.iter().scan(0, next).collect()
    }

    /// Elements that each process brings to this one.
    fn column(&self, to: usize) -> Vec<i64> {
        self.counts.iter().map(|row| row[to]).collect()
    }

    fn group(&self, own: usize) -> Group {
        let rank = |process: usize| Some(Rank(process as u32));
        let of = |pairs: Vec<usize>| pairs.into_iter().map(rank).collect();
        Group {
            members: (0..self.size as u32).collect(),
            own,
            neighbors: Neighbors {
                sources: of(self.sources(own)),
                destinations: of(self.destinations(own)),
                is_grid: false,
            },
        }
    }

    fn sources(&self, to: usize) -> Vec<usize> {
        let edges = self.edges.iter().filter(|edge| edge.1 == to);
        edges.map(|edge| edge.0).collect()
    }

    fn destinations(&self, from: usize) -> Vec<usize> {
        let edges = self.edges.iter().filter(|edge| edge.0 == from);
        edges.map(|edge| edge.1).collect()
    }

    /// What the standard says: for every process, the elements that it gets.
    fn definition(&self) -> BTreeSet<Move> {
        let mut moves = BTreeSet::new();
        // So many elements of `from`, after so many in a buffer, to `to`, likewise.
        let mut part = |(from, buffer, at): (usize, u64, i64), (to, place): (usize, i64), count: i64| {
            for k in 0..count {
                let (at, place) = (buffer + 4 * (at + k) as u64, RECEIVED + 4 * (place + k) as u64);
                moves.insert((from, at, to, place));
            }
        };
        let (size, count, root) = (self.size, self.count, self.root);
        let everybody = 0..size;
        let pairs = (0..size).flat_map(|from| (0..size).map(move |to| (from, to)));
        match self.procedure {
            Procedure::Bcast => {
                let others = everybody.filter(|to| *to != root);
                others.for_each(|to| part((root, RECEIVED, 0), (to, 0), count));
            }
            Procedure::Gather | Procedure::Gatherv => {
                let counts = self.column(root);
                let places = Self::displacements(&counts);
                for from in everybody.filter(|from| !(self.in_place && *from == root)) {
                    match self.procedure {
                        Procedure::Gather => part((from, SENT, 0), (root, from as i64 * count), count),
                        _ => part((from, SENT, 0), (root, places[from]), counts[from]),
                    }
                }
            }
            Procedure::Scatter | Procedure::Scatterv => {
                let counts = &self.counts[root];
                let places = Self::displacements(counts);
                for to in everybody.filter(|to| !(self.in_place && *to == root)) {
                    match self.procedure {
                        Procedure::Scatter => part((root, SENT, to as i64 * count), (to, 0), count),
                        _ => part((root, SENT, places[to]), (to, 0), counts[to]),
                    }
                }
            }
            Procedure::Allgather | Procedure::Allgatherv => {
                let counts = match self.procedure {
                    Procedure::Allgather => vec![count; size],
                    _ => self.counts[0].clone(),
                };
                let places = match self.procedure {
                    Procedure::Allgather => (0..size as i64).map(|rank| rank * count).collect(),
                    _ => Self::displacements(&counts),
                };
                for (from, to) in pairs.filter(|(from, to)| !(self.in_place && from == to)) {
                    let given = match self.in_place {
                        true => (from, RECEIVED, places[from]),
                        false => (from, SENT, 0),
                    };
                    part(given, (to, places[from]), counts[from]);
                }
            }
            Procedure::Alltoall => {
                for (from, to) in pairs.filter(|(from, to)| !(self.in_place && from == to)) {
                    let buffer = if self.in_place { RECEIVED } else { SENT };
                    part(
                        (from, buffer, to as i64 * count),
                        (to, from as i64 * count),
                        count,
                    );
                }
            }
            Procedure::Alltoallv => {
                for (from, to) in pairs {
                    let at = Self::displacements(&self.counts[from])[to];
                    let place = Self::displacements(&self.column(to))[from];
                    part((from, SENT, at), (to, place), self.counts[from][to]);
                }
            }
            Procedure::Neighbor_allgather | Procedure::Neighbor_alltoall => {
                for to in everybody {
                    let sources = self.sources(to);
                    for (k, from) in sources.iter().enumerate() {
                        let nth = sources[..k].iter().filter(|other| *other == from).count();
                        let destinations = self.destinations(*from);
                        let edges = destinations.iter().enumerate().filter(|(_, other)| **other == to);
                        let edge = edges.map(|(edge, _)| edge).nth(nth).expect("edges have two ends");
                        let at = match self.procedure {
                            Procedure::Neighbor_alltoall => edge as i64 * count,
                            _ => 0,
                        };
                        part((*from, SENT, at), (to, k as i64 * count), count);
                    }
                }
            }
            // Reductions: the elements that a result is made of.
            _ => {
                let counts = match self.procedure {
                    Procedure::Reduce_scatter => self.counts[0].clone(),
                    _ => vec![count; size],
                };
                for (from, to) in pairs {
                    let (at, count) = match self.procedure {
                        Procedure::Reduce_scatter | Procedure::Reduce_scatter_block => {
                            (counts[..to].iter().sum(), counts[to])
                        }
                        Procedure::Reduce if to != root => (0, 0),
                        Procedure::Scan if from > to => (0, 0),
                        Procedure::Exscan if from >= to => (0, 0),
                        _ => (0, count),
                    };
                    let in_place = self.in_place && (self.procedure != Procedure::Reduce || from == root);
                    let buffer = if in_place { RECEIVED } else { SENT };
                    part((from, buffer, at), (to, 0), count);
                }
            }
        }
        moves
    }
}

impl Call<'_> {
    fn array(&self, role: Role) -> Vec<i64> {
        let (job, own) = (self.job, self.group.own);
        let counts = match (job.procedure, role) {
            (Procedure::Allgatherv | Procedure::Reduce_scatter, _) => job.counts[0].clone(),
            (_, Role::SendCount | Role::SendDisplacements) => job.counts[own].clone(),
            _ => job.column(own),
        };
        match role {
            Role::SendDisplacements | Role::ReceiveDisplacements => Job::displacements(&counts),
            _ => counts,
        }
    }
}

impl Arguments for Call<'_> {
    type Window = NoWindow;
    type Communicator = Group;

    fn signature(&self) -> &'static Signature {
        self.job.procedure.signature()
    }

    fn int(&self, role: Role) -> i32 {
        assert_eq!(role, Role::Root);
        self.job.root as i32
    }

    fn count(&self, role: Role) -> i64 {
        let (job, own) = (self.job, self.group.own);
        match (job.procedure, role) {
            (Procedure::Gatherv, Role::SendCount) => job.counts[own][job.root],
            (Procedure::Scatterv, Role::ReceiveCount) => job.counts[job.root][own],
            (Procedure::Allgatherv, Role::SendCount) => job.counts[0][own],
            _ => job.count,
        }
    }

    fn aint(&self, role: Role) -> i64 {
        panic!("no call here has {role:?}")
    }

    fn displacement(&self, _: &NoWindow) -> i64 {
        panic!("there is no window")
    }

    fn address(&self, role: Role) -> u64 {
        match (self.job.procedure, role) {
            (Procedure::Bcast, _) | (_, Role::ReceiveBuffer) => RECEIVED,
            (_, role) => {
                assert_eq!(role, Role::SendBuffer);
                SENT
            }
        }
    }

    fn is_in_place(&self, role: Role) -> bool {
        let at_root = self.group.own == self.job.root;
        self.job.in_place
            && match self.job.procedure {
                Procedure::Scatter | Procedure::Scatterv => at_root && role == Role::ReceiveBuffer,
                Procedure::Gather | Procedure::Gatherv | Procedure::Reduce => {
                    at_root && role == Role::SendBuffer
                }
                _ => role == Role::SendBuffer,
            }
    }

    fn is_root_of_other_group(&self) -> bool {
        false
    }

    fn element_count(&self, role: Role, k: usize) -> i64 {
        self.array(role)[k]
    }

    fn element_aint(&self, role: Role, _: usize) -> i64 {
        panic!("no call here has {role:?}")
    }

    fn communicator(&mut self) -> Option<Group> {
        Some(self.group.clone())
    }

    fn window(&self) -> Option<NoWindow> {
        None
    }

    fn datatype(&mut self, _: Role) -> Option<Arc<Datatype>> {
        let int = Shape::basic("MPI_INT", 0, 4, 4);
        Some(Arc::new(Datatype::new(TypeId(1), int)))
    }

    fn element_datatype(&mut self, role: Role, _: usize) -> Option<Arc<Datatype>> {
        self.datatype(role)
    }

    fn operator(&self) -> AccumulateOp {
        AccumulateOp::Sum
    }

    fn group(&self) -> Vec<Rank> {
        Vec::new()
    }
}

impl Communicator for Group {
    fn id(&self) -> CommId {
        CommId(1)
    }

    fn members(&self) -> &[u32] {
        &self.members
    }

    fn remote(&self) -> Option<&[u32]> {
        None
    }

    fn own_rank(&self) -> usize {
        self.own
    }

    fn neighbors(&self) -> &Neighbors {
        &self.neighbors
    }
}

impl Window for NoWindow {
    fn id(&self) -> WinId {
        WinId(0)
    }

    fn peer(&self, _: i32) -> Option<Rank> {
        None
    }

    fn processes(&self) -> u32 {
        0
    }
}

/// The parcel of `from` that `to` takes.
fn parcel(plan: &Plan, parcel: Parcel, to: usize) -> Elements {
    let number = match parcel {
        _ if plan.gives.len() == 1 => 0,
        Parcel::Number(number) => number,
        Parcel::Addressed(nth) => {
            let parts = plan.addressees.iter().enumerate();
            let own = parts.filter(|(_, addressee)| **addressee == Some(Rank(to as u32)));
            own.map(|(number, _)| number).nth(nth).expect("it was addressed")
        }
    };
    plan.gives[number].clone().expect("what is taken is brought")
}

/// What the plans of all processes move.
fn carried_out(plans: &[Plan]) -> BTreeSet<Move> {
    let mut moves = BTreeSet::new();
    let mut go = |(from, given): (Rank, u64), (to, into): (usize, &Elements)| {
        for k in 0..into.number() {
            moves.insert((from.0 as usize, given + 4 * k, to, into.address + 4 * k));
        }
    };
    for (to, plan) in plans.iter().enumerate() {
        match &plan.gets {
            Gets::Parcels(takes) => {
                for take in takes {
                    let given = parcel(&plans[take.from.0 as usize], take.parcel, to);
                    assert_eq!(given.count, take.into.count, "both ends say how much");
                    go((take.from, given.address), (to, &take.into));
                }
            }
            Gets::Reduction(reduction) => {
                for from in &reduction.contributors {
                    let given = parcel(&plans[from.0 as usize], Parcel::Number(0), to);
                    go((*from, given.address + reduction.skipped), (to, &reduction.into));
                }
            }
        }
    }
    moves
}

/// Whom a process comes after, of the others.
fn ordered(plan: &Plan, own: usize, size: usize) -> BTreeSet<usize> {
    let mut before: BTreeSet<usize> = match &plan.direction {
        Direction::All => (0..size).collect(),
        Direction::FromRoot(root) => [root.0 as usize].into(),
        Direction::ToRoot(root) if root.0 as usize == own => (0..size).collect(),
        Direction::ToRoot(_) | Direction::Nothing => BTreeSet::new(),
        Direction::Prefix => (0..own).collect(),
        Direction::FromNeighbors(sources) => sources.iter().map(|rank| rank.0 as usize).collect(),
    };
    before.remove(&own);
    before
}

fn job() -> impl Strategy<Value = Job> {
    (1usize..5).prop_flat_map(|size| {
        let counts = vec(vec(0i64..3, size), size);
        let edges = vec((0..size, 0..size), 0..8);
        let what = (0..PROCEDURES.len(), 0..size, any::<bool>(), 0i64..3);
        (what, counts, edges).prop_map(move |((procedure, root, in_place, count), counts, edges)| {
            let procedure = PROCEDURES[procedure];
            let never_in_place = matches!(
                procedure,
                Procedure::Bcast
                    | Procedure::Alltoallv
                    | Procedure::Neighbor_allgather
                    | Procedure::Neighbor_alltoall
            );
            Job {
                procedure,
                size,
                root,
                in_place: in_place && !never_in_place,
                count,
                counts,
                edges,
            }
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 4000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn plans_move_and_order_what_the_standard_defines(job in job()) {
        let plan = |own: usize, buffers: bool| {
            let group = job.group(own);
            let mut call = Call { job: &job, group: group.clone() };
            Plan::of(job.form(), &mut call, &group, buffers)
        };
        let plans: Vec<Plan> = (0..job.size).map(|own| plan(own, true)).collect();
        let expected = job.definition();
        prop_assert_eq!(carried_out(&plans), expected.clone());
        let mut sources: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        for (from, _, to, _) in expected.into_iter().filter(|(from, _, to, _)| from != to) {
            sources.entry(to).or_default().insert(from);
        }
        for (own, whole) in plans.iter().enumerate() {
            let expected = sources.remove(&own).unwrap_or_default();
            prop_assert_eq!(ordered(whole, own, job.size), expected, "{}", own);
            // Who does not ask for buffers is told the same direction.
            prop_assert_eq!(&plan(own, false).direction, &whole.direction);
        }
    }
}
