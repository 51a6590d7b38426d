//! The rendezvous: one thread that serves the processes of a job over a socket.
//!
//! Promise: what arrives is never trusted. A connection that speaks what nobody can read, says nothing for ten seconds,
//! or belongs to another user (Unix sockets) is closed; if it was a rank, that rank is lost. A process that does not
//! read its answers is not asked for more questions, so that memory stays bounded.
//!
//! Limits: over TCP whoever knows the name of the job can join it; use it in networks that you trust.

mod service;

use crate::generation::Client;
use crate::registry::{News, Worlds};
use crate::socket::{Address, Listener};
use farside_fabric::Rank;
use rustix::event::epoll::{self, CreateFlags, EventData, EventFlags};
use rustix::event::{EventfdFlags, eventfd};
use service::Service;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::os::fd::{AsFd as _, OwnedFd};
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread::JoinHandle;

/// Names of what is waited for: orders, new connections, and connections from [`FIRST`] on.
const WAKE: u64 = 0;
const LISTENER: u64 = 1;
const FIRST: Client = 2;

/// A rendezvous that runs. It ends when it is dropped.
#[derive(Debug)]
pub struct Server {
    address: Address,
    control: Control,
    thread: Option<JoinHandle<()>>,
}

/// The way into the thread.
#[derive(Debug)]
struct Control {
    orders: Sender<Order>,
    wake: Arc<OwnedFd>,
}

#[derive(Debug)]
enum Order {
    Ended {
        rank: Rank,
        failed: bool,
    },
    /// Answer when nothing is left to be understood.
    Settle(Sender<()>),
    /// End when no rank is connected.
    Retire,
    Stop,
}

impl Server {
    /// Serves a job of `size` ranks at `address`; `news` is called, in the thread of the rendezvous, for what happens
    /// to ranks. Port 0 of TCP becomes a free one, see [`Server::address`].
    ///
    /// # Errors
    /// The address cannot be used, or the system refuses.
    pub fn start(
        address: &Address,
        job: &str,
        size: u32,
        news: impl FnMut(News) + Send + 'static,
    ) -> io::Result<Self> {
        let listener = Listener::bind(address)?;
        let address = match (address, listener.port()) {
            (Address::Tcp(host, _), Some(port)) => Address::Tcp(host.clone(), port),
            _ => address.clone(),
        };
        let wake = Arc::new(eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?);
        let (sender, orders) = channel();
        let poll = epoll::create(CreateFlags::CLOEXEC)?;
        epoll::add(&poll, &wake, EventData::new_u64(WAKE), EventFlags::IN)?;
        epoll::add(
            &poll,
            listener.as_fd(),
            EventData::new_u64(LISTENER),
            EventFlags::IN,
        )?;
        let service = Service {
            poll,
            wake: Arc::clone(&wake),
            listener,
            worlds: Worlds::new(job, size),
            connections: BTreeMap::new(),
            strangers: BTreeSet::new(),
            next: FIRST,
            news: Box::new(news),
            retired: false,
            unsettled: Vec::new(),
        };
        let thread = std::thread::Builder::new()
            .name("farside-rendezvous".to_owned())
            .spawn(move || service.serve(&orders))?;
        Ok(Self {
            address,
            control: Control { orders: sender, wake },
            thread: Some(thread),
        })
    }

    /// Where it is.
    #[must_use]
    pub fn address(&self) -> &Address {
        &self.address
    }

    /// The process of a rank has ended; `failed`: not as it should. Others are told where they need it.
    pub fn ended(&self, rank: Rank, failed: bool) {
        self.control.order(Order::Ended { rank, failed });
    }

    /// Waits until all that processes have said, or done by ending, before this call is understood, and told as news.
    pub fn settle(&self) {
        let (sender, done) = channel();
        self.control.order(Order::Settle(sender));
        // An error says that the thread has ended: then nothing more will be understood.
        let _ = done.recv();
    }

    /// Waits until no rank is connected, then ends.
    pub(crate) fn retire(mut self) {
        self.control.order(Order::Retire);
        self.join();
    }

    fn join(&mut self) {
        if let Some(thread) = self.thread.take() {
            // A panic of the thread was shown by the panic hook; there is nothing to add here.
            let _ = thread.join();
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.control.order(Order::Stop);
        self.join();
    }
}

impl Control {
    fn order(&self, order: Order) {
        // The thread may have ended already; then there is nobody to wake.
        let _ = self.orders.send(order);
        let _ = rustix::io::write(&*self.wake, &1_u64.to_ne_bytes());
    }
}
