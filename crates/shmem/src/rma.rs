//! Remote memory access (OpenSHMEM 1.5 §9.6): put, get, their strided forms, single elements, and the forms that do not
//! block.
//!
//! A blocking put returns when its buffer may be used again; a blocking get when the bytes are here. What does not
//! block is completed by `quiet` of its context.

use crate::call::Call;
use crate::context;
use crate::handle::Ctx;
use crate::pe::Pe;
use farside_fabric::{
    AtomicKind, AtomicOperation, CompareSwap, Fetch, Get, Put, Rank, Scope, Signal, Ticket,
};
use std::ffi::c_int;
use std::mem::MaybeUninit;
use std::ptr::null_mut;

/// Where an operation goes, and what completes it.
#[derive(Clone, Copy)]
pub(crate) struct Target {
    call: Call,
    pe: &'static Pe,
    scope: Scope,
    rank: Rank,
}

impl Target {
    /// A PE of a context, by its number there.
    #[inline]
    pub(crate) fn new(call: Call, ctx: Ctx, number: c_int) -> Self {
        let pe = Pe::of(call);
        let (scope, rank) = match ctx {
            Ctx::DEFAULT => (pe.default_scope(), context::rank(call, number, pe.size())),
            ctx => {
                let context = pe.context(call, ctx);
                (context.scope(), context.rank(call, number, pe.size()))
            }
        };
        Self {
            call,
            pe,
            scope,
            rank,
        }
    }

    /// A PE by its rank.
    #[inline]
    pub(crate) fn of_rank(call: Call, pe: &'static Pe, scope: Scope, rank: Rank) -> Self {
        Self {
            call,
            pe,
            scope,
            rank,
        }
    }

    /// Whether operations are done when their calls return, in the order of the calls.
    #[inline]
    pub(crate) fn is_mapped(&self) -> bool {
        self.pe.fabric().capabilities().mapped
    }

    /// Completes all operations of the context to this PE.
    pub(crate) fn flush(&self) {
        self.call
            .check(self.pe.fabric().flush(self.scope, Some(self.rank)));
    }

    /// Waits until buffers of all operations of the context to this PE are free.
    fn flush_local(&self) {
        self.call
            .check(self.pe.fabric().flush_local(self.scope, Some(self.rank)));
    }

    /// The displacement of symmetric memory that an argument names.
    #[inline]
    pub(crate) fn place<T>(&self, argument: &str, at: *const T, count: usize) -> usize {
        symmetric(self.call, self.pe, argument, at, count)
    }

    /// Starts a put.
    ///
    /// # Safety
    /// `source` is valid for reads of `bytes` bytes, and is not written until the ticket is complete.
    #[inline]
    pub(crate) unsafe fn put(&self, displacement: usize, source: *const u8, bytes: usize) -> Ticket {
        let put = Put {
            scope: self.scope,
            origin: source,
            bytes,
            remote: *self.pe.remote(self.rank),
            displacement,
            signal: Signal::None,
        };
        // SAFETY: by the caller; regions stay connected until the process ends.
        self.call.check(unsafe { self.pe.fabric().put(&put) })
    }

    /// Starts a get.
    ///
    /// # Safety
    /// `dest` is valid for writes of `bytes` bytes, and is not touched until the ticket is complete.
    #[inline]
    pub(crate) unsafe fn get(&self, dest: *mut u8, displacement: usize, bytes: usize) -> Ticket {
        let get = Get {
            scope: self.scope,
            origin: dest,
            bytes,
            remote: *self.pe.remote(self.rank),
            displacement,
        };
        // SAFETY: by the caller; regions stay connected until the process ends.
        self.call.check(unsafe { self.pe.fabric().get(&get) })
    }

    /// Starts an atomic operation on one element.
    ///
    /// # Safety
    /// As for [`Fabric::fetch`](farside_fabric::Fabric::fetch), of `operand` and `result`.
    #[inline]
    pub(crate) unsafe fn update(
        &self,
        (operation, kind): (AtomicOperation, AtomicKind),
        displacement: usize,
        operand: *const u8,
        result: *mut u8,
    ) -> Ticket {
        let fetch = Fetch {
            scope: self.scope,
            operation,
            kind,
            count: 1,
            operands: operand,
            results: result,
            remote: *self.pe.remote(self.rank),
            displacement,
        };
        // SAFETY: by the caller; regions stay connected until the process ends.
        self.call.check(unsafe { self.pe.fabric().fetch(&fetch) })
    }

    /// Starts a compare-and-swap.
    ///
    /// # Safety
    /// As for [`Fabric::compare_swap`](farside_fabric::Fabric::compare_swap), of all three.
    #[inline]
    pub(crate) unsafe fn compare_swap(
        &self,
        kind: AtomicKind,
        displacement: usize,
        (expected, replacement): (*const u8, *const u8),
        result: *mut u8,
    ) -> Ticket {
        let swap = CompareSwap {
            scope: self.scope,
            kind,
            expected,
            replacement,
            result,
            remote: *self.pe.remote(self.rank),
            displacement,
        };
        // SAFETY: by the caller; regions stay connected until the process ends.
        self.call.check(unsafe { self.pe.fabric().compare_swap(&swap) })
    }

    /// Starts an operation with copies of its operands, which live until it is complete.
    #[inline]
    pub(crate) fn lending<T: Copy>(&self, values: [T; 2], start: impl FnOnce([*const T; 2]) -> Ticket) {
        let complete = |ticket| self.complete(ticket);
        self.pe.operands().lend(values, start, complete);
    }

    /// Waits until an operation is complete locally.
    #[inline]
    pub(crate) fn complete(&self, ticket: Ticket) {
        if ticket != Ticket::DONE {
            let waited = self.pe.fabric().wait(None, &mut || self.pe.fabric().test(ticket));
            self.call.check(waited);
        }
    }
}

/// The displacement of own symmetric memory that an argument names; misuse if it is none. Of no elements it is 0.
#[inline]
pub(crate) fn symmetric<T>(call: Call, pe: &Pe, argument: &str, at: *const T, count: usize) -> usize {
    if count == 0 {
        return 0;
    }
    let bytes = count.saturating_mul(size_of::<T>());
    match pe.displacement(at as usize, bytes) {
        Some(displacement) => displacement,
        None => call.misuse(format_args!(
            "{argument} ({at:p}, {bytes} bytes) is not symmetric: it is neither in the symmetric heap nor static data \
             of the executable"
        )),
    }
}

/// Misuse if a local buffer is null.
#[inline]
fn local<T>(call: Call, argument: &str, at: *const T) {
    if at.is_null() {
        call.misuse(format_args!("{argument} is null"));
    }
}

/// `shmem_put`.
///
/// # Safety
/// `source` is valid for reads of `nelems` elements; the program keeps the rules of §9.6.
pub(crate) unsafe fn put<T>(
    call: Call,
    ctx: Ctx,
    dest: *mut T,
    source: *const T,
    nelems: usize,
    number: c_int,
) {
    let target = Target::new(call, ctx, number);
    if nelems == 0 {
        return;
    }
    local(call, "source", source);
    let displacement = target.place("dest", dest, nelems);
    // SAFETY: by the caller; the wait keeps the buffer until it is free.
    target.complete(unsafe { target.put(displacement, source.cast(), nelems * size_of::<T>()) });
}

/// `shmem_put_nbi`.
///
/// # Safety
/// As for [`put`], until the quiet of the context.
pub(crate) unsafe fn put_nbi<T>(
    call: Call,
    ctx: Ctx,
    dest: *mut T,
    source: *const T,
    nelems: usize,
    number: c_int,
) {
    let target = Target::new(call, ctx, number);
    if nelems == 0 {
        return;
    }
    local(call, "source", source);
    let displacement = target.place("dest", dest, nelems);
    // SAFETY: by the caller.
    unsafe { target.put(displacement, source.cast(), nelems * size_of::<T>()) };
}

/// `shmem_p`.
///
/// # Safety
/// The program keeps the rules of §9.6.
pub(crate) unsafe fn p<T>(call: Call, ctx: Ctx, dest: *mut T, value: T, number: c_int) {
    // SAFETY: `value` lives until the call returns.
    unsafe { put(call, ctx, dest, &raw const value, 1, number) }
}

/// `shmem_get`.
///
/// # Safety
/// `dest` is valid for writes of `nelems` elements; the program keeps the rules of §9.6.
pub(crate) unsafe fn get<T>(
    call: Call,
    ctx: Ctx,
    dest: *mut T,
    source: *const T,
    nelems: usize,
    number: c_int,
) {
    let target = Target::new(call, ctx, number);
    if nelems == 0 {
        return;
    }
    local(call, "dest", dest);
    let displacement = target.place("source", source, nelems);
    // SAFETY: by the caller; the wait keeps the buffer until it is filled.
    target.complete(unsafe { target.get(dest.cast(), displacement, nelems * size_of::<T>()) });
}

/// `shmem_get_nbi`.
///
/// # Safety
/// As for [`get`], until the quiet of the context.
pub(crate) unsafe fn get_nbi<T>(
    call: Call,
    ctx: Ctx,
    dest: *mut T,
    source: *const T,
    nelems: usize,
    number: c_int,
) {
    let target = Target::new(call, ctx, number);
    if nelems == 0 {
        return;
    }
    local(call, "dest", dest);
    let displacement = target.place("source", source, nelems);
    // SAFETY: by the caller.
    unsafe { target.get(dest.cast(), displacement, nelems * size_of::<T>()) };
}

/// `shmem_g`.
///
/// # Safety
/// The program keeps the rules of §9.6, and all bytes are a value of `T`.
pub(crate) unsafe fn g<T>(call: Call, ctx: Ctx, source: *const T, number: c_int) -> T {
    let mut value = MaybeUninit::<T>::uninit();
    // SAFETY: one element is there, and filled when the call returns.
    unsafe {
        get(call, ctx, value.as_mut_ptr(), source, 1, number);
        value.assume_init()
    }
}

/// How many elements a strided object spans.
fn span(call: Call, argument: &str, stride: isize, nelems: usize) -> (usize, usize) {
    match usize::try_from(stride) {
        Ok(stride) if stride > 0 => (stride, (nelems - 1).saturating_mul(stride).saturating_add(1)),
        _ => call.misuse(format_args!("{argument} is {stride}: a stride is at least 1")),
    }
}

/// `shmem_iput`.
///
/// # Safety
/// `source` is valid for reads of what the elements span; the program keeps the rules of §9.6.
pub(crate) unsafe fn iput<T>(
    call: Call,
    ctx: Ctx,
    dest: *mut T,
    source: *const T,
    dst: isize,
    sst: isize,
    nelems: usize,
    number: c_int,
) {
    let target = Target::new(call, ctx, number);
    if nelems == 0 {
        return;
    }
    local(call, "source", source);
    let ((to, spanned), (from, _)) = (span(call, "dst", dst, nelems), span(call, "sst", sst, nelems));
    let begin = target.place("dest", dest, spanned);
    if (to, from) == (1, 1) {
        // SAFETY: as for `put`.
        target.complete(unsafe { target.put(begin, source.cast(), nelems * size_of::<T>()) });
        return;
    }
    for element in 0..nelems {
        // SAFETY: within what both span; below, all buffers are free before the call returns.
        unsafe {
            let source = source.add(element * from).cast();
            target.put(begin + element * to * size_of::<T>(), source, size_of::<T>());
        }
    }
    target.flush_local();
}

/// `shmem_iget`.
///
/// # Safety
/// `dest` is valid for writes of what the elements span; the program keeps the rules of §9.6.
pub(crate) unsafe fn iget<T>(
    call: Call,
    ctx: Ctx,
    dest: *mut T,
    source: *const T,
    dst: isize,
    sst: isize,
    nelems: usize,
    number: c_int,
) {
    let target = Target::new(call, ctx, number);
    if nelems == 0 {
        return;
    }
    local(call, "dest", dest);
    let ((to, _), (from, spanned)) = (span(call, "dst", dst, nelems), span(call, "sst", sst, nelems));
    let begin = target.place("source", source, spanned);
    if (to, from) == (1, 1) {
        // SAFETY: as for `get`.
        target.complete(unsafe { target.get(dest.cast(), begin, nelems * size_of::<T>()) });
        return;
    }
    for element in 0..nelems {
        // SAFETY: within what both span; below, all elements are here before the call returns.
        unsafe {
            let dest = dest.add(element * to).cast();
            target.get(dest, begin + element * from * size_of::<T>(), size_of::<T>());
        }
    }
    target.flush_local();
}

impl Target {
    /// Fetches and updates an element, and waits for the result.
    ///
    /// # Safety
    /// `operand` is valid for the call, unless the operation is an atomic read.
    #[inline]
    pub(crate) unsafe fn fetch<T: Copy>(
        &self,
        what: (AtomicOperation, AtomicKind),
        displacement: usize,
        operand: *const T,
    ) -> T {
        let mut value = MaybeUninit::<T>::uninit();
        // SAFETY: both live until the operation is complete; then the value is there.
        unsafe {
            self.complete(self.update(what, displacement, operand.cast(), value.as_mut_ptr().cast()));
            value.assume_init()
        }
    }

    /// Updates an element; the operand may be used again when it returns.
    ///
    /// # Safety
    /// As for [`Target::fetch`].
    #[inline]
    pub(crate) unsafe fn change<T>(
        &self,
        what: (AtomicOperation, AtomicKind),
        displacement: usize,
        operand: *const T,
    ) {
        // SAFETY: by the caller; the wait keeps the operand.
        self.complete(unsafe { self.update(what, displacement, operand.cast(), null_mut()) });
    }
}
