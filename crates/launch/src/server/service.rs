//! The thread of the rendezvous: waits for connections and orders, and carries between them and the registry.

use super::{LISTENER, Order, WAKE};
use crate::connection::Connection;
use crate::generation::Client;
use crate::protocol::Request;
use crate::registry::{News, Outbox, Worlds};
use crate::socket::Listener;
use rustix::buffer::spare_capacity;
use rustix::event::Timespec;
use rustix::event::epoll::{self, Event, EventData, EventFlags};
use std::collections::{BTreeMap, BTreeSet};
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender};
use std::time::Duration;

/// How long a connection may take to say who it is.
const HELLO: Duration = Duration::from_secs(10);
/// Connections that do not belong to a rank, at the same time.
const STRANGERS: usize = 64;
/// Events that are taken at a time.
const EVENTS: usize = 64;

/// What the thread has.
pub(super) struct Service {
    pub(super) poll: OwnedFd,
    pub(super) wake: Arc<OwnedFd>,
    pub(super) listener: Listener,
    pub(super) worlds: Worlds,
    pub(super) connections: BTreeMap<Client, Connection>,
    /// Those that have not joined, or are leaving.
    pub(super) strangers: BTreeSet<Client>,
    pub(super) next: Client,
    pub(super) news: Box<dyn FnMut(News) + Send>,
    pub(super) retired: bool,
    /// Who wants to know when nothing is left to be understood.
    pub(super) unsettled: Vec<Sender<()>>,
}

impl Service {
    /// Serves until it is told to stop, or retired and alone.
    pub(super) fn serve(mut self, orders: &Receiver<Order>) {
        let mut events = Vec::with_capacity(EVENTS);
        while !(self.retired && self.worlds.is_idle() && self.all_sent()) {
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
                    let out = self.worlds.ended(rank, failed);
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
                    let out = self.worlds.asked(client, request);
                    self.deliver(out);
                    if self.worlds.knows(client) {
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
        let out = self.worlds.gone(client);
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
