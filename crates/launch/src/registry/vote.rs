//! What those that are left decide together: whether all agree, and who goes on.
//!
//! The rendezvous decides, once, when all members have asked, are lost, or have finished: so all get one answer, whoever
//! dies meanwhile. Who dies after it is lost to what comes then, as to anything.

use super::{Outbox, Registry};
use crate::generation::{Client, State, Vote, Voter};
use crate::protocol::Answer;
use farside_fabric::Rank;

impl Registry {
    pub(super) fn vote(&mut self, number: u32, rank: Rank, voter: Voter, out: &mut Outbox) -> Option<Answer> {
        let Some(generation) = self.generation(number) else {
            return Some(Answer::Refused("the program is over".to_owned()));
        };
        if generation.voters.iter().any(|other| other.client == voter.client) {
            let why = format!("another thread of rank {rank} waits for what the ranks decide");
            return Some(Answer::Refused(why));
        }
        generation.voters.push(voter);
        self.decide(number, out);
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
            match generation.voters.iter().find(|voter| voter.client == client) {
                Some(voter) if voter.vote == Vote::Shrink => leaving.push((client, voter.number, rank)),
                Some(voter) => all &= voter.vote == Vote::Agree(true),
                None => return,
            }
        }
        if leaving.len() == generation.voters.len() {
            generation.voters.clear();
            return self.part(number, leaving, out);
        }
        // Who wants to go on without the lost does not agree, and waits until these have come to it, too.
        let all = all && leaving.is_empty();
        let agreeing = |voter: &mut Voter| voter.vote != Vote::Shrink;
        for voter in generation.voters.extract_if(.., agreeing) {
            out.reply(voter.client, voter.number, Answer::Agreed(all));
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
            }
        }
        out.shrunk.extend(leaving);
    }
}
