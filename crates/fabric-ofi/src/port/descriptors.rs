//! What a thread sleeps on until something happens at the completion queue.
//!
//! Providers give one descriptor, often that of a set of others. In the set of `net` 1.17 is one by which the provider
//! tells itself of completions. It is readable from the first completion on, for `fi_trywait` of that provider does not
//! take the signal back as the providers' common code does, and a sleep on the set ends at once. So there the members
//! of the set are asked for (`FI_WAIT_POLLFD` is refused; the system tells, proc(5)), and that signal, a pair of local
//! sockets, is left out: completions come up in our own calls only, and nobody has to be woken for them.

use super::{Port, call};
use crate::ffi::{self, constants as c, offered};
use farside_fabric::Result;
use std::os::fd::{BorrowedFd, RawFd};
use std::ptr;
use std::time::Duration;

/// Descriptors that become readable when something happens. They live as long as the port. None: the provider has none.
#[derive(Clone, Debug, Default)]
pub(crate) struct Descriptors(Vec<RawFd>);

impl Descriptors {
    /// Whether there is nothing to sleep on.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The members of a set that are no local sockets; the set itself where the system does not tell.
    fn without_signals(&self) -> Self {
        let mut members = Vec::new();
        for set in &self.0 {
            let text = std::fs::read_to_string(format!("/proc/self/fdinfo/{set}")).unwrap_or_default();
            members.extend(members_of_a_set(&text).filter(|descriptor| !is_local_socket(*descriptor)));
        }
        if members.is_empty() {
            self.clone()
        } else {
            Self(members)
        }
    }

    /// Sleeps until one is readable or the time is over; whether one is readable. Errors end the sleep, too.
    pub(crate) fn sleep(&self, longest: Duration) -> bool {
        // SAFETY: the port, which owns the descriptors, outlives the threads that sleep.
        let borrowed: Vec<_> = self
            .0
            .iter()
            .map(|descriptor| unsafe { BorrowedFd::borrow_raw(*descriptor) })
            .collect();
        let time = rustix::time::Timespec {
            tv_sec: longest.as_secs().cast_signed(),
            tv_nsec: longest.subsec_nanos().into(),
        };
        let mut polled: Vec<_> = borrowed
            .iter()
            .map(|descriptor| rustix::event::PollFd::new(descriptor, rustix::event::PollFlags::IN))
            .collect();
        rustix::event::poll(&mut polled, Some(&time)).is_ok_and(|ready| ready > 0)
    }
}

impl Port {
    /// Opens a queue that a thread can sleep on, where the provider has such, else one to be polled.
    ///
    /// # Safety
    /// The domain is open.
    pub(super) unsafe fn open_queue(&mut self) -> Result<()> {
        let mut code = 0;
        for wait_obj in [c::WAIT_FD, c::WAIT_NONE] {
            let mut attributes = ffi::CqAttributes {
                size: 0,
                flags: 0,
                format: c::CQ_FORMAT_DATA,
                wait_obj,
                signaling_vector: 0,
                wait_cond: 0,
                wait_set: ptr::null_mut(),
            };
            // SAFETY: the domain is open, by the caller; the attributes live across the call.
            code = unsafe {
                call!(
                    (*self.domain).ops,
                    ffi::DomainOperations,
                    cq_open(
                        self.domain,
                        &raw mut attributes,
                        &raw mut self.cq,
                        ptr::null_mut()
                    )
                )
            };
            if code >= 0 {
                if wait_obj == c::WAIT_FD {
                    // SAFETY: the queue was opened for this kind.
                    self.wait = unsafe { self.descriptor_of_the_set() };
                }
                if self.facts.keeps_its_signal() {
                    self.wait = self.wait.without_signals();
                }
                return Ok(());
            }
        }
        self.library.check("fi_cq_open", code)
    }

    /// # Safety
    /// The queue is open, with `FI_WAIT_FD`.
    unsafe fn descriptor_of_the_set(&self) -> Descriptors {
        let mut descriptor: RawFd = -1;
        let cq = self.cq.cast::<ffi::Fid>();
        // SAFETY: the queue is open; the answer is a number.
        let asked = unsafe {
            call!(
                (*cq).ops,
                ffi::FidOperations,
                control(cq, c::GETWAIT, (&raw mut descriptor).cast())
            )
        };
        Descriptors(
            (asked >= 0 && descriptor >= 0)
                .then_some(descriptor)
                .into_iter()
                .collect(),
        )
    }

    /// What to sleep on.
    pub(crate) fn descriptors(&self) -> Descriptors {
        self.wait.clone()
    }

    /// Whether a thread may sleep on the descriptors now: nothing is there that it would not be woken for.
    pub(crate) fn may_sleep(&mut self) -> bool {
        if self.wait.is_empty() || self.ep.is_null() {
            return false;
        }
        let mut fids = [self.cq.cast::<ffi::Fid>()];
        // SAFETY: fabric and queue are open.
        let code = unsafe {
            call!(
                (*self.fabric).ops,
                ffi::FabricOperations,
                trywait(self.fabric, fids.as_mut_ptr(), 1)
            )
        };
        code >= 0
    }
}

/// The descriptors that the system's account of an epoll set names: lines `tfd: NUMBER events: ...`.
fn members_of_a_set(account: &str) -> impl Iterator<Item = RawFd> + '_ {
    account
        .lines()
        .filter_map(|line| line.strip_prefix("tfd:")?.split_whitespace().next()?.parse().ok())
}

/// Whether a descriptor is a socket of `AF_UNIX`.
fn is_local_socket(descriptor: RawFd) -> bool {
    let mut domain: libc::c_int = 0;
    let mut length = size_of::<libc::c_int>() as libc::socklen_t;
    // SAFETY: asks for a number, which has room; what is no socket gives an error.
    let code = unsafe {
        libc::getsockopt(
            descriptor,
            libc::SOL_SOCKET,
            libc::SO_DOMAIN,
            (&raw mut domain).cast(),
            &raw mut length,
        )
    };
    code == 0 && domain == libc::AF_UNIX
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::os::fd::AsRawFd;
    use std::os::unix::net::UnixStream;

    #[test]
    fn a_sleep_ends_when_something_comes_and_when_its_time_is_over() {
        let (mut there, here) = UnixStream::pair().expect("sockets");
        let descriptors = Descriptors(vec![here.as_raw_fd()]);
        assert!(!descriptors.sleep(Duration::from_millis(2)));
        there.write_all(b"x").expect("room");
        assert!(descriptors.sleep(Duration::from_secs(60)));
    }

    #[test]
    fn a_signal_in_a_set_is_left_out() {
        let network = std::net::UdpSocket::bind("127.0.0.1:0").expect("a socket");
        let (_there, signal) = UnixStream::pair().expect("sockets");
        // SAFETY: a new set, with sockets that are open.
        let set = unsafe {
            let set = libc::epoll_create1(libc::EPOLL_CLOEXEC);
            for member in [network.as_raw_fd(), signal.as_raw_fd()] {
                let mut event = libc::epoll_event { events: 1, u64: 7 };
                assert_eq!(
                    libc::epoll_ctl(set, libc::EPOLL_CTL_ADD, member, &raw mut event),
                    0
                );
            }
            set
        };
        assert_eq!(Descriptors(vec![set]).without_signals().0, [network.as_raw_fd()]);
        // What is no set stays as it is.
        let alone = Descriptors(vec![network.as_raw_fd()]);
        assert_eq!(alone.without_signals().0, alone.0);
        // SAFETY: opened above.
        assert_eq!(unsafe { libc::close(set) }, 0);
    }

    #[test]
    fn local_sockets_are_told_from_others() {
        let (here, _there) = UnixStream::pair().expect("sockets");
        assert!(is_local_socket(here.as_raw_fd()));
        let network = std::net::UdpSocket::bind("127.0.0.1:0").expect("a socket");
        assert!(!is_local_socket(network.as_raw_fd()));
        let file = std::fs::File::open("/dev/null").expect("a file");
        assert!(!is_local_socket(file.as_raw_fd()));
    }
}
