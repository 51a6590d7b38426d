//! Going on without those that are lost.
//!
//! The rendezvous decides who goes on, once, when all members have asked, are lost, or have finished: so all get one
//! answer, whoever dies meanwhile. Who dies after it is lost to the new job, as to any.

use super::{Outbox, Registry};
use crate::generation::{Client, State};
use crate::protocol::Answer;
use farside_fabric::Rank;

impl Registry {
    pub(super) fn shrink(
        &mut self,
        number: u32,
        rank: Rank,
        client: Client,
        question: u64,
        out: &mut Outbox,
    ) -> Option<Answer> {
        let Some(generation) = self.generation(number) else {
            return Some(Answer::Refused("the program is over".to_owned()));
        };
        if generation.shrink.iter().any(|&(other, _)| other == client) {
            let why = format!("another thread of rank {rank} waits to go on without the lost");
            return Some(Answer::Refused(why));
        }
        generation.shrink.push((client, question));
        self.part(number, out);
        None
    }

    /// Lets those who asked for it go, if nobody else is left.
    pub(super) fn part(&mut self, number: u32, out: &mut Outbox) {
        let Some(generation) = self.generation(number) else {
            return;
        };
        let mut leaving = Vec::new();
        for (rank, member) in (0..).zip(&generation.members) {
            match member.state {
                State::Lost | State::Finished => {}
                State::Awaited => return,
                State::Joined(client) => match generation.shrink.iter().find(|(asked, _)| *asked == client) {
                    Some(&(_, question)) => leaving.push((client, question, rank)),
                    None => return,
                },
            }
        }
        generation.shrink.clear();
        for &(client, _, rank) in &leaving {
            generation.members[rank as usize].state = State::Finished;
            generation.waiting.retain(|waiting| waiting.client != client);
        }
        for &(client, _, rank) in &leaving {
            self.clients.remove(&client);
            self.place[rank as usize] = number + 1;
        }
        out.shrunk.extend(leaving);
    }
}
