//! OpenMP: teams, their barriers, work sharing, tasks and locks.
//!
//! GCC's libgomp waits inside itself and has no tool interface, so its entry points (`GOMP_*`) are interposed. LLVM's
//! libomp has OMPT, which [`ompt`] uses; its critical and ordered regions and its reductions are interposed all the
//! same ([`kmpc`]), because OMPT tells of a release only after it happened. The lock routines of both are in [`locks`].
//!
//! The edges, for both: what comes before a parallel region, before all members of its team; all members, before what
//! follows it. A barrier, explicit or at the end of a work-shared construct: all before all. `single` and `master`:
//! none of their own. Critical, atomic, locks: an end before the next beginning. `ordered`: in iteration order. Tasks:
//! creation before start; end before what follows `taskwait`, the end of the task group, the barrier or the
//! region; a dependence in the order of its variable.

mod dependence;
mod doacross;
mod exclusion;
mod kmpc;
mod locks;
mod memory;
mod ompt;
mod ompt_abi;
mod position;
mod region;
mod static_loop;
mod strand;
mod synchronise;
mod task;
mod thread_number;
mod worksharing;
