//! Collectives that combine data (MPI-4.1 §6.9 to §6.12).

use super::form::CollectiveForm as Form;
use super::plan::{Gets, Plan, Reduction, Root};
use crate::arguments::Arguments;
use crate::communicator::Communicator;
use crate::datatype::Elements;
use crate::signature::Role;
use farside_events::{Direction, Rank};

/// `MPI_Reduce`
pub(super) fn reduce_to_root<A: Arguments>(call: &mut A, comm: &A::Communicator, buffers: bool) -> Plan {
    let count = call.count(Role::ReceiveCount);
    let into = received(call, count);
    let moves = into.as_ref().is_some_and(Elements::moves);
    let root = Root::of(call, comm);
    let mut plan = Plan::ordering(match root {
        _ if !moves => Direction::Nothing,
        Root::Aside => Direction::Nothing,
        Root::There(root) => Direction::ToRoot(root),
        Root::Here => Direction::ToRoot(comm.own()),
    });
    let Some(into) = into.filter(|_| buffers) else {
        return plan;
    };
    match root {
        Root::Aside => {}
        Root::There(_) => plan.gives = vec![Some(into.at(call.address(Role::SendBuffer)))],
        Root::Here => {
            if !comm.is_inter() {
                plan.gives = vec![Some(own(call, &into))];
            }
            plan.gets = reduction(call, comm.peers(), into, 0);
        }
    }
    plan
}

/// The forms where every process gets a result.
pub(super) fn reduce<A: Arguments>(call: &mut A, comm: &A::Communicator, form: Form, buffers: bool) -> Plan {
    let place = comm.own_rank();
    // For inter-communicators the local group counts here; it is as long as the arrays of §6.10.1 say.
    let processes = comm.members().len();
    let counts = |call: &A, of: std::ops::Range<usize>| -> i64 {
        match form {
            Form::ReduceScatter => of.map(|k| call.element_count(Role::ReceiveCount, k)).sum(),
            _ => call.count(Role::ReceiveCount).wrapping_mul(of.len() as i64),
        }
    };
    let is_scattered = matches!(form, Form::ReduceScatter | Form::ReduceScatterBlock);
    let (taken, before) = match is_scattered {
        true => (counts(call, place..place + 1), counts(call, 0..place)),
        false => (call.count(Role::ReceiveCount), 0),
    };
    let into = received(call, taken);
    let direction = match form {
        _ if !into.as_ref().is_some_and(Elements::moves) => Direction::Nothing,
        Form::Scan | Form::Exscan => Direction::Prefix,
        _ => Direction::All,
    };
    let mut plan = Plan::ordering(direction);
    if let Some(into) = into.filter(|_| buffers) {
        let mut given = own(call, &into);
        if is_scattered {
            given.count = counts(call, 0..processes);
        }
        plan.gives = vec![Some(given)];
        let contributors = match form {
            Form::Scan => comm.members().get(..=place).unwrap_or_default(),
            // The first process of an exclusive scan gets nothing (§6.11.2).
            Form::Exscan => comm.members().get(..place).unwrap_or_default(),
            _ => comm.peers(),
        };
        let skipped = u64::try_from(before).unwrap_or(0) * into.datatype.size();
        if !contributors.is_empty() {
            plan.gets = reduction(call, contributors, into, skipped);
        }
    }
    plan
}

/// So many elements of the receive buffer.
fn received<A: Arguments>(call: &mut A, count: i64) -> Option<Elements> {
    Some(Elements {
        address: call.address(Role::ReceiveBuffer),
        count,
        datatype: call.datatype(Role::ReceiveType)?,
    })
}

/// What the process brings: as much as it gets, which lies in the receive buffer if the call says so.
fn own<A: Arguments>(call: &A, into: &Elements) -> Elements {
    match call.is_in_place(Role::SendBuffer) {
        true => into.clone(),
        false => into.at(call.address(Role::SendBuffer)),
    }
}

fn reduction<A: Arguments>(call: &A, contributors: &[u32], into: Elements, skipped: u64) -> Gets {
    Gets::Reduction(Box::new(Reduction {
        operator: call.operator(),
        contributors: contributors.iter().copied().map(Rank).collect(),
        into,
        skipped,
    }))
}
