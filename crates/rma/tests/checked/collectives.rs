//! Collective calls that move data: they order as it moves, and no further.

use super::expect::{reported, silent};
use farside::check::Rule;
use farside::{Group, Operation, Result, Window, World};

const SOURCE: &str = include_str!("collectives.rs");

/// Rank `from` puts to rank 1, then all make the calls, then rank `to` gets what was put.
fn put_then_get(world: &World, from: u32, to: u32, calls: impl Fn(&Group) -> Result<()>) -> Result<()> {
    let mut window = Window::<u64>::allocate(world, 1)?.into_passive()?;
    let mut seen = [0];
    window.lock_all(|epoch| {
        if world.rank() == from {
            epoch.put_value(5, 1, 0)?; // the put
            epoch.flush(1)?;
        }
        calls(world)?;
        if world.rank() == to {
            epoch.get(&mut seen, 1, 0)?; // the get
        }
        Ok(())
    })?;
    window.free()
}

fn is_ordered(from: u32, to: u32, calls: impl Fn(&Group) -> Result<()> + Sync) {
    silent(4, |world| put_then_get(world, from, to, &calls));
}

fn is_not_ordered(from: u32, to: u32, calls: impl Fn(&Group) -> Result<()> + Sync) {
    let sides = [("put", from, "the put"), ("get", to, "the get")];
    reported(4, SOURCE, Rule::RemoteRace, sides, |world| {
        put_then_get(world, from, to, &calls)
    });
}

fn gather(group: &Group) -> Result<()> {
    group.gather(2, &[1u8], &mut [0; 4])
}

fn scatter(group: &Group) -> Result<()> {
    group.scatter(2, &[1u8; 4], &mut [0])
}

/// Rank 3 gives nothing, and rank 0 gets nothing.
fn gatherv(group: &Group) -> Result<()> {
    let lengths = [1, 1, 1, 0];
    let own = lengths[group.rank() as usize];
    group.gatherv(2, &[1u8][..own], &lengths, &mut [0; 3])
}

fn scatterv(group: &Group) -> Result<()> {
    let lengths = [0, 1, 1, 1];
    let own = lengths[group.rank() as usize];
    group.scatterv(2, &[1u8; 3], &lengths, &mut [0][..own])
}

/// Each gives its right neighbour something.
fn alltoallv(group: &Group) -> Result<()> {
    let me = group.rank() as usize;
    let (mut given, mut taken) = ([0; 4], [0; 4]);
    (given[(me + 1) % 4], taken[(me + 3) % 4]) = (1, 1);
    group.alltoallv(&[1u8], &given, &mut [0], &taken)
}

#[test]
fn a_gather_orders_towards_its_root() {
    is_ordered(0, 2, gather);
    is_not_ordered(2, 0, gather);
    is_not_ordered(0, 3, gather);
}

#[test]
fn a_scatter_orders_away_from_its_root() {
    is_ordered(2, 0, scatter);
    is_not_ordered(0, 2, scatter);
    is_not_ordered(0, 3, scatter);
}

#[test]
fn an_empty_block_orders_nothing() {
    is_ordered(0, 2, gatherv);
    is_not_ordered(3, 2, gatherv);
    is_ordered(2, 3, scatterv);
    is_not_ordered(2, 0, scatterv);
    is_not_ordered(0, 3, |group| group.allgather::<u8>(&[], &mut []));
}

#[test]
fn a_scan_orders_lower_ranks_before_higher_ones() {
    is_ordered(0, 3, |group| group.scan(Operation::Sum, &mut [1u8]));
    is_not_ordered(3, 0, |group| group.scan(Operation::Sum, &mut [1u8]));
    is_ordered(2, 3, |group| group.exscan(Operation::Sum, &mut [1u8]));
}

#[test]
fn an_exchange_orders_those_that_give_before_those_that_take() {
    is_ordered(0, 3, |group| group.alltoall(&[1u8; 4], &mut [0; 4]));
    is_ordered(3, 0, alltoallv);
    is_not_ordered(0, 3, alltoallv);
}

#[test]
fn a_request_orders_when_it_is_waited_for() {
    is_ordered(0, 2, |group| group.igather(2, vec![1u8])?.wait().map(drop));
    is_not_ordered(2, 0, |group| group.igather(2, vec![1u8])?.wait().map(drop));
    is_ordered(3, 0, |group| {
        let request = group.ibarrier()?;
        while !request.test()? {
            std::thread::yield_now();
        }
        Ok(())
    });
    is_not_ordered(0, 3, |group| {
        // The barrier was begun, and nobody knows that it is complete.
        drop(group.ibarrier()?);
        Ok(())
    });
}

/// What a rank puts between the beginning of a request and its wait is not before it.
#[test]
fn a_request_orders_what_was_before_its_beginning() {
    let sides = [("put", 0, "in between"), ("get", 1, "after the wait")];
    reported(2, SOURCE, Rule::RemoteRace, sides, |world| {
        let mut window = Window::<u64>::allocate(world, 1)?.into_passive()?;
        let mut seen = [0];
        window.lock_all(|epoch| {
            let request = world.ibarrier()?;
            if world.rank() == 0 {
                epoch.put_value(5, 1, 0)?; // in between
                epoch.flush(1)?;
            }
            request.wait()?;
            if world.rank() == 1 {
                epoch.get(&mut seen, 1, 0)?; // after the wait
            }
            Ok(())
        })?;
        window.free()
    });
}
