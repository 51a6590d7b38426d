//! How many messages and puts a fence costs a rank: counted by the simulated adapter, and equal to what each design
//! claims.

mod support;

use farside::sim::{Network, Nodes, Simulation};
use farside::{Fence, Window, World};
use std::sync::Arc;
use support::programs;

/// Messages and puts of a rank in one fence of a sequence, at which each rank puts to so many ranks after it; so many
/// ranks share a node.
fn cost(fence: Fence, ranks: u32, targets: u32, node_ranks: u32) -> Vec<(u64, u64)> {
    let network = Network {
        nodes: (node_ranks > 1).then(|| Nodes::shared_memory(node_ranks)),
        ..Network::ethernet_100g()
    };
    let simulation = Simulation::new(&network, ranks);
    let outcome = simulation.try_run(|fabric| {
        // SAFETY: the endpoint is asked for its counters only.
        let world = unsafe { World::over(Arc::new(fabric.clone())) }?;
        let mut window = Window::<u64>::allocate(&world, ranks as usize)?;
        let to: Vec<u32> = (1..=targets)
            .map(|distance| (world.rank() + distance) % ranks)
            .collect();
        match fence {
            Fence::Neighbour => window.set_neighbours(&to)?,
            other => programs::choose(&mut window, other)?,
        }
        let cost = window.fences(|fences| {
            let mut epoch = || {
                let before = fabric.counters()?;
                fences.epoch(|epoch| to.iter().try_for_each(|&target| epoch.put_value(1, target, 0)))?;
                Ok((before, fabric.counters()?))
            };
            epoch()?;
            epoch()
        })?;
        window.free()?;
        world.finish()?;
        let (before, after) = cost;
        Ok::<_, farside::Error>((after.messages - before.messages, after.puts - before.puts))
    });
    let results = outcome.unwrap_or_else(|error| panic!("{fence}, {ranks} ranks: {error}"));
    results.results.into_iter().flatten().collect()
}

/// What the heads of the designs' files claim, for rank `rank` of `ranks` with so many targets and as many origins.
fn claimed(fence: Fence, rank: u32, ranks: u32, targets: u32) -> (u64, u64) {
    let rounds = u64::from(ranks.next_power_of_two().trailing_zeros());
    let partners = u64::from(targets);
    let others = u64::from(ranks - 1);
    // Recursive doubling; what is more than a power of two works in pairs.
    let power = 1 << ranks.ilog2();
    let extra = ranks - power;
    let doubling = match rank {
        _ if rank >= 2 * extra => u64::from(ranks.ilog2()),
        _ if rank.is_multiple_of(2) => 1,
        _ => u64::from(ranks.ilog2()) + 1,
    };
    match fence {
        Fence::Deferred => (partners + rounds, 0),
        Fence::ImmNaive => (partners + rounds + others, partners),
        Fence::ImmOpt => (partners + rounds, partners + rounds),
        Fence::ImmRi => (doubling, partners + rounds),
        Fence::Count => (rounds, partners + rounds),
        Fence::Fold if targets == 0 => (rounds, 0),
        Fence::Fold => (rounds, partners + rounds),
        Fence::Neighbour => (2 * partners, partners),
        _ => (0, partners + rounds),
    }
}

#[test]
fn a_fence_costs_the_messages_that_its_design_claims() {
    for fence in Fence::ALL {
        // What `auto` costs is what its choice costs, and now and then a trial. The hierarchical one is below.
        if matches!(fence, Fence::Auto | Fence::Hierarchical) {
            continue;
        }
        for ranks in [2, 3, 4, 6, 8, 16, 23, 64] {
            for targets in [0, 1, 8] {
                if targets >= ranks {
                    continue;
                }
                let found = cost(fence, ranks, targets, 1);
                for (rank, cost) in (0..).zip(found) {
                    let claim = claimed(fence, rank, ranks, targets);
                    assert_eq!(cost, claim, "{fence}, rank {rank} of {ranks}, {targets} targets");
                }
            }
        }
    }
}

/// Members of a node send flags to one another, twice; its leader, which is the first, to other leaders as well.
#[test]
fn a_hierarchical_fence_costs_flags_within_nodes_and_among_leaders() {
    let rounds = |ranks: u32| u64::from(ranks.next_power_of_two().trailing_zeros());
    for (ranks, node_ranks) in [
        (2u32, 2),
        (3, 2),
        (8, 2),
        (8, 8),
        (16, 4),
        (23, 5),
        (64, 16),
        (64, 3),
        (5, 8),
    ] {
        let nodes = ranks.div_ceil(node_ranks);
        for targets in [0, 1] {
            let found = cost(Fence::Hierarchical, ranks, targets, node_ranks);
            for (rank, cost) in (0..).zip(found) {
                let first = rank / node_ranks * node_ranks;
                let members = node_ranks.min(ranks - first);
                let within = rounds(members) * if nodes > 1 { 2 } else { 1 };
                let between = if rank == first { rounds(nodes) } else { 0 };
                let claim = (0, u64::from(targets) + within + between);
                assert_eq!(
                    cost, claim,
                    "rank {rank} of {ranks}, {node_ranks} a node, {targets} targets"
                );
            }
        }
    }
}

#[test]
fn messages_grow_with_the_logarithm_of_the_ranks() {
    for fence in [
        Fence::Flush,
        Fence::Count,
        Fence::Fold,
        Fence::ImmOpt,
        Fence::ImmRi,
        Fence::Deferred,
    ] {
        let most = |ranks| {
            cost(fence, ranks, 1, 1)
                .into_iter()
                .map(|(messages, puts)| messages + puts)
                .max()
        };
        assert!(most(256) <= Some(2 * 8 + 2), "{fence}: {:?}", most(256));
    }
    let naive = cost(Fence::ImmNaive, 64, 1, 1)[0];
    assert!(naive.0 >= 63, "a flag for every other rank: {naive:?}");
}
