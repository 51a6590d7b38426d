//! Contexts (OpenSHMEM 1.5 §9.5): on which channel operations are issued, and whom their numbers of processes mean.

use super::{After, Call, in_flight, team};
use crate::machine::Both;
use crate::mpi::Counter;
use crate::recorder::unknown_call;
use farside_events::{ChannelId, Rank, StackId};
use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

/// A context that the program made.
#[derive(Clone, Debug)]
struct Context {
    channel: ChannelId,
    /// The members of its team, in order; `None` for those of the world.
    team: Option<Arc<[Rank]>>,
    /// The call that destroyed it.
    destroyed: Option<(&'static str, StackId)>,
}

/// By handle. What is not here is the default context, which libraries keep in a variable or a constant of their own.
static CONTEXTS: RwLock<BTreeMap<usize, Context>> = RwLock::new(BTreeMap::new());
static NEXT: Counter = Counter::new();

/// `shmem_ctx_create(options, context)`, `shmem_team_create_ctx(team, options, context)`.
pub(super) fn create(call: &Call, of_team: bool) -> After {
    let team = match of_team {
        true => match team::members_of(call) {
            Some(members) => Some(Arc::from(members)),
            None => {
                unknown_call(call.function().name());
                return None;
            }
        },
        false => None,
    };
    Some(Box::new(move |call: &Call, result: Both| {
        let place = call.word(1 + usize::from(of_team)) as *const usize;
        if result.word as u32 != 0 || place.is_null() {
            return;
        }
        // SAFETY: the library has written the handle there.
        let handle = unsafe { place.read_unaligned() };
        let channel = ChannelId(u32::try_from(NEXT.next()).unwrap_or(u32::MAX));
        let context = Context {
            channel,
            team,
            destroyed: None,
        };
        contexts_mut(|contexts| contexts.insert(handle, context));
    }))
}

/// `shmem_ctx_destroy(context)`: what was issued on it is complete.
pub(super) fn destroy(call: &Call) -> After {
    let by = (call.function().name(), call.stack());
    let channel = contexts_mut(|contexts| {
        let context = contexts.get_mut(&call.word(0))?;
        context.destroyed = Some(by);
        Some(context.channel)
    })?;
    in_flight::complete(Some(channel), call.stack());
    None
}

/// The call that destroyed the context of this handle, if that was the last one of it.
pub(super) fn destroyed(handle: usize) -> Option<(&'static str, StackId)> {
    let contexts = CONTEXTS.read().unwrap_or_else(PoisonError::into_inner);
    contexts.get(&handle)?.destroyed
}

fn contexts_mut<T>(with: impl FnOnce(&mut BTreeMap<usize, Context>) -> T) -> T {
    with(&mut CONTEXTS.write().unwrap_or_else(PoisonError::into_inner))
}

/// The channel of a call.
pub(super) fn channel_of(call: &Call) -> ChannelId {
    of(call, |context| context.channel).unwrap_or_default()
}

/// Who a number of a process means in a call.
pub(super) fn process(call: &Call, pe: i32) -> Option<Rank> {
    let pe = u32::try_from(pe).ok()?;
    match of(call, |context| context.team.clone()).flatten() {
        Some(members) => members.get(pe as usize).copied(),
        None => Some(Rank(pe)),
    }
}

/// How many processes the numbers of a call mean, if those are not all of the job.
pub(super) fn size_of(call: &Call) -> Option<u32> {
    let members = of(call, |context| context.team.clone()).flatten()?;
    u32::try_from(members.len()).ok()
}

/// What is known of the context of a call that the program made.
fn of<T>(call: &Call, what: impl FnOnce(&Context) -> T) -> Option<T> {
    let handle = call.context()?;
    let contexts = CONTEXTS.read().unwrap_or_else(PoisonError::into_inner);
    contexts.get(&handle).map(what)
}
