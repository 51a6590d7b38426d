//! Paper 002, Fig. 2: the messages of a barrier overtake a put, if its origin has waited for local completion only.
//!
//! [`LocalThenBarrier`] is that wrong design, and exists for this test only. On networks that reorder, its fences
//! return before puts are there; those of every real design never do.

use super::way::Way;
use super::{Fence, FenceDesign, Next};
use crate::flags::Meeting;
use crate::sim::{Network, Nodes, Routing, Simulation};
use crate::window::core::WindowCore;
use crate::{Result, Window, World};
use std::time::Duration;

/// "Wait for local completions and then issue a Barrier operation" (section 3.2).
struct LocalThenBarrier;

impl FenceDesign for LocalThenBarrier {
    fn fence(&self) -> Fence {
        Fence::Flush
    }

    fn way(&self) -> Way {
        Way::Direct
    }

    fn begin(&self, window: &WindowCore, meeting: Meeting) -> Result<()> {
        window.meet(meeting)
    }

    fn complete(&self, window: &WindowCore, meeting: Meeting) -> Result<Next> {
        window.flush_local()?;
        window.meet(meeting)?;
        Ok(Next::Begun)
    }
}

/// Ranks put to rank 3, as in the figure; how many fences returned there before a put of their epoch was visible.
fn stale_fences(world: &World, choose: impl Fn(&mut Window<u64>) -> Result<()>) -> Result<u32> {
    let me = world.rank();
    let mut window = Window::<u64>::allocate(world, world.size() as usize)?;
    choose(&mut window)?;
    let mut stale = 0;
    for round in 1..=20u64 {
        window.fence(|epoch| epoch.put_value(round, 3, me as usize))?;
        if me == 3 {
            stale += u32::from(window.local()?.iter().any(|&value| value != round));
        }
    }
    window.free()?;
    Ok(stale)
}

fn reordering(seed: u64) -> Network {
    let spread = Duration::from_micros(20);
    Network {
        seed,
        routing: Routing::Adaptive { paths: 8, spread },
        ..Network::ethernet_100g()
    }
}

#[test]
fn a_barrier_overtakes_puts_that_are_complete_locally() {
    let mut stale = 0;
    for seed in 0..20 {
        let simulation = Simulation::new(&reordering(seed), 4);
        let wrong = |window: &mut Window<u64>| {
            window.core_mut().design = Box::new(LocalThenBarrier);
            Ok(())
        };
        let found =
            crate::simulate_with(simulation, |world| stale_fences(world, wrong)).expect("no deadlock");
        stale += found.iter().sum::<u32>();
    }
    assert!(stale > 20, "only {stale} of 400 fences were too early");
}

#[test]
fn no_design_lets_a_barrier_overtake_puts() {
    let network = reordering(0);
    let capabilities = network.capabilities(4);
    let mut designs = 0;
    for fence in Fence::ALL {
        if fence.refusal(&capabilities).is_some() {
            continue;
        }
        designs += 1;
        for seed in 0..20 {
            // Two of the three put from another node.
            let network = Network {
                nodes: (fence == Fence::Hierarchical).then(|| Nodes::shared_memory(2)),
                ..reordering(seed)
            };
            let simulation = Simulation::new(&network, 4);
            let found = crate::simulate_with(simulation, |world| {
                stale_fences(world, |window| match fence {
                    Fence::Neighbour => window.set_neighbours(&[3]),
                    other => window.set_fence(other),
                })
            });
            assert_eq!(found, Ok(vec![0; 4]), "{fence}, seed {seed}");
        }
    }
    assert_eq!(designs, 8, "two need that messages do not overtake puts");
}
