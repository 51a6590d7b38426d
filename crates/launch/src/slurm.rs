//! Slurm without any PMI: rank 0 runs the rendezvous at the first host of the step, and all know where that is.
//!
//! The port follows from job and step; should another program have it, the next one of a few is taken, and the others
//! find the one that speaks for their job.
//!
//! Limits: rank 0 must be on the first host of `SLURM_STEP_NODELIST`, as it is with Slurm's block, cyclic and plane
//! distributions. The hosts must reach each other by TCP at ports from 20,000 on.

use crate::client::{Identity, Process};
use crate::error::Error;
use crate::server::Server;
use crate::socket::Address;
use std::time::{Duration, Instant};

/// Ports that are tried.
const PORTS: u16 = 8;
/// Between two rounds of trying.
const PAUSE: Duration = Duration::from_millis(50);

/// Joins the job; rank 0 runs the rendezvous.
pub(crate) fn join(identity: Identity, host: &str, patience: Duration) -> Result<Process, Error> {
    let ports = ports(&identity.job);
    let server = if identity.rank == 0 {
        Some(serve(&identity, &ports)?)
    } else {
        None
    };
    let local = server.as_ref().map(|server| server.address().clone());
    let start = Instant::now();
    loop {
        let mut last = None;
        for &port in &ports {
            let address = match &local {
                Some(Address::Tcp(_, port)) => Address::Tcp("localhost".to_owned(), *port),
                _ => Address::Tcp(host.to_owned(), port),
            };
            match Process::join(
                &address,
                identity.clone(),
                Some(0),
                patience.min(Duration::from_secs(5)),
            ) {
                Ok(process) => {
                    return Ok(match server {
                        Some(server) => process.hosts(server),
                        None => process,
                    });
                }
                Err(error @ Error::Refused { .. }) => return Err(error),
                // Another job may have the port, or another program.
                Err(error) => last = Some(error),
            }
        }
        if start.elapsed() >= patience {
            let error = last.map_or_else(String::new, |error| error.to_string());
            return Err(Error::NoWay {
                found: format!("Slurm has started rank {} of {}", identity.rank, identity.size),
                problem: format!("no rendezvous of rank 0 was found at {host}, ports {ports:?}: {error}"),
                advice: "see that rank 0 runs there and that these ports are open, or set FARSIDE_RENDEZVOUS to a \
                    folder \
                         that all ranks see; FARSIDE_BOOT_LIMIT=SECONDS waits longer",
            });
        }
        std::thread::sleep(PAUSE);
    }
}

fn serve(identity: &Identity, ports: &[u16]) -> Result<Server, Error> {
    let mut last = None;
    for &port in ports {
        for host in ["::", "0.0.0.0"] {
            let address = Address::Tcp(host.to_owned(), port);
            match Server::start(&address, &identity.job, identity.size, |_| ()) {
                Ok(server) => return Ok(server),
                Err(error) => last = Some(error),
            }
        }
    }
    Err(Error::NoWay {
        found: "Slurm has started rank 0, which runs the rendezvous".to_owned(),
        problem: format!(
            "none of the ports {ports:?} is free: {}",
            last.map_or_else(String::new, |e| e.to_string())
        ),
        advice: "set FARSIDE_RENDEZVOUS to a folder that all ranks see",
    })
}

/// Where the rendezvous of a job may be, between 20,000 and 32,000: below what systems give out by themselves.
fn ports(job: &str) -> Vec<u16> {
    // FNV-1a (Fowler, Noll, Vo), 64 bits.
    let hash = job.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let first = (hash % 1500) as u16;
    (0..PORTS)
        .map(|step| 20_000 + (first + step * 1500) % 12_000)
        .collect()
}

/// The first host of a list such as `a[03-05,9]-ib,b`; `None` if it is no list.
pub(crate) fn first_host(list: &str) -> Option<String> {
    let mut host = String::new();
    let mut rest = list.trim();
    while let Some(open) = rest.find(['[', ',']) {
        host.push_str(&rest[..open]);
        if rest[open..].starts_with(',') {
            rest = "";
            break;
        }
        let close = open + rest[open..].find(']')?;
        let number = rest[open + 1..close].split([',', '-']).next()?;
        if number.is_empty() {
            return None;
        }
        host.push_str(number);
        rest = &rest[close + 1..];
    }
    host.push_str(rest);
    let good = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_');
    (!host.is_empty() && host.chars().all(good)).then_some(host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_host_of_a_list() {
        for (list, host) in [
            ("node1", "node1"),
            ("node1,node2", "node1"),
            ("node[01-04]", "node01"),
            ("node[7,9-11],other", "node7"),
            ("rack[1-2]node[03-04]-ib.site", "rack1node03-ib.site"),
        ] {
            assert_eq!(first_host(list).as_deref(), Some(host), "{list}");
        }
        for wrong in ["", "node[", "node[]", "a b", "]"] {
            assert_eq!(first_host(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn ports_are_few_distinct_and_not_of_the_system() {
        for job in ["slurm-1-0", "slurm-1-1", "slurm-99999-3"] {
            let mut list = ports(job);
            assert!(list.iter().all(|port| (20_000..32_000).contains(port)));
            list.sort_unstable();
            list.dedup();
            assert_eq!(list.len(), usize::from(PORTS));
        }
        assert_ne!(ports("slurm-1-0"), ports("slurm-1-1"));
    }
}
