//! All jobs of a rendezvous: the one that it is for, and those in which ranks go on without others.
//!
//! Each has a name and a registry of its own, and a process a connection for each: nothing that is said in one is heard
//! in another.

use super::{News, Outbox, Registry};
use crate::generation::Client;
use crate::protocol::{Answer, Ask, Reply, Request};
use farside_fabric::Rank;
use std::collections::BTreeMap;

/// The jobs that are not over. The first one never is.
#[derive(Debug)]
pub(crate) struct Worlds {
    name: String,
    /// By number.
    worlds: BTreeMap<u32, World>,
    /// The number of the next one.
    next: u32,
    /// To which a connection belongs.
    homes: BTreeMap<Client, u32>,
    /// Connections of ranks that were let go to another one: to which, and which rank they are there.
    heirs: BTreeMap<Client, (u32, Rank)>,
}

#[derive(Debug)]
struct World {
    registry: Registry,
    name: String,
    /// By rank, its rank in the first world.
    ranks: Vec<Rank>,
}

impl Worlds {
    /// Nobody is there yet.
    pub(crate) fn new(job: &str, size: u32) -> Self {
        let first = World {
            registry: Registry::new(job, size),
            name: job.to_owned(),
            ranks: (0..size).collect(),
        };
        Self {
            name: job.to_owned(),
            worlds: [(0, first)].into(),
            next: 1,
            homes: BTreeMap::new(),
            heirs: BTreeMap::new(),
        }
    }

    /// Whether a connection belongs to a rank, or did until the rank went on elsewhere.
    pub(crate) fn knows(&self, client: Client) -> bool {
        let at_home = |world: &u32| {
            self.worlds
                .get(world)
                .is_some_and(|world| world.registry.knows(client))
        };
        self.homes.get(&client).is_some_and(at_home) || self.heirs.contains_key(&client)
    }

    /// Whether no rank is connected.
    pub(crate) fn is_idle(&self) -> bool {
        self.worlds.values().all(|world| world.registry.is_idle()) && self.heirs.is_empty()
    }

    /// A process asks.
    pub(crate) fn asked(&mut self, client: Client, request: Request) -> Outbox {
        if self.heirs.contains_key(&client) {
            // What it still says of the job that it has left.
            let mut out = Outbox::default();
            let why = "this rank has gone on without those that are lost".to_owned();
            out.reply(client, request.number, Answer::Refused(why));
            return out;
        }
        let number = match (self.homes.get(&client), &request.ask) {
            (Some(&number), _) => number,
            (None, Ask::Hello { job, .. }) => {
                let named = self.worlds.iter().find(|(_, world)| world.name == *job);
                named.map_or(0, |(&number, _)| number)
            }
            (None, _) => 0,
        };
        let out = self.of(number, |registry| registry.asked(client, request));
        if self
            .worlds
            .get(&number)
            .is_some_and(|world| world.registry.knows(client))
        {
            self.homes.insert(client, number);
        }
        out
    }

    /// A connection has gone away, or spoke what nobody can read.
    pub(crate) fn gone(&mut self, client: Client) -> Outbox {
        let home = self.homes.remove(&client);
        if let Some((number, rank)) = self.heirs.remove(&client) {
            // Who has not come by now has died on the way.
            let absent = |registry: &mut Registry| match registry.has_come(rank) {
                true => Outbox::default(),
                false => registry.ended(rank, true),
            };
            return self.of(number, absent);
        }
        home.map_or_else(Outbox::default, |number| {
            self.of(number, |registry| registry.gone(client))
        })
    }

    /// The process of a rank of the first world has ended; `failed`: not as it should.
    pub(crate) fn ended(&mut self, rank: Rank, failed: bool) -> Outbox {
        let mut all = Outbox::default();
        let numbers: Vec<u32> = self.worlds.keys().copied().collect();
        for number in numbers {
            let place = |world: &World| world.ranks.iter().position(|&former| former == rank);
            if let Some(here) = self.worlds.get(&number).and_then(place) {
                all.append(self.of(number, |registry| registry.ended(here as Rank, failed)));
            }
        }
        all
    }

    /// What comes of something that a world is told, in the ranks of the first one. Those who leave it get a new one.
    fn of(&mut self, number: u32, tell: impl FnOnce(&mut Registry) -> Outbox) -> Outbox {
        let Some(world) = self.worlds.get_mut(&number) else {
            return Outbox::default();
        };
        let mut out = tell(&mut world.registry);
        for news in &mut out.news {
            let (News::Joined(rank) | News::Finished(rank) | News::Lost(rank)) = news;
            *rank = world.ranks.get(*rank as usize).copied().unwrap_or(*rank);
        }
        let leaving = std::mem::take(&mut out.shrunk);
        if !leaving.is_empty() {
            let former: Vec<Rank> = leaving.iter().map(|&(_, _, rank)| rank).collect();
            let job = format!("{}-{}", self.name, self.next);
            let shrunk = World {
                registry: Registry::new(&job, former.len() as u32),
                name: job.clone(),
                ranks: former.iter().map(|&rank| world.ranks[rank as usize]).collect(),
            };
            self.worlds.insert(self.next, shrunk);
            for (rank, (client, number, _)) in (0..).zip(leaving) {
                self.homes.remove(&client);
                self.heirs.insert(client, (self.next, rank));
                let (job, former) = (job.clone(), former.clone());
                let answer = Answer::Shrunk { job, former };
                out.replies.push((client, Reply { number, answer }));
            }
            self.next += 1;
        }
        self.worlds
            .retain(|&number, world| number == 0 || !world.registry.is_over());
        out
    }
}

impl Outbox {
    fn append(&mut self, other: Self) {
        self.replies.extend(other.replies);
        self.dismissed.extend(other.dismissed);
        self.news.extend(other.news);
        self.shrunk.extend(other.shrunk);
    }
}
