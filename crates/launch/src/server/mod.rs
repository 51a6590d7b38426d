//! The rendezvous: one thread that serves the processes of a job over a socket.
//!
//! Promise: what arrives is never trusted. A connection that speaks what nobody can read, says nothing for ten seconds,
//! or belongs to another user (Unix sockets) is closed; if it was a rank, that rank is lost. A process that does not read
//! its answers is not asked for more questions, so that memory stays bounded.
//!
//! Limits: over TCP whoever knows the name of the job can join it; use it in networks that you trust.

use crate::connection::Connection;
use crate::protocol::Request;
use crate::registry::{Client, News, Outbox, Registry};
use crate::socket::{Address, Listener};
use farside_fabric::Rank;
use rustix::buffer::spare_capacity;
use rustix::event::epoll::{self, CreateFlags, Event, EventData, EventFlags};
use rustix::event::{EventfdFlags, Timespec, eventfd};
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::os::fd::{AsFd as _, OwnedFd};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// How long a connection may take to say who it is.
const HELLO: Duration = Duration::from_secs(10);
/// Connections that do not belong to a rank, at the same time.
const STRANGERS: usize = 64;
/// Events that are taken at a time.
const EVENTS: usize = 64;
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
    /// Serves a job of `size` ranks at `address`; `news` is called, in the thread of the rendezvous, for what happens to
    /// ranks. Port 0 of TCP becomes a free one, see [`Server::address`].
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
            registry: Registry::new(job, size),
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

struct Service {
    poll: OwnedFd,
    wake: Arc<OwnedFd>,
    listener: Listener,
    registry: Registry,
    connections: BTreeMap<Client, Connection>,
    /// Those that have not joined, or are leaving.
    strangers: BTreeSet<Client>,
    next: Client,
    news: Box<dyn FnMut(News) + Send>,
    retired: bool,
    /// Who wants to know when nothing is left to be understood.
    unsettled: Vec<Sender<()>>,
}

impl Service {
    fn serve(mut self, orders: &Receiver<Order>) {
        let mut events = Vec::with_capacity(EVENTS);
        while !(self.retired && self.registry.is_idle() && self.all_sent()) {
            events.clear();
            if !self.wait(&mut events) {
                return;
            }
            for event in &events {
                match event.data.u64() {
                    WAKE => {
                        // Nothing to read is as good as something.
                        let _ = rustix::io::read(&*self.wake, &mut [0; 8]);
                        if self.obey(orders) {
                            return;
                        }
                    }
                    LISTENER => self.accept(),
                    client => self.converse(client),
                }
            }
            self.close_the_silent();
            if events.is_empty() {
                for waiting in self.unsettled.drain(..) {
                    // It may have given up.
                    let _ = waiting.send(());
                }
            }
        }
    }

    fn all_sent(&self) -> bool {
        self.connections.values().all(Connection::is_sent)
    }

    /// Waits until something happens. False if the system does not let us wait.
    fn wait(&self, events: &mut Vec<Event>) -> bool {
        let second = Timespec {
            tv_sec: 1,
            tv_nsec: 0,
        };
        let limit = match (self.unsettled.is_empty(), self.strangers.is_empty()) {
            (false, _) => Some(&Timespec {
                tv_sec: 0,
                tv_nsec: 0,
            }),
            (true, false) => Some(&second),
            (true, true) => None,
        };
        match epoll::wait(&self.poll, spare_capacity(events), limit) {
            Ok(_) | Err(rustix::io::Errno::INTR) => true,
            Err(_) => false,
        }
    }

    /// Whether it is time to stop.
    fn obey(&mut self, orders: &Receiver<Order>) -> bool {
        for order in orders.try_iter() {
            match order {
                Order::Ended { rank, failed } => {
                    let out = self.registry.ended(rank, failed);
                    self.deliver(out);
                }
                Order::Settle(waiting) => self.unsettled.push(waiting),
                Order::Retire => self.retired = true,
                Order::Stop => return true,
            }
        }
        false
    }

    fn accept(&mut self) {
        // Nobody waits, or the system is short of something: the next turn tries again.
        while let Ok(socket) = self.listener.accept() {
            let crowded = self.strangers.len() >= STRANGERS;
            if !socket.is_own_user() || (crowded && !self.remove_a_stranger()) {
                continue;
            }
            let client = self.next;
            if epoll::add(&self.poll, &socket, EventData::new_u64(client), EventFlags::IN).is_err() {
                continue;
            }
            self.next += 1;
            self.connections.insert(client, Connection::new(socket));
            self.strangers.insert(client);
            self.converse(client);
        }
    }

    /// Makes room: the oldest one goes.
    fn remove_a_stranger(&mut self) -> bool {
        let Some(oldest) = self.strangers.pop_first() else {
            return false;
        };
        self.connections.remove(&oldest);
        true
    }

    fn converse(&mut self, client: Client) {
        let Some(connection) = self.connections.get_mut(&client) else {
            return;
        };
        let open = connection.receive();
        while let Some(connection) = self.connections.get_mut(&client) {
            match connection.question::<Request>() {
                Ok(Some(request)) => {
                    let out = self.registry.asked(client, request);
                    self.deliver(out);
                    if self.registry.knows(client) {
                        self.strangers.remove(&client);
                    }
                }
                Ok(None) if open.is_ok() => {
                    let was_full = connection.is_full();
                    self.send(client);
                    // Room for more answers: on with the questions that are here already.
                    let on = |connection: &Connection| was_full && !connection.is_full();
                    if !self.connections.get(&client).is_some_and(on) {
                        return;
                    }
                }
                Ok(None) | Err(_) => return self.lose(client),
            }
        }
    }

    /// Sends what can be sent, and waits for the rest.
    fn send(&mut self, client: Client) {
        let Some(connection) = self.connections.get_mut(&client) else {
            return;
        };
        if connection.send().is_err() {
            return self.lose(client);
        }
        if connection.is_over() {
            self.connections.remove(&client);
            self.strangers.remove(&client);
        } else if let Some(wanted) = connection.wanted()
            && epoll::modify(
                &self.poll,
                connection.socket(),
                EventData::new_u64(client),
                wanted,
            )
            .is_err()
        {
            self.lose(client);
        }
    }

    fn lose(&mut self, client: Client) {
        self.connections.remove(&client);
        self.strangers.remove(&client);
        let out = self.registry.gone(client);
        self.deliver(out);
    }

    fn deliver(&mut self, out: Outbox) {
        let mut touched = BTreeSet::new();
        for (client, reply) in out.replies {
            if let Some(connection) = self.connections.get_mut(&client) {
                connection.reply(&reply);
                touched.insert(client);
            }
        }
        for client in out.dismissed {
            if let Some(connection) = self.connections.get_mut(&client) {
                connection.dismiss();
                self.strangers.insert(client);
                touched.insert(client);
            }
        }
        for news in out.news {
            (self.news)(news);
        }
        for client in touched {
            self.send(client);
        }
    }

    fn close_the_silent(&mut self) {
        let late = |client: &Client| {
            self.connections
                .get(client)
                .is_none_or(|connection| connection.since().elapsed() >= HELLO)
        };
        let late: Vec<Client> = self.strangers.iter().copied().filter(late).collect();
        for client in late {
            self.lose(client);
        }
    }
}
