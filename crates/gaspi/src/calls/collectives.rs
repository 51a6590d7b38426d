//! Groups and collective operations (GASPI 17.1 §6, §11).

use super::{In, Out, calls};
use crate::abi::{
    Datatype, Failure, GroupId, Number, Outcome, Rank, ReduceFunction, Reduction, Size, Timeout,
};
use crate::collective::{Kind, keep};
use crate::job::{Job, job};
use crate::reduce::{Own, reduce};
use std::ffi::{c_int, c_void};

/// Bytes of all elements.
///
/// # Errors
/// NUMBER: none, or too many. SIZE: too many bytes.
fn bytes(job: &Job, elements: Number, each: Size) -> Outcome<usize> {
    if elements == 0 || elements > job.config().allreduce_elem_max {
        return Err(Failure::NUMBER);
    }
    let all = Size::from(elements).checked_mul(each);
    let all = all.filter(|&all| all > 0 && all <= job.config().allreduce_buf_size);
    all.map(|all| all as usize).ok_or(Failure::SIZE)
}

calls! {
    /// A group without members (§6.2.1).
    pgaspi_group_create, gaspi_group_create(group: Out<GroupId>) {
        let job = job()?;
        group.check()?;
        group.give(job.groups().create()?)
    }

    /// Adds a rank to a group (§6.2.2).
    pgaspi_group_add, gaspi_group_add(group: GroupId, rank: Rank) {
        let job = job()?;
        job.groups().add(group, job.net().known(rank)?)
    }

    /// Makes a group usable; all its members call it (§6.2.3).
    pgaspi_group_commit, gaspi_group_commit(group: GroupId, timeout: Timeout) {
        let job = job()?;
        job.groups().commit(job.net(), group, timeout)
    }

    /// Ends a group, for this rank (§6.2.4).
    pgaspi_group_delete, gaspi_group_delete(group: GroupId) {
        job()?.groups().delete(group)
    }

    /// Number of groups (§6.3.1).
    pgaspi_group_num, gaspi_group_num(number: Out<Number>) {
        number.give(job()?.groups().number())
    }

    /// Number of members of a group (§6.3.2).
    pgaspi_group_size, gaspi_group_size(group: GroupId, size: Out<Number>) {
        let job = job()?;
        size.check()?;
        size.give(job.groups().members(group)?.len() as Number)
    }

    /// The members of a group, from low to high (§6.3.3).
    pgaspi_group_ranks, gaspi_group_ranks(group: GroupId, ranks: Out<Rank>) {
        let job = job()?;
        ranks.check()?;
        ranks.give_all(job.groups().members(group)?.into_iter().map(|rank| rank as Rank))
    }

    /// Most groups (§6.4).
    pgaspi_group_max, gaspi_group_max(number: Out<Number>) {
        number.give(job()?.config().group_max)
    }

    /// Waits for all of a group (§11.2).
    pgaspi_barrier, gaspi_barrier(group: GroupId, timeout: Timeout) {
        let job = job()?;
        job.groups()
            .run(job.net(), group, Kind::Barrier, &[], timeout, &mut keep)
            .map(drop)
    }

    /// Combines the values of all of a group (§11.3).
    pgaspi_allreduce, gaspi_allreduce(
        send: In<u8>, receive: Out<u8>, elements: Number, operation: c_int, datatype: c_int, group: GroupId,
        timeout: Timeout,
    ) {
        let job = job()?;
        let (operation, datatype) = (Reduction::of(operation)?, Datatype::of(datatype)?);
        let bytes = bytes(&job, elements, datatype.bytes() as Size)?;
        receive.check()?;
        let kind = Kind::Allreduce(operation, datatype, elements as usize);
        let mut combine = |left: &[u8], right: &[u8]| Ok(reduce(operation, datatype, left, right));
        let value = send.all(bytes)?;
        let value = job.groups().run(job.net(), group, kind, value, timeout, &mut combine)?;
        receive.give_all(value)
    }

    /// Combines the values of all of a group by a function of the program (§11.4).
    pgaspi_allreduce_user, gaspi_allreduce_user(
        send: In<u8>, receive: Out<u8>, elements: Number, size: Size, function: Option<ReduceFunction>,
        state: *mut c_void, group: GroupId, timeout: Timeout,
    ) {
        let job = job()?;
        let function = function.ok_or(Failure::NULL_POINTER)?;
        let bytes = bytes(&job, elements, size)?;
        receive.check()?;
        let kind = Kind::User(elements as usize, size as usize);
        let own = Own::new(function, state, (elements, size), timeout);
        let mut combine = |left: &[u8], right: &[u8]| own.combine(left, right);
        let value = send.all(bytes)?;
        let value = job.groups().run(job.net(), group, kind, value, timeout, &mut combine)?;
        receive.give_all(value)
    }
}
