//! Loaded modules: where they lie, and which are runtimes, by the names of their files.

/// OpenMP runtimes: their files begin so. (`libompitrace` belongs to Open MPI.)
const OPENMP: &[&[u8]] = &[b"libgomp.", b"libomp.", b"libomp-", b"libomp5.", b"libiomp"];

/// Other runtimes.
const RUNTIMES: &[&[u8]] = &[
    b"libmpi",
    b"libmpich",
    b"libopen-",
    b"libompi",
    b"mca_",
    b"libmca",
    b"libpmix",
    b"libprrte",
    b"libhwloc",
    b"libevent",
    b"libuc",
    b"libfabric",
    b"libibverbs",
    b"librdmacm",
    b"libmlx",
    b"libefa",
    b"libpsm",
    b"libnl-",
    b"libfarside",
    b"libjemalloc",
    b"libtcmalloc",
    b"libmimalloc",
];

/// Whose a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Owner {
    /// The program's, or a library's that works for it.
    Program,
    /// An OpenMP runtime's.
    OpenMp,
    /// MPI's, a network's, an allocator's.
    Runtime,
}

impl Owner {
    /// Whose a file is, by its name.
    pub(crate) fn of(path: &[u8]) -> Self {
        let file = path.rsplit(|&byte| byte == b'/').next().unwrap_or(path);
        let begins = |names: &[&[u8]]| names.iter().any(|name| file.starts_with(name));
        if begins(OPENMP) {
            Self::OpenMp
        } else if begins(RUNTIMES) {
            Self::Runtime
        } else {
            Self::Program
        }
    }
}

/// Where a module that is loaded begins and ends.
pub(crate) fn extent(module: &::libc::dl_phdr_info) -> (usize, usize) {
    let (mut start, mut end) = (usize::MAX, 0);
    for index in 0..usize::from(module.dlpi_phnum) {
        // SAFETY: the loader says how many headers there are.
        let header = unsafe { &*module.dlpi_phdr.add(index) };
        if header.p_type == ::libc::PT_LOAD {
            let first = module.dlpi_addr as usize + header.p_vaddr as usize;
            start = start.min(first);
            end = end.max(first + header.p_memsz as usize);
        }
    }
    (start, end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn owners_by_file_name() {
        let check = |path: &str, owner| assert_eq!(Owner::of(path.as_bytes()), owner, "{path}");
        check("/usr/lib/llvm-14/lib/libomp.so.5", Owner::OpenMp);
        check("/usr/lib/llvm-14/lib/libomp-14.so.5", Owner::OpenMp);
        check("/lib/x86_64-linux-gnu/libgomp.so.1", Owner::OpenMp);
        check("/lib/x86_64-linux-gnu/libompitrace.so.40", Owner::Runtime);
        check("/lib/x86_64-linux-gnu/libucm.so.0", Owner::Runtime);
        check("/usr/lib/x86_64-linux-gnu/ucx/libuct_ib.so.0", Owner::Runtime);
        check(
            "/usr/lib/x86_64-linux-gnu/openmpi/lib/openmpi3/mca_osc_rdma.so",
            Owner::Runtime,
        );
        check("/lib/x86_64-linux-gnu/libstdc++.so.6", Owner::Program);
        check("/home/me/solver", Owner::Program);
        check("", Owner::Program);
    }
}
