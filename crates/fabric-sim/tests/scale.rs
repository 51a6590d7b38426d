//! Many ranks, and many bytes.

mod setting;

use farside_fabric::Fabric;
use farside_fabric::conformance::Rig;
use farside_fabric_sim::{Network, Simulation, run};
use setting::{barrier, ns, rig, round_numbers};

#[test]
fn a_barrier_of_4096_ranks_takes_12_rounds() {
    let outcome = run(&round_numbers(), 4096, |fabric| barrier(fabric, 0)).expect("no deadlock");
    assert!(outcome.results.iter().all(|result| *result == Some(Ok(()))));
    assert_eq!(outcome.duration, ns(12 * (100 + 1000 + 50)));
    assert_eq!(outcome.total().messages, 4096 * 12);
}

#[test]
fn all_4096_ranks_put_to_eight_neighbours_and_fence() {
    let outcome = Simulation::new(&Network::infiniband_2009(), 4096)
        .run(|fabric| {
            let own = fabric.expose(8 * 8).expect("memory");
            // All regions are alike: one rank's descriptor names its region, and goes to eight others.
            for distance in 1..=8 {
                let target = (fabric.rank() + distance) % fabric.size();
                fabric
                    .send(target, u64::from(distance), own.descriptor.bytes())
                    .expect("there is room");
            }
            let rig: Rig<'_> = rig(fabric);
            let scope = fabric.open_scope().expect("a number");
            let bytes = [1; 8];
            for distance in 1..=8 {
                let target = (fabric.rank() + fabric.size() - distance) % fabric.size();
                let descriptor = rig.message(target, u64::from(distance)).expect("it comes");
                let descriptor = farside_fabric::Descriptor::new(&descriptor).expect("it is short");
                let remote = fabric.connect(target, &descriptor).expect("it is exposed");
                let at = 8 * (distance as usize - 1);
                setting::put(fabric, scope, remote, at, &bytes, farside_fabric::Signal::None);
            }
            fabric.flush(scope, None).expect("nobody dies");
            barrier(fabric, 1).expect("nobody dies");
            // SAFETY: the region is 64 bytes long, and all puts are visible.
            let found = unsafe { std::slice::from_raw_parts(own.base.as_ptr(), 64) };
            found == [1; 64]
        })
        .expect("no deadlock");
    assert!(outcome.results.iter().all(|result| *result == Some(true)));
    assert_eq!(outcome.total().puts, 8 * 4096);
}

#[test]
#[ignore = "4 GiB of memory"]
fn two_gibibytes_in_one_put_and_one_get() {
    const BYTES: usize = (2 << 30) + 5;
    let outcome = Simulation::new(&Network::ethernet_100g(), 2)
        .run(|fabric| {
            let rig = rig(fabric);
            let shared = rig.share(BYTES).expect("memory");
            if fabric.rank() == 1 {
                rig.barrier().expect("nobody dies");
                return shared.copy(BYTES - 5, 5) == [9; 5];
            }
            let mut bytes = vec![9; BYTES];
            rig.put(&shared, 1, 0, &bytes).expect("in bounds");
            rig.flush(&shared).expect("nobody dies");
            bytes.fill(0);
            rig.get(&shared, 1, 0, &mut bytes).expect("in bounds");
            rig.flush(&shared).expect("nobody dies");
            rig.barrier().expect("nobody dies");
            bytes.iter().all(|byte| *byte == 9)
        })
        .expect("no deadlock");
    assert_eq!(outcome.results, [Some(true), Some(true)]);
    assert!(outcome.duration >= ns(2 * (BYTES as u64 * 80 / 1000)));
}
