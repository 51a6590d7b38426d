//! The conformance suite with ranks as threads of this process.

use farside_fabric::Fabric;
use farside_fabric::conformance::{Extent, checks, lose, run};
use farside_fabric_shm::ShmFabric;
use std::time::Duration;

fn extent(rounds: u32) -> Extent {
    Extent {
        limit: Duration::from_secs(60),
        rounds,
        large: 3 << 20,
    }
}

fn conforms(size: u32, rounds: u32) {
    let wanted = checks().iter().filter(|check| check.ranks <= size).count();
    let threads: Vec<_> = ShmFabric::threads(size)
        .expect("endpoints")
        .into_iter()
        .map(|fabric| {
            std::thread::spawn(move || {
                let number = run(&fabric, extent(rounds), "", &mut |_| {})?;
                fabric.finish()?;
                Ok::<_, farside_fabric::conformance::Failure>(number)
            })
        })
        .collect();
    for thread in threads {
        let number = thread
            .join()
            .expect("no panic")
            .unwrap_or_else(|failure| panic!("{failure}"));
        assert_eq!(number, wanted);
    }
}

#[test]
fn one_rank() {
    conforms(1, 200);
}

#[test]
fn two_ranks() {
    conforms(2, 200);
}

#[test]
fn three_ranks() {
    conforms(3, 100);
}

#[test]
fn four_ranks() {
    conforms(4, 100);
}

#[test]
fn sixteen_ranks() {
    conforms(16, 20);
}

#[test]
fn an_endpoint_dropped_without_finish_is_lost() {
    let threads: Vec<_> = ShmFabric::threads(3)
        .expect("endpoints")
        .into_iter()
        .map(|fabric| std::thread::spawn(move || lose(&fabric, extent(10), &mut || {})))
        .collect();
    for thread in threads {
        thread
            .join()
            .expect("no panic")
            .unwrap_or_else(|failure| panic!("{failure}"));
    }
}
