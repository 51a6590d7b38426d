//! The list of functions: families by sets of types (OpenSHMEM 1.5, tables 3 to 11).

/// Hands every function of OpenSHMEM to a macro: `each! { name, meaning, bytes of an element, class, of a context,
/// words }`, where the name is an expression that is constant, and the meaning one that needs the names of
/// [`crate::shmem`].
#[macro_export]
macro_rules! functions_of_openshmem {
    ($each:ident) => {
        $crate::functions_of_openshmem! { @others $each }
        // The types of put and get (table 3), and bits and bytes.
        $crate::functions_of_openshmem! { @rma $each
            "float" 4 Float; "double" 8 Float; "longdouble" 16 Float;
            "char" 1 Integer; "schar" 1 Integer; "short" 2 Integer; "int" 4 Integer; "long" 8 Integer;
            "longlong" 8 Integer; "uchar" 1 Integer; "ushort" 2 Integer; "uint" 4 Integer; "ulong" 8 Integer;
            "ulonglong" 8 Integer; "int8" 1 Integer; "int16" 2 Integer; "int32" 4 Integer; "int64" 8 Integer;
            "uint8" 1 Integer; "uint16" 2 Integer; "uint32" 4 Integer; "uint64" 8 Integer; "size" 8 Integer;
            "ptrdiff" 8 Integer;
        }
        $crate::functions_of_openshmem! { @sized $each
            "8" 1 Strided; "16" 2 Strided; "32" 4 Strided; "64" 8 Strided; "128" 16 Strided; "mem" 1 Plain;
        }
        // The types of atomic operations (tables 4 to 6).
        $crate::functions_of_openshmem! { @arithmetic $each
            "int" 4; "long" 8; "longlong" 8; "uint" 4; "ulong" 8; "ulonglong" 8; "int32" 4; "int64" 8; "uint32" 4;
            "uint64" 8; "size" 8; "ptrdiff" 8;
        }
        $crate::functions_of_openshmem! { @exchange $each
            "int" 4 Integer; "long" 8 Integer; "longlong" 8 Integer; "uint" 4 Integer; "ulong" 8 Integer;
            "ulonglong" 8 Integer; "int32" 4 Integer; "int64" 8 Integer; "uint32" 4 Integer; "uint64" 8 Integer;
            "size" 8 Integer; "ptrdiff" 8 Integer; "float" 4 Float; "double" 8 Float;
        }
        $crate::functions_of_openshmem! { @bitwise $each
            "uint" 4; "ulong" 8; "ulonglong" 8; "int32" 4; "int64" 8; "uint32" 4; "uint64" 8;
        }
        // Waits (table 7).
        $crate::functions_of_openshmem! { @wait $each
            "short" 2; "int" 4; "long" 8; "longlong" 8; "ushort" 2; "uint" 4; "ulong" 8; "ulonglong" 8; "int32" 4;
            "int64" 8; "uint32" 4; "uint64" 8; "size" 8; "ptrdiff" 8;
        }
        // Collective operations on active sets, deprecated in 1.5.
        $crate::functions_of_openshmem! { @sets $each "32" 4; "64" 8; }
        $crate::functions_of_openshmem! { @reductions $each "and" "or" "xor":
            "short" 2 Integer; "int" 4 Integer; "long" 8 Integer; "longlong" 8 Integer;
        }
        $crate::functions_of_openshmem! { @reductions $each "min" "max":
            "short" 2 Integer; "int" 4 Integer; "long" 8 Integer; "longlong" 8 Integer; "float" 4 Float;
            "double" 8 Float; "longdouble" 16 Float;
        }
        $crate::functions_of_openshmem! { @reductions $each "sum" "prod":
            "short" 2 Integer; "int" 4 Integer; "long" 8 Integer; "longlong" 8 Integer; "float" 4 Float;
            "double" 8 Float; "longdouble" 16 Float; "complexf" 8 Float; "complexd" 16 Float;
        }
        // Collective operations on teams (tables 8 and 9).
        $crate::functions_of_openshmem! { @team_reductions $each "and" "or" "xor":
            "uchar" 1 Integer; "ushort" 2 Integer; "uint" 4 Integer; "ulong" 8 Integer; "ulonglong" 8 Integer;
            "int8" 1 Integer; "int16" 2 Integer; "int32" 4 Integer; "int64" 8 Integer; "uint8" 1 Integer;
            "uint16" 2 Integer; "uint32" 4 Integer; "uint64" 8 Integer; "size" 8 Integer;
        }
        $crate::functions_of_openshmem! { @team_reductions $each "min" "max":
            "char" 1 Integer; "schar" 1 Integer; "short" 2 Integer; "int" 4 Integer; "long" 8 Integer;
            "longlong" 8 Integer; "ptrdiff" 8 Integer; "uchar" 1 Integer; "ushort" 2 Integer; "uint" 4 Integer;
            "ulong" 8 Integer; "ulonglong" 8 Integer; "int8" 1 Integer; "int16" 2 Integer; "int32" 4 Integer;
            "int64" 8 Integer; "uint8" 1 Integer; "uint16" 2 Integer; "uint32" 4 Integer; "uint64" 8 Integer;
            "size" 8 Integer; "float" 4 Float; "double" 8 Float; "longdouble" 16 Float;
        }
        $crate::functions_of_openshmem! { @team_reductions $each "sum" "prod":
            "char" 1 Integer; "schar" 1 Integer; "short" 2 Integer; "int" 4 Integer; "long" 8 Integer;
            "longlong" 8 Integer; "ptrdiff" 8 Integer; "uchar" 1 Integer; "ushort" 2 Integer; "uint" 4 Integer;
            "ulong" 8 Integer; "ulonglong" 8 Integer; "int8" 1 Integer; "int16" 2 Integer; "int32" 4 Integer;
            "int64" 8 Integer; "uint8" 1 Integer; "uint16" 2 Integer; "uint32" 4 Integer; "uint64" 8 Integer;
            "size" 8 Integer; "float" 4 Float; "double" 8 Float; "longdouble" 16 Float; "complexf" 8 Float;
            "complexd" 16 Float;
        }
    };
    (@team_reductions $each:ident $first:literal $second:literal: $($rest:tt)*) => {
        $crate::functions_of_openshmem! { @team_reduction $each $first $($rest)* }
        $crate::functions_of_openshmem! { @team_reduction $each $second $($rest)* }
    };
    (@team_reductions $each:ident $first:literal $second:literal $third:literal: $($rest:tt)*) => {
        $crate::functions_of_openshmem! { @team_reductions $each $first $second: $($rest)* }
        $crate::functions_of_openshmem! { @team_reduction $each $third $($rest)* }
    };
    (@team_reduction $each:ident $operator:literal $($name:literal $size:literal $class:ident;)*) => { $(
        $each! {
            concat!("shmem_", $name, "_", $operator, "_reduce"),
            Meaning::TeamCollective(Collective::Reduce), $size, $class, false, 4
        }
    )* };
    // A function, and its form with a context before the other arguments.
    (@both $each:ident $plain:expr, $context:expr, $meaning:expr, $size:expr, $class:ident, $words:expr) => {
        $each! { $plain, $meaning, $size, $class, false, $words }
        $each! { $context, $meaning, $size, $class, true, $words + 1 }
    };
    (@others $each:ident) => {
        $each! { "shmem_init", Meaning::Init, 1, Integer, false, 0 }
        $each! { "shmem_init_thread", Meaning::Init, 1, Integer, false, 2 }
        $each! { "start_pes", Meaning::Init, 1, Integer, false, 1 }
        $each! { "shmem_finalize", Meaning::Finalize, 1, Integer, false, 0 }
        $each! { "shmem_global_exit", Meaning::GlobalExit, 1, Integer, false, 1 }
        $each! { "shmem_malloc", Meaning::Allocate { bytes: (0, None) }, 1, Integer, false, 1 }
        $each! { "shmem_calloc", Meaning::Allocate { bytes: (0, Some(1)) }, 1, Integer, false, 2 }
        $each! { "shmem_align", Meaning::Allocate { bytes: (1, None) }, 1, Integer, false, 2 }
        $each! { "shmem_malloc_with_hints", Meaning::Allocate { bytes: (0, None) }, 1, Integer, false, 2 }
        $each! { "shmem_realloc", Meaning::Reallocate, 1, Integer, false, 2 }
        $each! { "shmem_free", Meaning::Free, 1, Integer, false, 1 }
        $each! { "shmalloc", Meaning::Allocate { bytes: (0, None) }, 1, Integer, false, 1 }
        $each! { "shmemalign", Meaning::Allocate { bytes: (1, None) }, 1, Integer, false, 2 }
        $each! { "shrealloc", Meaning::Reallocate, 1, Integer, false, 2 }
        $each! { "shfree", Meaning::Free, 1, Integer, false, 1 }
        $each! { "shmem_ptr", Meaning::Pointer, 1, Integer, false, 2 }
        $crate::functions_of_openshmem! { @both $each
            "shmem_quiet", "shmem_ctx_quiet",
            Meaning::Quiet, 1, Integer, 0
        }
        $crate::functions_of_openshmem! { @both $each
            "shmem_fence", "shmem_ctx_fence",
            Meaning::Fence, 1, Integer, 0
        }
        $each! { "shmem_barrier_all", Meaning::Barrier(Members::All), 1, Integer, false, 0 }
        $each! { "shmem_barrier", Meaning::Barrier(Members::ActiveSet), 1, Integer, false, 4 }
        $each! { "shmem_sync_all", Meaning::Sync(Members::All), 1, Integer, false, 0 }
        $each! { "shmem_sync", Meaning::Sync(Members::ActiveSet), 1, Integer, false, 4 }
        $each! { "shmem_wait", Meaning::Wait, 8, Integer, false, 2 }
        $each! { "shmem_wait_until", Meaning::Wait, 8, Integer, false, 3 }
        $each! { "shmem_set_lock", Meaning::SetLock, 8, Integer, false, 1 }
        $each! { "shmem_clear_lock", Meaning::ClearLock, 8, Integer, false, 1 }
        $each! { "shmem_test_lock", Meaning::TestLock, 8, Integer, false, 1 }
        $each! { "shmem_ctx_create", Meaning::ContextCreate { of_team: false }, 1, Integer, false, 2 }
        $each! { "shmem_team_create_ctx", Meaning::ContextCreate { of_team: true }, 1, Integer, false, 3 }
        $each! { "shmem_ctx_destroy", Meaning::ContextDestroy, 1, Integer, false, 1 }
        $each! { "shmem_team_sync", Meaning::Team, 1, Integer, false, 1 }
        $each! { "shmem_team_split_strided", Meaning::Team, 1, Integer, false, 7 }
        $each! { "shmem_team_split_2d", Meaning::Team, 1, Integer, false, 8 }
        $each! { "shmem_team_destroy", Meaning::TeamDestroy, 1, Integer, false, 1 }
        $each! { "shmem_signal_fetch", Meaning::Signal, 8, Integer, false, 1 }
        $each! { "shmem_signal_wait_until", Meaning::Signal, 8, Integer, false, 3 }
        $each! { "shmem_broadcastmem", Meaning::TeamCollective(Collective::Broadcast), 1, Integer, false, 5 }
        $each! { "shmem_collectmem", Meaning::TeamCollective(Collective::Collect), 1, Integer, false, 4 }
        $each! { "shmem_fcollectmem", Meaning::TeamCollective(Collective::Fcollect), 1, Integer, false, 4 }
        $each! { "shmem_alltoallmem", Meaning::TeamCollective(Collective::Alltoall), 1, Integer, false, 4 }
        $each! { "shmem_alltoallsmem", Meaning::TeamCollective(Collective::Alltoalls), 1, Integer, false, 6 }
    };
    (@rma $each:ident $($name:literal $size:literal $class:ident;)*) => { $(
        $crate::functions_of_openshmem! { @moves $each concat!("shmem_", $name),
            concat!("shmem_ctx_", $name), $size, $class,
            "_put" Put "_get" Get "_put_nbi" "_get_nbi" "_iput" "_iget" }
        $crate::functions_of_openshmem! { @both $each
            concat!("shmem_", $name, "_put_signal"), concat!("shmem_ctx_", $name, "_put_signal"),
            Meaning::PutSignal(Returns::Complete), $size, $class, 7
        }
        $crate::functions_of_openshmem! { @both $each
            concat!("shmem_", $name, "_put_signal_nbi"), concat!("shmem_ctx_", $name, "_put_signal_nbi"),
            Meaning::PutSignal(Returns::Issued), $size, $class, 7
        }
        $each! {
            concat!("shmem_", $name, "_broadcast"),
            Meaning::TeamCollective(Collective::Broadcast), $size, $class, false, 5
        }
        $each! {
            concat!("shmem_", $name, "_collect"),
            Meaning::TeamCollective(Collective::Collect), $size, $class, false, 4
        }
        $each! {
            concat!("shmem_", $name, "_fcollect"),
            Meaning::TeamCollective(Collective::Fcollect), $size, $class, false, 4
        }
        $each! {
            concat!("shmem_", $name, "_alltoall"),
            Meaning::TeamCollective(Collective::Alltoall), $size, $class, false, 4
        }
        $each! {
            concat!("shmem_", $name, "_alltoalls"),
            Meaning::TeamCollective(Collective::Alltoalls), $size, $class, false, 6
        }
        $crate::functions_of_openshmem! { @both $each
            concat!("shmem_", $name, "_p"), concat!("shmem_ctx_", $name, "_p"),
            Meaning::PutValue, $size, $class, 3
        }
        $crate::functions_of_openshmem! { @both $each
            concat!("shmem_", $name, "_g"), concat!("shmem_ctx_", $name, "_g"),
            Meaning::GetValue, $size, $class, 2
        }
    )* };
    (@moves $each:ident $plain:expr, $context:expr, $size:literal, $class:ident,
        $put:literal Put $get:literal Get $put_nbi:literal $get_nbi:literal $iput:literal $iget:literal) => {
        $crate::functions_of_openshmem! { @both $each
            concat!($plain, $put), concat!($context, $put),
            Meaning::Put(Returns::Complete, Strided::No), $size, $class, 4
        }
        $crate::functions_of_openshmem! { @both $each
            concat!($plain, $get), concat!($context, $get),
            Meaning::Get(Returns::Complete, Strided::No), $size, $class, 4
        }
        $crate::functions_of_openshmem! { @both $each
            concat!($plain, $put_nbi), concat!($context, $put_nbi),
            Meaning::Put(Returns::Issued, Strided::No), $size, $class, 4
        }
        $crate::functions_of_openshmem! { @both $each
            concat!($plain, $get_nbi), concat!($context, $get_nbi),
            Meaning::Get(Returns::Issued, Strided::No), $size, $class, 4
        }
        $crate::functions_of_openshmem! { @both $each
            concat!($plain, $iput), concat!($context, $iput),
            Meaning::Put(Returns::Complete, Strided::Yes), $size, $class, 6
        }
        $crate::functions_of_openshmem! { @both $each
            concat!($plain, $iget), concat!($context, $iget),
            Meaning::Get(Returns::Complete, Strided::Yes), $size, $class, 6
        }
    };
    (@sized $each:ident $($bits:literal $size:literal $form:ident;)*) => { $(
        $crate::functions_of_openshmem! { @$form $each $bits $size }
    )* };
    (@Strided $each:ident $bits:literal $size:literal) => {
        $crate::functions_of_openshmem! { @Plain $each $bits $size }
        $crate::functions_of_openshmem! { @both $each
            concat!("shmem_iput", $bits), concat!("shmem_ctx_iput", $bits),
            Meaning::Put(Returns::Complete, Strided::Yes), $size, Integer, 6
        }
        $crate::functions_of_openshmem! { @both $each
            concat!("shmem_iget", $bits), concat!("shmem_ctx_iget", $bits),
            Meaning::Get(Returns::Complete, Strided::Yes), $size, Integer, 6
        }
    };
    (@Plain $each:ident $bits:literal $size:literal) => {
        $crate::functions_of_openshmem! { @both $each
            concat!("shmem_put", $bits, "_signal"), concat!("shmem_ctx_put", $bits, "_signal"),
            Meaning::PutSignal(Returns::Complete), $size, Integer, 7
        }
        $crate::functions_of_openshmem! { @both $each
            concat!("shmem_put", $bits, "_signal_nbi"), concat!("shmem_ctx_put", $bits, "_signal_nbi"),
            Meaning::PutSignal(Returns::Issued), $size, Integer, 7
        }
        $crate::functions_of_openshmem! { @both $each
            concat!("shmem_put", $bits), concat!("shmem_ctx_put", $bits),
            Meaning::Put(Returns::Complete, Strided::No), $size, Integer, 4
        }
        $crate::functions_of_openshmem! { @both $each
            concat!("shmem_get", $bits), concat!("shmem_ctx_get", $bits),
            Meaning::Get(Returns::Complete, Strided::No), $size, Integer, 4
        }
        $crate::functions_of_openshmem! { @both $each
            concat!("shmem_put", $bits, "_nbi"), concat!("shmem_ctx_put", $bits, "_nbi"),
            Meaning::Put(Returns::Issued, Strided::No), $size, Integer, 4
        }
        $crate::functions_of_openshmem! { @both $each
            concat!("shmem_get", $bits, "_nbi"), concat!("shmem_ctx_get", $bits, "_nbi"),
            Meaning::Get(Returns::Issued, Strided::No), $size, Integer, 4
        }
    };
    (@exchange $each:ident $($name:literal $size:literal $class:ident;)*) => { $(
        $crate::functions_of_openshmem! { @atomic $each $name $size $class
            "_atomic_fetch" Fetch (Some(Returns::Complete)) 2;
            "_atomic_set" Set (None) 3;
            "_atomic_swap" Swap (Some(Returns::Complete)) 3;
            "_atomic_fetch_nbi" Fetch (Some(Returns::Issued)) 3;
            "_atomic_swap_nbi" Swap (Some(Returns::Issued)) 4;
        }
        // Deprecated in 1.4.
        $each! {
            concat!("shmem_", $name, "_fetch"),
            Meaning::Atomic(Atomic::Fetch, Some(Returns::Complete)), $size, $class, false, 2
        }
        $each! { concat!("shmem_", $name, "_set"), Meaning::Atomic(Atomic::Set, None), $size, $class, false, 3 }
        $each! {
            concat!("shmem_", $name, "_swap"),
            Meaning::Atomic(Atomic::Swap, Some(Returns::Complete)), $size, $class, false, 3
        }
    )* };
    (@arithmetic $each:ident $($name:literal $size:literal;)*) => { $(
        $crate::functions_of_openshmem! { @atomic $each $name $size Integer
            "_atomic_compare_swap" CompareSwap (Some(Returns::Complete)) 4;
            "_atomic_compare_swap_nbi" CompareSwap (Some(Returns::Issued)) 5;
            "_atomic_fetch_inc_nbi" Inc (Some(Returns::Issued)) 3;
            "_atomic_fetch_add_nbi" Add (Some(Returns::Issued)) 4;
            "_atomic_fetch_inc" Inc (Some(Returns::Complete)) 2;
            "_atomic_inc" Inc (None) 2;
            "_atomic_fetch_add" Add (Some(Returns::Complete)) 3;
            "_atomic_add" Add (None) 3;
        }
        $each! {
            concat!("shmem_", $name, "_cswap"),
            Meaning::Atomic(Atomic::CompareSwap, Some(Returns::Complete)), $size, Integer, false, 4
        }
        $each! {
            concat!("shmem_", $name, "_finc"),
            Meaning::Atomic(Atomic::Inc, Some(Returns::Complete)), $size, Integer, false, 2
        }
        $each! { concat!("shmem_", $name, "_inc"), Meaning::Atomic(Atomic::Inc, None), $size, Integer, false, 2 }
        $each! {
            concat!("shmem_", $name, "_fadd"),
            Meaning::Atomic(Atomic::Add, Some(Returns::Complete)), $size, Integer, false, 3
        }
        $each! { concat!("shmem_", $name, "_add"), Meaning::Atomic(Atomic::Add, None), $size, Integer, false, 3 }
    )* };
    (@bitwise $each:ident $($name:literal $size:literal;)*) => { $(
        $crate::functions_of_openshmem! { @atomic $each $name $size Integer
            "_atomic_fetch_and" And (Some(Returns::Complete)) 3;
            "_atomic_fetch_and_nbi" And (Some(Returns::Issued)) 4;
            "_atomic_fetch_or_nbi" Or (Some(Returns::Issued)) 4;
            "_atomic_fetch_xor_nbi" Xor (Some(Returns::Issued)) 4;
            "_atomic_and" And (None) 3;
            "_atomic_fetch_or" Or (Some(Returns::Complete)) 3;
            "_atomic_or" Or (None) 3;
            "_atomic_fetch_xor" Xor (Some(Returns::Complete)) 3;
            "_atomic_xor" Xor (None) 3;
        }
    )* };
    (@atomic $each:ident $name:literal $size:literal $class:ident
        $($end:literal $what:ident ($fetches:expr) $words:literal;)*) => { $(
        $crate::functions_of_openshmem! { @both $each
            concat!("shmem_", $name, $end), concat!("shmem_ctx_", $name, $end),
            Meaning::Atomic(Atomic::$what, $fetches), $size, $class, $words
        }
    )* };
    (@wait $each:ident $($name:literal $size:literal;)*) => { $(
        $each! { concat!("shmem_", $name, "_wait_until"), Meaning::Wait, $size, Integer, false, 3 }
        $each! { concat!("shmem_", $name, "_wait"), Meaning::Wait, $size, Integer, false, 2 }
        $each! { concat!("shmem_", $name, "_test"), Meaning::Test, $size, Integer, false, 3 }
        $crate::functions_of_openshmem! { @arrays $each $name $size
            "_wait_until_all" All false 5; "_wait_until_any" Any false 5; "_wait_until_some" Some false 6;
            "_wait_until_all_vector" All false 5; "_wait_until_any_vector" Any false 5;
            "_wait_until_some_vector" Some false 6;
            "_test_all" All true 5; "_test_any" Any true 5; "_test_some" Some true 6;
            "_test_all_vector" All true 5; "_test_any_vector" Any true 5; "_test_some_vector" Some true 6;
        }
    )* };
    (@arrays $each:ident $name:literal $size:literal
        $($end:literal $which:ident $tests:literal $words:literal;)*) => { $(
        $each! {
            concat!("shmem_", $name, $end),
            Meaning::WaitArray { which: Which::$which, tests: $tests }, $size, Integer, false, $words
        }
    )* };
    (@sets $each:ident $($bits:literal $size:literal;)*) => { $(
        $each! {
            concat!("shmem_broadcast", $bits),
            Meaning::Collective(Collective::Broadcast), $size, Integer, false, 8
        }
        $each! { concat!("shmem_collect", $bits), Meaning::Collective(Collective::Collect), $size, Integer, false, 7 }
        $each! { concat!("shmem_fcollect", $bits), Meaning::Collective(Collective::Fcollect), $size, Integer, false, 7 }
        $each! { concat!("shmem_alltoall", $bits), Meaning::Collective(Collective::Alltoall), $size, Integer, false, 7 }
        $each! {
            concat!("shmem_alltoalls", $bits),
            Meaning::Collective(Collective::Alltoalls), $size, Integer, false, 9
        }
    )* };
    (@reductions $each:ident $first:literal $second:literal: $($rest:tt)*) => {
        $crate::functions_of_openshmem! { @reduction $each $first $($rest)* }
        $crate::functions_of_openshmem! { @reduction $each $second $($rest)* }
    };
    (@reductions $each:ident $first:literal $second:literal $third:literal: $($rest:tt)*) => {
        $crate::functions_of_openshmem! { @reductions $each $first $second: $($rest)* }
        $crate::functions_of_openshmem! { @reduction $each $third $($rest)* }
    };
    (@reduction $each:ident $operator:literal $($name:literal $size:literal $class:ident;)*) => { $(
        $each! {
            concat!("shmem_", $name, "_", $operator, "_to_all"),
            Meaning::Collective(Collective::Reduce), $size, $class, false, 8
        }
    )* };
}
