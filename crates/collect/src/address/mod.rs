//! Where the front listens, and the secret that proves who asks.

mod interfaces;

use farside_spool::processes::machine;
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::net::{IpAddr, SocketAddr};
use std::path::Path;

/// The environment variable that holds an [`Address`].
const VARIABLE: &str = "FARSIDE_FRONT";
/// Addresses in it: one is enough, and each that does not answer costs time.
const MOST: usize = 8;

/// How collectors reach the front, and know it.
#[derive(Clone, PartialEq, Eq)]
pub struct Address {
    /// What a collector shows.
    token: u128,
    /// What the front shows first, so that the token is not told to a stranger.
    greeting: u128,
    /// The boot of the front's kernel.
    boot: u128,
    port: u16,
    hosts: Vec<IpAddr>,
}

impl Address {
    /// A new one: of this machine, with a fresh secret.
    ///
    /// # Errors
    /// There is no randomness.
    pub(crate) fn new(port: u16) -> io::Result<Self> {
        let mut random = [[0; 16]; 2];
        let mut source = File::open("/dev/urandom")?;
        source.read_exact(&mut random[0])?;
        source.read_exact(&mut random[1])?;
        let mut hosts = interfaces::addresses();
        hosts.truncate(MOST);
        Ok(Self {
            token: u128::from_le_bytes(random[0]),
            greeting: u128::from_le_bytes(random[1]),
            boot: machine().boot,
            port,
            hosts,
        })
    }

    /// The front of this process, if it was told one.
    #[must_use]
    pub fn of_environment() -> Option<Self> {
        Self::parse(&std::env::var(VARIABLE).ok()?)
    }

    /// The environment variable, and its value.
    #[must_use]
    pub fn variable(&self) -> (&'static str, String) {
        let hosts: Vec<_> = self.hosts.iter().map(ToString::to_string).collect();
        let Self {
            token,
            greeting,
            boot,
            port,
            ..
        } = self;
        let hosts = hosts.join(",");
        (
            VARIABLE,
            format!("{token:032x} {greeting:032x} {boot:032x} {port} {hosts}"),
        )
    }

    /// From the value of the variable.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut words = text.split(' ');
        let mut number = || u128::from_str_radix(words.next()?, 16).ok();
        let (token, greeting, boot) = (number()?, number()?, number()?);
        let port = words.next()?.parse().ok()?;
        let hosts = words.next()?.split(',').map(|host| host.parse().ok());
        Some(Self {
            token,
            greeting,
            boot,
            port,
            hosts: hosts.collect::<Option<Vec<_>>>()?,
        })
    }

    /// Where to look for it, the likeliest first.
    pub(crate) fn sockets(&self) -> impl Iterator<Item = SocketAddr> {
        self.hosts.iter().map(|&host| SocketAddr::new(host, self.port))
    }

    /// Whether processes of this host record into `spool` themselves: it is the front's host, and the folder is seen
    /// here. Folders have unpredictable names, so that it is the same one.
    pub(crate) fn is_here(&self, spool: &Path) -> bool {
        machine().boot == self.boot && spool.exists()
    }

    /// Of no front at all.
    #[cfg(test)]
    pub(crate) fn of_nowhere() -> Self {
        Self {
            token: 1,
            greeting: 2,
            boot: 3,
            port: 4,
            hosts: Vec::new(),
        }
    }

    pub(crate) fn token(&self) -> u128 {
        self.token
    }

    pub(crate) fn greeting(&self) -> u128 {
        self.greeting
    }
}

/// Without the secrets.
impl fmt::Debug for Address {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "port {} of {:?}", self.port, self.hosts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_survives_the_environment() {
        let address = Address::new(7).unwrap();
        assert_eq!(Address::parse(&address.variable().1), Some(address.clone()));
        assert_ne!(Address::new(7).unwrap().token, address.token);
        for other in [
            "",
            "1 2 3",
            "1 2 3 4 h1",
            "1 2 3 70000 10.0.0.1",
            "x 2 3 4 10.0.0.1",
        ] {
            assert_eq!(Address::parse(other), None, "{other}");
        }
    }

    #[test]
    fn the_folder_that_is_seen_here() {
        let folder = tempfile::tempdir().unwrap();
        let address = Address::new(7).unwrap();
        assert!(address.is_here(folder.path()));
        let boot = address.boot ^ 1;
        assert!(
            !Address {
                boot,
                ..address.clone()
            }
            .is_here(folder.path())
        );
        assert!(!address.is_here(&folder.path().join("not")));
    }
}
