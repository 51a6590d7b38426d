//! Server and processes together, over sockets and folders, with threads for processes.

mod exchange;
mod loss;
mod strangers;

use crate::client::{Identity, Process};
use crate::error::Error;
use crate::name;
use crate::registry::News;
use crate::server::Server;
use crate::socket::{Address, Socket, connect};
use farside_fabric::bootstrap::Bootstrap;
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

/// Waits for what must come.
fn wait_for(mut condition: impl FnMut() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < PATIENCE, "waited in vain");
        std::thread::sleep(Duration::from_millis(1));
    }
}
