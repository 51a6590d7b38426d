//! Ranks and launchers that go away.

use super::{Job, PATIENCE, wait_for};
use crate::client::Identity;
use crate::folder::Folder;
use crate::protocol::VALUE_LIMIT;
use crate::registry::News;
use crate::slurm;
use farside_fabric::Error as FabricError;
use farside_fabric::bootstrap::{Bootstrap, Shrunk};
use std::time::Duration;

#[test]
fn a_folder_does_not_wait_for_ever() {
    let folder = tempfile::tempdir().expect("a folder");
    let identity = Identity {
        rank: 0,
        size: 2,
        job: "j".into(),
    };
    let process = Folder::join(folder.path(), identity, Duration::from_millis(50)).expect("joined");
    let error = process.fence().expect_err("rank 1 never comes").to_string();
    assert!(
        error.contains("rank 1") && error.contains("FARSIDE_BOOT_LIMIT"),
        "{error}"
    );
    assert!(process.publish("x", &vec![0; VALUE_LIMIT + 1]).is_err());
    assert!(process.publish(&"n".repeat(300), &[]).is_err());
    let file = folder.path().join("file");
    std::fs::write(&file, "").expect("written");
    let identity = Identity {
        rank: 0,
        size: 2,
        job: "j".into(),
    };
    assert!(Folder::join(&file, identity, PATIENCE).is_err());
}

#[test]
fn without_rank_0_of_a_slurm_step_the_others_know() {
    let job = format!("slurm-{}-1", std::process::id());
    let identity = |rank| Identity {
        rank,
        size: 2,
        job: job.clone(),
    };
    let alone =
        slurm::join(identity(1), "localhost", Duration::from_millis(200)).expect_err("nobody is there");
    assert!(alone.to_string().contains("no rendezvous of rank 0"), "{alone}");
    let zero = slurm::join(identity(0), "localhost", PATIENCE).expect("joined");
    let one = slurm::join(identity(1), "localhost", PATIENCE).expect("joined");
    drop(zero);
    wait_for(|| one.lost() == Some(0));
    assert_eq!(one.fence(), Err(FabricError::PeerLost { rank: 0 }));
}

#[test]
fn a_process_that_ends_badly_is_lost_to_all_others() {
    let job = Job::new(3);
    let processes = job.all();
    std::thread::scope(|scope| {
        let fence = scope.spawn({
            let zero = &processes[0];
            || zero.fence()
        });
        let lookup = scope.spawn({
            let one = &processes[1];
            || one.lookup(2, "never")
        });
        job.server.ended(2, true);
        assert_eq!(job.next(), News::Lost(2));
        assert_eq!(
            fence.join().expect("no panic"),
            Err(FabricError::PeerLost { rank: 2 })
        );
        assert_eq!(
            lookup.join().expect("no panic"),
            Err(FabricError::PeerLost { rank: 2 })
        );
    });
    assert_eq!(
        processes.iter().map(Bootstrap::lost).collect::<Vec<_>>()[..2],
        [Some(2); 2]
    );
}

#[test]
fn a_closed_connection_without_finish_is_a_loss_and_with_finish_is_none() {
    let job = Job::new(2);
    let mut processes = job.all();
    let one = processes.pop().expect("two");
    one.finish().expect("finished");
    drop(one);
    assert_eq!(job.next(), News::Finished(1));
    assert_eq!(processes[0].lost(), None);
    let error = processes[0]
        .fence()
        .expect_err("rank 1 is not there any more")
        .to_string();
    assert!(error.contains("rank 1 has finished"), "{error}");
    drop(processes);
    assert_eq!(job.next(), News::Lost(0));
}

#[test]
fn what_was_done_before_is_told_when_all_is_settled() {
    for _ in 0..100 {
        let job = Job::new(2);
        let processes = job.all();
        drop(processes);
        job.server.settle();
        let mut lost: Vec<_> = job.news.try_iter().collect();
        lost.sort_by_key(|news| format!("{news:?}"));
        assert_eq!(lost, [News::Lost(0), News::Lost(1)]);
    }
}

#[test]
fn a_launcher_that_goes_away_ends_all_waiting() {
    let job = Job::new(2);
    let mut processes = job.all();
    let one = processes.pop().expect("two");
    std::thread::scope(|scope| {
        let fence = scope.spawn(|| one.fence());
        // So that the fence is under way, mostly; both orders must do.
        std::thread::sleep(Duration::from_millis(20));
        drop(job);
        let error = fence
            .join()
            .expect("no panic")
            .expect_err("nobody is there")
            .to_string();
        assert!(error.contains("the launcher is gone"), "{error}");
    });
    assert!(one.publish("x", &[]).is_err() && one.finish().is_err());
    assert_eq!(one.lost(), None);
}

/// What is left after each has asked, by rank; in threads, for each waits for the others.
fn shrink_all(processes: &[&dyn Bootstrap]) -> Vec<Shrunk> {
    std::thread::scope(|scope| {
        let asked: Vec<_> = processes
            .iter()
            .map(|process| scope.spawn(|| process.shrink()))
            .collect();
        let answer = |asked: std::thread::ScopedJoinHandle<'_, _>| {
            let shrunk: Result<Option<Shrunk>, FabricError> = asked.join().expect("no panic");
            shrunk.expect("the launcher answers").expect("it can")
        };
        asked.into_iter().map(answer).collect()
    })
}

#[test]
fn survivors_go_on_in_a_job_of_their_own_twice() {
    let job = Job::new(4);
    let mut processes = job.all();
    drop(processes.remove(1));
    assert_eq!(job.next(), News::Lost(1));
    let old: Vec<&dyn Bootstrap> = processes.iter().map(|process| process as _).collect();
    old[0].publish("value", &[1]).expect("published");
    let mut shrunk = shrink_all(&old);
    for (rank, shrunk) in (0..).zip(&shrunk) {
        assert_eq!(shrunk.former, [0, 2, 3]);
        let new = &shrunk.bootstrap;
        assert_eq!((new.rank(), new.size(), new.lost()), (rank, 3, None));
        assert_ne!(new.job(), old[0].job());
        // A name of the former job is free.
        new.publish("value", &[rank as u8 + 7]).expect("published");
    }
    assert_eq!(shrunk[0].bootstrap.lookup(2, "value"), Ok(vec![9]));
    // Nothing that happens to the former job is heard in the new one.
    drop(processes);
    let last = shrunk.pop().expect("three");
    drop(last);
    wait_for(|| shrunk.iter().all(|shrunk| shrunk.bootstrap.lost() == Some(2)));
    let old: Vec<&dyn Bootstrap> = shrunk.iter().map(|shrunk| &*shrunk.bootstrap).collect();
    let pair = shrink_all(&old);
    assert!(pair.iter().all(|pair| pair.former == [0, 1]));
    std::thread::scope(|scope| {
        let meet = |pair: &Shrunk| {
            pair.bootstrap.fence().expect("both are there");
            pair.bootstrap.finish().expect("finished");
        };
        pair.iter().for_each(|pair| drop(scope.spawn(move || meet(pair))));
    });
    job.server.settle();
    let news: Vec<News> = job.news.try_iter().collect();
    // In the ranks of the first job.
    assert!(news.contains(&News::Lost(3)), "{news:?}");
    assert!(
        news.ends_with(&[News::Finished(0), News::Finished(2)])
            || news.ends_with(&[News::Finished(2), News::Finished(0)])
    );
    assert!(
        !news.iter().any(|news| matches!(news, News::Lost(0 | 2))),
        "{news:?}"
    );
}

#[test]
fn who_dies_before_or_after_the_answer_keeps_nobody() {
    let job = Job::new(3);
    let mut processes = job.all();
    let (two, one, zero) = (processes.pop(), processes.pop(), processes.pop());
    let (zero, one) = (zero.expect("three"), one.expect("three"));
    std::thread::scope(|scope| {
        let waits = scope.spawn(|| zero.shrink());
        let also = scope.spawn(|| one.shrink());
        // Both ask while rank 2 is still there; it goes without a word.
        std::thread::sleep(Duration::from_millis(20));
        drop(two);
        let shrunk = |asked: std::thread::ScopedJoinHandle<'_, Result<Option<Shrunk>, FabricError>>| {
            asked
                .join()
                .expect("no panic")
                .expect("answered")
                .expect("it can")
        };
        let (zero, one) = (shrunk(waits), shrunk(also));
        assert_eq!((&zero.former, &one.former), (&vec![0, 1], &vec![0, 1]));
        // The next dies as soon as it is there.
        drop(one);
        assert_eq!(zero.bootstrap.fence(), Err(FabricError::PeerLost { rank: 1 }));
        let alone = zero.bootstrap.shrink().expect("answered").expect("it can");
        assert_eq!(alone.former, [0]);
        alone.bootstrap.fence().expect("nobody else is needed");
    });
}

#[test]
fn who_is_said_to_be_lost_and_is_not_goes_on_with_the_others() {
    let job = Job::new(2);
    let processes = job.all();
    processes[0].tell_lost(1);
    wait_for(|| processes[1].lost() == Some(1));
    assert_eq!(processes[0].fence(), Err(FabricError::PeerLost { rank: 1 }));
    let old: Vec<&dyn Bootstrap> = processes.iter().map(|process| process as _).collect();
    assert!(shrink_all(&old).iter().all(|shrunk| shrunk.former == [0, 1]));
}
