//! What the rendezvous knows: who has joined, what was published, who waits for what. No input or output here.
//!
//! A job may run several programs one after the other (`farside run -n 2 -- sh -c './a && ./b'`). Each is a *generation*
//! with names of its own: a rank that has finished joins the next one.
//!
//! Promise: every question is answered once, also when ranks are lost or finish early; nothing waits for a rank that
//! cannot come any more. What a rank can make this keep is limited by [`RANK_LIMIT`] and the constants here.

use crate::generation::{Generation, Member, State, Waiting, never, unfenced};
use crate::protocol::{Answer, Ask, NAME_LIMIT, RANK_LIMIT, Reply, Request, VALUE_LIMIT, VERSION};
use farside_fabric::Rank;
use std::collections::{BTreeMap, VecDeque};

/// Programs of one job that may run at the same time, one behind the other.
const GENERATIONS: usize = 16;
/// Values that one process may wait for at the same time.
const WAITING: usize = 1024;

/// A connection.
pub(crate) type Client = u64;

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
    /// Connections to be closed, behind their replies.
    pub(crate) dismissed: Vec<Client>,
    /// To be told to who runs the job.
    pub(crate) news: Vec<News>,
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

    fn hello(
        &mut self,
        client: Client,
        version: u32,
        job: &str,
        rank: Rank,
        size: u32,
    ) -> Result<u32, Answer> {
        let refuse = |why: String| Err(Answer::Refused(why));
        if version != VERSION {
            return refuse(format!(
                "it speaks version {version} of the protocol, the launcher {VERSION}; build both from the same Farside"
            ));
        }
        if job != self.job {
            return Err(Answer::OtherJob);
        }
        if size != self.size || rank >= self.size {
            return refuse(format!(
                "it is rank {rank} of {size}, but the job has {} ranks",
                self.size
            ));
        }
        let number = self.place[rank as usize];
        let first = self
            .generations
            .front()
            .map_or(number, |generation| generation.number);
        while self.generations.back().map_or(first, |last| last.number + 1) <= number {
            if self.generations.len() == GENERATIONS {
                return refuse(format!("rank {rank} is {GENERATIONS} programs ahead of another"));
            }
            let next = self.generations.back().map_or(first, |last| last.number + 1);
            self.generations.push_back(Generation::new(next, self.size));
        }
        let Some(generation) = self.generation(number) else {
            return refuse("its program is over".to_owned());
        };
        let member = &mut generation.members[rank as usize];
        match member.state {
            State::Awaited => member.state = State::Joined(client),
            State::Joined(_) => {
                return refuse(format!(
                    "another process is rank {rank} already; a rank is one process at a time, so start helpers of it \
                     with FARSIDE_LAUNCHER=singleton"
                ));
            }
            State::Finished | State::Lost => return refuse(format!("rank {rank} is lost, and the job ends")),
        }
        self.clients.insert(client, (number, rank));
        Ok(number)
    }

    fn publish(
        &mut self,
        generation: u32,
        rank: Rank,
        name: String,
        bytes: Vec<u8>,
        out: &mut Outbox,
    ) -> Answer {
        let refuse = |why: String| Answer::Refused(format!("rank {rank} cannot publish `{name}`: {why}"));
        if name.len() > NAME_LIMIT || bytes.len() > VALUE_LIMIT {
            return refuse(format!(
                "{} bytes under a name of {}; {VALUE_LIMIT} and {NAME_LIMIT} at the most",
                bytes.len(),
                name.len()
            ));
        }
        let Some(generation) = self.generation(generation) else {
            return refuse("its program is over".to_owned());
        };
        let member = &mut generation.members[rank as usize];
        if member.values.contains_key(&name) {
            return refuse("it did so before".to_owned());
        }
        if member.bytes + name.len() + bytes.len() > RANK_LIMIT {
            return refuse(format!("more than {RANK_LIMIT} bytes in all"));
        }
        member.bytes += name.len() + bytes.len();
        member.values.insert(name.clone(), bytes);
        let ready = |waiting: &mut Waiting| waiting.rank == rank && waiting.name == name;
        let ready: Vec<Waiting> = generation.waiting.extract_if(.., ready).collect();
        if !ready.is_empty()
            && let Some(answer) = generation.bundle(rank, &name)
        {
            ready
                .iter()
                .for_each(|waiting| out.reply(waiting.client, waiting.number, answer.clone()));
        }
        Answer::Done
    }

    fn lookup(&mut self, generation: u32, waiting: Waiting) -> Option<Answer> {
        let size = self.size;
        let Some(generation) = self.generation(generation) else {
            return Some(Answer::Refused("the program is over".to_owned()));
        };
        let Some(member) = generation.members.get(waiting.rank as usize) else {
            return Some(Answer::Refused(format!(
                "there is no rank {} among {size}",
                waiting.rank
            )));
        };
        let state = member.state;
        if let Some(answer) = generation.bundle(waiting.rank, &waiting.name) {
            return Some(answer);
        }
        match state {
            State::Finished => Some(never(waiting.rank, &waiting.name)),
            State::Lost => Some(Answer::Lost(waiting.rank)),
            State::Awaited | State::Joined(_) => {
                let same = generation
                    .waiting
                    .iter()
                    .filter(|other| other.client == waiting.client);
                if same.count() >= WAITING {
                    return Some(Answer::Refused(format!(
                        "more than {WAITING} look-ups wait already"
                    )));
                }
                generation.waiting.push(waiting);
                None
            }
        }
    }

    fn fence(
        &mut self,
        generation: u32,
        rank: Rank,
        client: Client,
        number: u64,
        out: &mut Outbox,
    ) -> Option<Answer> {
        let size = self.size as usize;
        let Some(generation) = self.generation(generation) else {
            return Some(Answer::Refused("the program is over".to_owned()));
        };
        if let Some(lost) = generation.lost {
            return Some(Answer::Lost(lost));
        }
        if let Some(gone) = generation
            .members
            .iter()
            .position(|member| member.state == State::Finished)
        {
            return Some(unfenced(gone as Rank));
        }
        if generation.fence.iter().any(|&(other, _)| other == client) {
            return Some(Answer::Refused(format!(
                "another thread of rank {rank} waits in the fence"
            )));
        }
        generation.fence.push((client, number));
        if generation.fence.len() == size {
            for (client, number) in generation.fence.drain(..) {
                out.reply(client, number, Answer::Done);
            }
        }
        None
    }

    fn finish(&mut self, client: Client, generation: u32, rank: Rank, out: &mut Outbox) {
        self.clients.remove(&client);
        self.place[rank as usize] = generation + 1;
        out.news.push(News::Finished(rank));
        let Some(generation) = self.generation(generation) else {
            return;
        };
        generation.members[rank as usize].state = State::Finished;
        // Threads of the process that still wait get their answers like all others.
        for (client, number) in generation.fence.drain(..) {
            out.reply(client, number, unfenced(rank));
        }
        for waiting in generation
            .waiting
            .extract_if(.., |waiting| waiting.rank == rank || waiting.client == client)
        {
            out.reply(waiting.client, waiting.number, never(waiting.rank, &waiting.name));
        }
    }

    /// Whoever has ended without joining a generation that others have joined is lost to them.
    fn miss_the_ended(&mut self, number: u32, out: &mut Outbox) {
        let (place, ended) = (&self.place, &self.ended);
        let Some(generation) = self
            .generations
            .iter()
            .find(|generation| generation.number == number)
        else {
            return;
        };
        if !generation
            .members
            .iter()
            .any(|member| matches!(member.state, State::Joined(_)))
        {
            return;
        }
        let missing: Vec<Rank> = (0..self.size)
            .filter(|&rank| {
                let (index, state) = (rank as usize, generation.members[rank as usize].state);
                ended[index] && place[index] <= number && state == State::Awaited
            })
            .collect();
        for rank in missing {
            self.lose(number, rank, out);
        }
    }

    fn lose(&mut self, number: u32, rank: Rank, out: &mut Outbox) {
        let Some(generation) = self.generation(number) else {
            return;
        };
        let member = &mut generation.members[rank as usize];
        let before = std::mem::replace(&mut member.state, State::Lost);
        if before == State::Lost {
            return;
        }
        generation.lost.get_or_insert(rank);
        out.news.push(News::Lost(rank));
        for member in &generation.members {
            if let State::Joined(client) = member.state {
                out.reply(client, 0, Answer::Lost(rank));
            }
        }
        for (client, number) in generation.fence.drain(..) {
            out.reply(client, number, Answer::Lost(rank));
        }
        for waiting in generation.waiting.extract_if(.., |waiting| waiting.rank == rank) {
            out.reply(waiting.client, waiting.number, Answer::Lost(rank));
        }
        if let State::Joined(client) = before {
            generation.waiting.retain(|waiting| waiting.client != client);
            self.clients.remove(&client);
            out.dismissed.push(client);
        }
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
