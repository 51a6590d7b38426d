//! Communication contexts (OpenSHMEM 1.5 §9.5).

use super::{Call, Shmem};
use crate::flow::{Flow, NOTHING};
use farside_calls::shmem::DEFAULT_CONTEXT;
use farside_events::ChannelId;

impl Shmem<'_, '_> {
    /// The channel that a call uses, and the members by whose numbers it names processes; `None` for those of the
    /// world. A call on a context that is not there does nothing.
    pub(super) fn channel_of(&self, call: &Call<'_>) -> Option<(ChannelId, Option<Vec<u32>>)> {
        if !call.function.has_context() {
            return Some((ChannelId::DEFAULT, None));
        }
        let handle = call.given.first().map_or(0, |handle| handle.bits);
        if handle == DEFAULT_CONTEXT {
            return Some((ChannelId::DEFAULT, None));
        }
        let (channel, members) = self.pe().context(handle)?;
        Some((channel, Some(members.to_vec())))
    }

    /// `shmem_ctx_create(options, ctx)`, `shmem_team_create_ctx(team, options, ctx)`.
    pub(super) fn create_context(&mut self, call: &Call<'_>, of_team: bool) -> Flow {
        let (members, at) = match of_team {
            false => (Some((0..self.caller.size()).collect()), call.word(1)),
            true => (self.members_of(call.word(0)), call.word(2)),
        };
        let Some(members) = members else {
            return self.caller.unknown_call(call.name());
        };
        let handle = self.pe_mut().add_context(members);
        self.caller.put_long(at, handle);
        NOTHING
    }

    /// `shmem_ctx_destroy(ctx)`: what was issued on it is complete.
    pub(super) fn destroy_context(&mut self, call: &Call<'_>) -> Flow {
        let handle = call.word(0);
        if let Some((channel, _)) = self.pe().context(handle) {
            self.complete(Some(channel));
            let by = (call.name(), self.caller.stack());
            self.pe_mut().destroy_context(handle, by);
        }
        NOTHING
    }
}
