//! The table of hooked functions: name in C, name in Fortran, number of arguments in C, observer.
//!
//! `choices` are the arguments that are choice buffers, `strings` the number of text arguments, `dropped` the number
//! of leading arguments that Fortran does not have, `always` marks what is observed before recording starts. A `large`
//! function is the large-count form (MPI-4.1 §2.5.8). A test compares the table with the prototypes in `mpi.h`.

use super::entry::export;
use super::{Function, Language};
use crate::mpi::collective::collective;
use crate::mpi::{
    communicator, datatype, epoch, local, matched, message, not_understood, operation, request, session,
    window,
};
use farside_events::{CollectiveForm as Form, Ends};

macro_rules! functions {
    ($($kind:ident ($name:literal, $fortran:literal, $arity:literal, $observer:expr
        $(, $(choices [$($choice:literal),*])? $(strings $strings:literal)? $(dropped $dropped:literal)?
            $(always $always:literal)? $(added $added:expr)?)?);)*) => {
        $(
            const _: () = {
                static FUNCTION: Function = Function {
                    name: $name,
                    arity: $arity,
                    large: functions!(@large $kind),
                    choices: &[$($($($choice),*)?)?],
                    strings: 0 $($(+ $strings)?)?,
                    dropped: 0 $($(+ $dropped)?)?,
                    always: false $($(|| $always)?)?,
                    added: functions!(@added $($($added)?)?),
                    observer: $observer,
                };
                functions!(@export $kind $name, $fortran);
            };
        )*
    };
    (@added) => { None };
    (@added $added:expr) => { Some($added) };
    (@large large) => { true };
    (@large $other:ident) => { false };
    (@export function $name:literal, $fortran:literal) => {
        export!($name, Language::C, &FUNCTION);
        export!(concat!($fortran, "_"), Language::Fortran, &FUNCTION);
        export!(concat!($fortran, "_f08_"), Language::Fortran08, &FUNCTION);
        export!(concat!($fortran, "_f08ts_"), Language::Fortran08Descriptors, &FUNCTION);
    };
    (@export large $name:literal, $fortran:literal) => {
        export!($name, Language::C, &FUNCTION);
        export!(concat!($fortran, "_f08_large_"), Language::Fortran08, &FUNCTION);
        export!(concat!($fortran, "_f08ts_large_"), Language::Fortran08Descriptors, &FUNCTION);
    };
    (@export profiling $name:literal, $fortran:literal) => {
        export!($name, Language::C, &FUNCTION);
    };
    (@export fortran $name:literal, $fortran:literal) => {
        export!(concat!($fortran, "_"), Language::Fortran, &FUNCTION);
    };
}

#[rustfmt::skip]
functions! {
    // Environment (§11)
    function("MPI_Init", "mpi_init", 2, session::init, dropped 2 always true);
    function("MPI_Init_thread", "mpi_init_thread", 4, session::init, dropped 2 always true);
    function("MPI_Finalize", "mpi_finalize", 0, session::finalize);
    function("MPI_Abort", "mpi_abort", 2, session::abort);
    // Communicators (§7, §8)
    function("MPI_Comm_dup", "mpi_comm_dup", 2, |view| communicator::create(view, 0, 1));
    function("MPI_Comm_dup_with_info", "mpi_comm_dup_with_info", 3, |view| communicator::create(view, 0, 2));
    function("MPI_Comm_create", "mpi_comm_create", 3, |view| communicator::create(view, 0, 2));
    function("MPI_Comm_split", "mpi_comm_split", 4, |view| communicator::create(view, 0, 3));
    function("MPI_Comm_split_type", "mpi_comm_split_type", 5, |view| communicator::create(view, 0, 4));
    function("MPI_Cart_create", "mpi_cart_create", 6, |view| communicator::create(view, 0, 5));
    function("MPI_Cart_sub", "mpi_cart_sub", 3, |view| communicator::create(view, 0, 2));
    function("MPI_Graph_create", "mpi_graph_create", 6, |view| communicator::create(view, 0, 5));
    function("MPI_Dist_graph_create", "mpi_dist_graph_create", 9, |view| communicator::create(view, 0, 8));
    function("MPI_Dist_graph_create_adjacent", "mpi_dist_graph_create_adjacent", 10, |view| communicator::create(view, 0, 9));
    function("MPI_Intercomm_merge", "mpi_intercomm_merge", 3, |view| communicator::create(view, 0, 2));
    function("MPI_Comm_idup", "mpi_comm_idup", 3, |view| communicator::create_later(view, 1, 2));
    function("MPI_Comm_idup_with_info", "mpi_comm_idup_with_info", 4, |view| communicator::create_later(view, 2, 3));
    function("MPI_Comm_create_group", "mpi_comm_create_group", 4, communicator::create_group);
    function("MPI_Intercomm_create", "mpi_intercomm_create", 6, communicator::create_inter, added communicator::meet_inter);
    function("MPI_Comm_free", "mpi_comm_free", 1, communicator::free);
    function("MPI_Comm_disconnect", "mpi_comm_disconnect", 1, communicator::free);
    // Datatypes (§5)
    function("MPI_Type_free", "mpi_type_free", 1, datatype::free);
    // MPICH's `mpi_f08` frees the datatypes that it makes for array sections by this name.
    profiling("PMPI_Type_free", "", 1, datatype::free);
    // Windows (§12.2)
    function("MPI_Win_create", "mpi_win_create", 6, window::create, choices [0] added |view| window::meet(view, 4));
    function("MPI_Win_allocate", "mpi_win_allocate", 6, window::allocate, added |view| window::meet(view, 3));
    function("MPI_Win_allocate_shared", "mpi_win_allocate_shared", 6, window::allocate_shared, added |view| window::meet(view, 3));
    large("MPI_Win_create_c", "mpi_win_create", 6, window::create, choices [0] added |view| window::meet(view, 4));
    large("MPI_Win_allocate_c", "mpi_win_allocate", 6, window::allocate, added |view| window::meet(view, 3));
    large("MPI_Win_allocate_shared_c", "mpi_win_allocate_shared", 6, window::allocate_shared, added |view| window::meet(view, 3));
    function("MPI_Win_create_dynamic", "mpi_win_create_dynamic", 3, window::create_dynamic, added |view| window::meet(view, 1));
    function("MPI_Win_attach", "mpi_win_attach", 3, window::attach, choices [1]);
    function("MPI_Win_detach", "mpi_win_detach", 2, window::detach, choices [1]);
    function("MPI_Win_free", "mpi_win_free", 1, window::free);
    function("MPI_Win_set_name", "mpi_win_set_name", 2, window::set_name, strings 1);
    function("MPI_Win_set_info", "mpi_win_set_info", 2, window::set_info);
    // Synchronisation (§12.5)
    function("MPI_Win_fence", "mpi_win_fence", 2, epoch::fence);
    function("MPI_Win_post", "mpi_win_post", 3, epoch::post);
    function("MPI_Win_start", "mpi_win_start", 3, epoch::start);
    function("MPI_Win_complete", "mpi_win_complete", 1, epoch::complete);
    function("MPI_Win_wait", "mpi_win_wait", 1, epoch::wait);
    function("MPI_Win_test", "mpi_win_test", 2, epoch::test);
    function("MPI_Win_lock", "mpi_win_lock", 4, epoch::lock);
    function("MPI_Win_unlock", "mpi_win_unlock", 2, epoch::unlock);
    function("MPI_Win_lock_all", "mpi_win_lock_all", 2, epoch::lock_all);
    function("MPI_Win_unlock_all", "mpi_win_unlock_all", 1, epoch::unlock_all);
    function("MPI_Win_flush", "mpi_win_flush", 2, epoch::flush);
    function("MPI_Win_flush_local", "mpi_win_flush_local", 2, epoch::flush);
    function("MPI_Win_flush_all", "mpi_win_flush_all", 1, epoch::flush_all);
    function("MPI_Win_flush_local_all", "mpi_win_flush_local_all", 1, epoch::flush_all);
    function("MPI_Win_sync", "mpi_win_sync", 1, epoch::sync);
    // Communication (§12.3)
    function("MPI_Put", "mpi_put", 8, operation::put, choices [0]);
    function("MPI_Rput", "mpi_rput", 9, operation::put, choices [0]);
    function("MPI_Get", "mpi_get", 8, operation::get, choices [0]);
    function("MPI_Rget", "mpi_rget", 9, operation::get, choices [0]);
    function("MPI_Accumulate", "mpi_accumulate", 9, operation::accumulate, choices [0]);
    function("MPI_Raccumulate", "mpi_raccumulate", 10, operation::accumulate, choices [0]);
    function("MPI_Get_accumulate", "mpi_get_accumulate", 12, operation::get_accumulate, choices [0, 3]);
    function("MPI_Rget_accumulate", "mpi_rget_accumulate", 13, operation::get_accumulate, choices [0, 3]);
    large("MPI_Put_c", "mpi_put", 8, operation::put, choices [0]);
    large("MPI_Rput_c", "mpi_rput", 9, operation::put, choices [0]);
    large("MPI_Get_c", "mpi_get", 8, operation::get, choices [0]);
    large("MPI_Rget_c", "mpi_rget", 9, operation::get, choices [0]);
    large("MPI_Accumulate_c", "mpi_accumulate", 9, operation::accumulate, choices [0]);
    large("MPI_Raccumulate_c", "mpi_raccumulate", 10, operation::accumulate, choices [0]);
    large("MPI_Get_accumulate_c", "mpi_get_accumulate", 12, operation::get_accumulate, choices [0, 3]);
    large("MPI_Rget_accumulate_c", "mpi_rget_accumulate", 13, operation::get_accumulate, choices [0, 3]);
    function("MPI_Fetch_and_op", "mpi_fetch_and_op", 7, operation::fetch_and_op, choices [0, 1]);
    function("MPI_Compare_and_swap", "mpi_compare_and_swap", 7, operation::compare_and_swap, choices [0, 1, 2]);
    // Requests (§3.7, §3.9)
    function("MPI_Wait", "mpi_wait", 2, request::wait);
    function("MPI_Test", "mpi_test", 3, request::test);
    function("MPI_Waitall", "mpi_waitall", 3, request::wait_all);
    function("MPI_Testall", "mpi_testall", 4, request::test_all);
    function("MPI_Waitany", "mpi_waitany", 4, request::wait_any);
    function("MPI_Testany", "mpi_testany", 5, request::test_any);
    function("MPI_Waitsome", "mpi_waitsome", 5, request::wait_some);
    function("MPI_Testsome", "mpi_testsome", 5, request::test_some);
    function("MPI_Request_get_status", "mpi_request_get_status", 3, request::get_status);
    function("MPI_Start", "mpi_start", 1, request::start);
    function("MPI_Startall", "mpi_startall", 2, request::start_all);
    function("MPI_Cancel", "mpi_cancel", 1, request::cancel);
    function("MPI_Request_free", "mpi_request_free", 1, request::free);
    // Messages (§3)
    function("MPI_Send", "mpi_send", 6, |view| message::send(view, Ends::Returning), choices [0]);
    function("MPI_Isend", "mpi_isend", 7, |view| message::send(view, Ends::Request), choices [0]);
    function("MPI_Send_init", "mpi_send_init", 7, |view| message::send(view, Ends::Persistent), choices [0]);
    function("MPI_Bsend", "mpi_bsend", 6, |view| message::send(view, Ends::Returning), choices [0]);
    function("MPI_Ibsend", "mpi_ibsend", 7, |view| message::send(view, Ends::Request), choices [0]);
    function("MPI_Bsend_init", "mpi_bsend_init", 7, |view| message::send(view, Ends::Persistent), choices [0]);
    function("MPI_Ssend", "mpi_ssend", 6, |view| message::send(view, Ends::Returning), choices [0]);
    function("MPI_Issend", "mpi_issend", 7, |view| message::send(view, Ends::Request), choices [0]);
    function("MPI_Ssend_init", "mpi_ssend_init", 7, |view| message::send(view, Ends::Persistent), choices [0]);
    function("MPI_Rsend", "mpi_rsend", 6, |view| message::send(view, Ends::Returning), choices [0]);
    function("MPI_Irsend", "mpi_irsend", 7, |view| message::send(view, Ends::Request), choices [0]);
    function("MPI_Rsend_init", "mpi_rsend_init", 7, |view| message::send(view, Ends::Persistent), choices [0]);
    function("MPI_Recv", "mpi_recv", 7, |view| message::receive(view, Ends::Returning), choices [0]);
    function("MPI_Irecv", "mpi_irecv", 7, |view| message::receive(view, Ends::Request), choices [0]);
    function("MPI_Recv_init", "mpi_recv_init", 7, |view| message::receive(view, Ends::Persistent), choices [0]);
    function("MPI_Sendrecv", "mpi_sendrecv", 12, |view| message::send_receive(view, Ends::Returning), choices [0, 5]);
    function("MPI_Isendrecv", "mpi_isendrecv", 12, |view| message::send_receive(view, Ends::Request), choices [0, 5]);
    function("MPI_Sendrecv_replace", "mpi_sendrecv_replace", 9, |view| message::send_receive_replace(view, Ends::Returning), choices [0]);
    function("MPI_Isendrecv_replace", "mpi_isendrecv_replace", 9, |view| message::send_receive_replace(view, Ends::Request), choices [0]);
    function("MPI_Mrecv", "mpi_mrecv", 5, matched::receive, choices [0]);
    function("MPI_Imrecv", "mpi_imrecv", 5, matched::immediate_receive, choices [0]);
    large("MPI_Send_c", "mpi_send", 6, |view| message::send(view, Ends::Returning), choices [0]);
    large("MPI_Isend_c", "mpi_isend", 7, |view| message::send(view, Ends::Request), choices [0]);
    large("MPI_Send_init_c", "mpi_send_init", 7, |view| message::send(view, Ends::Persistent), choices [0]);
    large("MPI_Bsend_c", "mpi_bsend", 6, |view| message::send(view, Ends::Returning), choices [0]);
    large("MPI_Ibsend_c", "mpi_ibsend", 7, |view| message::send(view, Ends::Request), choices [0]);
    large("MPI_Bsend_init_c", "mpi_bsend_init", 7, |view| message::send(view, Ends::Persistent), choices [0]);
    large("MPI_Ssend_c", "mpi_ssend", 6, |view| message::send(view, Ends::Returning), choices [0]);
    large("MPI_Issend_c", "mpi_issend", 7, |view| message::send(view, Ends::Request), choices [0]);
    large("MPI_Ssend_init_c", "mpi_ssend_init", 7, |view| message::send(view, Ends::Persistent), choices [0]);
    large("MPI_Rsend_c", "mpi_rsend", 6, |view| message::send(view, Ends::Returning), choices [0]);
    large("MPI_Irsend_c", "mpi_irsend", 7, |view| message::send(view, Ends::Request), choices [0]);
    large("MPI_Rsend_init_c", "mpi_rsend_init", 7, |view| message::send(view, Ends::Persistent), choices [0]);
    large("MPI_Recv_c", "mpi_recv", 7, |view| message::receive(view, Ends::Returning), choices [0]);
    large("MPI_Irecv_c", "mpi_irecv", 7, |view| message::receive(view, Ends::Request), choices [0]);
    large("MPI_Recv_init_c", "mpi_recv_init", 7, |view| message::receive(view, Ends::Persistent), choices [0]);
    large("MPI_Sendrecv_c", "mpi_sendrecv", 12, |view| message::send_receive(view, Ends::Returning), choices [0, 5]);
    large("MPI_Isendrecv_c", "mpi_isendrecv", 12, |view| message::send_receive(view, Ends::Request), choices [0, 5]);
    large("MPI_Sendrecv_replace_c", "mpi_sendrecv_replace", 9, |view| message::send_receive_replace(view, Ends::Returning), choices [0]);
    large("MPI_Isendrecv_replace_c", "mpi_isendrecv_replace", 9, |view| message::send_receive_replace(view, Ends::Request), choices [0]);
    large("MPI_Mrecv_c", "mpi_mrecv", 5, matched::receive, choices [0]);
    large("MPI_Imrecv_c", "mpi_imrecv", 5, matched::immediate_receive, choices [0]);
    function("MPI_Mprobe", "mpi_mprobe", 5, matched::probe);
    function("MPI_Improbe", "mpi_improbe", 6, matched::immediate_probe);
    // Within a process (§5.2, §6.9.7), and files (§14.4)
    function("MPI_Pack", "mpi_pack", 7, local::pack, choices [0, 3]);
    function("MPI_Unpack", "mpi_unpack", 7, local::unpack, choices [0, 3]);
    function("MPI_Reduce_local", "mpi_reduce_local", 5, local::reduce_local, choices [0, 1]);
    large("MPI_Pack_c", "mpi_pack", 7, local::pack, choices [0, 3]);
    large("MPI_Unpack_c", "mpi_unpack", 7, local::unpack, choices [0, 3]);
    large("MPI_Reduce_local_c", "mpi_reduce_local", 5, local::reduce_local, choices [0, 1]);
    function("MPI_File_read", "mpi_file_read", 5, |view| local::file_read(view, 1), choices [1]);
    function("MPI_File_read_all", "mpi_file_read_all", 5, |view| local::file_read(view, 1), choices [1]);
    function("MPI_File_read_shared", "mpi_file_read_shared", 5, |view| local::file_read(view, 1), choices [1]);
    function("MPI_File_read_ordered", "mpi_file_read_ordered", 5, |view| local::file_read(view, 1), choices [1]);
    function("MPI_File_read_at", "mpi_file_read_at", 6, |view| local::file_read(view, 2), choices [2]);
    function("MPI_File_read_at_all", "mpi_file_read_at_all", 6, |view| local::file_read(view, 2), choices [2]);
    function("MPI_File_write", "mpi_file_write", 5, |view| local::file_write(view, 1), choices [1]);
    function("MPI_File_write_all", "mpi_file_write_all", 5, |view| local::file_write(view, 1), choices [1]);
    function("MPI_File_write_shared", "mpi_file_write_shared", 5, |view| local::file_write(view, 1), choices [1]);
    function("MPI_File_write_ordered", "mpi_file_write_ordered", 5, |view| local::file_write(view, 1), choices [1]);
    function("MPI_File_write_at", "mpi_file_write_at", 6, |view| local::file_write(view, 2), choices [2]);
    function("MPI_File_write_at_all", "mpi_file_write_at_all", 6, |view| local::file_write(view, 2), choices [2]);
    // Collectives (§6, §8.6)
    function("MPI_Barrier", "mpi_barrier", 1, |view| collective(view, Form::Barrier, Ends::Returning));
    function("MPI_Ibarrier", "mpi_ibarrier", 2, |view| collective(view, Form::Barrier, Ends::Request));
    function("MPI_Barrier_init", "mpi_barrier_init", 3, |view| collective(view, Form::Barrier, Ends::Persistent));
    function("MPI_Bcast", "mpi_bcast", 5, |view| collective(view, Form::Bcast, Ends::Returning), choices [0]);
    function("MPI_Ibcast", "mpi_ibcast", 6, |view| collective(view, Form::Bcast, Ends::Request), choices [0]);
    function("MPI_Bcast_init", "mpi_bcast_init", 7, |view| collective(view, Form::Bcast, Ends::Persistent), choices [0]);
    function("MPI_Gather", "mpi_gather", 8, |view| collective(view, Form::Gather, Ends::Returning), choices [0, 3]);
    function("MPI_Igather", "mpi_igather", 9, |view| collective(view, Form::Gather, Ends::Request), choices [0, 3]);
    function("MPI_Gather_init", "mpi_gather_init", 10, |view| collective(view, Form::Gather, Ends::Persistent), choices [0, 3]);
    function("MPI_Gatherv", "mpi_gatherv", 9, |view| collective(view, Form::Gatherv, Ends::Returning), choices [0, 3]);
    function("MPI_Igatherv", "mpi_igatherv", 10, |view| collective(view, Form::Gatherv, Ends::Request), choices [0, 3]);
    function("MPI_Gatherv_init", "mpi_gatherv_init", 11, |view| collective(view, Form::Gatherv, Ends::Persistent), choices [0, 3]);
    function("MPI_Scatter", "mpi_scatter", 8, |view| collective(view, Form::Scatter, Ends::Returning), choices [0, 3]);
    function("MPI_Iscatter", "mpi_iscatter", 9, |view| collective(view, Form::Scatter, Ends::Request), choices [0, 3]);
    function("MPI_Scatter_init", "mpi_scatter_init", 10, |view| collective(view, Form::Scatter, Ends::Persistent), choices [0, 3]);
    function("MPI_Scatterv", "mpi_scatterv", 9, |view| collective(view, Form::Scatterv, Ends::Returning), choices [0, 4]);
    function("MPI_Iscatterv", "mpi_iscatterv", 10, |view| collective(view, Form::Scatterv, Ends::Request), choices [0, 4]);
    function("MPI_Scatterv_init", "mpi_scatterv_init", 11, |view| collective(view, Form::Scatterv, Ends::Persistent), choices [0, 4]);
    function("MPI_Allgather", "mpi_allgather", 7, |view| collective(view, Form::Allgather, Ends::Returning), choices [0, 3]);
    function("MPI_Iallgather", "mpi_iallgather", 8, |view| collective(view, Form::Allgather, Ends::Request), choices [0, 3]);
    function("MPI_Allgather_init", "mpi_allgather_init", 9, |view| collective(view, Form::Allgather, Ends::Persistent), choices [0, 3]);
    function("MPI_Allgatherv", "mpi_allgatherv", 8, |view| collective(view, Form::Allgatherv, Ends::Returning), choices [0, 3]);
    function("MPI_Iallgatherv", "mpi_iallgatherv", 9, |view| collective(view, Form::Allgatherv, Ends::Request), choices [0, 3]);
    function("MPI_Allgatherv_init", "mpi_allgatherv_init", 10, |view| collective(view, Form::Allgatherv, Ends::Persistent), choices [0, 3]);
    function("MPI_Alltoall", "mpi_alltoall", 7, |view| collective(view, Form::Alltoall, Ends::Returning), choices [0, 3]);
    function("MPI_Ialltoall", "mpi_ialltoall", 8, |view| collective(view, Form::Alltoall, Ends::Request), choices [0, 3]);
    function("MPI_Alltoall_init", "mpi_alltoall_init", 9, |view| collective(view, Form::Alltoall, Ends::Persistent), choices [0, 3]);
    function("MPI_Alltoallv", "mpi_alltoallv", 9, |view| collective(view, Form::Alltoallv, Ends::Returning), choices [0, 4]);
    function("MPI_Ialltoallv", "mpi_ialltoallv", 10, |view| collective(view, Form::Alltoallv, Ends::Request), choices [0, 4]);
    function("MPI_Alltoallv_init", "mpi_alltoallv_init", 11, |view| collective(view, Form::Alltoallv, Ends::Persistent), choices [0, 4]);
    function("MPI_Alltoallw", "mpi_alltoallw", 9, |view| collective(view, Form::Alltoallw, Ends::Returning), choices [0, 4]);
    function("MPI_Ialltoallw", "mpi_ialltoallw", 10, |view| collective(view, Form::Alltoallw, Ends::Request), choices [0, 4]);
    function("MPI_Alltoallw_init", "mpi_alltoallw_init", 11, |view| collective(view, Form::Alltoallw, Ends::Persistent), choices [0, 4]);
    function("MPI_Reduce", "mpi_reduce", 7, |view| collective(view, Form::Reduce, Ends::Returning), choices [0, 1]);
    function("MPI_Ireduce", "mpi_ireduce", 8, |view| collective(view, Form::Reduce, Ends::Request), choices [0, 1]);
    function("MPI_Reduce_init", "mpi_reduce_init", 9, |view| collective(view, Form::Reduce, Ends::Persistent), choices [0, 1]);
    function("MPI_Allreduce", "mpi_allreduce", 6, |view| collective(view, Form::Allreduce, Ends::Returning), choices [0, 1]);
    function("MPI_Iallreduce", "mpi_iallreduce", 7, |view| collective(view, Form::Allreduce, Ends::Request), choices [0, 1]);
    function("MPI_Allreduce_init", "mpi_allreduce_init", 8, |view| collective(view, Form::Allreduce, Ends::Persistent), choices [0, 1]);
    function("MPI_Reduce_scatter", "mpi_reduce_scatter", 6, |view| collective(view, Form::ReduceScatter, Ends::Returning), choices [0, 1]);
    function("MPI_Ireduce_scatter", "mpi_ireduce_scatter", 7, |view| collective(view, Form::ReduceScatter, Ends::Request), choices [0, 1]);
    function("MPI_Reduce_scatter_init", "mpi_reduce_scatter_init", 8, |view| collective(view, Form::ReduceScatter, Ends::Persistent), choices [0, 1]);
    function("MPI_Reduce_scatter_block", "mpi_reduce_scatter_block", 6, |view| collective(view, Form::ReduceScatterBlock, Ends::Returning), choices [0, 1]);
    function("MPI_Ireduce_scatter_block", "mpi_ireduce_scatter_block", 7, |view| collective(view, Form::ReduceScatterBlock, Ends::Request), choices [0, 1]);
    function("MPI_Reduce_scatter_block_init", "mpi_reduce_scatter_block_init", 8, |view| collective(view, Form::ReduceScatterBlock, Ends::Persistent), choices [0, 1]);
    function("MPI_Scan", "mpi_scan", 6, |view| collective(view, Form::Scan, Ends::Returning), choices [0, 1]);
    function("MPI_Iscan", "mpi_iscan", 7, |view| collective(view, Form::Scan, Ends::Request), choices [0, 1]);
    function("MPI_Scan_init", "mpi_scan_init", 8, |view| collective(view, Form::Scan, Ends::Persistent), choices [0, 1]);
    function("MPI_Exscan", "mpi_exscan", 6, |view| collective(view, Form::Exscan, Ends::Returning), choices [0, 1]);
    function("MPI_Iexscan", "mpi_iexscan", 7, |view| collective(view, Form::Exscan, Ends::Request), choices [0, 1]);
    function("MPI_Exscan_init", "mpi_exscan_init", 8, |view| collective(view, Form::Exscan, Ends::Persistent), choices [0, 1]);
    function("MPI_Neighbor_allgather", "mpi_neighbor_allgather", 7, |view| collective(view, Form::NeighborAllgather, Ends::Returning), choices [0, 3]);
    function("MPI_Ineighbor_allgather", "mpi_ineighbor_allgather", 8, |view| collective(view, Form::NeighborAllgather, Ends::Request), choices [0, 3]);
    function("MPI_Neighbor_allgather_init", "mpi_neighbor_allgather_init", 9, |view| collective(view, Form::NeighborAllgather, Ends::Persistent), choices [0, 3]);
    function("MPI_Neighbor_allgatherv", "mpi_neighbor_allgatherv", 8, |view| collective(view, Form::NeighborAllgatherv, Ends::Returning), choices [0, 3]);
    function("MPI_Ineighbor_allgatherv", "mpi_ineighbor_allgatherv", 9, |view| collective(view, Form::NeighborAllgatherv, Ends::Request), choices [0, 3]);
    function("MPI_Neighbor_allgatherv_init", "mpi_neighbor_allgatherv_init", 10, |view| collective(view, Form::NeighborAllgatherv, Ends::Persistent), choices [0, 3]);
    function("MPI_Neighbor_alltoall", "mpi_neighbor_alltoall", 7, |view| collective(view, Form::NeighborAlltoall, Ends::Returning), choices [0, 3]);
    function("MPI_Ineighbor_alltoall", "mpi_ineighbor_alltoall", 8, |view| collective(view, Form::NeighborAlltoall, Ends::Request), choices [0, 3]);
    function("MPI_Neighbor_alltoall_init", "mpi_neighbor_alltoall_init", 9, |view| collective(view, Form::NeighborAlltoall, Ends::Persistent), choices [0, 3]);
    function("MPI_Neighbor_alltoallv", "mpi_neighbor_alltoallv", 9, |view| collective(view, Form::NeighborAlltoallv, Ends::Returning), choices [0, 4]);
    function("MPI_Ineighbor_alltoallv", "mpi_ineighbor_alltoallv", 10, |view| collective(view, Form::NeighborAlltoallv, Ends::Request), choices [0, 4]);
    function("MPI_Neighbor_alltoallv_init", "mpi_neighbor_alltoallv_init", 11, |view| collective(view, Form::NeighborAlltoallv, Ends::Persistent), choices [0, 4]);
    function("MPI_Neighbor_alltoallw", "mpi_neighbor_alltoallw", 9, |view| collective(view, Form::NeighborAlltoallw, Ends::Returning), choices [0, 4]);
    function("MPI_Ineighbor_alltoallw", "mpi_ineighbor_alltoallw", 10, |view| collective(view, Form::NeighborAlltoallw, Ends::Request), choices [0, 4]);
    function("MPI_Neighbor_alltoallw_init", "mpi_neighbor_alltoallw_init", 11, |view| collective(view, Form::NeighborAlltoallw, Ends::Persistent), choices [0, 4]);
    large("MPI_Bcast_c", "mpi_bcast", 5, |view| collective(view, Form::Bcast, Ends::Returning), choices [0]);
    large("MPI_Ibcast_c", "mpi_ibcast", 6, |view| collective(view, Form::Bcast, Ends::Request), choices [0]);
    large("MPI_Bcast_init_c", "mpi_bcast_init", 7, |view| collective(view, Form::Bcast, Ends::Persistent), choices [0]);
    large("MPI_Gather_c", "mpi_gather", 8, |view| collective(view, Form::Gather, Ends::Returning), choices [0, 3]);
    large("MPI_Igather_c", "mpi_igather", 9, |view| collective(view, Form::Gather, Ends::Request), choices [0, 3]);
    large("MPI_Gather_init_c", "mpi_gather_init", 10, |view| collective(view, Form::Gather, Ends::Persistent), choices [0, 3]);
    large("MPI_Gatherv_c", "mpi_gatherv", 9, |view| collective(view, Form::Gatherv, Ends::Returning), choices [0, 3]);
    large("MPI_Igatherv_c", "mpi_igatherv", 10, |view| collective(view, Form::Gatherv, Ends::Request), choices [0, 3]);
    large("MPI_Gatherv_init_c", "mpi_gatherv_init", 11, |view| collective(view, Form::Gatherv, Ends::Persistent), choices [0, 3]);
    large("MPI_Scatter_c", "mpi_scatter", 8, |view| collective(view, Form::Scatter, Ends::Returning), choices [0, 3]);
    large("MPI_Iscatter_c", "mpi_iscatter", 9, |view| collective(view, Form::Scatter, Ends::Request), choices [0, 3]);
    large("MPI_Scatter_init_c", "mpi_scatter_init", 10, |view| collective(view, Form::Scatter, Ends::Persistent), choices [0, 3]);
    large("MPI_Scatterv_c", "mpi_scatterv", 9, |view| collective(view, Form::Scatterv, Ends::Returning), choices [0, 4]);
    large("MPI_Iscatterv_c", "mpi_iscatterv", 10, |view| collective(view, Form::Scatterv, Ends::Request), choices [0, 4]);
    large("MPI_Scatterv_init_c", "mpi_scatterv_init", 11, |view| collective(view, Form::Scatterv, Ends::Persistent), choices [0, 4]);
    large("MPI_Allgather_c", "mpi_allgather", 7, |view| collective(view, Form::Allgather, Ends::Returning), choices [0, 3]);
    large("MPI_Iallgather_c", "mpi_iallgather", 8, |view| collective(view, Form::Allgather, Ends::Request), choices [0, 3]);
    large("MPI_Allgather_init_c", "mpi_allgather_init", 9, |view| collective(view, Form::Allgather, Ends::Persistent), choices [0, 3]);
    large("MPI_Allgatherv_c", "mpi_allgatherv", 8, |view| collective(view, Form::Allgatherv, Ends::Returning), choices [0, 3]);
    large("MPI_Iallgatherv_c", "mpi_iallgatherv", 9, |view| collective(view, Form::Allgatherv, Ends::Request), choices [0, 3]);
    large("MPI_Allgatherv_init_c", "mpi_allgatherv_init", 10, |view| collective(view, Form::Allgatherv, Ends::Persistent), choices [0, 3]);
    large("MPI_Alltoall_c", "mpi_alltoall", 7, |view| collective(view, Form::Alltoall, Ends::Returning), choices [0, 3]);
    large("MPI_Ialltoall_c", "mpi_ialltoall", 8, |view| collective(view, Form::Alltoall, Ends::Request), choices [0, 3]);
    large("MPI_Alltoall_init_c", "mpi_alltoall_init", 9, |view| collective(view, Form::Alltoall, Ends::Persistent), choices [0, 3]);
    large("MPI_Alltoallv_c", "mpi_alltoallv", 9, |view| collective(view, Form::Alltoallv, Ends::Returning), choices [0, 4]);
    large("MPI_Ialltoallv_c", "mpi_ialltoallv", 10, |view| collective(view, Form::Alltoallv, Ends::Request), choices [0, 4]);
    large("MPI_Alltoallv_init_c", "mpi_alltoallv_init", 11, |view| collective(view, Form::Alltoallv, Ends::Persistent), choices [0, 4]);
    large("MPI_Alltoallw_c", "mpi_alltoallw", 9, |view| collective(view, Form::Alltoallw, Ends::Returning), choices [0, 4]);
    large("MPI_Ialltoallw_c", "mpi_ialltoallw", 10, |view| collective(view, Form::Alltoallw, Ends::Request), choices [0, 4]);
    large("MPI_Alltoallw_init_c", "mpi_alltoallw_init", 11, |view| collective(view, Form::Alltoallw, Ends::Persistent), choices [0, 4]);
    large("MPI_Reduce_c", "mpi_reduce", 7, |view| collective(view, Form::Reduce, Ends::Returning), choices [0, 1]);
    large("MPI_Ireduce_c", "mpi_ireduce", 8, |view| collective(view, Form::Reduce, Ends::Request), choices [0, 1]);
    large("MPI_Reduce_init_c", "mpi_reduce_init", 9, |view| collective(view, Form::Reduce, Ends::Persistent), choices [0, 1]);
    large("MPI_Allreduce_c", "mpi_allreduce", 6, |view| collective(view, Form::Allreduce, Ends::Returning), choices [0, 1]);
    large("MPI_Iallreduce_c", "mpi_iallreduce", 7, |view| collective(view, Form::Allreduce, Ends::Request), choices [0, 1]);
    large("MPI_Allreduce_init_c", "mpi_allreduce_init", 8, |view| collective(view, Form::Allreduce, Ends::Persistent), choices [0, 1]);
    large("MPI_Reduce_scatter_c", "mpi_reduce_scatter", 6, |view| collective(view, Form::ReduceScatter, Ends::Returning), choices [0, 1]);
    large("MPI_Ireduce_scatter_c", "mpi_ireduce_scatter", 7, |view| collective(view, Form::ReduceScatter, Ends::Request), choices [0, 1]);
    large("MPI_Reduce_scatter_init_c", "mpi_reduce_scatter_init", 8, |view| collective(view, Form::ReduceScatter, Ends::Persistent), choices [0, 1]);
    large("MPI_Reduce_scatter_block_c", "mpi_reduce_scatter_block", 6, |view| collective(view, Form::ReduceScatterBlock, Ends::Returning), choices [0, 1]);
    large("MPI_Ireduce_scatter_block_c", "mpi_ireduce_scatter_block", 7, |view| collective(view, Form::ReduceScatterBlock, Ends::Request), choices [0, 1]);
    large("MPI_Reduce_scatter_block_init_c", "mpi_reduce_scatter_block_init", 8, |view| collective(view, Form::ReduceScatterBlock, Ends::Persistent), choices [0, 1]);
    large("MPI_Scan_c", "mpi_scan", 6, |view| collective(view, Form::Scan, Ends::Returning), choices [0, 1]);
    large("MPI_Iscan_c", "mpi_iscan", 7, |view| collective(view, Form::Scan, Ends::Request), choices [0, 1]);
    large("MPI_Scan_init_c", "mpi_scan_init", 8, |view| collective(view, Form::Scan, Ends::Persistent), choices [0, 1]);
    large("MPI_Exscan_c", "mpi_exscan", 6, |view| collective(view, Form::Exscan, Ends::Returning), choices [0, 1]);
    large("MPI_Iexscan_c", "mpi_iexscan", 7, |view| collective(view, Form::Exscan, Ends::Request), choices [0, 1]);
    large("MPI_Exscan_init_c", "mpi_exscan_init", 8, |view| collective(view, Form::Exscan, Ends::Persistent), choices [0, 1]);
    large("MPI_Neighbor_allgather_c", "mpi_neighbor_allgather", 7, |view| collective(view, Form::NeighborAllgather, Ends::Returning), choices [0, 3]);
    large("MPI_Ineighbor_allgather_c", "mpi_ineighbor_allgather", 8, |view| collective(view, Form::NeighborAllgather, Ends::Request), choices [0, 3]);
    large("MPI_Neighbor_allgather_init_c", "mpi_neighbor_allgather_init", 9, |view| collective(view, Form::NeighborAllgather, Ends::Persistent), choices [0, 3]);
    large("MPI_Neighbor_allgatherv_c", "mpi_neighbor_allgatherv", 8, |view| collective(view, Form::NeighborAllgatherv, Ends::Returning), choices [0, 3]);
    large("MPI_Ineighbor_allgatherv_c", "mpi_ineighbor_allgatherv", 9, |view| collective(view, Form::NeighborAllgatherv, Ends::Request), choices [0, 3]);
    large("MPI_Neighbor_allgatherv_init_c", "mpi_neighbor_allgatherv_init", 10, |view| collective(view, Form::NeighborAllgatherv, Ends::Persistent), choices [0, 3]);
    large("MPI_Neighbor_alltoall_c", "mpi_neighbor_alltoall", 7, |view| collective(view, Form::NeighborAlltoall, Ends::Returning), choices [0, 3]);
    large("MPI_Ineighbor_alltoall_c", "mpi_ineighbor_alltoall", 8, |view| collective(view, Form::NeighborAlltoall, Ends::Request), choices [0, 3]);
    large("MPI_Neighbor_alltoall_init_c", "mpi_neighbor_alltoall_init", 9, |view| collective(view, Form::NeighborAlltoall, Ends::Persistent), choices [0, 3]);
    large("MPI_Neighbor_alltoallv_c", "mpi_neighbor_alltoallv", 9, |view| collective(view, Form::NeighborAlltoallv, Ends::Returning), choices [0, 4]);
    large("MPI_Ineighbor_alltoallv_c", "mpi_ineighbor_alltoallv", 10, |view| collective(view, Form::NeighborAlltoallv, Ends::Request), choices [0, 4]);
    large("MPI_Neighbor_alltoallv_init_c", "mpi_neighbor_alltoallv_init", 11, |view| collective(view, Form::NeighborAlltoallv, Ends::Persistent), choices [0, 4]);
    large("MPI_Neighbor_alltoallw_c", "mpi_neighbor_alltoallw", 9, |view| collective(view, Form::NeighborAlltoallw, Ends::Returning), choices [0, 4]);
    large("MPI_Ineighbor_alltoallw_c", "mpi_ineighbor_alltoallw", 10, |view| collective(view, Form::NeighborAlltoallw, Ends::Request), choices [0, 4]);
    large("MPI_Neighbor_alltoallw_init_c", "mpi_neighbor_alltoallw_init", 11, |view| collective(view, Form::NeighborAlltoallw, Ends::Persistent), choices [0, 4]);
    // Calls whose order is not understood: the report says so
    function("MPI_Comm_spawn", "mpi_comm_spawn", 8, not_understood, strings 2);
    function("MPI_Comm_spawn_multiple", "mpi_comm_spawn_multiple", 9, not_understood, strings 2);
    function("MPI_Comm_accept", "mpi_comm_accept", 5, not_understood, strings 1);
    function("MPI_Comm_connect", "mpi_comm_connect", 5, not_understood, strings 1);
    function("MPI_Comm_join", "mpi_comm_join", 2, not_understood);
    function("MPI_Psend_init", "mpi_psend_init", 9, not_understood, choices [0]);
    function("MPI_Precv_init", "mpi_precv_init", 9, not_understood, choices [0]);
    // Open MPI's name for window allocation with a C pointer in `use mpi`
    fortran("MPI_Win_allocate", "mpi_win_allocate_cptr", 6, window::allocate);
    fortran("MPI_Win_allocate_shared", "mpi_win_allocate_shared_cptr", 6, window::allocate_shared);
}
