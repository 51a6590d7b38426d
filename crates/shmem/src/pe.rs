//! The library of this process while it runs: its endpoint, the memory of all PEs, and who it is.
//!
//! One region for each PE holds, at the same displacements everywhere, words of the library (`blocks.rs`), the
//! symmetric heap, and the static data of the executable. The library is made by `shmem_init` and stays in memory until
//! the process ends, since other threads may be in calls when `shmem_finalize` runs.

use crate::blocks;
use crate::call::Call;
use crate::context::Context;
use crate::ending;
use crate::handle::{Ctx, Handles, Team};
use crate::heap::Heap;
use crate::members::Members;
use crate::operands::Operands;
use crate::statics::{self, Statics};
use farside_fabric::bootstrap::Bootstrap;
use farside_fabric::{Descriptor, Error, Fabric, Rank, Remote, Result, Scope};
use std::ffi::c_int;
use std::ops::Range;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The running library, or null.
static RUNNING: AtomicPtr<Pe> = AtomicPtr::new(null_mut());
/// Whether it was ended.
static ENDED: AtomicBool = AtomicBool::new(false);

/// The name of what each PE says of its memory.
const CARD: &str = "shmem";

/// The heap's size without `SHMEM_SYMMETRIC_SIZE`. Pages come when they are first written.
const HEAP_BYTES: usize = 256 << 20;

/// The library of a PE.
pub(crate) struct Pe {
    fabric: Arc<dyn Fabric>,
    /// The memory of each PE.
    remotes: Vec<Remote>,
    /// Where the own region begins.
    base: *mut u8,
    /// Addresses of own symmetric memory, and the displacement of the first byte of each piece. The heap comes first.
    pieces: Vec<(Range<usize>, usize)>,
    heap: Mutex<Heap>,
    contexts: Handles<Context>,
    /// Of the default context.
    scope: Scope,
    teams: Handles<Members>,
    /// Whether the program has addresses of memory of other PEs, and so may store there.
    lent: AtomicBool,
    /// What `shmem_init_thread` granted.
    threads: c_int,
    operands: Operands,
}

// SAFETY: `base` is the address of memory that belongs to the endpoint and is reached by atomic accesses and copies of
// the transport only; all else is `Send` and `Sync`.
unsafe impl Send for Pe {}
// SAFETY: what changes is atomic or under a lock; memory of the region is reached as for `Send`.
unsafe impl Sync for Pe {}

/// The running library, if there is one.
#[inline]
pub(crate) fn current() -> Option<&'static Pe> {
    // SAFETY: what `start` stored is never given back.
    unsafe { RUNNING.load(Ordering::Acquire).as_ref() }
}

/// Whether `shmem_finalize` was called.
pub(crate) fn has_ended() -> bool {
    ENDED.load(Ordering::Acquire)
}

/// Starts the library: all PEs come here. True: it was not started before.
///
/// # Errors
/// The launcher or the transport fails, or memory is short.
pub(crate) fn start(call: Call, threads: c_int) -> Result<bool> {
    static STARTING: Mutex<()> = Mutex::new(());
    let _starting = STARTING.lock().unwrap_or_else(PoisonError::into_inner);
    if current().is_some() {
        return Ok(false);
    }
    if has_ended() {
        call.misuse("the library has been finalized, and cannot start again in this process");
    }
    let heap_bytes = match std::env::var("SHMEM_SYMMETRIC_SIZE") {
        Err(_) => HEAP_BYTES,
        Ok(text) => bytes_of(&text).ok_or_else(|| {
            Error::Bootstrap(format!(
                "SHMEM_SYMMETRIC_SIZE is `{text}`, which is no size such as 64M or 1.5G"
            ))
        })?,
    };
    let bootstrap = farside_launch::connect().map_err(|error| Error::Bootstrap(error.to_string()))?;
    let bootstrap: Arc<dyn Bootstrap> = Arc::from(bootstrap);
    ending::know(&bootstrap);
    let transport = std::env::var_os("FARSIDE_TRANSPORT").unwrap_or_default();
    let mut say = |remark: &str| eprintln!("farside: {remark}");
    let transport = transport.to_string_lossy();
    let fabric = farside_fabric_hybrid::by_name(&transport, Arc::clone(&bootstrap), &mut say)?;
    let pe = Pe::assemble(fabric, bootstrap, heap_bytes, threads)?;
    let pe: &'static Pe = Box::leak(Box::new(pe));
    ending::watch(pe.word(blocks::EXIT));
    RUNNING.store(std::ptr::from_ref(pe).cast_mut(), Ordering::Release);
    Ok(true)
}

/// A size as the standard writes it: a number, and K, M, G or T (OpenSHMEM 1.5 §8).
fn bytes_of(text: &str) -> Option<usize> {
    let text = text.trim();
    let upper = text.to_ascii_uppercase();
    let upper = upper.strip_suffix('B').unwrap_or(&upper);
    let (number, shift) = match upper.chars().last()? {
        'K' => (&upper[..upper.len() - 1], 10),
        'M' => (&upper[..upper.len() - 1], 20),
        'G' => (&upper[..upper.len() - 1], 30),
        'T' => (&upper[..upper.len() - 1], 40),
        _ => (upper, 0),
    };
    let number: f64 = number.trim().parse().ok()?;
    let bytes = number * (1_u64 << shift) as f64;
    (number >= 0.0 && bytes < (1_u64 << 47) as f64).then_some(bytes.ceil() as usize)
}

impl Pe {
    fn assemble(
        fabric: Arc<dyn Fabric>,
        bootstrap: Arc<dyn Bootstrap>,
        heap_bytes: usize,
        threads: c_int,
    ) -> Result<Self> {
        let page = statics::page();
        let statics = Statics::find();
        let heap_at = blocks::BYTES.next_multiple_of(page);
        let statics_at = (heap_at + heap_bytes).next_multiple_of(page);
        let exposed = fabric.expose(statics_at + statics.bytes())?;
        let base = exposed.base.as_ptr();
        let (rank, size) = (fabric.rank(), fabric.size());
        let signature = statics.signature();
        let mut card = vec![exposed.descriptor.bytes().len() as u8];
        card.extend(exposed.descriptor.bytes());
        card.extend((heap_bytes as u64).to_ne_bytes());
        card.extend(&signature);
        bootstrap.publish(CARD, &card)?;
        bootstrap.fence()?;
        let mut same = (base as usize).is_multiple_of(page);
        let mut remotes = Vec::with_capacity(size as usize);
        for owner in 0..size {
            let card = bootstrap.lookup(owner, CARD)?;
            let malformed = || Error::Bootstrap(format!("what PE {owner} says of its memory cannot be read"));
            let (&length, rest) = card.split_first().ok_or_else(malformed)?;
            let (descriptor, rest) = rest.split_at_checked(length.into()).ok_or_else(malformed)?;
            let (heap, theirs) = rest.split_at_checked(8).ok_or_else(malformed)?;
            if heap != (heap_bytes as u64).to_ne_bytes() {
                return Err(Error::Bootstrap(format!(
                    "SHMEM_SYMMETRIC_SIZE is not the same at PE {owner} and PE {rank}"
                )));
            }
            same &= theirs == signature;
            remotes.push(fabric.connect(owner, &Descriptor::new(descriptor)?)?);
        }
        let heap_from = base as usize + heap_at;
        let mut pieces = vec![(heap_from..heap_from + heap_bytes, heap_at)];
        if same && !statics.pages().is_empty() {
            // SAFETY: the region is new, has room for the statics at this displacement, and stays until the process
            // ends; transports expose shared mappings.
            unsafe { statics.share(base.add(statics_at)) }.map_err(|error| Error::System {
                call: "a second mapping of static data",
                detail: error.to_string(),
            })?;
            let mut displacement = statics_at;
            for pages in statics.pages() {
                pieces.push((pages.clone(), displacement));
                displacement += pages.len();
            }
        }
        // Nobody writes to statics of a PE that has not mapped them yet.
        bootstrap.fence()?;
        let pe = Self {
            heap: Mutex::new(Heap::new(heap_bytes)),
            scope: fabric.open_scope()?,
            contexts: Handles::new(),
            teams: Handles::new(),
            lent: AtomicBool::new(false),
            fabric,
            remotes,
            base,
            pieces,
            threads,
            operands: Operands::new(),
        };
        let node = |other: Rank| pe.fabric.node(other);
        let neighbours: Vec<Rank> = (0..size).filter(|&other| node(other) == node(rank)).collect();
        let world = Members::new((0..size).collect(), rank, 0, pe.fabric.open_scope()?, 0);
        pe.teams.insert(world);
        pe.teams
            .insert(Members::new(neighbours, rank, 1, pe.fabric.open_scope()?, 0));
        pe.contexts.insert(Context::of_world(pe.scope));
        Ok(pe)
    }

    /// The running library of this process; misuse before `shmem_init` and after `shmem_finalize`.
    #[inline]
    pub(crate) fn of(call: Call) -> &'static Self {
        match current() {
            Some(pe) => pe,
            None => call.misuse(match has_ended() {
                true => "shmem_finalize has been called",
                false => "shmem_init has not been called",
            }),
        }
    }

    /// The endpoint.
    #[inline]
    pub(crate) fn fabric(&self) -> &dyn Fabric {
        &*self.fabric
    }

    /// All contexts.
    pub(crate) fn contexts(&self) -> &Handles<Context> {
        &self.contexts
    }

    /// All teams.
    pub(crate) fn teams(&self) -> &Handles<Members> {
        &self.teams
    }

    /// Where operands of atomic operations wait.
    pub(crate) fn operands(&self) -> &Operands {
        &self.operands
    }

    /// The level of threads that was granted.
    pub(crate) fn threads(&self) -> c_int {
        self.threads
    }

    /// From now on the program has addresses of memory of other PEs.
    pub(crate) fn lend(&self) {
        self.lent.store(true, Ordering::Relaxed);
    }

    /// The own number.
    #[inline]
    pub(crate) fn rank(&self) -> Rank {
        self.fabric.rank()
    }

    /// How many PEs there are.
    #[inline]
    pub(crate) fn size(&self) -> u32 {
        self.remotes.len() as u32
    }

    /// The memory of a PE, which is in range.
    #[inline]
    pub(crate) fn remote(&self, rank: Rank) -> &Remote {
        &self.remotes[rank as usize]
    }

    /// What is in use of the heap.
    pub(crate) fn heap(&self) -> MutexGuard<'_, Heap> {
        self.heap.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The address of an offset of the own heap.
    pub(crate) fn heap_address(&self, offset: usize) -> usize {
        self.pieces[0].0.start + offset
    }

    /// The offset in the own heap of an address there.
    pub(crate) fn heap_offset(&self, at: usize) -> Option<usize> {
        let heap = &self.pieces[0].0;
        heap.contains(&at).then(|| at - heap.start)
    }

    /// The displacement of own symmetric memory, if all of it is.
    #[inline]
    pub(crate) fn displacement(&self, at: usize, bytes: usize) -> Option<usize> {
        self.pieces.iter().find_map(|(piece, displacement)| {
            let offset = at.wrapping_sub(piece.start);
            (offset < piece.len() && bytes <= piece.len() - offset).then(|| displacement + offset)
        })
    }

    /// An own word of the library.
    #[inline]
    pub(crate) fn word(&self, displacement: usize) -> &AtomicU64 {
        // SAFETY: in the region, which is mapped until the process ends, and aligned: `blocks` says where words are.
        unsafe { AtomicU64::from_ptr(self.base.add(displacement).cast()) }
    }

    /// The scope of the default context.
    #[inline]
    pub(crate) fn default_scope(&self) -> Scope {
        self.scope
    }

    /// The scope of a context.
    #[inline]
    pub(crate) fn scope_of(&self, call: Call, ctx: Ctx) -> Scope {
        match ctx {
            Ctx::DEFAULT => self.scope,
            ctx => self.context(call, ctx).scope(),
        }
    }

    /// A context that is in use.
    pub(crate) fn context(&self, call: Call, ctx: Ctx) -> Arc<Context> {
        match self.contexts.get(ctx.handle()) {
            Some(context) => context,
            None => call.misuse(format_args!(
                "the context {:#x} is invalid, or was destroyed",
                ctx.handle()
            )),
        }
    }

    /// A team that is in use.
    pub(crate) fn team(&self, call: Call, team: Team) -> Arc<Members> {
        match self.teams.get(team.handle()) {
            Some(members) => members,
            None => call.misuse(format_args!(
                "the team {:#x} is invalid, or was destroyed",
                team.handle()
            )),
        }
    }

    /// Waits until `ready` says so. The transport decides how: it asks for a while, offers its processor, and sleeps.
    #[inline]
    pub(crate) fn wait(&self, call: Call, ready: &mut dyn FnMut() -> bool) {
        call.check(self.fabric.wait(None, &mut || Ok(ready())));
    }

    /// Completes all operations of a scope, and makes own stores visible.
    pub(crate) fn quiet(&self, call: Call, scope: Scope) {
        call.check(self.fabric.flush(scope, None));
        self.wake_all();
    }

    /// Wakes the PEs in whose memory the program may have stored by addresses of `shmem_ptr`.
    pub(crate) fn wake_all(&self) {
        if self.lent.load(Ordering::Relaxed) {
            (0..self.size()).for_each(|rank| self.fabric.wake(rank));
        }
    }

    /// Leaves the job in agreement with all.
    ///
    /// # Errors
    /// A PE is lost, or the launcher is.
    pub(crate) fn finish(&self) -> Result<()> {
        RUNNING.store(null_mut(), Ordering::Release);
        ENDED.store(true, Ordering::Release);
        self.fabric.finish()
    }

    /// Says to all PEs that the program ends with a status, and ends this one.
    pub(crate) fn exit_all(&self, status: c_int) -> ! {
        let word = ending::word(status);
        for rank in 0..self.size() {
            let put = farside_fabric::Put {
                scope: self.scope,
                origin: (&raw const word).cast(),
                bytes: 8,
                remote: *self.remote(rank),
                displacement: blocks::EXIT,
                signal: farside_fabric::Signal::None,
            };
            // SAFETY: connected, and `word` lives until the flush, or the end of the process. Who cannot be told is
            // lost.
            let _ = unsafe { self.fabric.put(&put) };
        }
        let _ = self.fabric.flush(self.scope, None);
        (0..self.size()).for_each(|rank| self.fabric.wake(rank));
        ending::take_leave();
        // SAFETY: ends the process, with its handlers: the standard lets this call be made by any PE at any time.
        unsafe { libc::exit(status) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_as_the_standard_writes_them() {
        let cases = [
            ("4096", Some(4096)),
            ("16M", Some(16 << 20)),
            ("1.5k", Some(1536)),
            (" 2 GB", Some(2 << 30)),
        ];
        for (text, bytes) in cases {
            assert_eq!(bytes_of(text), bytes, "{text}");
        }
        for text in ["", "M", "-1", "1X", "many", "9999T"] {
            assert_eq!(bytes_of(text), None, "{text}");
        }
    }
}
