//! What the rendezvous knows: who has joined, what was published, who waits for what. No input or output here.
//!
//! A job may run several programs one after the other (`farside run -n 2 -- sh -c './a && ./b'`). Each is a
//! *generation* with names of its own: a rank that has finished joins the next one.
//!
//! Promise: every question is answered once, also when ranks are lost or finish early; nothing waits for a rank that
//! cannot come any more. What a rank can make this keep is limited by [`RANK_LIMIT`](crate::RANK_LIMIT) and the
//! constants here.

mod exchange;
mod membership;
mod vote;
mod worlds;

pub(crate) use worlds::Worlds;

use crate::generation::{Client, Generation, Member, State, Vote, Waiting};
use crate::protocol::{Answer, Ask, Reply, Request};
use farside_fabric::Rank;
use std::collections::{BTreeMap, VecDeque};

/// Programs of one job that may run at the same time, one after the other.
const GENERATIONS: usize = 16;
/// Values that one process may wait for at the same time.
const WAITING: usize = 1024;

/// What happened to a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum News {
    /// A process of it has joined.
    Joined(Rank),
    /// It ended as it should.
    Finished(Rank),
    /// It has joined and went away without finishing, or ended while others that have joined need it.
    Lost(Rank),
}

/// What is to be done after an input.
#[derive(Debug, Default)]
pub(crate) struct Outbox {
    /// To be sent.
    pub(crate) replies: Vec<(Client, Reply)>,
    /// Connections to be closed, after their replies.
    pub(crate) dismissed: Vec<Client>,
    /// To be told to who runs the job.
    pub(crate) news: Vec<News>,
    /// Those who go on without others: each with the number of its question, by its rank so far.
    shrunk: Vec<(Client, u64, Rank)>,
}

impl Outbox {
    fn reply(&mut self, client: Client, number: u64, answer: Answer) {
        self.replies.push((client, Reply { number, answer }));
    }
}

/// All that the rendezvous knows.
#[derive(Debug)]
pub(crate) struct Registry {
    job: String,
    size: u32,
    /// Those that are not over.
    generations: VecDeque<Generation>,
    /// Which rank of which generation a connection is.
    clients: BTreeMap<Client, (u32, Rank)>,
    /// In which generation a rank is, or will be when it joins.
    place: Vec<u32>,
    /// Whether the process of a rank has ended, so that it will not join any more.
    ended: Vec<bool>,
}

impl Registry {
    /// Nobody is there yet.
    pub(crate) fn new(job: &str, size: u32) -> Self {
        Self {
            job: job.to_owned(),
            size,
            generations: VecDeque::new(),
            clients: BTreeMap::new(),
            place: vec![0; size as usize],
            ended: vec![false; size as usize],
        }
    }

    /// Whether a connection belongs to a rank.
    pub(crate) fn knows(&self, client: Client) -> bool {
        self.clients.contains_key(&client)
    }

    /// Whether no rank is connected.
    pub(crate) fn is_idle(&self) -> bool {
        self.clients.is_empty()
    }

    /// A process asks.
    pub(crate) fn asked(&mut self, client: Client, request: Request) -> Outbox {
        let mut out = Outbox::default();
        let number = request.number;
        let answer = match (self.clients.get(&client).copied(), request.ask) {
            (
                None,
                Ask::Hello {
                    version,
                    job,
                    rank,
                    size,
                },
            ) => match self.hello(client, version, &job, rank, size) {
                Ok(generation) => {
                    out.news.push(News::Joined(rank));
                    out.reply(client, number, Answer::Welcome { generation });
                    self.miss_the_ended(generation, &mut out);
                    None
                }
                Err(answer) => {
                    out.dismissed.push(client);
                    Some(answer)
                }
            },
            (Some(_), Ask::Hello { .. }) => {
                Some(Answer::Refused("this process has joined before".to_owned()))
            }
            (None, _) => {
                out.dismissed.push(client);
                Some(Answer::Refused("this process has not joined".to_owned()))
            }
            (Some((generation, rank)), Ask::Publish { name, bytes }) => {
                Some(self.publish(generation, rank, name, bytes, &mut out))
            }
            (Some((generation, _)), Ask::Lookup { rank, name }) => self.lookup(
                generation,
                Waiting {
                    client,
                    number,
                    rank,
                    name,
                },
            ),
            (Some((generation, rank)), Ask::Fence) => self.fence(generation, rank, client, number, &mut out),
            (Some((generation, _)), Ask::Lost(lost)) => {
                self.seen_lost(generation, lost, &mut out);
                Some(Answer::Done)
            }
            (Some((generation, rank)), Ask::Agree(yes)) => {
                self.vote((generation, rank), client, number, Vote::Agree(yes), &mut out)
            }
            (Some((generation, rank)), Ask::Shrink) => {
                self.vote((generation, rank), client, number, Vote::Shrink, &mut out)
            }
            (Some((generation, rank)), Ask::Finish) => {
                self.finish(client, generation, rank, &mut out);
                out.dismissed.push(client);
                Some(Answer::Done)
            }
        };
        if let Some(answer) = answer {
            out.reply(client, number, answer);
        }
        self.forget_the_past();
        out
    }

    /// Whether a rank has ever joined.
    pub(crate) fn has_come(&self, rank: Rank) -> bool {
        let came = |generation: &Generation| generation.members[rank as usize].state != State::Awaited;
        self.place[rank as usize] > 0 || self.generations.iter().any(came)
    }

    /// Whether nobody is there, and nobody can come who was not here.
    pub(crate) fn is_over(&self) -> bool {
        let may_come = |rank| !self.has_come(rank) && !self.ended[rank as usize];
        self.is_idle() && !(0..self.size).any(may_come)
    }

    /// A connection has gone away, or spoke what nobody can read.
    pub(crate) fn gone(&mut self, client: Client) -> Outbox {
        let mut out = Outbox::default();
        if let Some((generation, rank)) = self.clients.remove(&client) {
            self.lose(generation, rank, &mut out);
        }
        self.forget_the_past();
        out
    }

    /// The process of a rank has ended; `failed`: not as it should.
    pub(crate) fn ended(&mut self, rank: Rank, failed: bool) -> Outbox {
        let mut out = Outbox::default();
        let Some(ended) = self.ended.get_mut(rank as usize) else {
            return out;
        };
        *ended = true;
        let numbers: Vec<u32> = self
            .generations
            .iter()
            .map(|generation| generation.number)
            .collect();
        for number in numbers {
            if failed {
                self.lose(number, rank, &mut out);
            } else {
                self.miss_the_ended(number, &mut out);
            }
        }
        self.forget_the_past();
        out
    }

    fn generation(&mut self, number: u32) -> Option<&mut Generation> {
        self.generations
            .iter_mut()
            .find(|generation| generation.number == number)
    }

    /// Generations whose members have all finished are over.
    fn forget_the_past(&mut self) {
        let over = |member: &Member| member.state == State::Finished;
        while self
            .generations
            .front()
            .is_some_and(|first| first.members.iter().all(over))
        {
            self.generations.pop_front();
        }
    }
}
