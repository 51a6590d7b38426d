//! Functions that are not in the module: MPI, OpenSHMEM, GASPI, Fortran's runtime, threads, the C library.

mod answered;
mod characters;
mod containers;
mod conversion;
mod exceptions;
mod files;
mod filled;
mod foreign;
mod format;
mod library;
mod numbers;
mod options;
mod printed;
mod scan;
mod streams;
mod strings;
mod variadic;

pub(crate) use exceptions::what;

use crate::arithmetic::compare;
use crate::caller::Caller;
use crate::external::{External, without_p};
use crate::flang;
use crate::flow::Flow;
use crate::fortran;
use crate::gaspi;
use crate::ir::Module;
use crate::layout::Globals;
use crate::mathematics;
use crate::memory::Object;
use crate::mpi;
use crate::shmem;
use crate::threads;
use crate::value::Scalar;
use farside_events::{Interface, WinId};

/// What the libraries that processes communicate by know of all of them.
pub(crate) struct Libraries {
    mpi: mpi::Library,
    shmem: shmem::Library,
    gaspi: gaspi::Library,
}

impl Libraries {
    /// Those that a program was compiled with, for a job of this size.
    pub(crate) fn of(module: &Module, globals: &Globals, size: u32) -> Self {
        Self {
            mpi: mpi::Library::of(module, globals),
            shmem: shmem::Library::of(size),
            gaspi: gaspi::Library::of(size),
        }
    }

    /// The variable that the handle of a window was put into, and the element of it.
    pub(crate) fn holder(&self, window: WinId) -> Option<(&Object, &str)> {
        self.mpi.holder(window)
    }

    /// A process begins after what initialises the library of an interface.
    pub(crate) fn initialize(&mut self, caller: &mut Caller<'_>, interface: Interface) {
        match interface {
            Interface::Shmem => shmem::initialize(caller, &mut self.shmem),
            Interface::Gaspi => gaspi::initialize(caller, &mut self.gaspi),
            _ => mpi::initialize(caller, &mut self.mpi),
        }
    }
}

/// Calls a function that is not in the module: what it is by its name, and the name.
pub(crate) fn call(
    caller: &mut Caller<'_>,
    libraries: &mut Libraries,
    (external, name): (External, &str),
    a: &[Scalar],
) -> Flow {
    let Libraries {
        mpi: library,
        shmem: of_shmem,
        gaspi: of_gaspi,
    } = libraries;
    match external {
        External::Mpi(Some(known)) => return mpi::call(caller, library, known, a),
        External::Fortran(Some(procedure)) => return flang::call(caller, library, procedure, a),
        External::Shmem(Some(function)) => return shmem::call(caller, of_shmem, function, a),
        External::Shmem(None) => return shmem::ask(caller, of_shmem, name, a),
        External::Gaspi(Some(function)) => return gaspi::call(caller, of_gaspi, function, a),
        External::Gaspi(None) => return gaspi::ask(caller, of_gaspi, name, a),
        External::Mpi(None) | External::Fortran(None) => return caller.unknown_call(without_p(name)),
        External::Other => {}
    }
    if let Some(value) = mathematics::value(name, a) {
        return Flow::Return(value);
    }
    let pair = mathematics::complex(name, a)
        .or_else(|| mathematics::overflowing(name, a))
        .or_else(|| mathematics::divided(name, a));
    if let Some([first, second]) = pair {
        return Flow::Pair(first, second);
    }
    if let Some(rest) = name.strip_prefix("_FortranA") {
        return flang::runtime(caller, rest, a);
    }
    if let (Some(predicate), &[left, right, ..]) = (fortran::comparison(name), a) {
        let handle = |at: Scalar| caller.memory(at.bits).load(at.bits, 4);
        return Flow::Return(compare(predicate, 32, handle(left), handle(right)));
    }
    if let Some(flow) = threads::call(caller, name, a) {
        return flow;
    }
    let library = [
        containers::call,
        characters::call,
        numbers::call,
        streams::call,
        exceptions::call,
    ];
    if let Some(flow) = library.iter().find_map(|call| call(caller, name, a)) {
        return flow;
    }
    if let Some(flow) = files::call(caller, name, a) {
        return flow;
    }
    if let Some(flow) = answered::call(caller, name, a) {
        return flow;
    }
    format::call(caller, name, a).unwrap_or_else(|| library::call(caller, name, a))
}
