//! Where `farside check` listens, as its environment says it.

use farside_link as link;
use farside_spool::processes::machine;
use std::io;
use std::path::Path;

/// The environment variable that holds an [`Address`].
const VARIABLE: &str = "FARSIDE_FRONT";

/// How collectors reach the front, and know it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    link: link::Address,
    /// The boot of the front's kernel.
    boot: u128,
}

impl Address {
    /// A new one: of this machine, with a fresh secret.
    ///
    /// # Errors
    /// There is no randomness.
    pub(crate) fn new(port: u16) -> io::Result<Self> {
        Ok(Self {
            link: link::Address::new(port)?,
            boot: machine().boot,
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
        (VARIABLE, format!("{:032x} {}", self.boot, self.link))
    }

    /// From the value of the variable.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (boot, link) = text.split_once(' ')?;
        Some(Self {
            link: link.parse().ok()?,
            boot: u128::from_str_radix(boot, 16).ok()?,
        })
    }

    /// How it is connected with.
    pub(crate) fn link(&self) -> &link::Address {
        &self.link
    }

    /// Whether processes of this host record into `spool` themselves: it is the front's host, and the folder is seen
    /// here. Folders have unpredictable names, so that it is the same one.
    pub(crate) fn is_here(&self, spool: &Path) -> bool {
        machine().boot == self.boot && spool.exists()
    }

    /// Of no front at all.
    #[cfg(test)]
    pub(crate) fn of_nowhere() -> Self {
        Self::parse("3 1 2 4 192.0.2.1").expect("an address")
    }

    pub(crate) fn token(&self) -> u128 {
        self.link.token()
    }

    pub(crate) fn greeting(&self) -> u128 {
        self.link.greeting()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_survives_the_environment() {
        let address = Address::new(7).unwrap();
        assert_eq!(Address::parse(&address.variable().1), Some(address.clone()));
        for other in ["", "1 2 3", "x 1 2 4 10.0.0.1", "1 2 3 70000 10.0.0.1"] {
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
