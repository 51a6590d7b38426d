//! Windows (MPI-4.1 §12.2): made, attached to, named, freed.
//!
//! Creation is collective. After the library made the window, and before anyone leaves the creating call, the window
//! is announced and an added barrier makes sure that no one uses it before all have announced it ([`Meeting`]).

use super::communicator::{self, Communicator, Meeting};
use super::identity::mix;
use super::pending::Pending;
use super::table::Table;
use super::{buffer, enter, leave, left, modules, session};
use crate::abi::{constants, pmpi};
use crate::call::{After, CallView, Then};
use crate::memory::given;
use crate::recorder::{define, record, record_all};
use crate::stacks;
use farside_calls::communicator::Communicator as _;
use farside_calls::signature::Role;
use farside_calls::synchronisation::call_on_window;
use farside_calls::window::Making;
use farside_events::{
    AccumulateHints, CallKind, Direction, EventKind, HandlePlace, Interface, SharedSegment, WinId,
    Window as Announcement, WindowFlavor, WindowPromises,
};
use std::collections::HashMap;
use std::ffi::{CStr, CString};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

static WINDOWS: Table<Window> = Table::new();
/// Memory of other processes was mapped here.
static MAPPED: AtomicBool = AtomicBool::new(false);

/// What we know of a window.
pub(crate) struct Window {
    pub(crate) id: WinId,
    /// The communicator that it was made on; its ranks are those of the window.
    pub(crate) comm: Arc<Communicator>,
    watched: Vec<(usize, usize)>,
    attached: Mutex<HashMap<usize, usize>>,
    pending: Mutex<Pending>,
    /// `MPI_Win_lock` calls of this process without their unlock.
    locks: AtomicU32,
    /// `MPI_Win_test` has said since the last `MPI_Win_post` that the exposure epoch is not over.
    tested: AtomicBool,
}

impl Window {
    /// A lock of one target is called.
    pub(super) fn lock(&self) {
        self.locks.fetch_add(1, Ordering::Relaxed);
    }

    /// An unlock of one target is called.
    pub(super) fn unlock(&self) {
        let _ = self
            .locks
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |locks| locks.checked_sub(1));
    }

    /// An exposure epoch begins.
    pub(super) fn post(&self) {
        self.tested.store(false, Ordering::Relaxed);
    }

    /// An exposure epoch is not over yet; whether that is known for the first time.
    pub(super) fn test(&self) -> bool {
        !self.tested.swap(true, Ordering::Relaxed)
    }

    /// Whether a lock of one target may be held.
    pub(super) fn is_locked(&self) -> bool {
        self.locks.load(Ordering::Relaxed) > 0
    }

    /// The operations in flight.
    pub(super) fn pending(&self) -> MutexGuard<'_, Pending> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Operations to a target, or all, are complete, and the call that completes them is left as `left` says: reports
    /// the values that they brought.
    pub(super) fn complete(&self, target: Option<i32>, left: EventKind) {
        // Nothing is reported under the lock: the process may have to wait for who judges it.
        let done = self.pending().complete(target);
        match &done[..] {
            [] => return record(left),
            [only] => record_all(&[only.event(), left]),
            all => {
                all.iter().for_each(|fetch| fetch.report());
                record(left);
            }
        }
        self.pending().reported(done);
    }

    fn attached(&self) -> MutexGuard<'_, HashMap<usize, usize>> {
        self.attached.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The window of a call; `None` for one that we do not know.
pub(super) fn argument(view: &CallView) -> Option<Arc<Window>> {
    WINDOWS.get(view.handle(Role::Window))
}

/// Whether memory of other processes is, or was, mapped here as part of a window.
pub(super) fn neighbours_are_mapped() -> bool {
    MAPPED.load(Ordering::Relaxed)
}

/// A call that makes a window.
pub(crate) fn create(view: &mut CallView, flavor: WindowFlavor) -> After {
    let making = Making::of(flavor, view);
    let comm = communicator::argument(view)?;
    let accumulates = accumulate_hints(view.handle(Role::Info));
    let promises = WindowPromises::of_info(|key| info_value(view.handle(Role::Info), key));
    let sequence = communicator::enter(view, &comm, Direction::All, None);
    let stack = view.stack();
    Some(Then::new(move |view| {
        let handle = view.handle_behind(Role::Window);
        if view.failure().is_some() || handle == constants().win_null {
            leave(view);
            return;
        }
        let meeting = Meeting::on(comm.handle);
        modules::announce();
        session::report_instrumentation();
        let (base, size) = (memory(view, &making), making.size as usize);
        let shared = if flavor == WindowFlavor::Shared {
            segments(handle, &comm)
        } else {
            Vec::new()
        };
        if !shared.is_empty() {
            MAPPED.store(true, Ordering::Relaxed);
        }
        let mut watched: Vec<(usize, usize)> = shared
            .iter()
            .map(|segment| (segment.base as usize, segment.size as usize))
            .collect();
        if watched.is_empty() && size > 0 {
            watched.push((base, size));
        }
        for (address, length) in &watched {
            buffer::watch(*address, *length);
        }
        let id = WinId(mix([6, comm.id.0, sequence]));
        if flavor == WindowFlavor::Create && size > 0 {
            given::give(id, (base, size), (view.name(), stack));
        }
        define(EventKind::Window(Announcement {
            id,
            interface: Interface::Mpi,
            comm: comm.id,
            flavor,
            base: base as u64,
            size: size as u64,
            disp_unit: u32::try_from(making.unit).unwrap_or(0),
            accumulates,
            shared,
            stack,
            handle: Some(handle_place(view)),
        }));
        if promises != WindowPromises::default() {
            define(EventKind::WindowPromises { win: id, promises });
        }
        let window = Window {
            id,
            comm: Arc::clone(&comm),
            watched,
            attached: Mutex::default(),
            pending: Mutex::default(),
            locks: AtomicU32::new(0),
            tested: AtomicBool::new(false),
        };
        WINDOWS.insert(handle, Arc::new(window));
        drop(meeting);
        leave(view);
    }))
}

/// Where the caller has the handle, while the frames of the call are there.
fn handle_place(view: &CallView) -> HandlePlace {
    let address = view.word(Role::Window);
    HandlePlace {
        address: address as u64,
        frame: stacks::frame_with(address, view.return_address()),
    }
}

/// Where this process' memory lies, once the window is made.
fn memory(view: &CallView, making: &Making) -> usize {
    match making.flavor {
        WindowFlavor::Allocate | WindowFlavor::Shared => view.out_address(Role::BasePointer),
        WindowFlavor::Create | WindowFlavor::Dynamic => making.base as usize,
    }
}

/// What is added to a creation, where nothing is recorded any more.
pub(crate) fn meet(view: &CallView) {
    let handle = view.handle_behind(Role::Window);
    if view.failure().is_none() && handle != constants().win_null {
        drop(Meeting::on(view.handle(Role::Communicator)));
    }
}

/// `MPI_Win_free(win)`
pub(crate) fn free(view: &mut CallView) -> After {
    let handle = view.handle_behind(Role::Window);
    let window = WINDOWS.get(handle)?;
    enter(view, call_on_window(CallKind::Free, view, &window)?);
    Some(Then::new(move |view| {
        match view.failure() {
            None => window.complete(None, left(view)),
            Some(_) => leave(view),
        }
        if view.failure().is_none() && WINDOWS.remove(handle).is_some() {
            given::give_back(window.id, None);
            let attached = std::mem::take(&mut *window.attached());
            for (address, length) in window.watched.iter().copied().chain(attached) {
                buffer::unwatch(address, length);
            }
        }
    }))
}

/// `MPI_Win_attach(win, base, size)`
pub(crate) fn attach(view: &mut CallView) -> After {
    let window = argument(view)?;
    let (base, size) = (view.choice(Role::Base).address(), view.aint(Role::Size) as usize);
    enter(view, call_on_window(CallKind::Attach, view, &window)?);
    Some(Then::new(move |view| {
        if view.failure().is_none() && size > 0 {
            buffer::watch(base, size);
            given::give(window.id, (base, size), (view.name(), view.stack()));
            if let Some(before) = window.attached().insert(base, size) {
                buffer::unwatch(base, before);
            }
        }
        leave(view);
    }))
}

/// `MPI_Win_detach(win, base)`
pub(crate) fn detach(view: &mut CallView) -> After {
    let window = argument(view)?;
    let base = view.choice(Role::Base).address();
    enter(view, call_on_window(CallKind::Detach, view, &window)?);
    Some(Then::new(move |view| {
        leave(view);
        if view.failure().is_none()
            && let Some(size) = window.attached().remove(&base)
        {
            given::give_back(window.id, Some(base));
            buffer::unwatch(base, size);
        }
    }))
}

/// `MPI_Free_mem(base)`: its size is not known; a window that has the memory has its beginning, as a rule.
pub(crate) fn free_memory(view: &mut CallView) -> After {
    let base = view.choice(Role::Base).address();
    given::end(view.name(), &(base..base + 1), || view.stack());
    None
}

/// `MPI_Win_set_name(win, name)`
pub(crate) fn set_name(view: &mut CallView) -> After {
    let window = argument(view)?;
    let name = view.text(Role::Text);
    define(EventKind::WindowName {
        win: window.id,
        name: name.into(),
    });
    None
}

/// `MPI_Win_set_info(win, info)`
pub(crate) fn set_info(view: &mut CallView) -> After {
    let window = argument(view)?;
    let accumulates = accumulate_hints(view.handle(Role::Info));
    if accumulates != AccumulateHints::default() {
        record(EventKind::WindowInfo {
            win: window.id,
            accumulates,
        });
    }
    let promises = WindowPromises::of_info(|key| info_value(view.handle(Role::Info), key));
    if promises != WindowPromises::default() {
        let win = window.id;
        record(EventKind::WindowPromises { win, promises });
    }
    None
}

/// What an info object says of accumulates.
fn accumulate_hints(info: usize) -> AccumulateHints {
    AccumulateHints::of_info(|key| info_value(info, key))
}

/// The value of a key of an info object.
fn info_value(info: usize, key: &str) -> Option<String> {
    if info == constants().info_null || info == 0 {
        return None;
    }
    let key = CString::new(key).ok()?;
    let mut value = [0_u8; 64];
    let mut flag = 0;
    let status = pmpi::info_get(info, key.as_ptr().cast(), 63, value.as_mut_ptr(), &raw mut flag);
    let text = CStr::from_bytes_until_nul(&value).ok()?;
    (status == 0 && flag != 0).then(|| text.to_string_lossy().into_owned())
}

/// Where the parts of all processes of a shared window lie here.
fn segments(handle: usize, comm: &Communicator) -> Vec<SharedSegment> {
    comm.peers()
        .iter()
        .enumerate()
        .filter_map(|(rank, owner)| {
            let (mut size, mut unit, mut base) = (0, 0, 0);
            let rank = i32::try_from(rank).ok()?;
            let status = pmpi::win_shared_query(handle, rank, &raw mut size, &raw mut unit, &raw mut base);
            (status == 0 && size > 0).then_some(SharedSegment {
                owner: farside_events::Rank(*owner),
                base: base as u64,
                size: size.cast_unsigned() as u64,
            })
        })
        .collect()
}
