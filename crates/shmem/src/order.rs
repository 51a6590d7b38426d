//! Memory ordering (OpenSHMEM 1.5 §9.11).

use crate::call::Call;
use crate::handle::Ctx;
use crate::pe::Pe;
use farside_fabric::direct;

/// `shmem_fence`.
///
/// # Safety
/// None is needed; handlers of calls are unsafe alike.
pub(crate) unsafe fn fence(call: Call) {
    // SAFETY: none is needed.
    unsafe { ctx_fence(call, Ctx::DEFAULT) }
}

/// `shmem_ctx_fence`. Where memory is mapped, operations are done by this thread in the order of its calls; elsewhere
/// puts and atomic operations take different ways, and a fence is a quiet.
///
/// # Safety
/// As for [`fence`].
pub(crate) unsafe fn ctx_fence(call: Call, ctx: Ctx) {
    let pe = Pe::of(call);
    let scope = pe.scope_of(call, ctx);
    if pe.fabric().capabilities().mapped {
        direct::full_fence();
        pe.wake_all();
    } else {
        pe.quiet(call, scope);
    }
}

/// `shmem_quiet`.
///
/// # Safety
/// As for [`fence`].
pub(crate) unsafe fn quiet(call: Call) {
    let pe = Pe::of(call);
    pe.quiet(call, pe.default_scope());
}

/// `shmem_ctx_quiet`.
///
/// # Safety
/// As for [`fence`].
pub(crate) unsafe fn ctx_quiet(call: Call, ctx: Ctx) {
    let pe = Pe::of(call);
    let scope = pe.scope_of(call, ctx);
    pe.quiet(call, scope);
}
