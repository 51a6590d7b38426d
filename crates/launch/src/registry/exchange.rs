//! What ranks that are there tell one another: values by name, and the fence.

use super::{Outbox, Registry, WAITING};
use crate::generation::{Client, State, Waiting, never, unfenced};
use crate::protocol::{Answer, NAME_LIMIT, RANK_LIMIT, VALUE_LIMIT};
use farside_fabric::Rank;

impl Registry {
    pub(super) fn publish(
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

    pub(super) fn lookup(&mut self, generation: u32, waiting: Waiting) -> Option<Answer> {
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

    pub(super) fn fence(
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
}
