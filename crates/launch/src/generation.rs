//! One program of a job: who has joined it, what was published in it, who waits for what.

use crate::protocol::{Answer, BUNDLE_LIMIT};
use farside_fabric::Rank;
use std::collections::BTreeMap;

/// A connection.
pub(crate) type Client = u64;

#[derive(Debug)]
pub(crate) struct Generation {
    pub(crate) number: u32,
    pub(crate) members: Vec<Member>,
    /// Who waits in the fence.
    pub(crate) fence: Vec<(Client, u64)>,
    /// Who waits for what those that are left decide.
    voters: Vec<Voter>,
    /// Who waits for a value.
    pub(crate) waiting: Vec<Waiting>,
    /// The first rank that was lost.
    pub(crate) lost: Option<Rank>,
}

/// Who waits for what those that are left decide.
#[derive(Debug)]
struct Voter {
    client: Client,
    number: u64,
    vote: Vote,
}

/// What is to be decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Vote {
    /// Whether all say yes; this one does, or does not.
    Agree(bool),
    /// Who goes on.
    Shrink,
}

#[derive(Debug)]
pub(crate) struct Waiting {
    pub(crate) client: Client,
    pub(crate) number: u64,
    pub(crate) rank: Rank,
    pub(crate) name: String,
}

#[derive(Debug, Default)]
pub(crate) struct Member {
    pub(crate) state: State,
    pub(crate) values: BTreeMap<String, Vec<u8>>,
    pub(crate) bytes: usize,
    /// Its loss was told to the others.
    told: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum State {
    #[default]
    Awaited,
    Joined(Client),
    Finished,
    Lost,
}

impl Generation {
    pub(crate) fn new(number: u32, size: u32) -> Self {
        Self {
            number,
            members: (0..size).map(|_| Member::default()).collect(),
            fence: Vec::new(),
            voters: Vec::new(),
            waiting: Vec::new(),
            lost: None,
        }
    }

    /// Whether nobody knew yet that a rank is lost: now all do.
    pub(crate) fn tell(&mut self, lost: Rank) -> bool {
        self.lost.get_or_insert(lost);
        !std::mem::replace(&mut self.members[lost as usize].told, true)
    }

    /// Takes what a connection asks by a question of that number; `false` if it waits for an answer already.
    pub(crate) fn vote(&mut self, client: Client, number: u64, vote: Vote) -> bool {
        let new = self.vote_of(client).is_none();
        if new {
            self.voters.push(Voter { client, number, vote });
        }
        new
    }

    /// What a connection has asked, and by which question.
    pub(crate) fn vote_of(&self, client: Client) -> Option<(u64, Vote)> {
        let own = self.voters.iter().find(|voter| voter.client == client)?;
        Some((own.number, own.vote))
    }

    /// A connection waits for no answer any more.
    pub(crate) fn forget_vote(&mut self, client: Client) {
        self.voters.retain(|voter| voter.client != client);
    }

    /// The connections and questions of those that have asked whether all agree; they are to be answered.
    pub(crate) fn agreeing(&mut self) -> Vec<(Client, u64)> {
        let agreeing = |voter: &mut Voter| voter.vote != Vote::Shrink;
        let taken = self.voters.extract_if(.., agreeing);
        taken.map(|voter| (voter.client, voter.number)).collect()
    }

    /// The answer to a look-up, if the value is there.
    pub(crate) fn bundle(&self, rank: Rank, name: &str) -> Option<Answer> {
        let value = |rank: Rank| self.members[rank as usize].values.get(name);
        let bytes = value(rank)?.clone();
        let size = self.members.len() as Rank;
        let mut room = BUNDLE_LIMIT;
        let mut others = Vec::new();
        // The nearest ones first: whoever asks for all goes up, or down.
        let near = (1..size).flat_map(|step| [rank.checked_add(step), rank.checked_sub(step)]);
        for rank in near.flatten().filter(|&rank| rank < size) {
            let Some(bytes) = value(rank) else { continue };
            // Ten bytes for rank and length.
            match room.checked_sub(bytes.len() + 10) {
                Some(rest) => room = rest,
                None => break,
            }
            others.push((rank, bytes.clone()));
        }
        Some(Answer::Bytes { bytes, others })
    }
}

pub(crate) fn never(rank: Rank, name: &str) -> Answer {
    Answer::Refused(format!("rank {rank} has finished and never published `{name}`"))
}

pub(crate) fn unfenced(rank: Rank) -> Answer {
    Answer::Refused(format!(
        "rank {rank} has finished, so not all ranks can come to this fence"
    ))
}
