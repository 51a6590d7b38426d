//! Where the front listens, the secret that proves who asks, and the way to it.

use crate::interfaces;
use crate::wire::{Wire, malformed};
use serde::de::DeserializeOwned;
use std::fmt;
use std::io::{self, ErrorKind, Read};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, TcpStream};
use std::str::FromStr;
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

/// Addresses of a machine that are told: one is enough, and each that does not answer costs time.
const MOST: usize = 8;
/// For how long the addresses of the front are tried, all at one time.
const TIME_TO_CONNECT: Duration = Duration::from_secs(4);
/// For how long the front's greeting is waited for.
const TIME_TO_GREET: Duration = Duration::from_secs(5);

/// How the front is reached, and known.
#[derive(Clone, PartialEq, Eq)]
pub struct Address {
    /// What those that come show.
    token: u128,
    /// What the front shows first.
    greeting: u128,
    port: u16,
    hosts: Vec<IpAddr>,
}

impl Address {
    /// A new one: of this machine, with a fresh secret.
    ///
    /// # Errors
    /// There is no randomness.
    pub fn new(port: u16) -> io::Result<Self> {
        let mut random = [[0; 16]; 2];
        let mut source = std::fs::File::open("/dev/urandom")?;
        source.read_exact(&mut random[0])?;
        source.read_exact(&mut random[1])?;
        let mut hosts = interfaces::addresses();
        hosts.truncate(MOST);
        Ok(Self {
            token: u128::from_le_bytes(random[0]),
            greeting: u128::from_le_bytes(random[1]),
            port,
            hosts,
        })
    }

    /// What those that come show.
    #[must_use]
    pub fn token(&self) -> u128 {
        self.token
    }

    /// What the front shows first.
    #[must_use]
    pub fn greeting(&self) -> u128 {
        self.greeting
    }

    /// Where to look for it, the likeliest first.
    pub fn sockets(&self) -> impl Iterator<Item = SocketAddr> {
        self.hosts.iter().map(|&host| SocketAddr::new(host, self.port))
    }
}

/// With the secrets: for those alone who are to come.
impl fmt::Display for Address {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hosts: Vec<_> = self.hosts.iter().map(ToString::to_string).collect();
        let (token, greeting) = (self.token, self.greeting);
        write!(
            out,
            "{token:032x} {greeting:032x} {} {}",
            self.port,
            hosts.join(",")
        )
    }
}

impl FromStr for Address {
    type Err = io::Error;

    fn from_str(text: &str) -> io::Result<Self> {
        parse(text).ok_or_else(|| malformed("no address of a front"))
    }
}

fn parse(text: &str) -> Option<Address> {
    let mut words = text.split(' ');
    let mut number = || u128::from_str_radix(words.next()?, 16).ok();
    let (token, greeting) = (number()?, number()?);
    let port = words.next()?.parse().ok()?;
    let hosts = words.next()?.split(',').map(|host| host.parse().ok());
    Some(Address {
        token,
        greeting,
        port,
        hosts: hosts.collect::<Option<Vec<_>>>()?,
    })
}

/// Without the secrets.
impl fmt::Debug for Address {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "port {} of {:?}", self.port, self.hosts)
    }
}

/// Listens on all addresses of this machine, at a free port.
///
/// # Errors
/// There is no port.
pub fn listen() -> io::Result<TcpListener> {
    // Where IPv6 is switched off, IPv4 alone.
    let any = TcpListener::bind((Ipv6Addr::UNSPECIFIED, 0));
    any.or_else(|_| TcpListener::bind((Ipv4Addr::UNSPECIFIED, 0)))
}

/// A connection to the front: to the first address whose first message is the greeting. The front may have addresses
/// that mean another machine here, or none. One look at the connection waits for `look`.
///
/// # Errors
/// None answers as it should; the message says of each address why.
pub fn connect<In: DeserializeOwned + 'static>(
    front: &Address,
    look: Duration,
    is_greeting: impl Fn(&In) -> bool + Send + Sync + 'static,
) -> io::Result<Wire<TcpStream>> {
    let (sender, receiver) = channel();
    let is_greeting = Arc::new(is_greeting);
    for address in front.sockets() {
        let (sender, is_greeting) = (sender.clone(), Arc::clone(&is_greeting));
        std::thread::Builder::new().spawn(move || {
            // Another one may have answered meanwhile.
            let _ = sender.send((address, greet(address, look, &*is_greeting)));
        })?;
    }
    drop(sender);
    let mut problems = Vec::new();
    for (address, wire) in receiver {
        match wire {
            Ok(wire) => return Ok(wire),
            Err(error) => problems.push(format!("{address}: {error}")),
        }
    }
    problems.sort();
    Err(io::Error::new(ErrorKind::NotConnected, problems.join("; ")))
}

fn greet<In: DeserializeOwned>(
    address: SocketAddr,
    look: Duration,
    is_greeting: &dyn Fn(&In) -> bool,
) -> io::Result<Wire<TcpStream>> {
    let stream = TcpStream::connect_timeout(&address, TIME_TO_CONNECT)?;
    let mut wire = Wire::over(stream, look)?;
    let end = Instant::now() + TIME_TO_GREET;
    loop {
        match wire.next()? {
            Some(message) if is_greeting(&message) => return Ok(wire),
            Some(_) => return Err(malformed("this is another front")),
            None if Instant::now() >= end => return Err(ErrorKind::TimedOut.into()),
            None => _ = wire.receive()?,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_survives_being_told() {
        let address = Address::new(7).unwrap();
        assert_eq!(parse(&address.to_string()), Some(address.clone()));
        assert_ne!(Address::new(7).unwrap().token, address.token);
        for other in ["", "1 2", "1 2 4 h1", "1 2 70000 10.0.0.1", "x 2 4 10.0.0.1"] {
            assert_eq!(parse(other), None, "{other}");
        }
    }

    #[test]
    fn the_front_is_known_by_its_greeting() {
        let listener = listen().unwrap();
        let address = Address::new(listener.local_addr().unwrap().port()).unwrap();
        let serve = |said: u128| {
            let listener = listener.try_clone().unwrap();
            std::thread::spawn(move || {
                let (stream, _) = listener.accept().unwrap();
                let mut wire = Wire::over(stream, Duration::from_millis(5)).unwrap();
                wire.send(&said).unwrap();
                wire
            })
        };
        let look = Duration::from_millis(5);
        let greeting = address.greeting();
        // One of them, so that the one who serves has one to serve.
        let one = Address {
            hosts: vec![Ipv4Addr::LOCALHOST.into()],
            ..address
        };
        let other = serve(greeting ^ 1);
        let error = connect(&one, look, move |said: &u128| *said == greeting).unwrap_err();
        assert!(error.to_string().contains("another front"), "{error}");
        drop(other.join().unwrap());
        let ours = serve(greeting);
        assert!(connect(&one, look, move |said: &u128| *said == greeting).is_ok());
        drop(ours.join().unwrap());
        drop(listener);
        assert!(connect(&one, look, move |said: &u128| *said == greeting).is_err());
    }
}
