//! Values go from rank to rank.

use super::{Job, PATIENCE, boxed, exchange};
use crate::client::Identity;
use crate::folder::Folder;
use crate::name;
use crate::protocol::VALUE_LIMIT;
use crate::registry::News;
use crate::slurm;
use crate::socket::Address;
use farside_fabric::Error as FabricError;
use farside_fabric::bootstrap::Bootstrap;
use std::time::Duration;

#[test]
fn ranks_exchange_values_over_both_kinds_of_sockets() {
    let folder = tempfile::tempdir().expect("a folder");
    for address in [
        Address::Abstract(name::fresh().expect("random bytes")),
        Address::Path(folder.path().join("boot")),
        Address::Tcp("127.0.0.1".into(), 0),
    ] {
        let job = Job::at(&address, "job".into(), 5);
        let processes = boxed(job.all());
        exchange(&processes);
        let mut finished: Vec<_> = (0..5).map(|_| job.next()).collect();
        finished.sort_by_key(|news| format!("{news:?}"));
        assert_eq!(
            finished,
            (0..5).map(News::Finished).collect::<Vec<_>>(),
            "{address}"
        );
    }
}

#[test]
fn more_ranks_than_there_is_room_for_strangers() {
    let job = Job::new(100);
    exchange(&boxed(job.all()));
    // And once more: the next program of the same job, under another name.
    let again = (0..100).map(|rank| job.join(rank)).collect::<Vec<_>>();
    assert_eq!(again[7].job(), format!("{}.1", job.name));
    exchange(&boxed(again));
}

#[test]
fn ranks_exchange_values_through_a_folder_and_leave_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let join = |rank, size| {
        let job = "job-1".to_owned();
        Folder::join(folder.path(), Identity { rank, size, job }, PATIENCE)
    };
    let processes = (0..4).map(|rank| Box::new(join(rank, 4).expect("joined")) as Box<dyn Bootstrap>);
    let processes: Vec<_> = processes.collect();
    let second = join(2, 4).expect_err("rank 2 is there").to_string();
    assert!(
        second.contains("FARSIDE_RENDEZVOUS=") && second.contains("is there already"),
        "{second}"
    );
    exchange(&processes);
    assert_eq!(std::fs::read_dir(folder.path()).expect("readable").count(), 0);
}

#[test]
fn rank_0_of_a_slurm_step_runs_the_rendezvous() {
    let job = format!("slurm-{}-0", std::process::id());
    let processes: Vec<_> = std::thread::scope(|scope| {
        let join = |rank| {
            let identity = Identity {
                rank,
                size: 4,
                job: job.clone(),
            };
            move || slurm::join(identity, "localhost", PATIENCE).expect("joined")
        };
        // Rank 0 comes last.
        let others: Vec<_> = (1..4).map(|rank| scope.spawn(join(rank))).collect();
        std::thread::sleep(Duration::from_millis(100));
        let first = scope.spawn(join(0));
        std::iter::once(first)
            .chain(others)
            .map(|thread| thread.join().expect("no panic"))
            .collect()
    });
    assert_eq!(processes[3].job(), job);
    exchange(&boxed(processes));
}

#[test]
fn long_values_come_whole_and_longer_ones_are_refused() {
    let job = Job::new(2);
    let processes = job.all();
    for bytes in [4096, 100_000, VALUE_LIMIT] {
        let value: Vec<u8> = (0..bytes).map(|i| (i ^ (i >> 8)) as u8).collect();
        processes[1]
            .publish(&bytes.to_string(), &value)
            .expect("published");
        assert_eq!(processes[0].lookup(1, &bytes.to_string()).expect("there"), value);
    }
    let error = processes[0]
        .publish("x", &vec![0; VALUE_LIMIT + 1])
        .expect_err("too long");
    assert!(error.to_string().contains("1048576"), "{error}");
    assert_eq!(
        processes[0].lookup(2, "x"),
        Err(FabricError::RankOutOfRange { rank: 2, size: 2 })
    );
}

#[test]
fn a_lookup_waits_and_threads_of_a_rank_do_not_disturb_each_other() {
    let job = Job::new(2);
    let processes = job.all();
    std::thread::scope(|scope| {
        let waiting: Vec<_> = (0..8)
            .map(|i| {
                scope.spawn({
                    let one = &processes[1];
                    move || one.lookup(0, &format!("late {i}"))
                })
            })
            .collect();
        for i in (0..8).rev() {
            processes[0]
                .publish(&format!("late {i}"), &[i])
                .expect("published");
        }
        for (i, thread) in waiting.into_iter().enumerate() {
            assert_eq!(thread.join().expect("no panic"), Ok(vec![i as u8]));
        }
    });
}
