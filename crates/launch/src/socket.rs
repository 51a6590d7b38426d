//! Addresses of a rendezvous, and sockets of both kinds as one type.

use std::fmt;
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream, ToSocketAddrs as _};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::net::{SocketAddr, UnixListener, UnixStream};
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

/// Where a rendezvous is, as `FARSIDE_BOOT` says it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Address {
    /// `unix:@NAME`: a Unix socket without a file, which goes away with its last user. Linux, one machine.
    Abstract(String),
    /// `unix:PATH`: a Unix socket in a folder.
    Path(PathBuf),
    /// `tcp:HOST:PORT`; the host may be `[IPv6]`.
    Tcp(String, u16),
}

impl FromStr for Address {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || "not unix:PATH, unix:@NAME or tcp:HOST:PORT".to_owned();
        match text.split_once(':').ok_or_else(wrong)? {
            ("unix", "" | "@") => Err(wrong()),
            ("unix", rest) => Ok(match rest.strip_prefix('@') {
                Some(name) => Self::Abstract(name.to_owned()),
                None => Self::Path(rest.into()),
            }),
            ("tcp", rest) => {
                let (host, port) = rest.rsplit_once(':').ok_or_else(wrong)?;
                let port = port.parse().map_err(|_| format!("`{port}` is no port"))?;
                let host = host
                    .strip_prefix('[')
                    .and_then(|host| host.strip_suffix(']'))
                    .unwrap_or(host);
                if host.is_empty() {
                    Err(wrong())
                } else {
                    Ok(Self::Tcp(host.to_owned(), port))
                }
            }
            _ => Err(wrong()),
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Abstract(name) => write!(f, "unix:@{name}"),
            Self::Path(path) => write!(f, "unix:{}", path.display()),
            Self::Tcp(host, port) if host.contains(':') => write!(f, "tcp:[{host}]:{port}"),
            Self::Tcp(host, port) => write!(f, "tcp:{host}:{port}"),
        }
    }
}

/// Connects; a TCP connection is tried for `patience` at the most, at all addresses of the host.
pub(crate) fn connect(address: &Address, patience: Duration) -> io::Result<Socket> {
    match address {
        Address::Abstract(name) => {
            UnixStream::connect_addr(&SocketAddr::from_abstract_name(name)?).map(Socket::Unix)
        }
        Address::Path(path) => UnixStream::connect(path).map(Socket::Unix),
        Address::Tcp(host, port) => {
            let mut last = io::ErrorKind::AddrNotAvailable.into();
            for address in (host.as_str(), *port).to_socket_addrs()? {
                match TcpStream::connect_timeout(&address, patience) {
                    Ok(stream) => {
                        stream.set_nodelay(true)?;
                        return Ok(Socket::Tcp(stream));
                    }
                    Err(error) => last = error,
                }
            }
            Err(last)
        }
    }
}

/// A connection.
#[derive(Debug)]
pub(crate) enum Socket {
    /// Within the machine.
    Unix(UnixStream),
    /// Between machines.
    Tcp(TcpStream),
}

impl Socket {
    /// Another handle of the same connection.
    pub(crate) fn try_clone(&self) -> io::Result<Self> {
        match self {
            Self::Unix(stream) => stream.try_clone().map(Self::Unix),
            Self::Tcp(stream) => stream.try_clone().map(Self::Tcp),
        }
    }

    /// Whether calls return [`io::ErrorKind::WouldBlock`] instead of waiting.
    pub(crate) fn set_nonblocking(&self, on: bool) -> io::Result<()> {
        match self {
            Self::Unix(stream) => stream.set_nonblocking(on),
            Self::Tcp(stream) => stream.set_nonblocking(on),
        }
    }

    /// How long a call may wait; `None`: for ever.
    pub(crate) fn set_patience(&self, limit: Option<Duration>) -> io::Result<()> {
        match self {
            Self::Unix(stream) => stream.set_read_timeout(limit),
            Self::Tcp(stream) => stream.set_read_timeout(limit),
        }
    }

    /// Ends the connection for all handles.
    pub(crate) fn shutdown(&self) {
        // Not connected any more: that is what was wanted.
        let _ = match self {
            Self::Unix(stream) => stream.shutdown(Shutdown::Both),
            Self::Tcp(stream) => stream.shutdown(Shutdown::Both),
        };
    }

    /// Whether the other side may speak here: over a Unix socket only the same user.
    pub(crate) fn is_own_user(&self) -> bool {
        match self {
            Self::Unix(stream) => rustix::net::sockopt::socket_peercred(stream)
                .is_ok_and(|peer| peer.uid == rustix::process::geteuid()),
            Self::Tcp(_) => true,
        }
    }
}

impl Read for Socket {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Unix(stream) => stream.read(bytes),
            Self::Tcp(stream) => stream.read(bytes),
        }
    }
}

impl Write for Socket {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Unix(stream) => stream.write(bytes),
            Self::Tcp(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl AsFd for Socket {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            Self::Unix(stream) => stream.as_fd(),
            Self::Tcp(stream) => stream.as_fd(),
        }
    }
}

/// A place where connections come in.
#[derive(Debug)]
pub(crate) enum Listener {
    /// Within the machine.
    Unix(UnixListener),
    /// Between machines.
    Tcp(TcpListener),
}

impl Listener {
    /// Listens, without waiting in [`Listener::accept`]. Port 0 is any free one.
    pub(crate) fn bind(address: &Address) -> io::Result<Self> {
        match address {
            Address::Abstract(name) => {
                let listener = UnixListener::bind_addr(&SocketAddr::from_abstract_name(name)?)?;
                listener.set_nonblocking(true)?;
                Ok(Self::Unix(listener))
            }
            Address::Path(path) => {
                let listener = UnixListener::bind(path)?;
                listener.set_nonblocking(true)?;
                Ok(Self::Unix(listener))
            }
            Address::Tcp(host, port) => {
                let listener = TcpListener::bind((host.as_str(), *port))?;
                listener.set_nonblocking(true)?;
                Ok(Self::Tcp(listener))
            }
        }
    }

    /// The next connection, which does not wait either.
    pub(crate) fn accept(&self) -> io::Result<Socket> {
        let socket = match self {
            Self::Unix(listener) => Socket::Unix(listener.accept()?.0),
            Self::Tcp(listener) => {
                let stream = listener.accept()?.0;
                stream.set_nodelay(true)?;
                Socket::Tcp(stream)
            }
        };
        socket.set_nonblocking(true)?;
        Ok(socket)
    }

    /// The port, of a TCP socket.
    pub(crate) fn port(&self) -> Option<u16> {
        match self {
            Self::Unix(_) => None,
            Self::Tcp(listener) => listener.local_addr().ok().map(|address| address.port()),
        }
    }
}

impl AsFd for Listener {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            Self::Unix(listener) => listener.as_fd(),
            Self::Tcp(listener) => listener.as_fd(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_as_they_are_written() {
        for text in [
            "unix:@farside-1",
            "unix:/tmp/a b/boot",
            "tcp:node01:7000",
            "tcp:[::1]:7000",
            "tcp:127.0.0.1:1",
        ] {
            let address: Address = text.parse().expect("an address");
            assert_eq!(address.to_string(), text);
        }
    }

    #[test]
    fn what_is_no_address_is_refused() {
        for text in [
            "",
            "nonsense",
            "unix:",
            "unix:@",
            "tcp:host",
            "tcp::80",
            "tcp:h:x",
            "tcp:h:70000",
            "udp:h:1",
        ] {
            assert!(text.parse::<Address>().is_err(), "{text}");
        }
    }
}
