//! Collectives that combine data (MPI-4.1 §6.9 to §6.12).

use super::Plan;
use super::Root;
use crate::communicator::Comm;
use crate::invocation::Invocation;
use crate::job::Job;
use crate::matching::{Part, Reduction, Transfer};
use crate::site::Site;
use farside_calls::collective::CollectiveForm as Form;
use farside_calls::signature::Role;
use farside_events::{Direction, Rank};

/// `MPI_Reduce`
pub(super) fn reduce_to_root(job: &mut Job<'_>, site: &Site, a: &Invocation, comm: &Comm) -> Plan {
    let whole = whole(job, site, a, job.number(a[Role::ReceiveCount]));
    let into = whole.at(a[Role::ReceiveBuffer].bits);
    let own = if a[Role::SendBuffer].bits == job.abi.numbers.in_place {
        into.clone()
    } else {
        whole.at(a[Role::SendBuffer].bits)
    };
    let moves = whole.moves();
    let direction = |root| {
        if moves {
            Direction::ToRoot(Rank(root))
        } else {
            Direction::Nothing
        }
    };
    match job.root(site, comm, a[Role::Root].signed32()) {
        Root::Aside => Plan::default(),
        Root::There(root) => Plan {
            direction: direction(root),
            gives: vec![own.clone()],
            loads: vec![own],
            ..Plan::default()
        },
        Root::Here => Plan {
            direction: direction(site.rank),
            gives: if comm.is_inter() {
                Vec::new()
            } else {
                vec![own.clone()]
            },
            loads: if comm.is_inter() { Vec::new() } else { vec![own] },
            then: Some(reduction(
                job,
                a[Role::Operator].bits,
                comm.peers().to_vec(),
                into,
                0,
            )),
            ..Plan::default()
        },
    }
}

/// The forms where every process gets a result.
pub(super) fn reduce(job: &mut Job<'_>, site: &Site, a: &Invocation, comm: &Comm, form: Form) -> Plan {
    let (own_rank, members) = (comm.own_rank(site.rank), comm.members.len());
    let counts: Vec<i64> = match form {
        Form::ReduceScatter => (0..members)
            .map(|k| job.number_at(site, a[Role::ReceiveCount].bits, k))
            .collect(),
        Form::ReduceScatterBlock => vec![job.number(a[Role::ReceiveCount]); members],
        _ => vec![job.number(a[Role::ReceiveCount])],
    };
    let whole = whole(
        job,
        site,
        a,
        counts.iter().fold(0i64, |sum, count| sum.wrapping_add(*count)),
    );
    let (contributors, before, count) = match form {
        Form::Scan => (comm.members[..=own_rank].to_vec(), 0, counts[0]),
        Form::Exscan => (comm.members[..own_rank].to_vec(), 0, counts[0]),
        Form::ReduceScatter | Form::ReduceScatterBlock => {
            let before: i64 = counts[..own_rank].iter().sum();
            (comm.peers().to_vec(), before, counts[own_rank])
        }
        _ => (comm.peers().to_vec(), 0, counts[0]),
    };
    let into = whole
        .at(a[Role::ReceiveBuffer].bits)
        .with_count(u64::try_from(count).unwrap_or(0));
    let own = if a[Role::SendBuffer].bits == job.abi.numbers.in_place {
        whole.at(a[Role::ReceiveBuffer].bits)
    } else {
        whole.at(a[Role::SendBuffer].bits)
    };
    let skipped = u64::try_from(before).unwrap_or(0) * whole.map().size();
    let direction = match form {
        _ if !whole.moves() => Direction::Nothing,
        Form::Scan | Form::Exscan => Direction::Prefix,
        _ => Direction::All,
    };
    let then = (!contributors.is_empty())
        .then(|| reduction(job, a[Role::Operator].bits, contributors, into, skipped));
    Plan {
        direction,
        gives: vec![own.clone()],
        loads: vec![own],
        then,
        ..Plan::default()
    }
}

/// What is reduced, at no address yet.
fn whole(job: &mut Job<'_>, site: &Site, a: &Invocation, count: i64) -> Part {
    let map = job.datatype(site, a[Role::ReceiveType].bits).map;
    Part::new(map, 0, u64::try_from(count).unwrap_or(0))
}

fn reduction(job: &Job<'_>, operator: u64, contributors: Vec<u32>, into: Part, skipped: u64) -> Transfer {
    let operator = job.abi.operator(operator);
    Transfer::Reduction(Reduction::new(operator, contributors, into, skipped))
}
