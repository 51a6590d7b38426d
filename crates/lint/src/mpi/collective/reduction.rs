//! Collectives that combine data (MPI-4.1 §6.9 to §6.12).

use super::Plan;
use super::Root;
use super::side::Part;
use super::transfer::{Reduction, Transfer};
use crate::handles::Comm;
use crate::job::Job;
use crate::mpi::invocation::Invocation;
use crate::site::Site;
use farside_calls::collective::CollectiveForm as Form;
use farside_calls::signature::Role;
use farside_events::{AccumulateOp, Direction, Rank, TypeMap};

/// `MPI_Reduce`
pub(super) fn reduce_to_root(job: &mut Job<'_>, site: &Site, a: &Invocation, comm: &Comm) -> Plan {
    let whole = whole(job, site, a, job.number(a[Role::ReceiveCount]));
    let into = at(&whole, a[Role::ReceiveBuffer].bits);
    let own = if a[Role::SendBuffer].bits == job.abi.numbers.in_place {
        into.clone()
    } else {
        at(&whole, a[Role::SendBuffer].bits)
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
    let into = Part {
        count: u64::try_from(count).unwrap_or(0),
        ..at(&whole, a[Role::ReceiveBuffer].bits)
    };
    let own = if a[Role::SendBuffer].bits == job.abi.numbers.in_place {
        at(&whole, a[Role::ReceiveBuffer].bits)
    } else {
        at(&whole, a[Role::SendBuffer].bits)
    };
    let skipped = u64::try_from(before).unwrap_or(0) * whole.map.size();
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
    Part {
        map: job.datatype(site, a[Role::ReceiveType].bits).map,
        address: 0,
        count: u64::try_from(count).unwrap_or(0),
    }
}

fn at(part: &Part, address: u64) -> Part {
    Part {
        address,
        ..part.clone()
    }
}

fn reduction(job: &Job<'_>, operator: u64, contributors: Vec<u32>, into: Part, skipped: u64) -> Transfer {
    Transfer::Reduction(Reduction {
        operator: job.abi.operator(operator),
        contributors,
        into,
        skipped,
    })
}

/// What an operator makes of two buffers, element by element of the first basic type.
pub(crate) fn combine(operator: AccumulateOp, map: &TypeMap, left: &[u8], right: &[u8]) -> Vec<u8> {
    let Some(basic) = map.basics.first() else {
        return right.to_vec();
    };
    match operator {
        AccumulateOp::Replace => return right.to_vec(),
        AccumulateOp::NoOp => return left.to_vec(),
        _ => {}
    }
    let size = (basic.size as usize).clamp(1, 8);
    let floating = ["FLOAT", "DOUBLE", "REAL", "DBLPREC"]
        .iter()
        .any(|word| basic.name.contains(word));
    let unsigned = basic.name.contains("UNSIGNED") || basic.name.contains("UINT");
    let mut result = Vec::with_capacity(left.len());
    for (x, y) in left.chunks(size).zip(right.chunks(size)) {
        let word = |bytes: &[u8]| {
            let mut word = [0; 8];
            word[..bytes.len()].copy_from_slice(bytes);
            u64::from_le_bytes(word)
        };
        let (x, y) = (word(x), word(y));
        let value = match (floating, size) {
            (true, 4) => u64::from(
                (float(
                    operator,
                    f64::from(f32::from_bits(x as u32)),
                    f64::from(f32::from_bits(y as u32)),
                ) as f32)
                    .to_bits(),
            ),
            (true, _) => float(operator, f64::from_bits(x), f64::from_bits(y)).to_bits(),
            (false, _) => integer(operator, x, y, 8 * size as u32, unsigned),
        };
        result.extend(&value.to_le_bytes()[..size]);
    }
    result
}

fn float(operator: AccumulateOp, x: f64, y: f64) -> f64 {
    match operator {
        AccumulateOp::Sum => x + y,
        AccumulateOp::Prod => x * y,
        AccumulateOp::Max => x.max(y),
        AccumulateOp::Min => x.min(y),
        _ => y,
    }
}

fn integer(operator: AccumulateOp, x: u64, y: u64, bits: u32, unsigned: bool) -> u64 {
    let key = |value| {
        if unsigned {
            value as i64 as i128 & i128::from(u64::MAX)
        } else {
            i128::from(crate::value::signed(value, bits))
        }
    };
    match operator {
        AccumulateOp::Sum => x.wrapping_add(y),
        AccumulateOp::Prod => x.wrapping_mul(y),
        AccumulateOp::Max => {
            if key(x) >= key(y) {
                x
            } else {
                y
            }
        }
        AccumulateOp::Min => {
            if key(x) <= key(y) {
                x
            } else {
                y
            }
        }
        AccumulateOp::Land => u64::from(x != 0 && y != 0),
        AccumulateOp::Band => x & y,
        AccumulateOp::Lor => u64::from(x != 0 || y != 0),
        AccumulateOp::Bor => x | y,
        AccumulateOp::Lxor => u64::from((x != 0) != (y != 0)),
        AccumulateOp::Bxor => x ^ y,
        _ => y,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_work_element_by_element() {
        let bytes = |values: &[i32]| {
            values
                .iter()
                .flat_map(|value| value.to_le_bytes())
                .collect::<Vec<u8>>()
        };
        let int = TypeMap::basic("MPI_INT", 4);
        let (x, y) = (bytes(&[1, -5]), bytes(&[2, 3]));
        assert_eq!(combine(AccumulateOp::Sum, &int, &x, &y), bytes(&[3, -2]));
        assert_eq!(combine(AccumulateOp::Max, &int, &x, &y), bytes(&[2, 3]));
        assert_eq!(combine(AccumulateOp::NoOp, &int, &x, &y), x);
        let double = TypeMap::basic("MPI_DOUBLE", 8);
        let sum = combine(
            AccumulateOp::Sum,
            &double,
            &1.5f64.to_le_bytes(),
            &2.0f64.to_le_bytes(),
        );
        assert_eq!(sum, 3.5f64.to_le_bytes());
    }
}
