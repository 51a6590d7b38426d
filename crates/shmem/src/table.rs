//! The functions of OpenSHMEM 1.5 as data: families and the types they exist for.
//!
//! [`shmem_table!`] hands its lines to a macro: `exports.rs` makes the exported functions of them, `header.rs` the
//! declarations. A line is `FORM SET [ctx] (NAME) (ARGUMENTS) -> RESULT = HANDLER;`, where `ctx` says that there is a
//! second form `shmem_ctx_...` with a context in front, and `T` is the type of each instance:
//!
//! - `typed SET (_put)`: `shmem_TYPE_put` for each type of a set of [`type_sets!`];
//! - `sized SET (put _nbi)`: `shmem_putSIZE_nbi`, with `void *`;
//! - `plain (shmem_my_pe)`: that name.
//!
//! Handlers are functions of this crate that get the name of the call, the context where there is one, and the
//! arguments. Source: OpenSHMEM 1.5 chapter 9, tables 3 to 13; deprecated names of its annex F.

/// Hands the sets of types to a macro: names as they stand in names of functions, and Rust's types.
macro_rules! type_sets {
    ($then:ident) => {
        $then! {
            RMA24 { float: f32, double: f64, longdouble: LongDouble, char: i8, schar: i8, short: i16, int: i32,
                long: i64, longlong: i64, uchar: u8, ushort: u16, uint: u32, ulong: u64, ulonglong: u64, int8: i8,
                int16: i16, int32: i32, int64: i64, uint8: u8, uint16: u16, uint32: u32, uint64: u64, size: usize,
                ptrdiff: isize }
            BYVALUE23 { float: f32, double: f64, char: i8, schar: i8, short: i16, int: i32, long: i64, longlong: i64,
                uchar: u8, ushort: u16, uint: u32, ulong: u64, ulonglong: u64, int8: i8, int16: i16, int32: i32,
                int64: i64, uint8: u8, uint16: u16, uint32: u32, uint64: u64, size: usize, ptrdiff: isize }
            AMO12 { int: i32, long: i64, longlong: i64, uint: u32, ulong: u64, ulonglong: u64, int32: i32, int64: i64,
                uint32: u32, uint64: u64, size: usize, ptrdiff: isize }
            XAMO14 { float: f32, double: f64, int: i32, long: i64, longlong: i64, uint: u32, ulong: u64,
                ulonglong: u64, int32: i32, int64: i64, uint32: u32, uint64: u64, size: usize, ptrdiff: isize }
            BAMO7 { uint: u32, ulong: u64, ulonglong: u64, int32: i32, int64: i64, uint32: u32, uint64: u64 }
            P2P14 { short: i16, int: i32, long: i64, longlong: i64, ushort: u16, uint: u32, ulong: u64,
                ulonglong: u64, int32: i32, int64: i64, uint32: u32, uint64: u64, size: usize, ptrdiff: isize }
            OLDAMO3 { int: i32, long: i64, longlong: i64 }
            OLDXAMO5 { float: f32, double: f64, int: i32, long: i64, longlong: i64 }
            OLDWAIT4 { short: i16, int: i32, long: i64, longlong: i64 }
            BITS { uchar: u8, ushort: u16, uint: u32, ulong: u64, ulonglong: u64, int8: i8, int16: i16, int32: i32,
                int64: i64, uint8: u8, uint16: u16, uint32: u32, uint64: u64, size: usize }
            ORDERED { float: f32, double: f64, longdouble: LongDouble, char: i8, schar: i8, short: i16, int: i32,
                long: i64, longlong: i64, uchar: u8, ushort: u16, uint: u32, ulong: u64, ulonglong: u64, int8: i8,
                int16: i16, int32: i32, int64: i64, uint8: u8, uint16: u16, uint32: u32, uint64: u64, size: usize,
                ptrdiff: isize }
            NUMBERS { float: f32, double: f64, longdouble: LongDouble, complexd: ComplexDouble,
                complexf: ComplexFloat, char: i8, schar: i8, short: i16, int: i32, long: i64, longlong: i64,
                uchar: u8, ushort: u16, uint: u32, ulong: u64, ulonglong: u64, int8: i8, int16: i16, int32: i32,
                int64: i64, uint8: u8, uint16: u16, uint32: u32, uint64: u64, size: usize, ptrdiff: isize }
            OLDBITS { short: i16, int: i32, long: i64, longlong: i64 }
            OLDORDERED { short: i16, int: i32, long: i64, longlong: i64, float: f32, double: f64,
                longdouble: LongDouble }
            OLDNUMBERS { short: i16, int: i32, long: i64, longlong: i64, float: f32, double: f64,
                longdouble: LongDouble, complexd: ComplexDouble, complexf: ComplexFloat }
            SIZES { 8: Bits<1>, 16: Bits<2>, 32: Bits<4>, 64: Bits<8>, 128: Bits<16> }
            SIZESMEM { 8: Bits<1>, 16: Bits<2>, 32: Bits<4>, 64: Bits<8>, 128: Bits<16>, mem: Bits<1> }
            MEM { mem: Bits<1> }
            OLDSIZES { 32: Bits<4>, 64: Bits<8> }
        }
    };
}

/// Hands all families to a macro. See the head of this module.
macro_rules! shmem_table {
    ($then:ident) => {
        $then! {
            // Setup, exit and query (9.1), threads (9.2).
            plain (shmem_init) () -> () = setup::init;
            plain (shmem_init_thread) (requested: c_int, provided: *mut c_int) -> c_int = setup::init_thread;
            plain (shmem_query_thread) (provided: *mut c_int) -> () = setup::query_thread;
            plain (shmem_finalize) () -> () = setup::finalize;
            plain (shmem_global_exit) (status: c_int) -> () = setup::global_exit;
            plain (shmem_my_pe) () -> c_int = setup::my_pe;
            plain (shmem_n_pes) () -> c_int = setup::n_pes;
            plain (shmem_pe_accessible) (pe: c_int) -> c_int = setup::pe_accessible;
            plain (shmem_addr_accessible) (addr: *const c_void, pe: c_int) -> c_int = setup::addr_accessible;
            plain (shmem_ptr) (dest: *const c_void, pe: c_int) -> *mut c_void = setup::ptr;
            plain (shmem_info_get_version) (major: *mut c_int, minor: *mut c_int) -> () = setup::version;
            plain (shmem_info_get_name) (name: *mut c_char) -> () = setup::name;
            plain (shmem_pcontrol) (level: c_int) -> () = setup::pcontrol;
            // Memory (9.3).
            plain (shmem_malloc) (size: usize) -> *mut c_void = memory::malloc;
            plain (shmem_calloc) (count: usize, size: usize) -> *mut c_void = memory::calloc;
            plain (shmem_align) (alignment: usize, size: usize) -> *mut c_void = memory::align;
            plain (shmem_realloc) (ptr: *mut c_void, size: usize) -> *mut c_void = memory::realloc;
            plain (shmem_malloc_with_hints) (size: usize, hints: c_long) -> *mut c_void = memory::malloc_with_hints;
            plain (shmem_free) (ptr: *mut c_void) -> () = memory::free;
            // Teams (9.4).
            plain (shmem_team_my_pe) (team: Team) -> c_int = teams::my_pe;
            plain (shmem_team_n_pes) (team: Team) -> c_int = teams::n_pes;
            plain (shmem_team_translate_pe) (src_team: Team, src_pe: c_int, dest_team: Team) -> c_int
                = teams::translate_pe;
            plain (shmem_team_get_config) (team: Team, config_mask: c_long, config: *mut TeamConfig) -> c_int
                = teams::get_config;
            plain (shmem_team_split_strided) (parent_team: Team, start: c_int, stride: c_int, size: c_int,
                config: *const TeamConfig, config_mask: c_long, new_team: *mut Team) -> c_int = teams::split_strided;
            plain (shmem_team_split_2d) (parent_team: Team, xrange: c_int, xaxis_config: *const TeamConfig,
                xaxis_mask: c_long, xaxis_team: *mut Team, yaxis_config: *const TeamConfig, yaxis_mask: c_long,
                yaxis_team: *mut Team) -> c_int = teams::split_2d;
            plain (shmem_team_destroy) (team: Team) -> () = teams::destroy;
            // Contexts (9.5).
            plain (shmem_ctx_create) (options: c_long, ctx: *mut Ctx) -> c_int = contexts::create;
            plain (shmem_team_create_ctx) (team: Team, options: c_long, ctx: *mut Ctx) -> c_int
                = contexts::create_of_team;
            plain (shmem_ctx_get_team) (ctx: Ctx, team: *mut Team) -> c_int = contexts::get_team;
            plain (shmem_ctx_destroy) (ctx: Ctx) -> () = contexts::destroy;
            // Remote memory access (9.6).
            typed RMA24 ctx (_put) (dest: *mut T, source: *const T, nelems: usize, pe: c_int) -> () = rma::put;
            sized SIZESMEM ctx (put) (dest: *mut T, source: *const T, nelems: usize, pe: c_int) -> () = rma::put;
            typed BYVALUE23 ctx (_p) (dest: *mut T, value: T, pe: c_int) -> () = rma::p;
            foreign RMA24 ctx (_p) (dest: *mut T, value: T, pe: c_int) -> () = long_double;
            typed RMA24 ctx (_iput) (dest: *mut T, source: *const T, dst: isize, sst: isize, nelems: usize,
                pe: c_int) -> () = rma::iput;
            sized SIZES ctx (iput) (dest: *mut T, source: *const T, dst: isize, sst: isize, nelems: usize,
                pe: c_int) -> () = rma::iput;
            typed RMA24 ctx (_get) (dest: *mut T, source: *const T, nelems: usize, pe: c_int) -> () = rma::get;
            sized SIZESMEM ctx (get) (dest: *mut T, source: *const T, nelems: usize, pe: c_int) -> () = rma::get;
            typed BYVALUE23 ctx (_g) (source: *const T, pe: c_int) -> T = rma::g;
            foreign RMA24 ctx (_g) (source: *const T, pe: c_int) -> T = long_double;
            typed RMA24 ctx (_iget) (dest: *mut T, source: *const T, dst: isize, sst: isize, nelems: usize,
                pe: c_int) -> () = rma::iget;
            sized SIZES ctx (iget) (dest: *mut T, source: *const T, dst: isize, sst: isize, nelems: usize,
                pe: c_int) -> () = rma::iget;
            typed RMA24 ctx (_put_nbi) (dest: *mut T, source: *const T, nelems: usize, pe: c_int) -> ()
                = rma::put_nbi;
            sized SIZESMEM ctx (put _nbi) (dest: *mut T, source: *const T, nelems: usize, pe: c_int) -> ()
                = rma::put_nbi;
            typed RMA24 ctx (_get_nbi) (dest: *mut T, source: *const T, nelems: usize, pe: c_int) -> ()
                = rma::get_nbi;
            sized SIZESMEM ctx (get _nbi) (dest: *mut T, source: *const T, nelems: usize, pe: c_int) -> ()
                = rma::get_nbi;
            // Atomic operations (9.7).
            typed XAMO14 ctx (_atomic_fetch) (source: *const T, pe: c_int) -> T = amo::fetch;
            typed XAMO14 ctx (_atomic_set) (dest: *mut T, value: T, pe: c_int) -> () = amo::set;
            typed AMO12 ctx (_atomic_compare_swap) (dest: *mut T, cond: T, value: T, pe: c_int) -> T
                = amo::compare_swap;
            typed XAMO14 ctx (_atomic_swap) (dest: *mut T, value: T, pe: c_int) -> T = amo::swap;
            typed AMO12 ctx (_atomic_fetch_inc) (dest: *mut T, pe: c_int) -> T = amo::fetch_inc;
            typed AMO12 ctx (_atomic_inc) (dest: *mut T, pe: c_int) -> () = amo::inc;
            typed AMO12 ctx (_atomic_fetch_add) (dest: *mut T, value: T, pe: c_int) -> T = amo::fetch_add;
            typed AMO12 ctx (_atomic_add) (dest: *mut T, value: T, pe: c_int) -> () = amo::add;
            typed BAMO7 ctx (_atomic_fetch_and) (dest: *mut T, value: T, pe: c_int) -> T = amo::fetch_and;
            typed BAMO7 ctx (_atomic_and) (dest: *mut T, value: T, pe: c_int) -> () = amo::and;
            typed BAMO7 ctx (_atomic_fetch_or) (dest: *mut T, value: T, pe: c_int) -> T = amo::fetch_or;
            typed BAMO7 ctx (_atomic_or) (dest: *mut T, value: T, pe: c_int) -> () = amo::or;
            typed BAMO7 ctx (_atomic_fetch_xor) (dest: *mut T, value: T, pe: c_int) -> T = amo::fetch_xor;
            typed BAMO7 ctx (_atomic_xor) (dest: *mut T, value: T, pe: c_int) -> () = amo::xor;
            typed XAMO14 ctx (_atomic_fetch_nbi) (fetch: *mut T, source: *const T, pe: c_int) -> ()
                = amo::fetch_nbi;
            typed AMO12 ctx (_atomic_compare_swap_nbi) (fetch: *mut T, dest: *mut T, cond: T, value: T,
                pe: c_int) -> () = amo::compare_swap_nbi;
            typed XAMO14 ctx (_atomic_swap_nbi) (fetch: *mut T, dest: *mut T, value: T, pe: c_int) -> ()
                = amo::swap_nbi;
            typed AMO12 ctx (_atomic_fetch_inc_nbi) (fetch: *mut T, dest: *mut T, pe: c_int) -> ()
                = amo::fetch_inc_nbi;
            typed AMO12 ctx (_atomic_fetch_add_nbi) (fetch: *mut T, dest: *mut T, value: T, pe: c_int) -> ()
                = amo::fetch_add_nbi;
            typed BAMO7 ctx (_atomic_fetch_and_nbi) (fetch: *mut T, dest: *mut T, value: T, pe: c_int) -> ()
                = amo::fetch_and_nbi;
            typed BAMO7 ctx (_atomic_fetch_or_nbi) (fetch: *mut T, dest: *mut T, value: T, pe: c_int) -> ()
                = amo::fetch_or_nbi;
            typed BAMO7 ctx (_atomic_fetch_xor_nbi) (fetch: *mut T, dest: *mut T, value: T, pe: c_int) -> ()
                = amo::fetch_xor_nbi;
            // Signals (9.8).
            typed RMA24 ctx (_put_signal) (dest: *mut T, source: *const T, nelems: usize, sig_addr: *mut u64,
                signal: u64, sig_op: c_int, pe: c_int) -> () = signal::put;
            sized SIZESMEM ctx (put _signal) (dest: *mut T, source: *const T, nelems: usize, sig_addr: *mut u64,
                signal: u64, sig_op: c_int, pe: c_int) -> () = signal::put;
            typed RMA24 ctx (_put_signal_nbi) (dest: *mut T, source: *const T, nelems: usize, sig_addr: *mut u64,
                signal: u64, sig_op: c_int, pe: c_int) -> () = signal::put_nbi;
            sized SIZESMEM ctx (put _signal_nbi) (dest: *mut T, source: *const T, nelems: usize, sig_addr: *mut u64,
                signal: u64, sig_op: c_int, pe: c_int) -> () = signal::put_nbi;
            plain (shmem_signal_fetch) (sig_addr: *const u64) -> u64 = signal::fetch;
            plain (shmem_signal_wait_until) (sig_addr: *mut u64, cmp: c_int, cmp_value: u64) -> u64
                = signal::wait_until;
            // Barriers and collectives (9.9).
            plain (shmem_barrier_all) () -> () = meet::barrier_all;
            plain (shmem_sync_all) () -> () = meet::sync_all;
            plain (shmem_team_sync) (team: Team) -> c_int = meet::team_sync;
            plain (shmem_barrier) (PE_start: c_int, logPE_stride: c_int, PE_size: c_int, pSync: *mut c_long) -> ()
                = meet::barrier;
            plain (shmem_sync) (PE_start: c_int, logPE_stride: c_int, PE_size: c_int, pSync: *mut c_long) -> ()
                = meet::sync;
            typed RMA24 (_alltoall) (team: Team, dest: *mut T, source: *const T, nelems: usize) -> c_int
                = collective::alltoall;
            sized MEM (alltoall) (team: Team, dest: *mut T, source: *const T, nelems: usize) -> c_int
                = collective::alltoall;
            typed RMA24 (_alltoalls) (team: Team, dest: *mut T, source: *const T, dst: isize, sst: isize,
                nelems: usize) -> c_int = collective::alltoalls;
            sized MEM (alltoalls) (team: Team, dest: *mut T, source: *const T, dst: isize, sst: isize,
                nelems: usize) -> c_int = collective::alltoalls;
            typed RMA24 (_broadcast) (team: Team, dest: *mut T, source: *const T, nelems: usize, PE_root: c_int)
                -> c_int = collective::broadcast;
            sized MEM (broadcast) (team: Team, dest: *mut T, source: *const T, nelems: usize, PE_root: c_int)
                -> c_int = collective::broadcast;
            typed RMA24 (_collect) (team: Team, dest: *mut T, source: *const T, nelems: usize) -> c_int
                = collective::collect;
            sized MEM (collect) (team: Team, dest: *mut T, source: *const T, nelems: usize) -> c_int
                = collective::collect;
            typed RMA24 (_fcollect) (team: Team, dest: *mut T, source: *const T, nelems: usize) -> c_int
                = collective::fcollect;
            sized MEM (fcollect) (team: Team, dest: *mut T, source: *const T, nelems: usize) -> c_int
                = collective::fcollect;
            typed BITS (_and_reduce) (team: Team, dest: *mut T, source: *const T, nreduce: usize) -> c_int
                = reduce::and;
            typed BITS (_or_reduce) (team: Team, dest: *mut T, source: *const T, nreduce: usize) -> c_int = reduce::or;
            typed BITS (_xor_reduce) (team: Team, dest: *mut T, source: *const T, nreduce: usize) -> c_int
                = reduce::xor;
            typed ORDERED (_max_reduce) (team: Team, dest: *mut T, source: *const T, nreduce: usize) -> c_int
                = reduce::max;
            typed ORDERED (_min_reduce) (team: Team, dest: *mut T, source: *const T, nreduce: usize) -> c_int
                = reduce::min;
            typed NUMBERS (_sum_reduce) (team: Team, dest: *mut T, source: *const T, nreduce: usize) -> c_int
                = reduce::sum;
            typed NUMBERS (_prod_reduce) (team: Team, dest: *mut T, source: *const T, nreduce: usize) -> c_int
                = reduce::prod;
            // Collectives of active sets (9.9, deprecated in 1.5).
            sized OLDSIZES (alltoall) (dest: *mut T, source: *const T, nelems: usize, PE_start: c_int,
                logPE_stride: c_int, PE_size: c_int, pSync: *mut c_long) -> () = active_set::alltoall;
            sized OLDSIZES (alltoalls) (dest: *mut T, source: *const T, dst: isize, sst: isize, nelems: usize,
                PE_start: c_int, logPE_stride: c_int, PE_size: c_int, pSync: *mut c_long) -> ()
                = active_set::alltoalls;
            sized OLDSIZES (broadcast) (dest: *mut T, source: *const T, nelems: usize, PE_root: c_int,
                PE_start: c_int, logPE_stride: c_int, PE_size: c_int, pSync: *mut c_long) -> ()
                = active_set::broadcast;
            sized OLDSIZES (collect) (dest: *mut T, source: *const T, nelems: usize, PE_start: c_int,
                logPE_stride: c_int, PE_size: c_int, pSync: *mut c_long) -> () = active_set::collect;
            sized OLDSIZES (fcollect) (dest: *mut T, source: *const T, nelems: usize, PE_start: c_int,
                logPE_stride: c_int, PE_size: c_int, pSync: *mut c_long) -> () = active_set::fcollect;
            typed OLDBITS (_and_to_all) (dest: *mut T, source: *const T, nreduce: c_int, PE_start: c_int,
                logPE_stride: c_int, PE_size: c_int, pWrk: *mut T, pSync: *mut c_long) -> () = active_set::and;
            typed OLDBITS (_or_to_all) (dest: *mut T, source: *const T, nreduce: c_int, PE_start: c_int,
                logPE_stride: c_int, PE_size: c_int, pWrk: *mut T, pSync: *mut c_long) -> () = active_set::or;
            typed OLDBITS (_xor_to_all) (dest: *mut T, source: *const T, nreduce: c_int, PE_start: c_int,
                logPE_stride: c_int, PE_size: c_int, pWrk: *mut T, pSync: *mut c_long) -> () = active_set::xor;
            typed OLDORDERED (_max_to_all) (dest: *mut T, source: *const T, nreduce: c_int, PE_start: c_int,
                logPE_stride: c_int, PE_size: c_int, pWrk: *mut T, pSync: *mut c_long) -> () = active_set::max;
            typed OLDORDERED (_min_to_all) (dest: *mut T, source: *const T, nreduce: c_int, PE_start: c_int,
                logPE_stride: c_int, PE_size: c_int, pWrk: *mut T, pSync: *mut c_long) -> () = active_set::min;
            typed OLDNUMBERS (_sum_to_all) (dest: *mut T, source: *const T, nreduce: c_int, PE_start: c_int,
                logPE_stride: c_int, PE_size: c_int, pWrk: *mut T, pSync: *mut c_long) -> () = active_set::sum;
            typed OLDNUMBERS (_prod_to_all) (dest: *mut T, source: *const T, nreduce: c_int, PE_start: c_int,
                logPE_stride: c_int, PE_size: c_int, pWrk: *mut T, pSync: *mut c_long) -> () = active_set::prod;
            // Point-to-point synchronisation (9.10).
            typed P2P14 (_wait_until) (ivar: *mut T, cmp: c_int, cmp_value: T) -> () = wait::until;
            typed P2P14 (_wait_until_all) (ivars: *mut T, nelems: usize, status: *const c_int, cmp: c_int,
                cmp_value: T) -> () = wait::until_all;
            typed P2P14 (_wait_until_any) (ivars: *mut T, nelems: usize, status: *const c_int, cmp: c_int,
                cmp_value: T) -> usize = wait::until_any;
            typed P2P14 (_wait_until_some) (ivars: *mut T, nelems: usize, indices: *mut usize, status: *const c_int,
                cmp: c_int, cmp_value: T) -> usize = wait::until_some;
            typed P2P14 (_wait_until_all_vector) (ivars: *mut T, nelems: usize, status: *const c_int, cmp: c_int,
                cmp_values: *mut T) -> () = wait::until_all_vector;
            typed P2P14 (_wait_until_any_vector) (ivars: *mut T, nelems: usize, status: *const c_int, cmp: c_int,
                cmp_values: *mut T) -> usize = wait::until_any_vector;
            typed P2P14 (_wait_until_some_vector) (ivars: *mut T, nelems: usize, indices: *mut usize,
                status: *const c_int, cmp: c_int, cmp_values: *mut T) -> usize = wait::until_some_vector;
            typed P2P14 (_test) (ivar: *mut T, cmp: c_int, cmp_value: T) -> c_int = wait::test;
            typed P2P14 (_test_all) (ivars: *mut T, nelems: usize, status: *const c_int, cmp: c_int,
                cmp_value: T) -> c_int = wait::test_all;
            typed P2P14 (_test_any) (ivars: *mut T, nelems: usize, status: *const c_int, cmp: c_int,
                cmp_value: T) -> usize = wait::test_any;
            typed P2P14 (_test_some) (ivars: *mut T, nelems: usize, indices: *mut usize, status: *const c_int,
                cmp: c_int, cmp_value: T) -> usize = wait::test_some;
            typed P2P14 (_test_all_vector) (ivars: *mut T, nelems: usize, status: *const c_int, cmp: c_int,
                cmp_values: *mut T) -> c_int = wait::test_all_vector;
            typed P2P14 (_test_any_vector) (ivars: *mut T, nelems: usize, status: *const c_int, cmp: c_int,
                cmp_values: *mut T) -> usize = wait::test_any_vector;
            typed P2P14 (_test_some_vector) (ivars: *mut T, nelems: usize, indices: *mut usize,
                status: *const c_int, cmp: c_int, cmp_values: *mut T) -> usize = wait::test_some_vector;
            // Order (9.11) and locks (9.12).
            plain (shmem_fence) () -> () = order::fence;
            plain (shmem_ctx_fence) (ctx: Ctx) -> () = order::ctx_fence;
            plain (shmem_quiet) () -> () = order::quiet;
            plain (shmem_ctx_quiet) (ctx: Ctx) -> () = order::ctx_quiet;
            plain (shmem_set_lock) (lock: *mut c_long) -> () = lock::set;
            plain (shmem_clear_lock) (lock: *mut c_long) -> () = lock::clear;
            plain (shmem_test_lock) (lock: *mut c_long) -> c_int = lock::test;
            // Old names (annex F).
            plain (start_pes) (npes: c_int) -> () = setup::start_pes;
            plain (_my_pe) () -> c_int = setup::my_pe;
            plain (_num_pes) () -> c_int = setup::n_pes;
            plain (shmalloc) (size: usize) -> *mut c_void = memory::malloc;
            plain (shfree) (ptr: *mut c_void) -> () = memory::free;
            plain (shrealloc) (ptr: *mut c_void, size: usize) -> *mut c_void = memory::realloc;
            plain (shmemalign) (alignment: usize, size: usize) -> *mut c_void = memory::align;
            plain (shmem_wait) (ivar: *mut c_long, cmp_value: c_long) -> () = wait::until_changed;
            plain (shmem_clear_cache_inv) () -> () = setup::cache;
            plain (shmem_set_cache_inv) () -> () = setup::cache;
            plain (shmem_clear_cache_line_inv) (dest: *mut c_void) -> () = setup::cache_line;
            plain (shmem_set_cache_line_inv) (dest: *mut c_void) -> () = setup::cache_line;
            plain (shmem_udcflush) () -> () = setup::cache;
            plain (shmem_udcflush_line) (dest: *mut c_void) -> () = setup::cache_line;
            typed OLDWAIT4 (_wait) (ivar: *mut T, cmp_value: T) -> () = wait::until_changed;
            typed OLDXAMO5 ctxless (_fetch) (source: *const T, pe: c_int) -> T = amo::fetch;
            typed OLDXAMO5 ctxless (_set) (dest: *mut T, value: T, pe: c_int) -> () = amo::set;
            typed OLDXAMO5 ctxless (_swap) (dest: *mut T, value: T, pe: c_int) -> T = amo::swap;
            typed OLDAMO3 ctxless (_cswap) (dest: *mut T, cond: T, value: T, pe: c_int) -> T = amo::compare_swap;
            typed OLDAMO3 ctxless (_finc) (dest: *mut T, pe: c_int) -> T = amo::fetch_inc;
            typed OLDAMO3 ctxless (_inc) (dest: *mut T, pe: c_int) -> () = amo::inc;
            typed OLDAMO3 ctxless (_fadd) (dest: *mut T, value: T, pe: c_int) -> T = amo::fetch_add;
            typed OLDAMO3 ctxless (_add) (dest: *mut T, value: T, pe: c_int) -> () = amo::add;
        }
    };
}

pub(crate) use {shmem_table, type_sets};
