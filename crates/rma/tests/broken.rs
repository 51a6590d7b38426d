//! Epochs that fail midway: their buffers are the program's again, so no operation reads or writes them any more.

mod support;

use farside::sim::{Network, Nodes, Simulation};
use farside::{Error, Fence, Window};
use std::cell::RefCell;
use std::time::Duration;
use support::programs;

const BYTES: usize = 1 << 20;

/// A fence that times out while a long put is under way: what the program writes into the buffer after it, the target
/// never sees.
#[test]
fn a_buffer_of_a_fence_that_timed_out_is_not_read_any_more() {
    for fence in Fence::ALL {
        let network = Network {
            nodes: (fence == Fence::Hierarchical).then(|| Nodes::shared_memory(2)),
            ..Network::ethernet_100g()
        };
        let seen = RefCell::new(Vec::new());
        let run = farside::simulate_with(Simulation::new(&network, 2), |world| {
            let mut window = Window::<u8>::allocate(world, BYTES)?;
            programs::choose(&mut window, fence)?;
            let mut buffer = vec![1; BYTES];
            let result = window.fence(|epoch| {
                if world.rank() == 0 {
                    epoch.put(&buffer, 1, 0)?;
                } else {
                    world.receive::<u8>(Some(0), None)?;
                    world.compute(Duration::from_millis(5));
                    let mut found = vec![0; BYTES];
                    epoch.direct(1)?.read(0, &mut found)?;
                    seen.replace(found);
                }
                world.set_time_limit(Some(Duration::from_micros(1)));
                Ok(())
            });
            if world.rank() == 0 {
                assert!(
                    matches!(result, Err(Error::TimeOut { .. })),
                    "{fence}: {result:?}"
                );
                buffer.fill(9);
                world.send(1, 0, &[0u8])?;
            }
            world.set_time_limit(None);
            assert!(result.is_ok() || matches!(window.local(), Err(Error::Broken(_))));
            drop(window);
            world.barrier()
        });
        run.unwrap_or_else(|error| panic!("{fence}: {error}"));
        let seen = seen.take();
        assert_eq!(seen.iter().position(|&byte| byte > 1), None, "{fence}");
        // What is queued was called off; all else was complete.
        let arrived = seen.iter().all(|&byte| byte == 1);
        assert!(arrived || fence == Fence::Deferred, "{fence}");
    }
}

#[test]
fn a_group_of_another_rank_begins_no_collective_call() {
    let lent = std::cell::RefCell::new(None);
    farside::simulate(2, |world| {
        let group = world.duplicate()?;
        if world.rank() == 0 {
            *lent.borrow_mut() = Some(group);
            world.barrier()?;
            return world.barrier();
        }
        world.barrier()?;
        let other: farside::Group = lent.take().expect("rank 0 came first");
        assert!(other.barrier().is_err());
        let begun = other.iallreduce(farside::Operation::Sum, vec![1_u32]);
        assert!(begun.and_then(farside::CollectiveRequest::wait).is_err());
        world.barrier()
    })
    .expect("its rank is not disturbed");
}
