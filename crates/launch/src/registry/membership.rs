//! Ranks come and go: joining a program of the job, finishing it, and being lost to the others.

use super::{GENERATIONS, News, Outbox, Registry};
use crate::generation::{Client, Generation, State, never, unfenced};
use crate::protocol::{Answer, VERSION};
use farside_fabric::Rank;

impl Registry {
    pub(super) fn hello(
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
                    "another process is rank {rank} already, or this one is, in a world that has not finished; a rank \
                     is one process at a time, so start helpers of it with FARSIDE_LAUNCHER=singleton"
                ));
            }
            State::Finished | State::Lost => return refuse(format!("rank {rank} is lost, and the job ends")),
        }
        self.clients.insert(client, (number, rank));
        Ok(number)
    }

    pub(super) fn finish(&mut self, client: Client, number: u32, rank: Rank, out: &mut Outbox) {
        self.clients.remove(&client);
        self.place[rank as usize] = number + 1;
        out.news.push(News::Finished(rank));
        let Some(generation) = self.generation(number) else {
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
        self.decide(number, out);
    }

    /// Whoever has ended without joining a generation that others have joined is lost to them.
    pub(super) fn miss_the_ended(&mut self, number: u32, out: &mut Outbox) {
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

    /// A member has seen that another one is lost.
    pub(super) fn seen_lost(&mut self, number: u32, rank: Rank, out: &mut Outbox) {
        let state = self
            .generation(number)
            .and_then(|generation| Some(generation.members.get(rank as usize)?.state));
        if matches!(state, Some(State::Joined(_))) {
            self.tell_loss(number, rank, out);
        }
    }

    pub(super) fn lose(&mut self, number: u32, rank: Rank, out: &mut Outbox) {
        let Some(generation) = self.generation(number) else {
            return;
        };
        let member = &mut generation.members[rank as usize];
        let before = std::mem::replace(&mut member.state, State::Lost);
        if before == State::Lost {
            return;
        }
        if let State::Joined(client) = before {
            generation.waiting.retain(|waiting| waiting.client != client);
            generation.fence.retain(|&(other, _)| other != client);
            generation.forget_vote(client);
            self.clients.remove(&client);
            out.dismissed.push(client);
        }
        self.tell_loss(number, rank, out);
        self.decide(number, out);
    }

    /// Tells everybody that a rank is lost, and ends what waits for it. It may be there still, and be wrong about it,
    /// or whoever said so: it stays a member, and can go on with the others by [`Ask::Shrink`](crate::protocol::Ask).
    fn tell_loss(&mut self, number: u32, rank: Rank, out: &mut Outbox) {
        let Some(generation) = self.generation(number) else {
            return;
        };
        if !generation.tell(rank) {
            return;
        }
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
    }
}
