//! Communication contexts (OpenSHMEM 1.5 §9.5): each has a scope of the transport, which `quiet` completes.
//!
//! `SHMEM_CTX_PRIVATE`, `SERIALIZED` and `NOSTORE` are accepted and change nothing: every context may be used by any
//! thread, and its quiet completes stores, too.

use crate::call::Call;
use crate::handle::{Ctx, Team};
use farside_fabric::{Rank, Scope};
use std::ffi::{c_int, c_long};
use std::sync::Arc;

/// All options of the standard: private, serialized, nostore.
const OPTIONS: c_long = 1 | 2 | 4;

/// A context.
pub(crate) struct Context {
    pub(crate) scope: Scope,
    team: Team,
    /// By the number in its team, the rank; `None`: the numbers are ranks.
    members: Option<Arc<[Rank]>>,
}

impl Context {
    /// A context of all PEs.
    pub(crate) fn of_world(scope: Scope) -> Self {
        Self {
            scope,
            team: Team::WORLD,
            members: None,
        }
    }

    /// The rank of a PE of the context's team.
    #[inline]
    pub(crate) fn rank(&self, call: Call, pe: c_int, size: u32) -> Rank {
        match &self.members {
            None => rank(call, pe, size),
            Some(members) => match usize::try_from(pe).ok().and_then(|pe| members.get(pe)) {
                Some(&rank) => rank,
                None => call.misuse(format_args!(
                    "PE {pe} is out of range: the context's team has {} PEs, numbered from 0",
                    members.len()
                )),
            },
        }
    }
}

/// The rank of a PE of the world.
#[inline]
pub(crate) fn rank(call: Call, pe: c_int, size: u32) -> Rank {
    match Rank::try_from(pe) {
        Ok(rank) if rank < size => rank,
        _ => call.misuse(format_args!(
            "PE {pe} is out of range: there are {size} PEs, numbered from 0"
        )),
    }
}

/// `shmem_ctx_create`: 0, or not 0 if there are too many contexts.
///
/// # Safety
/// `ctx` is valid for a write.
pub(crate) unsafe fn create(call: Call, options: c_long, ctx: *mut Ctx) -> c_int {
    // SAFETY: by the caller.
    unsafe { create_of_team(call, Team::WORLD, options, ctx) }
}

/// `shmem_team_create_ctx`: as [`create`], with numbers of a team.
///
/// # Safety
/// As there.
pub(crate) unsafe fn create_of_team(call: Call, team: Team, options: c_long, ctx: *mut Ctx) -> c_int {
    let pe = call.pe();
    if options & !OPTIONS != 0 {
        call.misuse(format_args!(
            "the options {options:#x} have bits that no option has"
        ));
    }
    let made = match team {
        Team::INVALID => None,
        team => {
            let members = pe.team(call, team);
            pe.fabric.open_scope().ok().map(|scope| Context {
                scope,
                team,
                members: (team != Team::WORLD).then(|| Arc::clone(&members.ranks)),
            })
        }
    };
    let (code, handle) = match made {
        Some(context) => (0, Ctx(pe.contexts.insert(context))),
        None => (1, Ctx::INVALID),
    };
    // SAFETY: by the caller.
    unsafe { ctx.write(handle) };
    code
}

/// `shmem_ctx_get_team`: not 0, and `SHMEM_TEAM_INVALID`, for `SHMEM_CTX_INVALID`.
///
/// # Safety
/// `team` is valid for a write.
pub(crate) unsafe fn get_team(call: Call, ctx: Ctx, team: *mut Team) -> c_int {
    let pe = call.pe();
    let (code, found) = match ctx {
        Ctx::INVALID => (1, Team::INVALID),
        ctx => (0, pe.context(call, ctx).team),
    };
    // SAFETY: by the caller.
    unsafe { team.write(found) };
    code
}

/// `shmem_ctx_destroy`: completes the context's operations first (§9.5.3).
///
/// # Safety
/// No other thread uses the context.
pub(crate) unsafe fn destroy(call: Call, ctx: Ctx) {
    let pe = call.pe();
    match ctx {
        Ctx::INVALID => {}
        Ctx::DEFAULT => call.misuse("SHMEM_CTX_DEFAULT cannot be destroyed"),
        ctx => {
            let context = pe.context(call, ctx);
            pe.quiet(call, context.scope);
            pe.contexts.remove(ctx.0);
            call.check(pe.fabric.close_scope(context.scope));
        }
    }
}

/// Destroys the contexts of a team that ends (§9.4.7).
pub(crate) fn destroy_of_team(call: Call, team: Team) {
    let pe = call.pe();
    for (handle, _) in pe
        .contexts
        .all()
        .into_iter()
        .filter(|(_, context)| context.team == team)
    {
        // SAFETY: the program destroys the team, and with it all use of its contexts.
        unsafe { destroy(call, Ctx(handle)) };
    }
}
