//! Communication contexts (OpenSHMEM 1.5 §9.5): each has a scope of the transport, which `quiet` completes.
//!
//! `SHMEM_CTX_PRIVATE`, `SERIALIZED` and `NOSTORE` are accepted and change nothing: every context may be used by any
//! thread, and its quiet completes stores, too.

use crate::call::Call;
use crate::context::Context;
use crate::handle::{Ctx, Team};
use crate::pe::Pe;
use std::ffi::{c_int, c_long};

/// All options of the standard: private, serialized, nostore.
const OPTIONS: c_long = 1 | 2 | 4;

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
    let pe = Pe::of(call);
    if options & !OPTIONS != 0 {
        call.misuse(format_args!(
            "the options {options:#x} have bits that no option has"
        ));
    }
    let made = match team {
        Team::INVALID => None,
        team => {
            let members = pe.team(call, team);
            pe.fabric().open_scope().ok().map(|scope| match team {
                Team::WORLD => Context::of_world(scope),
                team => Context::of_team(scope, team, members.ranks()),
            })
        }
    };
    let (code, handle) = match made {
        Some(context) => (0, Ctx::new(pe.contexts().insert(context))),
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
    let pe = Pe::of(call);
    let (code, found) = match ctx {
        Ctx::INVALID => (1, Team::INVALID),
        ctx => (0, pe.context(call, ctx).team()),
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
    let pe = Pe::of(call);
    match ctx {
        Ctx::INVALID => {}
        Ctx::DEFAULT => call.misuse("SHMEM_CTX_DEFAULT cannot be destroyed"),
        ctx => {
            let context = pe.context(call, ctx);
            pe.quiet(call, context.scope());
            pe.contexts().remove(ctx.handle());
            call.check(pe.fabric().close_scope(context.scope()));
        }
    }
}

/// Destroys the contexts of a team that ends (§9.4.7).
pub(crate) fn destroy_of_team(call: Call, team: Team) {
    let pe = Pe::of(call);
    for (handle, _) in pe
        .contexts()
        .all()
        .into_iter()
        .filter(|(_, context)| context.team() == team)
    {
        // SAFETY: the program destroys the team, and with it all use of its contexts.
        unsafe { destroy(call, Ctx::new(handle)) };
    }
}
