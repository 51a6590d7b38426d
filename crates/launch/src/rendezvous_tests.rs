//! Server and processes together, over sockets and folders, with threads for processes.

use crate::client::{Identity, Process};
use crate::error::Error;
use crate::folder::Folder;
use crate::name;
use crate::protocol::{Ask, Request, VALUE_LIMIT, VERSION, frame};
use crate::registry::News;
use crate::server::Server;
use crate::slurm;
use crate::socket::{Address, Socket, connect};
use farside_fabric::Error as FabricError;
use farside_fabric::bootstrap::Bootstrap;
use std::io::{Read as _, Write as _};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(60);

/// A job with its rendezvous.
struct Job {
    name: String,
    size: u32,
    server: Server,
    news: Receiver<News>,
}

impl Job {
    fn new(size: u32) -> Self {
        let name = name::fresh().expect("random bytes");
        let address = Address::Abstract(name.clone());
        Self::at(&address, name, size)
    }

    fn at(address: &Address, name: String, size: u32) -> Self {
        let (sender, news) = channel();
        // The test may be over before the last news.
        let tell = move |event| {
            let _ = sender.send(event);
        };
        let server = Server::start(address, &name, size, tell);
        Self {
            name,
            size,
            server: server.expect("the address is free"),
            news,
        }
    }

    fn identity(&self, rank: u32) -> Identity {
        Identity {
            rank,
            size: self.size,
            job: self.name.clone(),
        }
    }

    fn try_join(&self, rank: u32) -> Result<Process, Error> {
        Process::join(self.server.address(), self.identity(rank), None, PATIENCE)
    }

    fn join(&self, rank: u32) -> Process {
        self.try_join(rank).expect("joined")
    }

    fn all(&self) -> Vec<Process> {
        let processes = (0..self.size).map(|rank| self.join(rank)).collect();
        (0..self.size).for_each(|rank| assert_eq!(self.next(), News::Joined(rank)));
        processes
    }

    fn next(&self) -> News {
        self.news.recv_timeout(PATIENCE).expect("news")
    }

    fn raw(&self) -> Socket {
        connect(self.server.address(), PATIENCE).expect("connected")
    }
}

/// What every bootstrap must do: all publish, meet, and read from all others; twice; then finish.
fn exchange(processes: &[Box<dyn Bootstrap>]) {
    let size = processes.len() as u32;
    std::thread::scope(|scope| {
        for process in processes {
            scope.spawn(move || {
                let value = |rank: u32, round: u32| {
                    vec![(rank * 3 + round) as u8; (rank * 97 + round) as usize % 1000]
                };
                for round in 0..2 {
                    let name = format!("value {round}/ä");
                    process
                        .publish(&name, &value(process.rank(), round))
                        .expect("published");
                    process.fence().expect("all are there");
                    for rank in (0..size).rev() {
                        assert_eq!(
                            process.lookup(rank, &name).expect("published"),
                            value(rank, round)
                        );
                    }
                    process.fence().expect("all are there");
                }
                assert_eq!((process.size(), process.lost()), (size, None));
                assert_eq!(process.job(), processes[0].job());
                assert!(process.publish("value 0/ä", &[]).is_err(), "a name is given once");
                process.fence().expect("all are there");
                process.finish().expect("finished");
            });
        }
    });
}

fn boxed(list: Vec<Process>) -> Vec<Box<dyn Bootstrap>> {
    list.into_iter()
        .map(|process| Box::new(process) as Box<dyn Bootstrap>)
        .collect()
}

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

#[test]
fn garbage_harms_nobody() {
    let job = Job::new(2);
    let processes = job.all();
    let long = u32::MAX.to_le_bytes();
    for garbage in [
        &b"GET / HTTP/1.1\r\n\r\n"[..],
        &[0; 64],
        &[255; 4096],
        &long,
        b"\x03\0\0\0\x01\x09\x09",
    ] {
        let mut socket = job.raw();
        socket.write_all(garbage).expect("sent");
        // Closed by the server; half a message would wait.
        match socket.read(&mut [0; 64]) {
            Ok(bytes) => assert_eq!(bytes, 0, "closed without a word"),
            Err(error) => assert_eq!(error.kind(), std::io::ErrorKind::ConnectionReset),
        }
    }
    let mut half = job.raw();
    half.write_all(&[9, 0, 0]).expect("sent");
    exchange(&boxed(processes));
}

#[test]
fn a_rank_that_speaks_garbage_is_lost() {
    let job = Job::new(2);
    let zero = job.join(0);
    let mut socket = job.raw();
    let hello = Ask::Hello {
        version: VERSION,
        job: job.name.clone(),
        rank: 1,
        size: 2,
    };
    let hello = frame(&Request {
        number: 1,
        ask: hello,
    })
    .expect("short");
    socket.write_all(&hello).expect("sent");
    assert_eq!((job.next(), job.next()), (News::Joined(0), News::Joined(1)));
    socket.write_all(&[255; 16]).expect("sent");
    assert_eq!(job.next(), News::Lost(1));
    wait_for(|| zero.lost() == Some(1));
}

#[test]
fn a_process_that_does_not_read_its_answers_does_not_stop_others() {
    let job = Job::new(2);
    let zero = job.join(0);
    zero.publish("big", &vec![1; VALUE_LIMIT]).expect("published");
    let mut socket = job.raw();
    let hello = Ask::Hello {
        version: VERSION,
        job: job.name.clone(),
        rank: 1,
        size: 2,
    };
    socket
        .write_all(
            &frame(&Request {
                number: 1,
                ask: hello,
            })
            .expect("short"),
        )
        .expect("sent");
    let ask = Ask::Lookup {
        rank: 0,
        name: "big".into(),
    };
    let ask = frame(&Request { number: 2, ask }).expect("short");
    // 2,000 answers would be 2 GB; the server stops reading long before, and then we cannot write.
    socket.set_nonblocking(true).expect("set");
    for _ in 0..2000 {
        if socket.write(&ask).is_err() {
            break;
        }
    }
    for i in 0..100 {
        zero.publish(&i.to_string(), &[i]).expect("published");
        assert_eq!(zero.lookup(0, &i.to_string()), Ok(vec![i]));
    }
}

#[test]
fn who_is_not_of_the_job_is_told_why() {
    let job = Job::new(2);
    let _zero = job.join(0);
    let refused = |identity: Identity| {
        let error = Process::join(job.server.address(), identity, None, PATIENCE).expect_err("refused");
        error.to_string()
    };
    let mut other = job.identity(1);
    other.job = "another".into();
    assert!(refused(other).contains("another job than another is there"));
    let mut other = job.identity(1);
    other.size = 3;
    assert!(refused(other).contains("rank 1 of 3, but the job has 2 ranks"));
    assert!(refused(job.identity(0)).contains("another process is rank 0 already"));
    let nowhere = Address::Abstract("farside-nowhere".into());
    let error = Process::join(&nowhere, job.identity(1), None, PATIENCE).expect_err("nobody is there");
    assert!(
        error
            .to_string()
            .contains("unix:@farside-nowhere, but nobody answers"),
        "{error}"
    );
}

/// Waits for what must come.
fn wait_for(mut condition: impl FnMut() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < PATIENCE, "waited in vain");
        std::thread::sleep(Duration::from_millis(1));
    }
}
