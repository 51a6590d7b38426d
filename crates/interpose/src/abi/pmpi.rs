//! The `PMPI_*` functions that Farside itself calls, as found in the loaded library.
//!
//! All are local (no communication) but [`barrier`], which only a `mpi::communicator::Meeting` calls, inside
//! window creation and the creation of inter-communicators. Handles are machine words; a library with 32-bit handles
//! ignores the upper half, and writes only the lower half of an out handle, which is why those start as 0.

use super::symbol;
use std::sync::OnceLock;

/// Returned where the library lacks a function; no MPI error class has this number.
const MISSING: i32 = -1;

macro_rules! functions {
    ($($(#[$doc:meta])* $name:ident = $symbol:literal ( $($argument:ident : $kind:ty),* );)*) => {
        $(
            $(#[$doc])*
            #[allow(clippy::too_many_arguments)] // They are the standard's.
            pub(crate) fn $name($($argument: $kind),*) -> i32 {
                static FUNCTION: OnceLock<usize> = OnceLock::new();
                let address = *FUNCTION.get_or_init(|| symbol::next($symbol).unwrap_or(0));
                if address == 0 {
                    return MISSING;
                }
                // SAFETY: the MPI function of this name takes these words; the callers in this crate pass valid
                // places for its out arguments.
                unsafe {
                    let function: unsafe extern "C" fn($($kind),*) -> i32 = std::mem::transmute(address);
                    function($($argument),*)
                }
            }
        )*
    };
}

functions! {
    barrier = c"PMPI_Barrier"(comm: usize);
    iprobe = c"PMPI_Iprobe"(source: i32, tag: i32, comm: usize, flag: *mut i32, status: usize);
    finalized = c"PMPI_Finalized"(flag: *mut i32);
    query_thread = c"PMPI_Query_thread"(provided: *mut i32);
    comm_rank = c"PMPI_Comm_rank"(comm: usize, rank: *mut i32);
    comm_size = c"PMPI_Comm_size"(comm: usize, size: *mut i32);
    comm_group = c"PMPI_Comm_group"(comm: usize, group: *mut usize);
    comm_test_inter = c"PMPI_Comm_test_inter"(comm: usize, flag: *mut i32);
    comm_remote_group = c"PMPI_Comm_remote_group"(comm: usize, group: *mut usize);
    group_size = c"PMPI_Group_size"(group: usize, size: *mut i32);
    group_translate_ranks = c"PMPI_Group_translate_ranks"(
        from: usize, n: i32, ranks: *const i32, to: usize, out: *mut i32);
    group_free = c"PMPI_Group_free"(group: *mut usize);
    topo_test = c"PMPI_Topo_test"(comm: usize, status: *mut i32);
    cartdim_get = c"PMPI_Cartdim_get"(comm: usize, dims: *mut i32);
    cart_shift = c"PMPI_Cart_shift"(comm: usize, direction: i32, step: i32, source: *mut i32, dest: *mut i32);
    graph_neighbors_count = c"PMPI_Graph_neighbors_count"(comm: usize, rank: i32, count: *mut i32);
    graph_neighbors = c"PMPI_Graph_neighbors"(comm: usize, rank: i32, maximum: i32, out: *mut i32);
    dist_graph_neighbors_count = c"PMPI_Dist_graph_neighbors_count"(
        comm: usize, indegree: *mut i32, outdegree: *mut i32, weighted: *mut i32);
    dist_graph_neighbors = c"PMPI_Dist_graph_neighbors"(
        comm: usize, maximum_in: i32, sources: *mut i32, source_weights: *mut i32,
        maximum_out: i32, destinations: *mut i32, destination_weights: *mut i32);
    type_get_envelope = c"PMPI_Type_get_envelope"(
        datatype: usize, integers: *mut i32, addresses: *mut i32, datatypes: *mut i32, combiner: *mut i32);
    type_get_contents = c"PMPI_Type_get_contents"(
        datatype: usize, n_integers: i32, n_addresses: i32, n_datatypes: i32,
        integers: *mut i32, addresses: *mut isize, datatypes: *mut u64);
    type_get_envelope_c = c"PMPI_Type_get_envelope_c"(
        datatype: usize, integers: *mut i64, addresses: *mut i64, counts: *mut i64, datatypes: *mut i64,
        combiner: *mut i32);
    type_get_contents_c = c"PMPI_Type_get_contents_c"(
        datatype: usize, n_integers: i64, n_addresses: i64, n_counts: i64, n_datatypes: i64,
        integers: *mut i32, addresses: *mut isize, counts: *mut i64, datatypes: *mut u64);
    type_get_extent = c"PMPI_Type_get_extent"(datatype: usize, lower: *mut isize, extent: *mut isize);
    type_get_true_extent = c"PMPI_Type_get_true_extent"(datatype: usize, lower: *mut isize, extent: *mut isize);
    type_get_name = c"PMPI_Type_get_name"(datatype: usize, name: *mut u8, length: *mut i32);
    type_free = c"PMPI_Type_free"(datatype: *mut usize);
    win_shared_query = c"PMPI_Win_shared_query"(
        win: usize, rank: i32, size: *mut isize, disp_unit: *mut i32, base: *mut usize);
    info_get = c"PMPI_Info_get"(info: usize, key: *const u8, length: i32, value: *mut u8, flag: *mut i32);
    get_library_version = c"PMPI_Get_library_version"(version: *mut u8, length: *mut i32);
    test_cancelled = c"PMPI_Test_cancelled"(status: usize, flag: *mut i32);
}

/// Whether the operation of a completed request was cancelled; `status` is the address of its status.
pub(crate) fn was_cancelled(status: usize) -> bool {
    let mut flag = 0;
    test_cancelled(status, &raw mut flag) == 0 && flag != 0
}

/// What the library says of itself, cut to one line.
pub(crate) fn library_version() -> String {
    // MPI_MAX_LIBRARY_VERSION_STRING is 8192 in MPICH and the standard ABI, 256 in Open MPI.
    let mut text = vec![0_u8; 8192];
    let mut length = 0;
    if get_library_version(text.as_mut_ptr(), &raw mut length) != 0 {
        return String::from("MPI library without MPI_Get_library_version");
    }
    text.truncate(usize::try_from(length).unwrap_or(0).min(8191));
    let text = String::from_utf8_lossy(&text);
    text.lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .take(1)
        .collect::<String>()
        .chars()
        .filter(|c| !c.is_control())
        .take(200)
        .collect()
}
