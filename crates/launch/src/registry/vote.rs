//! What those that are left decide together: whether all agree, and who goes on.
//!
//! The rendezvous decides, once, when all members have asked, are lost, or have finished: so all get one answer,
//! whoever dies meanwhile. Who dies after it is lost to what comes then, as to anything.

use super::{Outbox, Registry};
use crate::generation::{Client, State, Vote};
use crate::protocol::Answer;
use farside_fabric::Rank;

impl Registry {
    pub(super) fn vote(
        &mut self,
        (generation, rank): (u32, Rank),
        client: Client,
        number: u64,
        vote: Vote,
        out: &mut Outbox,
    ) -> Option<Answer> {
        let Some(found) = self.generation(generation) else {
            return Some(Answer::Refused("the program is over".to_owned()));
        };
        if !found.vote(client, number, vote) {
            let why = format!("another thread of rank {rank} waits for what the ranks decide");
            return Some(Answer::Refused(why));
        }
        self.decide(generation, out);
        None
    }

    /// Answers those who have asked, if nobody else is left.
    pub(super) fn decide(&mut self, number: u32, out: &mut Outbox) {
        let Some(generation) = self.generation(number) else {
            return;
        };
        let mut leaving = Vec::new();
        let mut all = true;
        for (rank, member) in (0..).zip(&generation.members) {
            let client = match member.state {
                State::Lost | State::Finished => continue,
                State::Awaited => return,
                State::Joined(client) => client,
            };
            match generation.vote_of(client) {
                Some((number, Vote::Shrink)) => leaving.push((client, number, rank)),
                Some((_, Vote::Agree(yes))) => all &= yes,
                None => return,
            }
        }
        let agreeing = generation.agreeing();
        if agreeing.is_empty() {
            return self.part(number, leaving, out);
        }
        // Who wants to go on without the lost does not agree, and waits until these have come to it, too.
        let all = all && leaving.is_empty();
        for (client, number) in agreeing {
            out.reply(client, number, Answer::Agreed(all));
        }
    }

    /// Lets these go.
    fn part(&mut self, number: u32, leaving: Vec<(Client, u64, Rank)>, out: &mut Outbox) {
        for &(client, _, rank) in &leaving {
            self.clients.remove(&client);
            self.place[rank as usize] = number + 1;
            if let Some(generation) = self.generation(number) {
                generation.members[rank as usize].state = State::Finished;
                generation.waiting.retain(|waiting| waiting.client != client);
                generation.forget_vote(client);
            }
        }
        out.shrunk.extend(leaving);
    }
}
