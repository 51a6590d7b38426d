//! Tasks of libgomp.
//!
//! libgomp copies a task's data when it defers the task, with the compiler's copy function or byte by byte. So the data
//! is passed with a [`Header`] in front, which travels with it and says what to run, and for which task.

use super::super::object::Kind;
use super::super::{acquire, release};
use super::dependence::{self, Dependence};
use super::position::{Position, Strand, Team, current_task, fresh};
use super::strand;
use crate::interposed::interpose;
use crate::recorder;
use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};
use std::cell::RefCell;
use std::ffi::{c_int, c_long, c_uint, c_ulong, c_void};
use std::mem::ManuallyDrop;
use std::ptr;

type Body = unsafe extern "C-unwind" fn(*mut c_void);
type Copier = unsafe extern "C-unwind" fn(*mut c_void, *mut c_void);

/// `GOMP_TASK_FLAG_*` of gomp-constants.h.
const FINAL: c_uint = 1 << 1;
const DEPEND: c_uint = 1 << 3;
const IF: c_uint = 1 << 10;
const NO_GROUP: c_uint = 1 << 11;
const REDUCTION: c_uint = 1 << 12;
const DETACH: c_uint = 1 << 13;

/// What a task must know to order itself.
#[derive(Clone, Copy)]
pub(super) struct Task {
    /// Its own number.
    pub(super) number: u64,
    /// Its parent's.
    pub(super) parent: u64,
    /// The task group that it belongs to; 0 is "none".
    pub(super) group: u64,
    /// The team that executes it.
    pub(super) team: Team,
    /// What its creation releases.
    pub(super) creation: Kind,
    /// It is recorded as a strand of its own.
    is_strand: bool,
    /// Its creator waits for it: it is undeferred or included (OpenMP 5.2, §12.5).
    is_awaited: bool,
}

impl Task {
    /// The calling thread, in this task and task group, creates it, to be executed as a strand of its own. `creation`
    /// says whether it is executed once or is all tasks of a loop; `is_awaited`, whether the creator waits for it.
    pub(super) fn create(within: (u64, u64), creation: Kind, is_awaited: bool) -> Self {
        strand::of_implicit_task();
        let task = Self {
            is_strand: strand::wanted(),
            is_awaited: is_awaited || Position::get().is_final(),
            ..Self::new(within, creation)
        };
        release(creation.number(task.number));
        task
    }

    /// A task, in this task and task group, that nothing is known of yet.
    pub(super) fn new((parent, group): (u64, u64), creation: Kind) -> Self {
        Self {
            number: fresh(),
            parent,
            group,
            team: Position::get().team,
            creation,
            is_strand: false,
            is_awaited: false,
        }
    }

    /// The same task, of this team.
    pub(super) fn of(self, team: Team) -> Self {
        Self { team, ..self }
    }

    /// The calling thread is about to execute it, or its next part. What the thread is without it is returned, for
    /// [`Self::end`] or [`Self::pause`].
    pub(super) fn begin(&self, dependences: &[Dependence], is_final: bool) -> Executor {
        let position = Position::get();
        let strand = match self.is_strand {
            true => strand::begin(),
            false => None,
        };
        acquire(self.creation.number(self.number));
        dependence::start(dependences, self.parent);
        let within = (self.number, self.group);
        position.in_task(within, self.is_strand, is_final).set();
        Executor { position, strand }
    }

    /// The calling thread executed a part of it. Who executes the next comes after this.
    pub(super) fn pause(&self, executor: Executor) {
        release(self.creation.number(self.number));
        executor.go_on();
    }

    /// The calling thread executed it.
    pub(super) fn end(&self, dependences: &[Dependence], executor: Executor) {
        self.is_over(dependences, executor.position);
        executor.go_on();
    }

    /// The calling thread has created it, and it was executed if it is one that the thread waits for.
    pub(super) fn created(&self) {
        if self.is_awaited {
            acquire(Kind::TaskEnd.number(self.number));
        }
    }

    /// Those who wait for its end come after this. `executor` is where the calling thread is without it.
    fn is_over(&self, dependences: &[Dependence], executor: Position) {
        dependence::end(dependences, self.parent);
        release(Kind::TaskChildren.number(self.parent));
        if self.group != 0 {
            release(Kind::TaskGroup.number(self.group));
        }
        if self.is_awaited {
            release(Kind::TaskEnd.number(self.number));
        }
        if self.is_strand && executor.team == self.team {
            // The thread's own arrival comes after this, but what it is itself does not know of it.
            release(self.team.barrier(executor.barriers));
            return release(self.team.join());
        }
        if executor.team != self.team {
            // The thread ended its own part of the region and waits for the others.
            release(self.team.join());
        } else if executor.in_barrier {
            release(executor.team.barrier(executor.barriers));
        }
        // Otherwise the thread's own arrival at the next barrier comes after this.
    }
}

/// What a thread that executes a task is without it.
pub(super) struct Executor {
    position: Position,
    /// What it is as the task.
    strand: Option<Strand>,
}

impl Executor {
    /// The calling thread is it again.
    fn go_on(self) {
        strand::suspend();
        if let Some(strand) = self.strand {
            strand::end(strand);
        }
        // What the executor had not needed before, it does not need now.
        self.position.set();
        strand::resume();
    }
}

/// What lies before the program's data.
#[repr(C)]
#[derive(Clone, Copy)]
struct Header {
    /// Words of the data that libgomp reads or writes at its beginning: the event of a detachable task; the bounds and
    /// the reductions of a task loop.
    words: [usize; 3],
    /// How many of them the body must find at the beginning of its data.
    written: usize,
    body: Body,
    copier: Option<Copier>,
    /// The program's data, for `copier`.
    source: *mut c_void,
    /// From the header to the data.
    offset: usize,
    task: Task,
    /// It is final: it waits for the tasks that it creates.
    is_final: bool,
    /// The dependences, which the task gives back when it ends; null if it has none.
    dependences: *mut Vec<Dependence>,
}

/// Copies a task's data to the place after its header.
unsafe extern "C-unwind" fn copy(to: *mut c_void, from: *mut c_void) {
    // SAFETY: `from` is what `with_header` made, and libgomp made as much room.
    unsafe {
        let header = from.cast::<Header>().read();
        to.cast::<Header>().write(header);
        if let Some(copier) = header.copier {
            copier(to.byte_add(header.offset), header.source);
        }
    }
}

/// Executes a task.
unsafe extern "C-unwind" fn run(data: *mut c_void) {
    // SAFETY: libgomp passes what `with_header` made, or a copy. The words are read late: libgomp writes to the copy.
    let header = unsafe { data.cast::<Header>().read() };
    // SAFETY: the program's data is there.
    let own_data = unsafe { data.byte_add(header.offset) };
    // SAFETY: `written` words belong to the data.
    unsafe { ptr::copy_nonoverlapping(header.words.as_ptr(), own_data.cast(), header.written) };
    // SAFETY: null, or from `Box::into_raw`, and given back below, by the one execution of the task.
    let dependences = unsafe { header.dependences.as_ref() }.map_or(&[][..], Vec::as_slice);
    let executor = header.task.begin(dependences, header.is_final);
    // SAFETY: body and data belong together.
    unsafe { (header.body)(own_data) };
    header.task.end(dependences, executor);
    if !header.dependences.is_null() {
        // SAFETY: from `Box::into_raw`, as it is not null; a task is executed once, and `dependences` is not used
        // again.
        drop(unsafe { Box::from_raw(header.dependences) });
    }
}

/// Calls `create` with data that begins with `header`, its size and its alignment.
///
/// # Safety
/// `header.source` points to `size` bytes, unless `header.copier` knows better.
unsafe fn with_header<R>(
    mut header: Header,
    size: usize,
    align: usize,
    create: impl FnOnce(*mut c_void, Option<Copier>, c_long, c_long) -> R,
) -> R {
    let align = align.max(align_of::<Header>());
    header.offset = size_of::<Header>().next_multiple_of(align);
    let whole = header.offset + size;
    let Ok(layout) = Layout::from_size_align(whole, align) else {
        handle_alloc_error(Layout::new::<Header>());
    };
    // SAFETY: the size is not zero.
    let data = unsafe { alloc(layout) };
    if data.is_null() {
        handle_alloc_error(layout);
    }
    // SAFETY: the allocation holds the header and the data.
    unsafe {
        data.cast::<Header>().write(header);
        if header.copier.is_none() && size != 0 {
            ptr::copy_nonoverlapping(header.source.cast::<u8>(), data.add(header.offset), size);
        }
    }
    let copier = header.copier.map(|_| copy as Copier);
    let result = create(data.cast(), copier, whole as c_long, align as c_long);
    // SAFETY: allocated above; libgomp has copied it or executed the task.
    unsafe { dealloc(data, layout) };
    result
}

/// A header for a task that the calling thread creates.
fn header(body: Body, copier: Option<Copier>, source: *mut c_void, task: Task, flags: c_uint) -> Header {
    Header {
        words: [0; 3],
        written: 0,
        body,
        copier,
        source,
        offset: 0,
        task,
        is_final: flags & FINAL != 0 || Position::get().is_final(),
        dependences: ptr::null_mut(),
    }
}

interpose! {
    fn GOMP_task(
        body: Body,
        data: *mut c_void,
        copier: Option<Copier>,
        size: c_long,
        align: c_long,
        deferred: bool,
        flags: c_uint,
        dependences: *const *const c_void,
        priority: c_int,
        detach: *mut c_void,
    ) |unsafe real| {
        if recorder::inside_mpi() {
            // SAFETY: the caller's arguments, unchanged.
            unsafe { real(body, data, copier, size, align, deferred, flags, dependences, priority, detach) };
            return;
        }
        let parent = current_task();
        let task = Task::create((parent, Position::get().group), Kind::TaskStart, !deferred);
        let mut header = header(body, copier, data, task, flags);
        if flags & DEPEND != 0 {
            // SAFETY: the flag says that the array is there.
            header.dependences = Box::into_raw(Box::new(unsafe { dependence::read(dependences) }));
        }
        if flags & DETACH != 0 && !data.is_null() {
            header.written = 1;
        }
        // SAFETY: the caller's arguments, with data and functions that do the same with his.
        unsafe {
            with_header(header, size as usize, align as usize, |data, copier, size, align| {
                real(run, data, copier, size, align, deferred, flags, dependences, priority, detach);
            });
        }
        task.created();
    }

    fn GOMP_taskwait() |real| {
        real();
        acquire(Kind::TaskChildren.number(current_task()));
    }

    fn GOMP_taskwait_depend(dependences: *const *const c_void) |real| {
        real();
        if super::super::observing() {
            // SAFETY: the compiler passes such an array.
            dependence::start(&unsafe { dependence::read(dependences) }, current_task());
        }
    }

    fn GOMP_taskgroup_start() |real| {
        real();
        if !recorder::inside_mpi() {
            let position = Position::get();
            GROUPS.with_borrow_mut(|outer| outer.push(position.group));
            Position::change(|position| position.group = fresh());
        }
    }

    fn GOMP_taskgroup_end() |real| {
        real();
        if !recorder::inside_mpi() {
            let position = Position::get();
            acquire(Kind::TaskGroup.number(position.group));
            let outer = GROUPS.with_borrow_mut(|outer| outer.pop()).unwrap_or(0);
            Position::change(|position| position.group = outer);
        }
    }
}

thread_local! {
    /// The task groups around the current one, of all tasks on the calling thread's stack. Without a destructor that
    /// could run before the thread's last task.
    static GROUPS: RefCell<ManuallyDrop<Vec<u64>>> = const { RefCell::new(ManuallyDrop::new(Vec::new())) };
}

/// Task loops: many executions of one body, each with its bounds in the first two words of its data.
macro_rules! taskloops {
    ($($name:ident: $integer:ty;)*) => {interpose! {$(
        fn $name(
            body: Body,
            data: *mut c_void,
            copier: Option<Copier>,
            size: c_long,
            align: c_long,
            flags: c_uint,
            tasks: c_ulong,
            priority: c_int,
            start: $integer,
            end: $integer,
            step: $integer,
        ) |unsafe real| {
            if recorder::inside_mpi() {
                // SAFETY: the caller's arguments, unchanged.
                unsafe { real(body, data, copier, size, align, flags, tasks, priority, start, end, step) };
                return;
            }
            // Without nogroup, the loop is a task group of its own.
            let outer = Position::get().group;
            let group = if flags & NO_GROUP == 0 { fresh() } else { outer };
            let awaited = flags & IF == 0;
            let task = Task::create((current_task(), group), Kind::TaskPartStart, awaited);
            let mut header = header(body, copier, data, task, flags);
            header.written = 2;
            if flags & REDUCTION != 0 {
                // SAFETY: the flag says that the third word is the address of the reductions.
                header.words[2] = unsafe { data.cast::<usize>().add(2).read() };
            }
            // SAFETY: the caller's arguments, with data and functions that do the same with his.
            unsafe {
                with_header(header, size as usize, align as usize, |data, copier, size, align| {
                    real(run, data, copier, size, align, flags, tasks, priority, start, end, step);
                });
            }
            if group != outer {
                acquire(Kind::TaskGroup.number(group));
            }
            task.created();
        }
    )*}};
}

taskloops! {
    GOMP_taskloop: c_long;
    GOMP_taskloop_ull: u64;
}
