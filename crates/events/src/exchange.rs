//! What members of a collective call let one another read and write.

use crate::{Buffer, CommId, Rank, StackId};
use serde::{Deserialize, Serialize};

/// What a member of a collective call that moves data hands in. Its destination may be written as soon as any writer
/// has entered the call, and until the member itself returns (OpenSHMEM 1.5 §9.9).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Exchange {
    /// The members.
    pub comm: CommId,
    /// Which call of theirs it is, as in [`crate::Call::Collective`].
    pub sequence: u64,
    /// Who writes the destinations: one, or each member.
    pub writer: Option<Rank>,
    /// Where this member receives, if it does. The count is what all of them contribute if `collects`.
    pub destination: Option<Buffer>,
    /// Elements that this member contributes.
    pub contributes: u64,
    /// Members contribute different numbers of elements, one after the other (`shmem_collect`, §9.9.7).
    pub collects: bool,
    /// The name of the call.
    pub name: Box<str>,
    /// Its return address, and the stack of instrumented functions around it.
    pub place: (u64, StackId),
}
