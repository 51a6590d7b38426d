//! The procedures of MPI-5.0, and those of older versions. Written by `generate/table.py` from the texts beside it:
//! change those.

use crate::meaning::{Completion, Making, Meaning, Waits};
use crate::collective::{CollectiveForm, Ends};
use crate::signature::Direction::{In, Inout, Out};
use crate::signature::Handle::{Comm, Errhandler, File, Group, Info, Message, Op, Request, Session, Type, Win};
use crate::signature::Kind::{
    Address, Buffer, Count, Handle, Int, Logical, Other, Pointer, Procedure as Callback, Status, Text,
};
use crate::signature::{Interfaces, Returns, Role, array, c_only, large_only, one};
use crate::table::Row;
use farside_events::{CallKind, OperationKind, SendMode, WindowFlavor};

/// A procedure of MPI, by its name in C without `MPI_`. The form with large counts is the same procedure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, non_camel_case_types)] // The standard's names.
#[repr(u16)]
pub enum Procedure {
    Abi_get_fortran_booleans,
    Abi_get_fortran_info,
    Abi_get_info,
    Abi_get_version,
    Abi_set_fortran_booleans,
    Abi_set_fortran_info,
    Abort,
    Accumulate,
    Add_error_class,
    Add_error_code,
    Add_error_string,
    Address,
    Aint_add,
    Aint_diff,
    Allgather,
    Allgather_init,
    Allgatherv,
    Allgatherv_init,
    Alloc_mem,
    Allreduce,
    Allreduce_init,
    Alltoall,
    Alltoall_init,
    Alltoallv,
    Alltoallv_init,
    Alltoallw,
    Alltoallw_init,
    Attr_delete,
    Attr_get,
    Attr_put,
    Barrier,
    Barrier_init,
    Bcast,
    Bcast_init,
    Bsend,
    Bsend_init,
    Buffer_attach,
    Buffer_detach,
    Buffer_flush,
    Buffer_iflush,
    Cancel,
    Cart_coords,
    Cart_create,
    Cart_get,
    Cart_map,
    Cart_rank,
    Cart_shift,
    Cart_sub,
    Cartdim_get,
    Close_port,
    Comm_accept,
    Comm_attach_buffer,
    Comm_c2f,
    Comm_call_errhandler,
    Comm_compare,
    Comm_connect,
    Comm_create,
    Comm_create_errhandler,
    Comm_create_from_group,
    Comm_create_group,
    Comm_create_keyval,
    Comm_delete_attr,
    Comm_detach_buffer,
    Comm_disconnect,
    Comm_dup,
    Comm_dup_with_info,
    Comm_f2c,
    Comm_flush_buffer,
    Comm_free,
    Comm_free_keyval,
    Comm_fromint,
    Comm_get_attr,
    Comm_get_errhandler,
    Comm_get_info,
    Comm_get_name,
    Comm_get_parent,
    Comm_group,
    Comm_idup,
    Comm_idup_with_info,
    Comm_iflush_buffer,
    Comm_join,
    Comm_rank,
    Comm_remote_group,
    Comm_remote_size,
    Comm_set_attr,
    Comm_set_errhandler,
    Comm_set_info,
    Comm_set_name,
    Comm_size,
    Comm_spawn,
    Comm_spawn_multiple,
    Comm_split,
    Comm_split_type,
    Comm_test_inter,
    Comm_toint,
    Compare_and_swap,
    Dims_create,
    Dist_graph_create,
    Dist_graph_create_adjacent,
    Dist_graph_neighbors,
    Dist_graph_neighbors_count,
    Errhandler_c2f,
    Errhandler_create,
    Errhandler_f2c,
    Errhandler_free,
    Errhandler_fromint,
    Errhandler_get,
    Errhandler_set,
    Errhandler_toint,
    Error_class,
    Error_string,
    Exscan,
    Exscan_init,
    Fetch_and_op,
    File_c2f,
    File_call_errhandler,
    File_close,
    File_create_errhandler,
    File_delete,
    File_f2c,
    File_fromint,
    File_get_amode,
    File_get_atomicity,
    File_get_byte_offset,
    File_get_errhandler,
    File_get_group,
    File_get_info,
    File_get_position,
    File_get_position_shared,
    File_get_size,
    File_get_type_extent,
    File_get_view,
    File_iread,
    File_iread_all,
    File_iread_at,
    File_iread_at_all,
    File_iread_shared,
    File_iwrite,
    File_iwrite_all,
    File_iwrite_at,
    File_iwrite_at_all,
    File_iwrite_shared,
    File_open,
    File_preallocate,
    File_read,
    File_read_all,
    File_read_all_begin,
    File_read_all_end,
    File_read_at,
    File_read_at_all,
    File_read_at_all_begin,
    File_read_at_all_end,
    File_read_ordered,
    File_read_ordered_begin,
    File_read_ordered_end,
    File_read_shared,
    File_seek,
    File_seek_shared,
    File_set_atomicity,
    File_set_errhandler,
    File_set_info,
    File_set_size,
    File_set_view,
    File_sync,
    File_toint,
    File_write,
    File_write_all,
    File_write_all_begin,
    File_write_all_end,
    File_write_at,
    File_write_at_all,
    File_write_at_all_begin,
    File_write_at_all_end,
    File_write_ordered,
    File_write_ordered_begin,
    File_write_ordered_end,
    File_write_shared,
    Finalize,
    Finalized,
    Free_mem,
    Gather,
    Gather_init,
    Gatherv,
    Gatherv_init,
    Get,
    Get_accumulate,
    Get_address,
    Get_count,
    Get_elements,
    Get_elements_x,
    Get_hw_resource_info,
    Get_library_version,
    Get_processor_name,
    Get_version,
    Graph_create,
    Graph_get,
    Graph_map,
    Graph_neighbors,
    Graph_neighbors_count,
    Graphdims_get,
    Grequest_complete,
    Grequest_start,
    Group_c2f,
    Group_compare,
    Group_difference,
    Group_excl,
    Group_f2c,
    Group_free,
    Group_from_session_pset,
    Group_fromint,
    Group_incl,
    Group_intersection,
    Group_range_excl,
    Group_range_incl,
    Group_rank,
    Group_size,
    Group_toint,
    Group_translate_ranks,
    Group_union,
    Iallgather,
    Iallgatherv,
    Iallreduce,
    Ialltoall,
    Ialltoallv,
    Ialltoallw,
    Ibarrier,
    Ibcast,
    Ibsend,
    Iexscan,
    Igather,
    Igatherv,
    Improbe,
    Imrecv,
    Ineighbor_allgather,
    Ineighbor_allgatherv,
    Ineighbor_alltoall,
    Ineighbor_alltoallv,
    Ineighbor_alltoallw,
    Info_c2f,
    Info_create,
    Info_create_env,
    Info_delete,
    Info_dup,
    Info_f2c,
    Info_free,
    Info_fromint,
    Info_get,
    Info_get_nkeys,
    Info_get_nthkey,
    Info_get_string,
    Info_get_valuelen,
    Info_set,
    Info_toint,
    Init,
    Init_thread,
    Initialized,
    Intercomm_create,
    Intercomm_create_from_groups,
    Intercomm_merge,
    Iprobe,
    Irecv,
    Ireduce,
    Ireduce_scatter,
    Ireduce_scatter_block,
    Irsend,
    Is_thread_main,
    Iscan,
    Iscatter,
    Iscatterv,
    Isend,
    Isendrecv,
    Isendrecv_replace,
    Issend,
    Keyval_create,
    Keyval_free,
    Lookup_name,
    Message_c2f,
    Message_f2c,
    Message_fromint,
    Message_toint,
    Mprobe,
    Mrecv,
    Neighbor_allgather,
    Neighbor_allgather_init,
    Neighbor_allgatherv,
    Neighbor_allgatherv_init,
    Neighbor_alltoall,
    Neighbor_alltoall_init,
    Neighbor_alltoallv,
    Neighbor_alltoallv_init,
    Neighbor_alltoallw,
    Neighbor_alltoallw_init,
    Op_c2f,
    Op_commutative,
    Op_create,
    Op_f2c,
    Op_free,
    Op_fromint,
    Op_toint,
    Open_port,
    Pack,
    Pack_external,
    Pack_external_size,
    Pack_size,
    Parrived,
    Pcontrol,
    Pready,
    Pready_list,
    Pready_range,
    Precv_init,
    Probe,
    Psend_init,
    Publish_name,
    Put,
    Query_thread,
    Raccumulate,
    Recv,
    Recv_init,
    Reduce,
    Reduce_init,
    Reduce_local,
    Reduce_scatter,
    Reduce_scatter_block,
    Reduce_scatter_block_init,
    Reduce_scatter_init,
    Register_datarep,
    Remove_error_class,
    Remove_error_code,
    Remove_error_string,
    Request_c2f,
    Request_f2c,
    Request_free,
    Request_fromint,
    Request_get_status,
    Request_get_status_all,
    Request_get_status_any,
    Request_get_status_some,
    Request_toint,
    Rget,
    Rget_accumulate,
    Rput,
    Rsend,
    Rsend_init,
    Scan,
    Scan_init,
    Scatter,
    Scatter_init,
    Scatterv,
    Scatterv_init,
    Send,
    Send_init,
    Sendrecv,
    Sendrecv_replace,
    Session_attach_buffer,
    Session_c2f,
    Session_call_errhandler,
    Session_create_errhandler,
    Session_detach_buffer,
    Session_f2c,
    Session_finalize,
    Session_flush_buffer,
    Session_fromint,
    Session_get_errhandler,
    Session_get_info,
    Session_get_nth_pset,
    Session_get_num_psets,
    Session_get_pset_info,
    Session_iflush_buffer,
    Session_init,
    Session_set_errhandler,
    Session_toint,
    Ssend,
    Ssend_init,
    Start,
    Startall,
    Status_c2f,
    Status_c2f08,
    Status_f082c,
    Status_f082f,
    Status_f2c,
    Status_f2f08,
    Status_get_error,
    Status_get_source,
    Status_get_tag,
    Status_set_cancelled,
    Status_set_elements,
    Status_set_elements_x,
    Status_set_error,
    Status_set_source,
    Status_set_tag,
    Test,
    Test_cancelled,
    Testall,
    Testany,
    Testsome,
    Topo_test,
    Type_c2f,
    Type_commit,
    Type_contiguous,
    Type_create_darray,
    Type_create_f90_complex,
    Type_create_f90_integer,
    Type_create_f90_real,
    Type_create_hindexed,
    Type_create_hindexed_block,
    Type_create_hvector,
    Type_create_indexed_block,
    Type_create_keyval,
    Type_create_resized,
    Type_create_struct,
    Type_create_subarray,
    Type_delete_attr,
    Type_dup,
    Type_extent,
    Type_f2c,
    Type_free,
    Type_free_keyval,
    Type_fromint,
    Type_get_attr,
    Type_get_contents,
    Type_get_envelope,
    Type_get_extent,
    Type_get_extent_x,
    Type_get_name,
    Type_get_true_extent,
    Type_get_true_extent_x,
    Type_get_value_index,
    Type_hindexed,
    Type_hvector,
    Type_indexed,
    Type_lb,
    Type_match_size,
    Type_set_attr,
    Type_set_name,
    Type_size,
    Type_size_x,
    Type_struct,
    Type_toint,
    Type_ub,
    Type_vector,
    Unpack,
    Unpack_external,
    Unpublish_name,
    Wait,
    Waitall,
    Waitany,
    Waitsome,
    Win_allocate,
    Win_allocate_shared,
    Win_attach,
    Win_c2f,
    Win_call_errhandler,
    Win_complete,
    Win_create,
    Win_create_dynamic,
    Win_create_errhandler,
    Win_create_keyval,
    Win_delete_attr,
    Win_detach,
    Win_f2c,
    Win_fence,
    Win_flush,
    Win_flush_all,
    Win_flush_local,
    Win_flush_local_all,
    Win_free,
    Win_free_keyval,
    Win_fromint,
    Win_get_attr,
    Win_get_errhandler,
    Win_get_group,
    Win_get_info,
    Win_get_name,
    Win_lock,
    Win_lock_all,
    Win_post,
    Win_set_attr,
    Win_set_errhandler,
    Win_set_info,
    Win_set_name,
    Win_shared_query,
    Win_start,
    Win_sync,
    Win_test,
    Win_toint,
    Win_unlock,
    Win_unlock_all,
    Win_wait,
    Wtick,
    Wtime,
}

/// All procedures, in the order of [`Procedure`].
pub(super) static TABLE: [Row<Procedure>; 490] = [
    // MPI_Abi_get_fortran_booleans
    Row::new(
        Procedure::Abi_get_fortran_booleans, "MPI_Abi_get_fortran_booleans", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("logical_size", Int, In, &[]), one("logical_true", Other, Out, &[]),
            one("logical_false", Other, Out, &[]), one("is_set", Logical, Out, &[]),
        ],
    ),
    // MPI_Abi_get_fortran_info
    Row::new(
        Procedure::Abi_get_fortran_info, "MPI_Abi_get_fortran_info", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("info", Handle(Info), Out, &[Role::Info]),
        ],
    ),
    // MPI_Abi_get_info
    Row::new(
        Procedure::Abi_get_info, "MPI_Abi_get_info", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("info", Handle(Info), Out, &[Role::Info]),
        ],
    ),
    // MPI_Abi_get_version
    Row::new(
        Procedure::Abi_get_version, "MPI_Abi_get_version", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("abi_major", Int, Out, &[]), one("abi_minor", Int, Out, &[]),
        ],
    ),
    // MPI_Abi_set_fortran_booleans
    Row::new(
        Procedure::Abi_set_fortran_booleans, "MPI_Abi_set_fortran_booleans", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("logical_size", Int, In, &[]), one("logical_true", Other, In, &[]),
            one("logical_false", Other, In, &[]),
        ],
    ),
    // MPI_Abi_set_fortran_info
    Row::new(
        Procedure::Abi_set_fortran_info, "MPI_Abi_set_fortran_info", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("info", Handle(Info), In, &[Role::Info]),
        ],
    ),
    // MPI_Abort
    Row::new(
        Procedure::Abort, "MPI_Abort", false, Returns::Code,
        Interfaces::ALL, Some(Meaning::Abort),
        &[
            one("comm", Handle(Comm), In, &[Role::Communicator]), one("errorcode", Int, In, &[]),
        ],
    ),
    // MPI_Accumulate
    Row::new(
        Procedure::Accumulate, "MPI_Accumulate", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Operation(OperationKind::Accumulate)),
        &[
            one("origin_addr", Buffer, In, &[Role::OriginBuffer]),
            one("origin_count", Count, In, &[Role::OriginCount]),
            one("origin_datatype", Handle(Type), In, &[Role::OriginType]),
            one("target_rank", Int, In, &[Role::TargetRank]),
            one("target_disp", Address, In, &[Role::TargetDisplacement]),
            one("target_count", Count, In, &[Role::TargetCount]),
            one("target_datatype", Handle(Type), In, &[Role::TargetType]),
            one("op", Handle(Op), In, &[Role::Operator]), one("win", Handle(Win), In, &[Role::Window]),
        ],
    ),
    // MPI_Add_error_class
    Row::new(
        Procedure::Add_error_class, "MPI_Add_error_class", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("errorclass", Int, Out, &[]),
        ],
    ),
    // MPI_Add_error_code
    Row::new(
        Procedure::Add_error_code, "MPI_Add_error_code", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("errorclass", Int, In, &[]), one("errorcode", Int, Out, &[]),
        ],
    ),
    // MPI_Add_error_string
    Row::new(
        Procedure::Add_error_string, "MPI_Add_error_string", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("errorcode", Int, In, &[]), one("string", Text, In, &[]),
        ],
    ),
    // MPI_Address
    Row::new(
        Procedure::Address, "MPI_Address", false, Returns::Code,
        Interfaces::MPIF, None,
        &[
            one("location", Buffer, In, &[]), one("address", Address, Out, &[]),
        ],
    ),
    // MPI_Aint_add
    Row::new(
        Procedure::Aint_add, "MPI_Aint_add", false, Returns::Address,
        Interfaces::ALL, None,
        &[
            one("base", Address, In, &[]), one("disp", Address, In, &[]),
        ],
    ),
    // MPI_Aint_diff
    Row::new(
        Procedure::Aint_diff, "MPI_Aint_diff", false, Returns::Address,
        Interfaces::ALL, None,
        &[
            one("addr1", Address, In, &[]), one("addr2", Address, In, &[]),
        ],
    ),
    // MPI_Allgather
    Row::new(
        Procedure::Allgather, "MPI_Allgather", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Collective(CollectiveForm::Allgather, Ends::Returning)),
        &[
            one("sendbuf", Buffer, In, &[Role::SendBuffer]), one("sendcount", Count, In, &[Role::SendCount]),
            one("sendtype", Handle(Type), In, &[Role::SendType]), one("recvbuf", Buffer, Out, &[Role::ReceiveBuffer]),
            one("recvcount", Count, In, &[Role::ReceiveCount]),
            one("recvtype", Handle(Type), In, &[Role::ReceiveType]),
            one("comm", Handle(Comm), In, &[Role::Communicator]),
        ],
    ),
    // MPI_Allgather_init
    Row::new(
        Procedure::Allgather_init, "MPI_Allgather_init", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Collective(CollectiveForm::Allgather, Ends::Persistent)),
        &[
            one("sendbuf", Buffer, In, &[Role::SendBuffer]), one("sendcount", Count, In, &[Role::SendCount]),
            one("sendtype", Handle(Type), In, &[Role::SendType]), one("recvbuf", Buffer, Out, &[Role::ReceiveBuffer]),
            one("recvcount", Count, In, &[Role::ReceiveCount]),
            one("recvtype", Handle(Type), In, &[Role::ReceiveType]),
            one("comm", Handle(Comm), In, &[Role::Communicator]), one("info", Handle(Info), In, &[Role::Info]),
            one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_Allgatherv
    Row::new(
        Procedure::Allgatherv, "MPI_Allgatherv", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Collective(CollectiveForm::Allgatherv, Ends::Returning)),
        &[
            one("sendbuf", Buffer, In, &[Role::SendBuffer]), one("sendcount", Count, In, &[Role::SendCount]),
            one("sendtype", Handle(Type), In, &[Role::SendType]), one("recvbuf", Buffer, Out, &[Role::ReceiveBuffer]),
            array("recvcounts", Count, In, &[Role::ReceiveCount]),
            array("displs", Count, In, &[Role::ReceiveDisplacements]),
            one("recvtype", Handle(Type), In, &[Role::ReceiveType]),
            one("comm", Handle(Comm), In, &[Role::Communicator]),
        ],
    ),
    // MPI_Allgatherv_init
    Row::new(
        Procedure::Allgatherv_init, "MPI_Allgatherv_init", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Collective(CollectiveForm::Allgatherv, Ends::Persistent)),
        &[
            one("sendbuf", Buffer, In, &[Role::SendBuffer]), one("sendcount", Count, In, &[Role::SendCount]),
            one("sendtype", Handle(Type), In, &[Role::SendType]), one("recvbuf", Buffer, Out, &[Role::ReceiveBuffer]),
            array("recvcounts", Count, In, &[Role::ReceiveCount]),
            array("displs", Count, In, &[Role::ReceiveDisplacements]),
            one("recvtype", Handle(Type), In, &[Role::ReceiveType]),
            one("comm", Handle(Comm), In, &[Role::Communicator]), one("info", Handle(Info), In, &[Role::Info]),
            one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_Alloc_mem
    Row::new(
        Procedure::Alloc_mem, "MPI_Alloc_mem", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("size", Address, In, &[]), one("info", Handle(Info), In, &[Role::Info]),
            one("baseptr", Pointer, Out, &[]),
        ],
    ),
    // MPI_Allreduce
    Row::new(
        Procedure::Allreduce, "MPI_Allreduce", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Collective(CollectiveForm::Allreduce, Ends::Returning)),
        &[
            one("sendbuf", Buffer, In, &[Role::SendBuffer]), one("recvbuf", Buffer, Out, &[Role::ReceiveBuffer]),
            one("count", Count, In, &[Role::SendCount, Role::ReceiveCount]),
            one("datatype", Handle(Type), In, &[Role::SendType, Role::ReceiveType]),
            one("op", Handle(Op), In, &[Role::Operator]), one("comm", Handle(Comm), In, &[Role::Communicator]),
        ],
    ),
    // MPI_Allreduce_init
    Row::new(
        Procedure::Allreduce_init, "MPI_Allreduce_init", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Collective(CollectiveForm::Allreduce, Ends::Persistent)),
        &[
            one("sendbuf", Buffer, In, &[Role::SendBuffer]), one("recvbuf", Buffer, Out, &[Role::ReceiveBuffer]),
            one("count", Count, In, &[Role::SendCount, Role::ReceiveCount]),
            one("datatype", Handle(Type), In, &[Role::SendType, Role::ReceiveType]),
            one("op", Handle(Op), In, &[Role::Operator]), one("comm", Handle(Comm), In, &[Role::Communicator]),
            one("info", Handle(Info), In, &[Role::Info]), one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_Alltoall
    Row::new(
        Procedure::Alltoall, "MPI_Alltoall", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Collective(CollectiveForm::Alltoall, Ends::Returning)),
        &[
            one("sendbuf", Buffer, In, &[Role::SendBuffer]), one("sendcount", Count, In, &[Role::SendCount]),
            one("sendtype", Handle(Type), In, &[Role::SendType]), one("recvbuf", Buffer, Out, &[Role::ReceiveBuffer]),
            one("recvcount", Count, In, &[Role::ReceiveCount]),
            one("recvtype", Handle(Type), In, &[Role::ReceiveType]),
            one("comm", Handle(Comm), In, &[Role::Communicator]),
        ],
    ),
    // MPI_Alltoall_init
    Row::new(
        Procedure::Alltoall_init, "MPI_Alltoall_init", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Collective(CollectiveForm::Alltoall, Ends::Persistent)),
        &[
            one("sendbuf", Buffer, In, &[Role::SendBuffer]), one("sendcount", Count, In, &[Role::SendCount]),
            one("sendtype", Handle(Type), In, &[Role::SendType]), one("recvbuf", Buffer, Out, &[Role::ReceiveBuffer]),
            one("recvcount", Count, In, &[Role::ReceiveCount]),
            one("recvtype", Handle(Type), In, &[Role::ReceiveType]),
            one("comm", Handle(Comm), In, &[Role::Communicator]), one("info", Handle(Info), In, &[Role::Info]),
            one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_Alltoallv
    Row::new(
        Procedure::Alltoallv, "MPI_Alltoallv", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Collective(CollectiveForm::Alltoallv, Ends::Returning)),
        &[
            one("sendbuf", Buffer, In, &[Role::SendBuffer]), array("sendcounts", Count, In, &[Role::SendCount]),
            array("sdispls", Count, In, &[Role::SendDisplacements]),
            one("sendtype", Handle(Type), In, &[Role::SendType]), one("recvbuf", Buffer, Out, &[Role::ReceiveBuffer]),
            array("recvcounts", Count, In, &[Role::ReceiveCount]),
            array("rdispls", Count, In, &[Role::ReceiveDisplacements]),
            one("recvtype", Handle(Type), In, &[Role::ReceiveType]),
            one("comm", Handle(Comm), In, &[Role::Communicator]),
        ],
    ),
    // MPI_Alltoallv_init
    Row::new(
        Procedure::Alltoallv_init, "MPI_Alltoallv_init", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Collective(CollectiveForm::Alltoallv, Ends::Persistent)),
        &[
            one("sendbuf", Buffer, In, &[Role::SendBuffer]), array("sendcounts", Count, In, &[Role::SendCount]),
            array("sdispls", Count, In, &[Role::SendDisplacements]),
            one("sendtype", Handle(Type), In, &[Role::SendType]), one("recvbuf", Buffer, Out, &[Role::ReceiveBuffer]),
            array("recvcounts", Count, In, &[Role::ReceiveCount]),
            array("rdispls", Count, In, &[Role::ReceiveDisplacements]),
            one("recvtype", Handle(Type), In, &[Role::ReceiveType]),
            one("comm", Handle(Comm), In, &[Role::Communicator]), one("info", Handle(Info), In, &[Role::Info]),
            one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_Alltoallw
    Row::new(
        Procedure::Alltoallw, "MPI_Alltoallw", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Collective(CollectiveForm::Alltoallw, Ends::Returning)),
        &[
            one("sendbuf", Buffer, In, &[Role::SendBuffer]), array("sendcounts", Count, In, &[Role::SendCount]),
            array("sdispls", Count, In, &[Role::SendDisplacements]),
            array("sendtypes", Handle(Type), In, &[Role::SendType]),
            one("recvbuf", Buffer, Out, &[Role::ReceiveBuffer]),
            array("recvcounts", Count, In, &[Role::ReceiveCount]),
            array("rdispls", Count, In, &[Role::ReceiveDisplacements]),
            array("recvtypes", Handle(Type), In, &[Role::ReceiveType]),
            one("comm", Handle(Comm), In, &[Role::Communicator]),
        ],
    ),
    // MPI_Alltoallw_init
    Row::new(
        Procedure::Alltoallw_init, "MPI_Alltoallw_init", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Collective(CollectiveForm::Alltoallw, Ends::Persistent)),
        &[
            one("sendbuf", Buffer, In, &[Role::SendBuffer]), array("sendcounts", Count, In, &[Role::SendCount]),
            array("sdispls", Count, In, &[Role::SendDisplacements]),
            array("sendtypes", Handle(Type), In, &[Role::SendType]),
            one("recvbuf", Buffer, Out, &[Role::ReceiveBuffer]),
            array("recvcounts", Count, In, &[Role::ReceiveCount]),
            array("rdispls", Count, In, &[Role::ReceiveDisplacements]),
            array("recvtypes", Handle(Type), In, &[Role::ReceiveType]),
            one("comm", Handle(Comm), In, &[Role::Communicator]), one("info", Handle(Info), In, &[Role::Info]),
            one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_Attr_delete
    Row::new(
        Procedure::Attr_delete, "MPI_Attr_delete", false, Returns::Code,
        Interfaces::MPIF, None,
        &[
            one("comm", Handle(Comm), In, &[Role::Communicator]), one("keyval", Int, In, &[]),
        ],
    ),
    // MPI_Attr_get
    Row::new(
        Procedure::Attr_get, "MPI_Attr_get", false, Returns::Code,
        Interfaces::MPIF, None,
        &[
            one("comm", Handle(Comm), In, &[Role::Communicator]), one("keyval", Int, In, &[]),
            one("attribute_val", Other, Out, &[]), one("flag", Logical, Out, &[Role::Flag]),
        ],
    ),
    // MPI_Attr_put
    Row::new(
        Procedure::Attr_put, "MPI_Attr_put", false, Returns::Code,
        Interfaces::MPIF, None,
        &[
            one("comm", Handle(Comm), In, &[Role::Communicator]), one("keyval", Int, In, &[]),
            one("attribute_val", Other, In, &[]),
        ],
    ),
    // MPI_Barrier
    Row::new(
        Procedure::Barrier, "MPI_Barrier", false, Returns::Code,
        Interfaces::ALL, Some(Meaning::Collective(CollectiveForm::Barrier, Ends::Returning)),
        &[
            one("comm", Handle(Comm), In, &[Role::Communicator]),
        ],
    ),
    // MPI_Barrier_init
    Row::new(
        Procedure::Barrier_init, "MPI_Barrier_init", false, Returns::Code,
        Interfaces::ALL, Some(Meaning::Collective(CollectiveForm::Barrier, Ends::Persistent)),
        &[
            one("comm", Handle(Comm), In, &[Role::Communicator]), one("info", Handle(Info), In, &[Role::Info]),
            one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_Bcast
    Row::new(
        Procedure::Bcast, "MPI_Bcast", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Collective(CollectiveForm::Bcast, Ends::Returning)),
        &[
            one("buffer", Buffer, Inout, &[Role::SendBuffer, Role::ReceiveBuffer]),
            one("count", Count, In, &[Role::SendCount, Role::ReceiveCount]),
            one("datatype", Handle(Type), In, &[Role::SendType, Role::ReceiveType]),
            one("root", Int, In, &[Role::Root]), one("comm", Handle(Comm), In, &[Role::Communicator]),
        ],
    ),
    // MPI_Bcast_init
    Row::new(
        Procedure::Bcast_init, "MPI_Bcast_init", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Collective(CollectiveForm::Bcast, Ends::Persistent)),
        &[
            one("buffer", Buffer, Inout, &[Role::SendBuffer, Role::ReceiveBuffer]),
            one("count", Count, In, &[Role::SendCount, Role::ReceiveCount]),
            one("datatype", Handle(Type), In, &[Role::SendType, Role::ReceiveType]),
            one("root", Int, In, &[Role::Root]), one("comm", Handle(Comm), In, &[Role::Communicator]),
            one("info", Handle(Info), In, &[Role::Info]), one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_Bsend
    Row::new(
        Procedure::Bsend, "MPI_Bsend", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Send(SendMode::Buffered, Ends::Returning)),
        &[
            one("buf", Buffer, In, &[Role::SendBuffer]), one("count", Count, In, &[Role::SendCount]),
            one("datatype", Handle(Type), In, &[Role::SendType]), one("dest", Int, In, &[Role::Destination]),
            one("tag", Int, In, &[Role::SendTag]), one("comm", Handle(Comm), In, &[Role::Communicator]),
        ],
    ),
    // MPI_Bsend_init
    Row::new(
        Procedure::Bsend_init, "MPI_Bsend_init", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Send(SendMode::Buffered, Ends::Persistent)),
        &[
            one("buf", Buffer, In, &[Role::SendBuffer]), one("count", Count, In, &[Role::SendCount]),
            one("datatype", Handle(Type), In, &[Role::SendType]), one("dest", Int, In, &[Role::Destination]),
            one("tag", Int, In, &[Role::SendTag]), one("comm", Handle(Comm), In, &[Role::Communicator]),
            one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_Buffer_attach
    Row::new(
        Procedure::Buffer_attach, "MPI_Buffer_attach", true, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("buffer", Buffer, In, &[]), one("size", Count, In, &[]),
        ],
    ),
    // MPI_Buffer_detach
    Row::new(
        Procedure::Buffer_detach, "MPI_Buffer_detach", true, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("buffer_addr", Pointer, Out, &[]), one("size", Count, Out, &[]),
        ],
    ),
    // MPI_Buffer_flush
    Row::new(
        Procedure::Buffer_flush, "MPI_Buffer_flush", false, Returns::Code,
        Interfaces::ALL, None,
        &[
        ],
    ),
    // MPI_Buffer_iflush
    Row::new(
        Procedure::Buffer_iflush, "MPI_Buffer_iflush", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_Cancel
    Row::new(
        Procedure::Cancel, "MPI_Cancel", false, Returns::Code,
        Interfaces::ALL, Some(Meaning::Cancel),
        &[
            one("request", Handle(Request), Inout, &[Role::Request]),
        ],
    ),
    // MPI_Cart_coords
    Row::new(
        Procedure::Cart_coords, "MPI_Cart_coords", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("comm", Handle(Comm), In, &[Role::Communicator]), one("rank", Int, In, &[]),
            one("maxdims", Int, In, &[]), array("coords", Int, Out, &[]),
        ],
    ),
    // MPI_Cart_create
    Row::new(
        Procedure::Cart_create, "MPI_Cart_create", false, Returns::Code,
        Interfaces::ALL, Some(Meaning::Communicator(Making::AtOnce)),
        &[
            one("comm_old", Handle(Comm), In, &[Role::Communicator]), one("ndims", Int, In, &[]),
            array("dims", Int, In, &[]), array("periods", Logical, In, &[]), one("reorder", Logical, In, &[]),
            one("comm_cart", Handle(Comm), Out, &[Role::NewCommunicator]),
        ],
    ),
    // MPI_Cart_get
    Row::new(
        Procedure::Cart_get, "MPI_Cart_get", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("comm", Handle(Comm), In, &[Role::Communicator]), one("maxdims", Int, In, &[]),
            array("dims", Int, Out, &[]), array("periods", Logical, Out, &[]), array("coords", Int, Out, &[]),
        ],
    ),
    // MPI_Cart_map
    Row::new(
        Procedure::Cart_map, "MPI_Cart_map", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("comm", Handle(Comm), In, &[Role::Communicator]), one("ndims", Int, In, &[]),
            array("dims", Int, In, &[]), array("periods", Logical, In, &[]), one("newrank", Int, Out, &[]),
        ],
    ),
    // MPI_Cart_rank
    Row::new(
        Procedure::Cart_rank, "MPI_Cart_rank", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("comm", Handle(Comm), In, &[Role::Communicator]), array("coords", Int, In, &[]),
            one("rank", Int, Out, &[]),
        ],
    ),
    // MPI_Cart_shift
    Row::new(
        Procedure::Cart_shift, "MPI_Cart_shift", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("comm", Handle(Comm), In, &[Role::Communicator]), one("direction", Int, In, &[]),
            one("disp", Int, In, &[]), one("rank_source", Int, Out, &[]), one("rank_dest", Int, Out, &[]),
        ],
    ),
    // MPI_Cart_sub
    Row::new(
        Procedure::Cart_sub, "MPI_Cart_sub", false, Returns::Code,
        Interfaces::ALL, Some(Meaning::Communicator(Making::AtOnce)),
        &[
            one("comm", Handle(Comm), In, &[Role::Communicator]), array("remain_dims", Logical, In, &[]),
            one("newcomm", Handle(Comm), Out, &[Role::NewCommunicator]),
        ],
    ),
    // MPI_Cartdim_get
    Row::new(
        Procedure::Cartdim_get, "MPI_Cartdim_get", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("comm", Handle(Comm), In, &[Role::Communicator]), one("ndims", Int, Out, &[]),
        ],
    ),
    // MPI_Close_port
    Row::new(
        Procedure::Close_port, "MPI_Close_port", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("port_name", Text, In, &[]),
        ],
    ),
    // MPI_Comm_accept
    Row::new(
        Procedure::Comm_accept, "MPI_Comm_accept", false, Returns::Code,
        Interfaces::ALL, Some(Meaning::NotUnderstood),
        &[
            one("port_name", Text, In, &[]), one("info", Handle(Info), In, &[Role::Info]),
            one("root", Int, In, &[Role::Root]), one("comm", Handle(Comm), In, &[Role::Communicator]),
            one("newcomm", Handle(Comm), Out, &[]),
        ],
    ),
    // MPI_Comm_attach_buffer
    Row::new(
        Procedure::Comm_attach_buffer, "MPI_Comm_attach_buffer", true, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("comm", Handle(Comm), In, &[Role::Communicator]), one("buffer", Buffer, In, &[]),
            one("size", Count, In, &[]),
        ],
    ),
    // MPI_Comm_c2f
    Row::new(
        Procedure::Comm_c2f, "MPI_Comm_c2f", false, Returns::Other,
        Interfaces::C, None,
        &[
            one("comm", Handle(Comm), In, &[Role::Communicator]),
        ],
    ),
    // MPI_Comm_call_errhandler
    Row::new(
        Procedure::Comm_call_errhandler, "MPI_Comm_call_errhandler", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("comm", Handle(Comm), In, &[Role::Communicator]), one("errorcode", Int, In, &[]),
        ],
    ),
    // MPI_Comm_compare
    Row::new(
        Procedure::Comm_compare, "MPI_Comm_compare", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("comm1", Handle(Comm), In, &[]), one("comm2", Handle(Comm), In, &[]), one("result", Int, Out, &[]),
        ],
    ),
    // MPI_Comm_connect
    Row::new(
        Procedure::Comm_connect, "MPI_Comm_connect", false, Returns::Code,
        Interfaces::ALL, Some(Meaning::NotUnderstood),
        &[
            one("port_name", Text, In, &[]), one("info", Handle(Info), In, &[Role::Info]),
            one("root", Int, In, &[Role::Root]), one("comm", Handle(Comm), In, &[Role::Communicator]),
            one("newcomm", Handle(Comm), Out, &[]),
        ],
    ),
    // MPI_Comm_create
    Row::new(
        Procedure::Comm_create, "MPI_Comm_create", false, Returns::Code,
        Interfaces::ALL, Some(Meaning::Communicator(Making::AtOnce)),
        &[
            one("comm", Handle(Comm), In, &[Role::Communicator]), one("group", Handle(Group), In, &[Role::Group]),
            one("newcomm", Handle(Comm), Out, &[Role::NewCommunicator]),
        ],
    ),
    // MPI_Comm_create_errhandler
    Row::new(
        Procedure::Comm_create_errhandler, "MPI_Comm_create_errhandler", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("comm_errhandler_fn", Callback, In, &[]), one("errhandler", Handle(Errhandler), Out, &[]),
        ],
    ),
    // MPI_Comm_create_from_group
    Row::new(
        Procedure::Comm_create_from_group, "MPI_Comm_create_from_group", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("group", Handle(Group), In, &[Role::Group]), one("stringtag", Text, In, &[]),
            one("info", Handle(Info), In, &[Role::Info]), one("errhandler", Handle(Errhandler), In, &[]),
            one("newcomm", Handle(Comm), Out, &[]),
        ],
    ),
    // MPI_Comm_create_group
    Row::new(
        Procedure::Comm_create_group, "MPI_Comm_create_group", false, Returns::Code,
        Interfaces::ALL, Some(Meaning::Communicator(Making::OfGroup)),
        &[
            one("comm", Handle(Comm), In, &[Role::Communicator]), one("group", Handle(Group), In, &[Role::Group]),
            one("tag", Int, In, &[Role::SendTag]), one("newcomm", Handle(Comm), Out, &[Role::NewCommunicator]),
        ],
    ),
    // MPI_Comm_create_keyval
    Row::new(
        Procedure::Comm_create_keyval, "MPI_Comm_create_keyval", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("comm_copy_attr_fn", Callback, In, &[]), one("comm_delete_attr_fn", Callback, In, &[]),
            one("comm_keyval", Int, Out, &[]), one("extra_state", Other, In, &[]),
        ],
    ),
    // MPI_Comm_delete_attr
    Row::new(
        Procedure::Comm_delete_attr, "MPI_Comm_delete_attr", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("comm", Handle(Comm), In, &[Role::Communicator]), one("comm_keyval", Int, In, &[]),
        ],
    ),
    // MPI_Comm_detach_buffer
    Row::new(
        Procedure::Comm_detach_buffer, "MPI_Comm_detach_buffer", true, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("comm", Handle(Comm), In, &[Role::Communicator]), one("buffer_addr", Pointer, Out, &[]),
            one("size", Count, Out, &[]),
        ],
    ),
    // MPI_Comm_disconnect
    Row::new(
        Procedure::Comm_disconnect, "MPI_Comm_disconnect", false, Returns::Code,
        Interfaces::ALL, Some(Meaning::CommunicatorFree),
        &[
            one("comm", Handle(Comm), Inout, &[Role::Communicator]),
        ],
    ),
    // MPI_Comm_dup
    Row::new(
        Procedure::Comm_dup, "MPI_Comm_dup", false, Returns::Code,
        Interfaces::ALL, Some(Meaning::Communicator(Making::AtOnce)),
        &[
            one("comm", Handle(Comm), In, &[Role::Communicator]),
            one("newcomm", Handle(Comm), Out, &[Role::NewCommunicator]),
        ],
    ),
    // MPI_Comm_dup_with_info
    Row::new(
        Procedure::Comm_dup_with_info, "MPI_Comm_dup_with_info", false, Returns::Code,
        Interfaces::ALL, Some(Meaning::Communicator(Making::AtOnce)),
        &[
            one("comm", Handle(Comm), In, &[Role::Communicator]), one("info", Handle(Info), In, &[Role::Info]),
            one("newcomm", Handle(Comm), Out, &[Role::NewCommunicator]),
        ],
    ),
    // MPI_Comm_f2c
    Row::new(
        Procedure::Comm_f2c, "MPI_Comm_f2c", false, Returns::Other,
        Interfaces::C, None,
        &[
            one("comm", Other, In, &[Role::Communicator]),
        ],
    ),
    // MPI_Comm_flush_buffer
    Row::new(
        Procedure::Comm_flush_buffer, "MPI_Comm_flush_buffer", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("comm", Handle(Comm), In, &[Role::Communicator]),
        ],
    ),
    // MPI_Comm_free
    Row::new(
        Procedure::Comm_free, "MPI_Comm_free", false, Returns::Code,
        Interfaces::ALL, Some(Meaning::CommunicatorFree),
        &[
            one("comm", Handle(Comm), Inout, &[Role::Communicator]),
        ],
    ),
    // MPI_Comm_free_keyval
    Row::new(
        Procedure::Comm_free_keyval, "MPI_Comm_free_keyval", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("comm_keyval", Int, Inout, &[]),
        ],
    ),
    // MPI_Comm_fromint
    Row::new(
        Procedure::Comm_fromint, "MPI_Comm_fromint", false, Returns::Other,
        Interfaces::C, None,
        &[
            one("comm", Int, In, &[Role::Communicator]),
        ],
    ),
    // MPI_Comm_get_attr
    Row::new(
        Procedure::Comm_get_attr, "MPI_Comm_get_attr", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("comm", Handle(Comm), In, &[Role::Communicator]), one("comm_keyval", Int, In, &[]),
            one("attribute_val", Other, Out, &[]), one("flag", Logical, Out, &[Role::Flag]),
        ],
    ),
    // MPI_Comm_get_errhandler
    Row::new(
        Procedure::Comm_get_errhandler, "MPI_Comm_get_errhandler", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("comm", Handle(Comm), In, &[Role::Communicator]), one("errhandler", Handle(Errhandler), Out, &[]),
        ],
    ),
    // MPI_Comm_get_info
    Row::new(
        Procedure::Comm_get_info, "MPI_Comm_get_info", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("comm", Handle(Comm), In, &[Role::Communicator]), one("info_used", Handle(Info), Out, &[]),
        ],
    ),
    // MPI_Comm_get_name
    Row::new(
        Procedure::Comm_get_name, "MPI_Comm_get_name", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("comm", Handle(Comm), In, &[Role::Communicator]), one("comm_name", Text, Out, &[]),
            one("resultlen", Int, Out, &[]),
        ],
    ),
    // MPI_Comm_get_parent
    Row::new(
        Procedure::Comm_get_parent, "MPI_Comm_get_parent", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("parent", Handle(Comm), Out, &[]),
        ],
    ),
    // MPI_Comm_group
    Row::new(
        Procedure::Comm_group, "MPI_Comm_group", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("comm", Handle(Comm), In, &[Role::Communicator]), one("group", Handle(Group), Out, &[Role::Group]),
        ],
    ),
    // MPI_Comm_idup
    Row::new(
        Procedure::Comm_idup, "MPI_Comm_idup", false, Returns::Code,
        Interfaces::ALL, Some(Meaning::Communicator(Making::Later)),
        &[
            one("comm", Handle(Comm), In, &[Role::Communicator]),
            one("newcomm", Handle(Comm), Out, &[Role::NewCommunicator]),
            one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_Comm_idup_with_info
    Row::new(
        Procedure::Comm_idup_with_info, "MPI_Comm_idup_with_info", false, Returns::Code,
        Interfaces::ALL, Some(Meaning::Communicator(Making::Later)),
        &[
            one("comm", Handle(Comm), In, &[Role::Communicator]), one("info", Handle(Info), In, &[Role::Info]),
            one("newcomm", Handle(Comm), Out, &[Role::NewCommunicator]),
            one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_Comm_iflush_buffer
    Row::new(
        Procedure::Comm_iflush_buffer, "MPI_Comm_iflush_buffer", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("comm", Handle(Comm), In, &[Role::Communicator]),
            one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_Comm_join
    Row::new(
        Procedure::Comm_join, "MPI_Comm_join", false, Returns::Code,
        Interfaces::ALL, Some(Meaning::NotUnderstood),
        &[
            one("fd", Int, In, &[]), one("intercomm", Handle(Comm), Out, &[]),
        ],
    ),
    // MPI_Comm_rank
    Row::new(
        Procedure::Comm_rank, "MPI_Comm_rank", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("comm", Handle(Comm), In, &[Role::Communicator]), one("rank", Int, Out, &[]),
        ],
    ),
    // MPI_Comm_remote_group
    Row::new(
        Procedure::Comm_remote_group, "MPI_Comm_remote_group", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("comm", Handle(Comm), In, &[Role::Communicator]), one("group", Handle(Group), Out, &[Role::Group]),
        ],
    ),
    // MPI_Comm_remote_size
    Row::new(
        Procedure::Comm_remote_size, "MPI_Comm_remote_size", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("comm", Handle(Comm), In, &[Role::Communicator]), one("size", Int, Out, &[]),
        ],
    ),
    // MPI_Comm_set_attr
    Row::new(
        Procedure::Comm_set_attr, "MPI_Comm_set_attr", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("comm", Handle(Comm), In, &[Role::Communicator]), one("comm_keyval", Int, In, &[]),
            one("attribute_val", Other, In, &[]),
        ],
    ),
    // MPI_Comm_set_errhandler
    Row::new(
        Procedure::Comm_set_errhandler, "MPI_Comm_set_errhandler", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("comm", Handle(Comm), In, &[Role::Communicator]), one("errhandler", Handle(Errhandler), In, &[]),
        ],
    ),
    // MPI_Comm_set_info
    Row::new(
        Procedure::Comm_set_info, "MPI_Comm_set_info", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("comm", Handle(Comm), In, &[Role::Communicator]), one("info", Handle(Info), In, &[Role::Info]),
        ],
    ),
    // MPI_Comm_set_name
    Row::new(
        Procedure::Comm_set_name, "MPI_Comm_set_name", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("comm", Handle(Comm), In, &[Role::Communicator]), one("comm_name", Text, In, &[]),
        ],
    ),
    // MPI_Comm_size
    Row::new(
        Procedure::Comm_size, "MPI_Comm_size", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("comm", Handle(Comm), In, &[Role::Communicator]), one("size", Int, Out, &[]),
        ],
    ),
    // MPI_Comm_spawn
    Row::new(
        Procedure::Comm_spawn, "MPI_Comm_spawn", false, Returns::Code,
        Interfaces::ALL, Some(Meaning::NotUnderstood),
        &[
            one("command", Text, In, &[]), array("argv", Text, In, &[]), one("maxprocs", Int, In, &[]),
            one("info", Handle(Info), In, &[Role::Info]), one("root", Int, In, &[Role::Root]),
            one("comm", Handle(Comm), In, &[Role::Communicator]), one("intercomm", Handle(Comm), Out, &[]),
            array("array_of_errcodes", Int, Out, &[]),
        ],
    ),
    // MPI_Comm_spawn_multiple
    Row::new(
        Procedure::Comm_spawn_multiple, "MPI_Comm_spawn_multiple", false, Returns::Code,
        Interfaces::ALL, Some(Meaning::NotUnderstood),
        &[
            one("count", Int, In, &[]), array("array_of_commands", Text, In, &[]),
            array("array_of_argv", Text, In, &[]), array("array_of_maxprocs", Int, In, &[]),
            array("array_of_info", Handle(Info), In, &[]), one("root", Int, In, &[Role::Root]),
            one("comm", Handle(Comm), In, &[Role::Communicator]), one("intercomm", Handle(Comm), Out, &[]),
            array("array_of_errcodes", Int, Out, &[]),
        ],
    ),
    // MPI_Comm_split
    Row::new(
        Procedure::Comm_split, "MPI_Comm_split", false, Returns::Code,
        Interfaces::ALL, Some(Meaning::Communicator(Making::AtOnce)),
        &[
            one("comm", Handle(Comm), In, &[Role::Communicator]), one("color", Int, In, &[]),
            one("key", Int, In, &[]), one("newcomm", Handle(Comm), Out, &[Role::NewCommunicator]),
        ],
    ),
    // MPI_Comm_split_type
    Row::new(
        Procedure::Comm_split_type, "MPI_Comm_split_type", false, Returns::Code,
        Interfaces::ALL, Some(Meaning::Communicator(Making::AtOnce)),
        &[
            one("comm", Handle(Comm), In, &[Role::Communicator]), one("split_type", Int, In, &[]),
            one("key", Int, In, &[]), one("info", Handle(Info), In, &[Role::Info]),
            one("newcomm", Handle(Comm), Out, &[Role::NewCommunicator]),
        ],
    ),
    // MPI_Comm_test_inter
    Row::new(
        Procedure::Comm_test_inter, "MPI_Comm_test_inter", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("comm", Handle(Comm), In, &[Role::Communicator]), one("flag", Logical, Out, &[Role::Flag]),
        ],
    ),
    // MPI_Comm_toint
    Row::new(
        Procedure::Comm_toint, "MPI_Comm_toint", false, Returns::Other,
        Interfaces::C, None,
        &[
            one("comm", Handle(Comm), In, &[Role::Communicator]),
        ],
    ),
    // MPI_Compare_and_swap
    Row::new(
        Procedure::Compare_and_swap, "MPI_Compare_and_swap", false, Returns::Code,
        Interfaces::ALL, Some(Meaning::Operation(OperationKind::CompareAndSwap)),
        &[
            one("origin_addr", Buffer, In, &[Role::OriginBuffer]),
            one("compare_addr", Buffer, In, &[Role::CompareBuffer]),
            one("result_addr", Buffer, Out, &[Role::ResultBuffer]),
            one("datatype", Handle(Type), In, &[Role::OriginType, Role::ResultType, Role::TargetType]),
            one("target_rank", Int, In, &[Role::TargetRank]),
            one("target_disp", Address, In, &[Role::TargetDisplacement]),
            one("win", Handle(Win), In, &[Role::Window]),
        ],
    ),
    // MPI_Dims_create
    Row::new(
        Procedure::Dims_create, "MPI_Dims_create", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("nnodes", Int, In, &[]), one("ndims", Int, In, &[]), array("dims", Int, Inout, &[]),
        ],
    ),
    // MPI_Dist_graph_create
    Row::new(
        Procedure::Dist_graph_create, "MPI_Dist_graph_create", false, Returns::Code,
        Interfaces::ALL, Some(Meaning::Communicator(Making::AtOnce)),
        &[
            one("comm_old", Handle(Comm), In, &[Role::Communicator]), one("n", Int, In, &[]),
            array("sources", Int, In, &[]), array("degrees", Int, In, &[]), array("destinations", Int, In, &[]),
            array("weights", Int, In, &[]), one("info", Handle(Info), In, &[Role::Info]),
            one("reorder", Logical, In, &[]), one("comm_dist_graph", Handle(Comm), Out, &[Role::NewCommunicator]),
        ],
    ),
    // MPI_Dist_graph_create_adjacent
    Row::new(
        Procedure::Dist_graph_create_adjacent, "MPI_Dist_graph_create_adjacent", false, Returns::Code,
        Interfaces::ALL, Some(Meaning::Communicator(Making::AtOnce)),
        &[
            one("comm_old", Handle(Comm), In, &[Role::Communicator]), one("indegree", Int, In, &[]),
            array("sources", Int, In, &[]), array("sourceweights", Int, In, &[]), one("outdegree", Int, In, &[]),
            array("destinations", Int, In, &[]), array("destweights", Int, In, &[]),
            one("info", Handle(Info), In, &[Role::Info]), one("reorder", Logical, In, &[]),
            one("comm_dist_graph", Handle(Comm), Out, &[Role::NewCommunicator]),
        ],
    ),
    // MPI_Dist_graph_neighbors
    Row::new(
        Procedure::Dist_graph_neighbors, "MPI_Dist_graph_neighbors", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("comm", Handle(Comm), In, &[Role::Communicator]), one("maxindegree", Int, In, &[]),
            array("sources", Int, Out, &[]), array("sourceweights", Int, Out, &[]), one("maxoutdegree", Int, In, &[]),
            array("destinations", Int, Out, &[]), array("destweights", Int, Out, &[]),
        ],
    ),
    // MPI_Dist_graph_neighbors_count
    Row::new(
        Procedure::Dist_graph_neighbors_count, "MPI_Dist_graph_neighbors_count", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("comm", Handle(Comm), In, &[Role::Communicator]), one("indegree", Int, Out, &[]),
            one("outdegree", Int, Out, &[]), one("weighted", Logical, Out, &[]),
        ],
    ),
    // MPI_Errhandler_c2f
    Row::new(
        Procedure::Errhandler_c2f, "MPI_Errhandler_c2f", false, Returns::Other,
        Interfaces::C, None,
        &[
            one("errhandler", Handle(Errhandler), In, &[]),
        ],
    ),
    // MPI_Errhandler_create
    Row::new(
        Procedure::Errhandler_create, "MPI_Errhandler_create", false, Returns::Code,
        Interfaces::MPIF, None,
        &[
            one("function", Callback, In, &[]), one("errhandler", Handle(Errhandler), Out, &[]),
        ],
    ),
    // MPI_Errhandler_f2c
    Row::new(
        Procedure::Errhandler_f2c, "MPI_Errhandler_f2c", false, Returns::Other,
        Interfaces::C, None,
        &[
            one("errhandler", Other, In, &[]),
        ],
    ),
    // MPI_Errhandler_free
    Row::new(
        Procedure::Errhandler_free, "MPI_Errhandler_free", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("errhandler", Handle(Errhandler), Inout, &[]),
        ],
    ),
    // MPI_Errhandler_fromint
    Row::new(
        Procedure::Errhandler_fromint, "MPI_Errhandler_fromint", false, Returns::Other,
        Interfaces::C, None,
        &[
            one("errhandler", Int, In, &[]),
        ],
    ),
    // MPI_Errhandler_get
    Row::new(
        Procedure::Errhandler_get, "MPI_Errhandler_get", false, Returns::Code,
        Interfaces::MPIF, None,
        &[
            one("comm", Handle(Comm), In, &[Role::Communicator]), one("errhandler", Handle(Errhandler), Out, &[]),
        ],
    ),
    // MPI_Errhandler_set
    Row::new(
        Procedure::Errhandler_set, "MPI_Errhandler_set", false, Returns::Code,
        Interfaces::MPIF, None,
        &[
            one("comm", Handle(Comm), In, &[Role::Communicator]), one("errhandler", Handle(Errhandler), In, &[]),
        ],
    ),
    // MPI_Errhandler_toint
    Row::new(
        Procedure::Errhandler_toint, "MPI_Errhandler_toint", false, Returns::Other,
        Interfaces::C, None,
        &[
            one("errhandler", Handle(Errhandler), In, &[]),
        ],
    ),
    // MPI_Error_class
    Row::new(
        Procedure::Error_class, "MPI_Error_class", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("errorcode", Int, In, &[]), one("errorclass", Int, Out, &[]),
        ],
    ),
    // MPI_Error_string
    Row::new(
        Procedure::Error_string, "MPI_Error_string", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("errorcode", Int, In, &[]), one("string", Text, Out, &[]), one("resultlen", Int, Out, &[]),
        ],
    ),
    // MPI_Exscan
    Row::new(
        Procedure::Exscan, "MPI_Exscan", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Collective(CollectiveForm::Exscan, Ends::Returning)),
        &[
            one("sendbuf", Buffer, In, &[Role::SendBuffer]), one("recvbuf", Buffer, Out, &[Role::ReceiveBuffer]),
            one("count", Count, In, &[Role::SendCount, Role::ReceiveCount]),
            one("datatype", Handle(Type), In, &[Role::SendType, Role::ReceiveType]),
            one("op", Handle(Op), In, &[Role::Operator]), one("comm", Handle(Comm), In, &[Role::Communicator]),
        ],
    ),
    // MPI_Exscan_init
    Row::new(
        Procedure::Exscan_init, "MPI_Exscan_init", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Collective(CollectiveForm::Exscan, Ends::Persistent)),
        &[
            one("sendbuf", Buffer, In, &[Role::SendBuffer]), one("recvbuf", Buffer, Out, &[Role::ReceiveBuffer]),
            one("count", Count, In, &[Role::SendCount, Role::ReceiveCount]),
            one("datatype", Handle(Type), In, &[Role::SendType, Role::ReceiveType]),
            one("op", Handle(Op), In, &[Role::Operator]), one("comm", Handle(Comm), In, &[Role::Communicator]),
            one("info", Handle(Info), In, &[Role::Info]), one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_Fetch_and_op
    Row::new(
        Procedure::Fetch_and_op, "MPI_Fetch_and_op", false, Returns::Code,
        Interfaces::ALL, Some(Meaning::Operation(OperationKind::FetchAndOp)),
        &[
            one("origin_addr", Buffer, In, &[Role::OriginBuffer]),
            one("result_addr", Buffer, Out, &[Role::ResultBuffer]),
            one("datatype", Handle(Type), In, &[Role::OriginType, Role::ResultType, Role::TargetType]),
            one("target_rank", Int, In, &[Role::TargetRank]),
            one("target_disp", Address, In, &[Role::TargetDisplacement]),
            one("op", Handle(Op), In, &[Role::Operator]), one("win", Handle(Win), In, &[Role::Window]),
        ],
    ),
    // MPI_File_c2f
    Row::new(
        Procedure::File_c2f, "MPI_File_c2f", false, Returns::Other,
        Interfaces::C, None,
        &[
            one("file", Handle(File), In, &[]),
        ],
    ),
    // MPI_File_call_errhandler
    Row::new(
        Procedure::File_call_errhandler, "MPI_File_call_errhandler", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("fh", Handle(File), In, &[]), one("errorcode", Int, In, &[]),
        ],
    ),
    // MPI_File_close
    Row::new(
        Procedure::File_close, "MPI_File_close", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("fh", Handle(File), Inout, &[]),
        ],
    ),
    // MPI_File_create_errhandler
    Row::new(
        Procedure::File_create_errhandler, "MPI_File_create_errhandler", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("file_errhandler_fn", Callback, In, &[]), one("errhandler", Handle(Errhandler), Out, &[]),
        ],
    ),
    // MPI_File_delete
    Row::new(
        Procedure::File_delete, "MPI_File_delete", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("filename", Text, In, &[]), one("info", Handle(Info), In, &[Role::Info]),
        ],
    ),
    // MPI_File_f2c
    Row::new(
        Procedure::File_f2c, "MPI_File_f2c", false, Returns::Other,
        Interfaces::C, None,
        &[
            one("file", Other, In, &[]),
        ],
    ),
    // MPI_File_fromint
    Row::new(
        Procedure::File_fromint, "MPI_File_fromint", false, Returns::Other,
        Interfaces::C, None,
        &[
            one("file", Int, In, &[]),
        ],
    ),
    // MPI_File_get_amode
    Row::new(
        Procedure::File_get_amode, "MPI_File_get_amode", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("fh", Handle(File), In, &[]), one("amode", Int, Out, &[]),
        ],
    ),
    // MPI_File_get_atomicity
    Row::new(
        Procedure::File_get_atomicity, "MPI_File_get_atomicity", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("fh", Handle(File), In, &[]), one("flag", Logical, Out, &[Role::Flag]),
        ],
    ),
    // MPI_File_get_byte_offset
    Row::new(
        Procedure::File_get_byte_offset, "MPI_File_get_byte_offset", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("fh", Handle(File), In, &[]), one("offset", Address, In, &[]), one("disp", Address, Out, &[]),
        ],
    ),
    // MPI_File_get_errhandler
    Row::new(
        Procedure::File_get_errhandler, "MPI_File_get_errhandler", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("file", Handle(File), In, &[]), one("errhandler", Handle(Errhandler), Out, &[]),
        ],
    ),
    // MPI_File_get_group
    Row::new(
        Procedure::File_get_group, "MPI_File_get_group", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("fh", Handle(File), In, &[]), one("group", Handle(Group), Out, &[Role::Group]),
        ],
    ),
    // MPI_File_get_info
    Row::new(
        Procedure::File_get_info, "MPI_File_get_info", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("fh", Handle(File), In, &[]), one("info_used", Handle(Info), Out, &[]),
        ],
    ),
    // MPI_File_get_position
    Row::new(
        Procedure::File_get_position, "MPI_File_get_position", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("fh", Handle(File), In, &[]), one("offset", Address, Out, &[]),
        ],
    ),
    // MPI_File_get_position_shared
    Row::new(
        Procedure::File_get_position_shared, "MPI_File_get_position_shared", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("fh", Handle(File), In, &[]), one("offset", Address, Out, &[]),
        ],
    ),
    // MPI_File_get_size
    Row::new(
        Procedure::File_get_size, "MPI_File_get_size", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("fh", Handle(File), In, &[]), one("size", Address, Out, &[]),
        ],
    ),
    // MPI_File_get_type_extent
    Row::new(
        Procedure::File_get_type_extent, "MPI_File_get_type_extent", true, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("fh", Handle(File), In, &[]), one("datatype", Handle(Type), In, &[]),
            one("extent", Address, Out, &[]),
        ],
    ),
    // MPI_File_get_view
    Row::new(
        Procedure::File_get_view, "MPI_File_get_view", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("fh", Handle(File), In, &[]), one("disp", Address, Out, &[]), one("etype", Handle(Type), Out, &[]),
            one("filetype", Handle(Type), Out, &[]), one("datarep", Text, Out, &[]),
        ],
    ),
    // MPI_File_iread
    Row::new(
        Procedure::File_iread, "MPI_File_iread", true, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("fh", Handle(File), In, &[]), one("buf", Buffer, Out, &[]), one("count", Count, In, &[]),
            one("datatype", Handle(Type), In, &[]), one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_File_iread_all
    Row::new(
        Procedure::File_iread_all, "MPI_File_iread_all", true, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("fh", Handle(File), In, &[]), one("buf", Buffer, Out, &[]), one("count", Count, In, &[]),
            one("datatype", Handle(Type), In, &[]), one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_File_iread_at
    Row::new(
        Procedure::File_iread_at, "MPI_File_iread_at", true, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("fh", Handle(File), In, &[]), one("offset", Address, In, &[]), one("buf", Buffer, Out, &[]),
            one("count", Count, In, &[]), one("datatype", Handle(Type), In, &[]),
            one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_File_iread_at_all
    Row::new(
        Procedure::File_iread_at_all, "MPI_File_iread_at_all", true, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("fh", Handle(File), In, &[]), one("offset", Address, In, &[]), one("buf", Buffer, Out, &[]),
            one("count", Count, In, &[]), one("datatype", Handle(Type), In, &[]),
            one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_File_iread_shared
    Row::new(
        Procedure::File_iread_shared, "MPI_File_iread_shared", true, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("fh", Handle(File), In, &[]), one("buf", Buffer, Out, &[]), one("count", Count, In, &[]),
            one("datatype", Handle(Type), In, &[]), one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_File_iwrite
    Row::new(
        Procedure::File_iwrite, "MPI_File_iwrite", true, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("fh", Handle(File), In, &[]), one("buf", Buffer, In, &[]), one("count", Count, In, &[]),
            one("datatype", Handle(Type), In, &[]), one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_File_iwrite_all
    Row::new(
        Procedure::File_iwrite_all, "MPI_File_iwrite_all", true, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("fh", Handle(File), In, &[]), one("buf", Buffer, In, &[]), one("count", Count, In, &[]),
            one("datatype", Handle(Type), In, &[]), one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_File_iwrite_at
    Row::new(
        Procedure::File_iwrite_at, "MPI_File_iwrite_at", true, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("fh", Handle(File), In, &[]), one("offset", Address, In, &[]), one("buf", Buffer, In, &[]),
            one("count", Count, In, &[]), one("datatype", Handle(Type), In, &[]),
            one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_File_iwrite_at_all
    Row::new(
        Procedure::File_iwrite_at_all, "MPI_File_iwrite_at_all", true, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("fh", Handle(File), In, &[]), one("offset", Address, In, &[]), one("buf", Buffer, In, &[]),
            one("count", Count, In, &[]), one("datatype", Handle(Type), In, &[]),
            one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_File_iwrite_shared
    Row::new(
        Procedure::File_iwrite_shared, "MPI_File_iwrite_shared", true, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("fh", Handle(File), In, &[]), one("buf", Buffer, In, &[]), one("count", Count, In, &[]),
            one("datatype", Handle(Type), In, &[]), one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_File_open
    Row::new(
        Procedure::File_open, "MPI_File_open", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("comm", Handle(Comm), In, &[Role::Communicator]), one("filename", Text, In, &[]),
            one("amode", Int, In, &[]), one("info", Handle(Info), In, &[Role::Info]),
            one("fh", Handle(File), Out, &[]),
        ],
    ),
    // MPI_File_preallocate
    Row::new(
        Procedure::File_preallocate, "MPI_File_preallocate", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("fh", Handle(File), In, &[]), one("size", Address, In, &[]),
        ],
    ),
    // MPI_File_read
    Row::new(
        Procedure::File_read, "MPI_File_read", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::FileRead),
        &[
            one("fh", Handle(File), In, &[]), one("buf", Buffer, Out, &[Role::ReceiveBuffer]),
            one("count", Count, In, &[Role::ReceiveCount]), one("datatype", Handle(Type), In, &[Role::ReceiveType]),
            one("status", Status, Out, &[Role::Status]),
        ],
    ),
    // MPI_File_read_all
    Row::new(
        Procedure::File_read_all, "MPI_File_read_all", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::FileRead),
        &[
            one("fh", Handle(File), In, &[]), one("buf", Buffer, Out, &[Role::ReceiveBuffer]),
            one("count", Count, In, &[Role::ReceiveCount]), one("datatype", Handle(Type), In, &[Role::ReceiveType]),
            one("status", Status, Out, &[Role::Status]),
        ],
    ),
    // MPI_File_read_all_begin
    Row::new(
        Procedure::File_read_all_begin, "MPI_File_read_all_begin", true, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("fh", Handle(File), In, &[]), one("buf", Buffer, Out, &[]), one("count", Count, In, &[]),
            one("datatype", Handle(Type), In, &[]),
        ],
    ),
    // MPI_File_read_all_end
    Row::new(
        Procedure::File_read_all_end, "MPI_File_read_all_end", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("fh", Handle(File), In, &[]), one("buf", Buffer, Out, &[]),
            one("status", Status, Out, &[Role::Status]),
        ],
    ),
    // MPI_File_read_at
    Row::new(
        Procedure::File_read_at, "MPI_File_read_at", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::FileRead),
        &[
            one("fh", Handle(File), In, &[]), one("offset", Address, In, &[]),
            one("buf", Buffer, Out, &[Role::ReceiveBuffer]), one("count", Count, In, &[Role::ReceiveCount]),
            one("datatype", Handle(Type), In, &[Role::ReceiveType]), one("status", Status, Out, &[Role::Status]),
        ],
    ),
    // MPI_File_read_at_all
    Row::new(
        Procedure::File_read_at_all, "MPI_File_read_at_all", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::FileRead),
        &[
            one("fh", Handle(File), In, &[]), one("offset", Address, In, &[]),
            one("buf", Buffer, Out, &[Role::ReceiveBuffer]), one("count", Count, In, &[Role::ReceiveCount]),
            one("datatype", Handle(Type), In, &[Role::ReceiveType]), one("status", Status, Out, &[Role::Status]),
        ],
    ),
    // MPI_File_read_at_all_begin
    Row::new(
        Procedure::File_read_at_all_begin, "MPI_File_read_at_all_begin", true, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("fh", Handle(File), In, &[]), one("offset", Address, In, &[]), one("buf", Buffer, Out, &[]),
            one("count", Count, In, &[]), one("datatype", Handle(Type), In, &[]),
        ],
    ),
    // MPI_File_read_at_all_end
    Row::new(
        Procedure::File_read_at_all_end, "MPI_File_read_at_all_end", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("fh", Handle(File), In, &[]), one("buf", Buffer, Out, &[]),
            one("status", Status, Out, &[Role::Status]),
        ],
    ),
    // MPI_File_read_ordered
    Row::new(
        Procedure::File_read_ordered, "MPI_File_read_ordered", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::FileRead),
        &[
            one("fh", Handle(File), In, &[]), one("buf", Buffer, Out, &[Role::ReceiveBuffer]),
            one("count", Count, In, &[Role::ReceiveCount]), one("datatype", Handle(Type), In, &[Role::ReceiveType]),
            one("status", Status, Out, &[Role::Status]),
        ],
    ),
    // MPI_File_read_ordered_begin
    Row::new(
        Procedure::File_read_ordered_begin, "MPI_File_read_ordered_begin", true, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("fh", Handle(File), In, &[]), one("buf", Buffer, Out, &[]), one("count", Count, In, &[]),
            one("datatype", Handle(Type), In, &[]),
        ],
    ),
    // MPI_File_read_ordered_end
    Row::new(
        Procedure::File_read_ordered_end, "MPI_File_read_ordered_end", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("fh", Handle(File), In, &[]), one("buf", Buffer, Out, &[]),
            one("status", Status, Out, &[Role::Status]),
        ],
    ),
    // MPI_File_read_shared
    Row::new(
        Procedure::File_read_shared, "MPI_File_read_shared", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::FileRead),
        &[
            one("fh", Handle(File), In, &[]), one("buf", Buffer, Out, &[Role::ReceiveBuffer]),
            one("count", Count, In, &[Role::ReceiveCount]), one("datatype", Handle(Type), In, &[Role::ReceiveType]),
            one("status", Status, Out, &[Role::Status]),
        ],
    ),
    // MPI_File_seek
    Row::new(
        Procedure::File_seek, "MPI_File_seek", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("fh", Handle(File), In, &[]), one("offset", Address, In, &[]), one("whence", Int, In, &[]),
        ],
    ),
    // MPI_File_seek_shared
    Row::new(
        Procedure::File_seek_shared, "MPI_File_seek_shared", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("fh", Handle(File), In, &[]), one("offset", Address, In, &[]), one("whence", Int, In, &[]),
        ],
    ),
    // MPI_File_set_atomicity
    Row::new(
        Procedure::File_set_atomicity, "MPI_File_set_atomicity", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("fh", Handle(File), In, &[]), one("flag", Logical, In, &[Role::Flag]),
        ],
    ),
    // MPI_File_set_errhandler
    Row::new(
        Procedure::File_set_errhandler, "MPI_File_set_errhandler", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("file", Handle(File), In, &[]), one("errhandler", Handle(Errhandler), In, &[]),
        ],
    ),
    // MPI_File_set_info
    Row::new(
        Procedure::File_set_info, "MPI_File_set_info", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("fh", Handle(File), In, &[]), one("info", Handle(Info), In, &[Role::Info]),
        ],
    ),
    // MPI_File_set_size
    Row::new(
        Procedure::File_set_size, "MPI_File_set_size", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("fh", Handle(File), In, &[]), one("size", Address, In, &[]),
        ],
    ),
    // MPI_File_set_view
    Row::new(
        Procedure::File_set_view, "MPI_File_set_view", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("fh", Handle(File), In, &[]), one("disp", Address, In, &[]), one("etype", Handle(Type), In, &[]),
            one("filetype", Handle(Type), In, &[]), one("datarep", Text, In, &[]),
            one("info", Handle(Info), In, &[Role::Info]),
        ],
    ),
    // MPI_File_sync
    Row::new(
        Procedure::File_sync, "MPI_File_sync", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("fh", Handle(File), In, &[]),
        ],
    ),
    // MPI_File_toint
    Row::new(
        Procedure::File_toint, "MPI_File_toint", false, Returns::Other,
        Interfaces::C, None,
        &[
            one("file", Handle(File), In, &[]),
        ],
    ),
    // MPI_File_write
    Row::new(
        Procedure::File_write, "MPI_File_write", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::FileWrite),
        &[
            one("fh", Handle(File), In, &[]), one("buf", Buffer, In, &[Role::SendBuffer]),
            one("count", Count, In, &[Role::SendCount]), one("datatype", Handle(Type), In, &[Role::SendType]),
            one("status", Status, Out, &[Role::Status]),
        ],
    ),
    // MPI_File_write_all
    Row::new(
        Procedure::File_write_all, "MPI_File_write_all", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::FileWrite),
        &[
            one("fh", Handle(File), In, &[]), one("buf", Buffer, In, &[Role::SendBuffer]),
            one("count", Count, In, &[Role::SendCount]), one("datatype", Handle(Type), In, &[Role::SendType]),
            one("status", Status, Out, &[Role::Status]),
        ],
    ),
    // MPI_File_write_all_begin
    Row::new(
        Procedure::File_write_all_begin, "MPI_File_write_all_begin", true, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("fh", Handle(File), In, &[]), one("buf", Buffer, In, &[]), one("count", Count, In, &[]),
            one("datatype", Handle(Type), In, &[]),
        ],
    ),
    // MPI_File_write_all_end
    Row::new(
        Procedure::File_write_all_end, "MPI_File_write_all_end", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("fh", Handle(File), In, &[]), one("buf", Buffer, In, &[]),
            one("status", Status, Out, &[Role::Status]),
        ],
    ),
    // MPI_File_write_at
    Row::new(
        Procedure::File_write_at, "MPI_File_write_at", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::FileWrite),
        &[
            one("fh", Handle(File), In, &[]), one("offset", Address, In, &[]),
            one("buf", Buffer, In, &[Role::SendBuffer]), one("count", Count, In, &[Role::SendCount]),
            one("datatype", Handle(Type), In, &[Role::SendType]), one("status", Status, Out, &[Role::Status]),
        ],
    ),
    // MPI_File_write_at_all
    Row::new(
        Procedure::File_write_at_all, "MPI_File_write_at_all", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::FileWrite),
        &[
            one("fh", Handle(File), In, &[]), one("offset", Address, In, &[]),
            one("buf", Buffer, In, &[Role::SendBuffer]), one("count", Count, In, &[Role::SendCount]),
            one("datatype", Handle(Type), In, &[Role::SendType]), one("status", Status, Out, &[Role::Status]),
        ],
    ),
    // MPI_File_write_at_all_begin
    Row::new(
        Procedure::File_write_at_all_begin, "MPI_File_write_at_all_begin", true, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("fh", Handle(File), In, &[]), one("offset", Address, In, &[]), one("buf", Buffer, In, &[]),
            one("count", Count, In, &[]), one("datatype", Handle(Type), In, &[]),
        ],
    ),
    // MPI_File_write_at_all_end
    Row::new(
        Procedure::File_write_at_all_end, "MPI_File_write_at_all_end", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("fh", Handle(File), In, &[]), one("buf", Buffer, In, &[]),
            one("status", Status, Out, &[Role::Status]),
        ],
    ),
    // MPI_File_write_ordered
    Row::new(
        Procedure::File_write_ordered, "MPI_File_write_ordered", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::FileWrite),
        &[
            one("fh", Handle(File), In, &[]), one("buf", Buffer, In, &[Role::SendBuffer]),
            one("count", Count, In, &[Role::SendCount]), one("datatype", Handle(Type), In, &[Role::SendType]),
            one("status", Status, Out, &[Role::Status]),
        ],
    ),
    // MPI_File_write_ordered_begin
    Row::new(
        Procedure::File_write_ordered_begin, "MPI_File_write_ordered_begin", true, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("fh", Handle(File), In, &[]), one("buf", Buffer, In, &[]), one("count", Count, In, &[]),
            one("datatype", Handle(Type), In, &[]),
        ],
    ),
    // MPI_File_write_ordered_end
    Row::new(
        Procedure::File_write_ordered_end, "MPI_File_write_ordered_end", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("fh", Handle(File), In, &[]), one("buf", Buffer, In, &[]),
            one("status", Status, Out, &[Role::Status]),
        ],
    ),
    // MPI_File_write_shared
    Row::new(
        Procedure::File_write_shared, "MPI_File_write_shared", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::FileWrite),
        &[
            one("fh", Handle(File), In, &[]), one("buf", Buffer, In, &[Role::SendBuffer]),
            one("count", Count, In, &[Role::SendCount]), one("datatype", Handle(Type), In, &[Role::SendType]),
            one("status", Status, Out, &[Role::Status]),
        ],
    ),
    // MPI_Finalize
    Row::new(
        Procedure::Finalize, "MPI_Finalize", false, Returns::Code,
        Interfaces::ALL, Some(Meaning::Finalize),
        &[
        ],
    ),
    // MPI_Finalized
    Row::new(
        Procedure::Finalized, "MPI_Finalized", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("flag", Logical, Out, &[Role::Flag]),
        ],
    ),
    // MPI_Free_mem
    Row::new(
        Procedure::Free_mem, "MPI_Free_mem", false, Returns::Code,
        Interfaces::ALL, Some(Meaning::FreeMemory),
        &[
            one("base", Buffer, In, &[Role::Base]),
        ],
    ),
    // MPI_Gather
    Row::new(
        Procedure::Gather, "MPI_Gather", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Collective(CollectiveForm::Gather, Ends::Returning)),
        &[
            one("sendbuf", Buffer, In, &[Role::SendBuffer]), one("sendcount", Count, In, &[Role::SendCount]),
            one("sendtype", Handle(Type), In, &[Role::SendType]), one("recvbuf", Buffer, Out, &[Role::ReceiveBuffer]),
            one("recvcount", Count, In, &[Role::ReceiveCount]),
            one("recvtype", Handle(Type), In, &[Role::ReceiveType]), one("root", Int, In, &[Role::Root]),
            one("comm", Handle(Comm), In, &[Role::Communicator]),
        ],
    ),
    // MPI_Gather_init
    Row::new(
        Procedure::Gather_init, "MPI_Gather_init", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Collective(CollectiveForm::Gather, Ends::Persistent)),
        &[
            one("sendbuf", Buffer, In, &[Role::SendBuffer]), one("sendcount", Count, In, &[Role::SendCount]),
            one("sendtype", Handle(Type), In, &[Role::SendType]), one("recvbuf", Buffer, Out, &[Role::ReceiveBuffer]),
            one("recvcount", Count, In, &[Role::ReceiveCount]),
            one("recvtype", Handle(Type), In, &[Role::ReceiveType]), one("root", Int, In, &[Role::Root]),
            one("comm", Handle(Comm), In, &[Role::Communicator]), one("info", Handle(Info), In, &[Role::Info]),
            one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_Gatherv
    Row::new(
        Procedure::Gatherv, "MPI_Gatherv", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Collective(CollectiveForm::Gatherv, Ends::Returning)),
        &[
            one("sendbuf", Buffer, In, &[Role::SendBuffer]), one("sendcount", Count, In, &[Role::SendCount]),
            one("sendtype", Handle(Type), In, &[Role::SendType]), one("recvbuf", Buffer, Out, &[Role::ReceiveBuffer]),
            array("recvcounts", Count, In, &[Role::ReceiveCount]),
            array("displs", Count, In, &[Role::ReceiveDisplacements]),
            one("recvtype", Handle(Type), In, &[Role::ReceiveType]), one("root", Int, In, &[Role::Root]),
            one("comm", Handle(Comm), In, &[Role::Communicator]),
        ],
    ),
    // MPI_Gatherv_init
    Row::new(
        Procedure::Gatherv_init, "MPI_Gatherv_init", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Collective(CollectiveForm::Gatherv, Ends::Persistent)),
        &[
            one("sendbuf", Buffer, In, &[Role::SendBuffer]), one("sendcount", Count, In, &[Role::SendCount]),
            one("sendtype", Handle(Type), In, &[Role::SendType]), one("recvbuf", Buffer, Out, &[Role::ReceiveBuffer]),
            array("recvcounts", Count, In, &[Role::ReceiveCount]),
            array("displs", Count, In, &[Role::ReceiveDisplacements]),
            one("recvtype", Handle(Type), In, &[Role::ReceiveType]), one("root", Int, In, &[Role::Root]),
            one("comm", Handle(Comm), In, &[Role::Communicator]), one("info", Handle(Info), In, &[Role::Info]),
            one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_Get
    Row::new(
        Procedure::Get, "MPI_Get", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Operation(OperationKind::Get)),
        &[
            one("origin_addr", Buffer, Out, &[Role::ResultBuffer]),
            one("origin_count", Count, In, &[Role::ResultCount]),
            one("origin_datatype", Handle(Type), In, &[Role::ResultType]),
            one("target_rank", Int, In, &[Role::TargetRank]),
            one("target_disp", Address, In, &[Role::TargetDisplacement]),
            one("target_count", Count, In, &[Role::TargetCount]),
            one("target_datatype", Handle(Type), In, &[Role::TargetType]),
            one("win", Handle(Win), In, &[Role::Window]),
        ],
    ),
    // MPI_Get_accumulate
    Row::new(
        Procedure::Get_accumulate, "MPI_Get_accumulate", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Operation(OperationKind::GetAccumulate)),
        &[
            one("origin_addr", Buffer, In, &[Role::OriginBuffer]),
            one("origin_count", Count, In, &[Role::OriginCount]),
            one("origin_datatype", Handle(Type), In, &[Role::OriginType]),
            one("result_addr", Buffer, Out, &[Role::ResultBuffer]),
            one("result_count", Count, In, &[Role::ResultCount]),
            one("result_datatype", Handle(Type), In, &[Role::ResultType]),
            one("target_rank", Int, In, &[Role::TargetRank]),
            one("target_disp", Address, In, &[Role::TargetDisplacement]),
            one("target_count", Count, In, &[Role::TargetCount]),
            one("target_datatype", Handle(Type), In, &[Role::TargetType]),
            one("op", Handle(Op), In, &[Role::Operator]), one("win", Handle(Win), In, &[Role::Window]),
        ],
    ),
    // MPI_Get_address
    Row::new(
        Procedure::Get_address, "MPI_Get_address", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("location", Buffer, In, &[]), one("address", Address, Out, &[]),
        ],
    ),
    // MPI_Get_count
    Row::new(
        Procedure::Get_count, "MPI_Get_count", true, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("status", Status, In, &[Role::Status]), one("datatype", Handle(Type), In, &[]),
            one("count", Count, Out, &[]),
        ],
    ),
    // MPI_Get_elements
    Row::new(
        Procedure::Get_elements, "MPI_Get_elements", true, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("status", Status, In, &[Role::Status]), one("datatype", Handle(Type), In, &[]),
            one("count", Count, Out, &[]),
        ],
    ),
    // MPI_Get_elements_x
    Row::new(
        Procedure::Get_elements_x, "MPI_Get_elements_x", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("status", Status, In, &[Role::Status]), one("datatype", Handle(Type), In, &[]),
            one("count", Address, Out, &[]),
        ],
    ),
    // MPI_Get_hw_resource_info
    Row::new(
        Procedure::Get_hw_resource_info, "MPI_Get_hw_resource_info", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("hw_info", Handle(Info), Out, &[]),
        ],
    ),
    // MPI_Get_library_version
    Row::new(
        Procedure::Get_library_version, "MPI_Get_library_version", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("version", Text, Out, &[]), one("resultlen", Int, Out, &[]),
        ],
    ),
    // MPI_Get_processor_name
    Row::new(
        Procedure::Get_processor_name, "MPI_Get_processor_name", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("name", Text, Out, &[]), one("resultlen", Int, Out, &[]),
        ],
    ),
    // MPI_Get_version
    Row::new(
        Procedure::Get_version, "MPI_Get_version", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("version", Int, Out, &[]), one("subversion", Int, Out, &[]),
        ],
    ),
    // MPI_Graph_create
    Row::new(
        Procedure::Graph_create, "MPI_Graph_create", false, Returns::Code,
        Interfaces::ALL, Some(Meaning::Communicator(Making::AtOnce)),
        &[
            one("comm_old", Handle(Comm), In, &[Role::Communicator]), one("nnodes", Int, In, &[]),
            array("index", Int, In, &[]), array("edges", Int, In, &[]), one("reorder", Logical, In, &[]),
            one("comm_graph", Handle(Comm), Out, &[Role::NewCommunicator]),
        ],
    ),
    // MPI_Graph_get
    Row::new(
        Procedure::Graph_get, "MPI_Graph_get", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("comm", Handle(Comm), In, &[Role::Communicator]), one("maxindex", Int, In, &[]),
            one("maxedges", Int, In, &[]), array("index", Int, Out, &[]), array("edges", Int, Out, &[]),
        ],
    ),
    // MPI_Graph_map
    Row::new(
        Procedure::Graph_map, "MPI_Graph_map", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("comm", Handle(Comm), In, &[Role::Communicator]), one("nnodes", Int, In, &[]),
            array("index", Int, In, &[]), array("edges", Int, In, &[]), one("newrank", Int, Out, &[]),
        ],
    ),
    // MPI_Graph_neighbors
    Row::new(
        Procedure::Graph_neighbors, "MPI_Graph_neighbors", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("comm", Handle(Comm), In, &[Role::Communicator]), one("rank", Int, In, &[]),
            one("maxneighbors", Int, In, &[]), array("neighbors", Int, Out, &[]),
        ],
    ),
    // MPI_Graph_neighbors_count
    Row::new(
        Procedure::Graph_neighbors_count, "MPI_Graph_neighbors_count", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("comm", Handle(Comm), In, &[Role::Communicator]), one("rank", Int, In, &[]),
            one("nneighbors", Int, Out, &[]),
        ],
    ),
    // MPI_Graphdims_get
    Row::new(
        Procedure::Graphdims_get, "MPI_Graphdims_get", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("comm", Handle(Comm), In, &[Role::Communicator]), one("nnodes", Int, Out, &[]),
            one("nedges", Int, Out, &[]),
        ],
    ),
    // MPI_Grequest_complete
    Row::new(
        Procedure::Grequest_complete, "MPI_Grequest_complete", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("request", Handle(Request), In, &[Role::Request]),
        ],
    ),
    // MPI_Grequest_start
    Row::new(
        Procedure::Grequest_start, "MPI_Grequest_start", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("query_fn", Callback, In, &[]), one("free_fn", Callback, In, &[]),
            one("cancel_fn", Callback, In, &[]), one("extra_state", Other, In, &[]),
            one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_Group_c2f
    Row::new(
        Procedure::Group_c2f, "MPI_Group_c2f", false, Returns::Other,
        Interfaces::C, None,
        &[
            one("group", Handle(Group), In, &[Role::Group]),
        ],
    ),
    // MPI_Group_compare
    Row::new(
        Procedure::Group_compare, "MPI_Group_compare", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("group1", Handle(Group), In, &[]), one("group2", Handle(Group), In, &[]),
            one("result", Int, Out, &[]),
        ],
    ),
    // MPI_Group_difference
    Row::new(
        Procedure::Group_difference, "MPI_Group_difference", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("group1", Handle(Group), In, &[]), one("group2", Handle(Group), In, &[]),
            one("newgroup", Handle(Group), Out, &[]),
        ],
    ),
    // MPI_Group_excl
    Row::new(
        Procedure::Group_excl, "MPI_Group_excl", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("group", Handle(Group), In, &[Role::Group]), one("n", Int, In, &[]), array("ranks", Int, In, &[]),
            one("newgroup", Handle(Group), Out, &[]),
        ],
    ),
    // MPI_Group_f2c
    Row::new(
        Procedure::Group_f2c, "MPI_Group_f2c", false, Returns::Other,
        Interfaces::C, None,
        &[
            one("group", Other, In, &[Role::Group]),
        ],
    ),
    // MPI_Group_free
    Row::new(
        Procedure::Group_free, "MPI_Group_free", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("group", Handle(Group), Inout, &[Role::Group]),
        ],
    ),
    // MPI_Group_from_session_pset
    Row::new(
        Procedure::Group_from_session_pset, "MPI_Group_from_session_pset", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("session", Handle(Session), In, &[]), one("pset_name", Text, In, &[]),
            one("newgroup", Handle(Group), Out, &[]),
        ],
    ),
    // MPI_Group_fromint
    Row::new(
        Procedure::Group_fromint, "MPI_Group_fromint", false, Returns::Other,
        Interfaces::C, None,
        &[
            one("group", Int, In, &[Role::Group]),
        ],
    ),
    // MPI_Group_incl
    Row::new(
        Procedure::Group_incl, "MPI_Group_incl", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("group", Handle(Group), In, &[Role::Group]), one("n", Int, In, &[]), array("ranks", Int, In, &[]),
            one("newgroup", Handle(Group), Out, &[]),
        ],
    ),
    // MPI_Group_intersection
    Row::new(
        Procedure::Group_intersection, "MPI_Group_intersection", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("group1", Handle(Group), In, &[]), one("group2", Handle(Group), In, &[]),
            one("newgroup", Handle(Group), Out, &[]),
        ],
    ),
    // MPI_Group_range_excl
    Row::new(
        Procedure::Group_range_excl, "MPI_Group_range_excl", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("group", Handle(Group), In, &[Role::Group]), one("n", Int, In, &[]), array("ranges", Int, In, &[]),
            one("newgroup", Handle(Group), Out, &[]),
        ],
    ),
    // MPI_Group_range_incl
    Row::new(
        Procedure::Group_range_incl, "MPI_Group_range_incl", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("group", Handle(Group), In, &[Role::Group]), one("n", Int, In, &[]), array("ranges", Int, In, &[]),
            one("newgroup", Handle(Group), Out, &[]),
        ],
    ),
    // MPI_Group_rank
    Row::new(
        Procedure::Group_rank, "MPI_Group_rank", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("group", Handle(Group), In, &[Role::Group]), one("rank", Int, Out, &[]),
        ],
    ),
    // MPI_Group_size
    Row::new(
        Procedure::Group_size, "MPI_Group_size", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("group", Handle(Group), In, &[Role::Group]), one("size", Int, Out, &[]),
        ],
    ),
    // MPI_Group_toint
    Row::new(
        Procedure::Group_toint, "MPI_Group_toint", false, Returns::Other,
        Interfaces::C, None,
        &[
            one("group", Handle(Group), In, &[Role::Group]),
        ],
    ),
    // MPI_Group_translate_ranks
    Row::new(
        Procedure::Group_translate_ranks, "MPI_Group_translate_ranks", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("group1", Handle(Group), In, &[]), one("n", Int, In, &[]), array("ranks1", Int, In, &[]),
            one("group2", Handle(Group), In, &[]), array("ranks2", Int, Out, &[]),
        ],
    ),
    // MPI_Group_union
    Row::new(
        Procedure::Group_union, "MPI_Group_union", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("group1", Handle(Group), In, &[]), one("group2", Handle(Group), In, &[]),
            one("newgroup", Handle(Group), Out, &[]),
        ],
    ),
    // MPI_Iallgather
    Row::new(
        Procedure::Iallgather, "MPI_Iallgather", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Collective(CollectiveForm::Allgather, Ends::Request)),
        &[
            one("sendbuf", Buffer, In, &[Role::SendBuffer]), one("sendcount", Count, In, &[Role::SendCount]),
            one("sendtype", Handle(Type), In, &[Role::SendType]), one("recvbuf", Buffer, Out, &[Role::ReceiveBuffer]),
            one("recvcount", Count, In, &[Role::ReceiveCount]),
            one("recvtype", Handle(Type), In, &[Role::ReceiveType]),
            one("comm", Handle(Comm), In, &[Role::Communicator]),
            one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_Iallgatherv
    Row::new(
        Procedure::Iallgatherv, "MPI_Iallgatherv", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Collective(CollectiveForm::Allgatherv, Ends::Request)),
        &[
            one("sendbuf", Buffer, In, &[Role::SendBuffer]), one("sendcount", Count, In, &[Role::SendCount]),
            one("sendtype", Handle(Type), In, &[Role::SendType]), one("recvbuf", Buffer, Out, &[Role::ReceiveBuffer]),
            array("recvcounts", Count, In, &[Role::ReceiveCount]),
            array("displs", Count, In, &[Role::ReceiveDisplacements]),
            one("recvtype", Handle(Type), In, &[Role::ReceiveType]),
            one("comm", Handle(Comm), In, &[Role::Communicator]),
            one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_Iallreduce
    Row::new(
        Procedure::Iallreduce, "MPI_Iallreduce", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Collective(CollectiveForm::Allreduce, Ends::Request)),
        &[
            one("sendbuf", Buffer, In, &[Role::SendBuffer]), one("recvbuf", Buffer, Out, &[Role::ReceiveBuffer]),
            one("count", Count, In, &[Role::SendCount, Role::ReceiveCount]),
            one("datatype", Handle(Type), In, &[Role::SendType, Role::ReceiveType]),
            one("op", Handle(Op), In, &[Role::Operator]), one("comm", Handle(Comm), In, &[Role::Communicator]),
            one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_Ialltoall
    Row::new(
        Procedure::Ialltoall, "MPI_Ialltoall", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Collective(CollectiveForm::Alltoall, Ends::Request)),
        &[
            one("sendbuf", Buffer, In, &[Role::SendBuffer]), one("sendcount", Count, In, &[Role::SendCount]),
            one("sendtype", Handle(Type), In, &[Role::SendType]), one("recvbuf", Buffer, Out, &[Role::ReceiveBuffer]),
            one("recvcount", Count, In, &[Role::ReceiveCount]),
            one("recvtype", Handle(Type), In, &[Role::ReceiveType]),
            one("comm", Handle(Comm), In, &[Role::Communicator]),
            one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_Ialltoallv
    Row::new(
        Procedure::Ialltoallv, "MPI_Ialltoallv", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Collective(CollectiveForm::Alltoallv, Ends::Request)),
        &[
            one("sendbuf", Buffer, In, &[Role::SendBuffer]), array("sendcounts", Count, In, &[Role::SendCount]),
            array("sdispls", Count, In, &[Role::SendDisplacements]),
            one("sendtype", Handle(Type), In, &[Role::SendType]), one("recvbuf", Buffer, Out, &[Role::ReceiveBuffer]),
            array("recvcounts", Count, In, &[Role::ReceiveCount]),
            array("rdispls", Count, In, &[Role::ReceiveDisplacements]),
            one("recvtype", Handle(Type), In, &[Role::ReceiveType]),
            one("comm", Handle(Comm), In, &[Role::Communicator]),
            one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_Ialltoallw
    Row::new(
        Procedure::Ialltoallw, "MPI_Ialltoallw", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Collective(CollectiveForm::Alltoallw, Ends::Request)),
        &[
            one("sendbuf", Buffer, In, &[Role::SendBuffer]), array("sendcounts", Count, In, &[Role::SendCount]),
            array("sdispls", Count, In, &[Role::SendDisplacements]),
            array("sendtypes", Handle(Type), In, &[Role::SendType]),
            one("recvbuf", Buffer, Out, &[Role::ReceiveBuffer]),
            array("recvcounts", Count, In, &[Role::ReceiveCount]),
            array("rdispls", Count, In, &[Role::ReceiveDisplacements]),
            array("recvtypes", Handle(Type), In, &[Role::ReceiveType]),
            one("comm", Handle(Comm), In, &[Role::Communicator]),
            one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_Ibarrier
    Row::new(
        Procedure::Ibarrier, "MPI_Ibarrier", false, Returns::Code,
        Interfaces::ALL, Some(Meaning::Collective(CollectiveForm::Barrier, Ends::Request)),
        &[
            one("comm", Handle(Comm), In, &[Role::Communicator]),
            one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_Ibcast
    Row::new(
        Procedure::Ibcast, "MPI_Ibcast", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Collective(CollectiveForm::Bcast, Ends::Request)),
        &[
            one("buffer", Buffer, Inout, &[Role::SendBuffer, Role::ReceiveBuffer]),
            one("count", Count, In, &[Role::SendCount, Role::ReceiveCount]),
            one("datatype", Handle(Type), In, &[Role::SendType, Role::ReceiveType]),
            one("root", Int, In, &[Role::Root]), one("comm", Handle(Comm), In, &[Role::Communicator]),
            one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_Ibsend
    Row::new(
        Procedure::Ibsend, "MPI_Ibsend", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Send(SendMode::Buffered, Ends::Request)),
        &[
            one("buf", Buffer, In, &[Role::SendBuffer]), one("count", Count, In, &[Role::SendCount]),
            one("datatype", Handle(Type), In, &[Role::SendType]), one("dest", Int, In, &[Role::Destination]),
            one("tag", Int, In, &[Role::SendTag]), one("comm", Handle(Comm), In, &[Role::Communicator]),
            one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_Iexscan
    Row::new(
        Procedure::Iexscan, "MPI_Iexscan", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Collective(CollectiveForm::Exscan, Ends::Request)),
        &[
            one("sendbuf", Buffer, In, &[Role::SendBuffer]), one("recvbuf", Buffer, Out, &[Role::ReceiveBuffer]),
            one("count", Count, In, &[Role::SendCount, Role::ReceiveCount]),
            one("datatype", Handle(Type), In, &[Role::SendType, Role::ReceiveType]),
            one("op", Handle(Op), In, &[Role::Operator]), one("comm", Handle(Comm), In, &[Role::Communicator]),
            one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_Igather
    Row::new(
        Procedure::Igather, "MPI_Igather", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Collective(CollectiveForm::Gather, Ends::Request)),
        &[
            one("sendbuf", Buffer, In, &[Role::SendBuffer]), one("sendcount", Count, In, &[Role::SendCount]),
            one("sendtype", Handle(Type), In, &[Role::SendType]), one("recvbuf", Buffer, Out, &[Role::ReceiveBuffer]),
            one("recvcount", Count, In, &[Role::ReceiveCount]),
            one("recvtype", Handle(Type), In, &[Role::ReceiveType]), one("root", Int, In, &[Role::Root]),
            one("comm", Handle(Comm), In, &[Role::Communicator]),
            one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_Igatherv
    Row::new(
        Procedure::Igatherv, "MPI_Igatherv", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Collective(CollectiveForm::Gatherv, Ends::Request)),
        &[
            one("sendbuf", Buffer, In, &[Role::SendBuffer]), one("sendcount", Count, In, &[Role::SendCount]),
            one("sendtype", Handle(Type), In, &[Role::SendType]), one("recvbuf", Buffer, Out, &[Role::ReceiveBuffer]),
            array("recvcounts", Count, In, &[Role::ReceiveCount]),
            array("displs", Count, In, &[Role::ReceiveDisplacements]),
            one("recvtype", Handle(Type), In, &[Role::ReceiveType]), one("root", Int, In, &[Role::Root]),
            one("comm", Handle(Comm), In, &[Role::Communicator]),
            one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_Improbe
    Row::new(
        Procedure::Improbe, "MPI_Improbe", false, Returns::Code,
        Interfaces::ALL, Some(Meaning::MatchedProbe(Waits::Polling)),
        &[
            one("source", Int, In, &[Role::Source]), one("tag", Int, In, &[Role::ReceiveTag]),
            one("comm", Handle(Comm), In, &[Role::Communicator]), one("flag", Logical, Out, &[Role::Flag]),
            one("message", Handle(Message), Out, &[Role::Message]), one("status", Status, Out, &[Role::Status]),
        ],
    ),
    // MPI_Imrecv
    Row::new(
        Procedure::Imrecv, "MPI_Imrecv", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::MatchedReceive(Ends::Request)),
        &[
            one("buf", Buffer, Out, &[Role::ReceiveBuffer]), one("count", Count, In, &[Role::ReceiveCount]),
            one("datatype", Handle(Type), In, &[Role::ReceiveType]),
            one("message", Handle(Message), Inout, &[Role::Message]),
            one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_Ineighbor_allgather
    Row::new(
        Procedure::Ineighbor_allgather, "MPI_Ineighbor_allgather", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Collective(CollectiveForm::NeighborAllgather, Ends::Request)),
        &[
            one("sendbuf", Buffer, In, &[Role::SendBuffer]), one("sendcount", Count, In, &[Role::SendCount]),
            one("sendtype", Handle(Type), In, &[Role::SendType]), one("recvbuf", Buffer, Out, &[Role::ReceiveBuffer]),
            one("recvcount", Count, In, &[Role::ReceiveCount]),
            one("recvtype", Handle(Type), In, &[Role::ReceiveType]),
            one("comm", Handle(Comm), In, &[Role::Communicator]),
            one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_Ineighbor_allgatherv
    Row::new(
        Procedure::Ineighbor_allgatherv, "MPI_Ineighbor_allgatherv", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Collective(CollectiveForm::NeighborAllgatherv, Ends::Request)),
        &[
            one("sendbuf", Buffer, In, &[Role::SendBuffer]), one("sendcount", Count, In, &[Role::SendCount]),
            one("sendtype", Handle(Type), In, &[Role::SendType]), one("recvbuf", Buffer, Out, &[Role::ReceiveBuffer]),
            array("recvcounts", Count, In, &[Role::ReceiveCount]),
            array("displs", Count, In, &[Role::ReceiveDisplacements]),
            one("recvtype", Handle(Type), In, &[Role::ReceiveType]),
            one("comm", Handle(Comm), In, &[Role::Communicator]),
            one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_Ineighbor_alltoall
    Row::new(
        Procedure::Ineighbor_alltoall, "MPI_Ineighbor_alltoall", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Collective(CollectiveForm::NeighborAlltoall, Ends::Request)),
        &[
            one("sendbuf", Buffer, In, &[Role::SendBuffer]), one("sendcount", Count, In, &[Role::SendCount]),
            one("sendtype", Handle(Type), In, &[Role::SendType]), one("recvbuf", Buffer, Out, &[Role::ReceiveBuffer]),
            one("recvcount", Count, In, &[Role::ReceiveCount]),
            one("recvtype", Handle(Type), In, &[Role::ReceiveType]),
            one("comm", Handle(Comm), In, &[Role::Communicator]),
            one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_Ineighbor_alltoallv
    Row::new(
        Procedure::Ineighbor_alltoallv, "MPI_Ineighbor_alltoallv", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Collective(CollectiveForm::NeighborAlltoallv, Ends::Request)),
        &[
            one("sendbuf", Buffer, In, &[Role::SendBuffer]), array("sendcounts", Count, In, &[Role::SendCount]),
            array("sdispls", Count, In, &[Role::SendDisplacements]),
            one("sendtype", Handle(Type), In, &[Role::SendType]), one("recvbuf", Buffer, Out, &[Role::ReceiveBuffer]),
            array("recvcounts", Count, In, &[Role::ReceiveCount]),
            array("rdispls", Count, In, &[Role::ReceiveDisplacements]),
            one("recvtype", Handle(Type), In, &[Role::ReceiveType]),
            one("comm", Handle(Comm), In, &[Role::Communicator]),
            one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_Ineighbor_alltoallw
    Row::new(
        Procedure::Ineighbor_alltoallw, "MPI_Ineighbor_alltoallw", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Collective(CollectiveForm::NeighborAlltoallw, Ends::Request)),
        &[
            one("sendbuf", Buffer, In, &[Role::SendBuffer]), array("sendcounts", Count, In, &[Role::SendCount]),
            array("sdispls", Address, In, &[Role::SendDisplacements]),
            array("sendtypes", Handle(Type), In, &[Role::SendType]),
            one("recvbuf", Buffer, Out, &[Role::ReceiveBuffer]),
            array("recvcounts", Count, In, &[Role::ReceiveCount]),
            array("rdispls", Address, In, &[Role::ReceiveDisplacements]),
            array("recvtypes", Handle(Type), In, &[Role::ReceiveType]),
            one("comm", Handle(Comm), In, &[Role::Communicator]),
            one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_Info_c2f
    Row::new(
        Procedure::Info_c2f, "MPI_Info_c2f", false, Returns::Other,
        Interfaces::C, None,
        &[
            one("info", Handle(Info), In, &[Role::Info]),
        ],
    ),
    // MPI_Info_create
    Row::new(
        Procedure::Info_create, "MPI_Info_create", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("info", Handle(Info), Out, &[Role::Info]),
        ],
    ),
    // MPI_Info_create_env
    Row::new(
        Procedure::Info_create_env, "MPI_Info_create_env", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            c_only("argc", Int, Inout, &[]), c_only("argv", Text, Inout, &[]),
            one("info", Handle(Info), Out, &[Role::Info]),
        ],
    ),
    // MPI_Info_delete
    Row::new(
        Procedure::Info_delete, "MPI_Info_delete", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("info", Handle(Info), In, &[Role::Info]), one("key", Text, In, &[]),
        ],
    ),
    // MPI_Info_dup
    Row::new(
        Procedure::Info_dup, "MPI_Info_dup", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("info", Handle(Info), In, &[Role::Info]), one("newinfo", Handle(Info), Out, &[]),
        ],
    ),
    // MPI_Info_f2c
    Row::new(
        Procedure::Info_f2c, "MPI_Info_f2c", false, Returns::Other,
        Interfaces::C, None,
        &[
            one("info", Other, In, &[Role::Info]),
        ],
    ),
    // MPI_Info_free
    Row::new(
        Procedure::Info_free, "MPI_Info_free", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("info", Handle(Info), Inout, &[Role::Info]),
        ],
    ),
    // MPI_Info_fromint
    Row::new(
        Procedure::Info_fromint, "MPI_Info_fromint", false, Returns::Other,
        Interfaces::C, None,
        &[
            one("info", Int, In, &[Role::Info]),
        ],
    ),
    // MPI_Info_get
    Row::new(
        Procedure::Info_get, "MPI_Info_get", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("info", Handle(Info), In, &[Role::Info]), one("key", Text, In, &[]), one("valuelen", Int, In, &[]),
            one("value", Text, Out, &[]), one("flag", Logical, Out, &[Role::Flag]),
        ],
    ),
    // MPI_Info_get_nkeys
    Row::new(
        Procedure::Info_get_nkeys, "MPI_Info_get_nkeys", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("info", Handle(Info), In, &[Role::Info]), one("nkeys", Int, Out, &[]),
        ],
    ),
    // MPI_Info_get_nthkey
    Row::new(
        Procedure::Info_get_nthkey, "MPI_Info_get_nthkey", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("info", Handle(Info), In, &[Role::Info]), one("n", Int, In, &[]), one("key", Text, Out, &[]),
        ],
    ),
    // MPI_Info_get_string
    Row::new(
        Procedure::Info_get_string, "MPI_Info_get_string", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("info", Handle(Info), In, &[Role::Info]), one("key", Text, In, &[]), one("buflen", Int, Inout, &[]),
            one("value", Text, Out, &[]), one("flag", Logical, Out, &[Role::Flag]),
        ],
    ),
    // MPI_Info_get_valuelen
    Row::new(
        Procedure::Info_get_valuelen, "MPI_Info_get_valuelen", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("info", Handle(Info), In, &[Role::Info]), one("key", Text, In, &[]), one("valuelen", Int, Out, &[]),
            one("flag", Logical, Out, &[Role::Flag]),
        ],
    ),
    // MPI_Info_set
    Row::new(
        Procedure::Info_set, "MPI_Info_set", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("info", Handle(Info), In, &[Role::Info]), one("key", Text, In, &[]), one("value", Text, In, &[]),
        ],
    ),
    // MPI_Info_toint
    Row::new(
        Procedure::Info_toint, "MPI_Info_toint", false, Returns::Other,
        Interfaces::C, None,
        &[
            one("info", Handle(Info), In, &[Role::Info]),
        ],
    ),
    // MPI_Init
    Row::new(
        Procedure::Init, "MPI_Init", false, Returns::Code,
        Interfaces::ALL, Some(Meaning::Init),
        &[
            c_only("argc", Int, Inout, &[]), c_only("argv", Text, Inout, &[]),
        ],
    ),
    // MPI_Init_thread
    Row::new(
        Procedure::Init_thread, "MPI_Init_thread", false, Returns::Code,
        Interfaces::ALL, Some(Meaning::Init),
        &[
            c_only("argc", Int, Inout, &[]), c_only("argv", Text, Inout, &[]), one("required", Int, In, &[]),
            one("provided", Int, Out, &[]),
        ],
    ),
    // MPI_Initialized
    Row::new(
        Procedure::Initialized, "MPI_Initialized", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("flag", Logical, Out, &[Role::Flag]),
        ],
    ),
    // MPI_Intercomm_create
    Row::new(
        Procedure::Intercomm_create, "MPI_Intercomm_create", false, Returns::Code,
        Interfaces::ALL, Some(Meaning::Communicator(Making::Inter)),
        &[
            one("local_comm", Handle(Comm), In, &[Role::Communicator]), one("local_leader", Int, In, &[]),
            one("peer_comm", Handle(Comm), In, &[]), one("remote_leader", Int, In, &[]),
            one("tag", Int, In, &[Role::SendTag]), one("newintercomm", Handle(Comm), Out, &[Role::NewCommunicator]),
        ],
    ),
    // MPI_Intercomm_create_from_groups
    Row::new(
        Procedure::Intercomm_create_from_groups, "MPI_Intercomm_create_from_groups", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("local_group", Handle(Group), In, &[]), one("local_leader", Int, In, &[]),
            one("remote_group", Handle(Group), In, &[]), one("remote_leader", Int, In, &[]),
            one("stringtag", Text, In, &[]), one("info", Handle(Info), In, &[Role::Info]),
            one("errhandler", Handle(Errhandler), In, &[]), one("newintercomm", Handle(Comm), Out, &[]),
        ],
    ),
    // MPI_Intercomm_merge
    Row::new(
        Procedure::Intercomm_merge, "MPI_Intercomm_merge", false, Returns::Code,
        Interfaces::ALL, Some(Meaning::Communicator(Making::AtOnce)),
        &[
            one("intercomm", Handle(Comm), In, &[Role::Communicator]), one("high", Logical, In, &[]),
            one("newintracomm", Handle(Comm), Out, &[Role::NewCommunicator]),
        ],
    ),
    // MPI_Iprobe
    Row::new(
        Procedure::Iprobe, "MPI_Iprobe", false, Returns::Code,
        Interfaces::ALL, Some(Meaning::Probe(Waits::Polling)),
        &[
            one("source", Int, In, &[Role::Source]), one("tag", Int, In, &[Role::ReceiveTag]),
            one("comm", Handle(Comm), In, &[Role::Communicator]), one("flag", Logical, Out, &[Role::Flag]),
            one("status", Status, Out, &[Role::Status]),
        ],
    ),
    // MPI_Irecv
    Row::new(
        Procedure::Irecv, "MPI_Irecv", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Receive(Ends::Request)),
        &[
            one("buf", Buffer, Out, &[Role::ReceiveBuffer]), one("count", Count, In, &[Role::ReceiveCount]),
            one("datatype", Handle(Type), In, &[Role::ReceiveType]), one("source", Int, In, &[Role::Source]),
            one("tag", Int, In, &[Role::ReceiveTag]), one("comm", Handle(Comm), In, &[Role::Communicator]),
            one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_Ireduce
    Row::new(
        Procedure::Ireduce, "MPI_Ireduce", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Collective(CollectiveForm::Reduce, Ends::Request)),
        &[
            one("sendbuf", Buffer, In, &[Role::SendBuffer]), one("recvbuf", Buffer, Out, &[Role::ReceiveBuffer]),
            one("count", Count, In, &[Role::SendCount, Role::ReceiveCount]),
            one("datatype", Handle(Type), In, &[Role::SendType, Role::ReceiveType]),
            one("op", Handle(Op), In, &[Role::Operator]), one("root", Int, In, &[Role::Root]),
            one("comm", Handle(Comm), In, &[Role::Communicator]),
            one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_Ireduce_scatter
    Row::new(
        Procedure::Ireduce_scatter, "MPI_Ireduce_scatter", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Collective(CollectiveForm::ReduceScatter, Ends::Request)),
        &[
            one("sendbuf", Buffer, In, &[Role::SendBuffer]), one("recvbuf", Buffer, Out, &[Role::ReceiveBuffer]),
            array("recvcounts", Count, In, &[Role::ReceiveCount]),
            one("datatype", Handle(Type), In, &[Role::SendType, Role::ReceiveType]),
            one("op", Handle(Op), In, &[Role::Operator]), one("comm", Handle(Comm), In, &[Role::Communicator]),
            one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_Ireduce_scatter_block
    Row::new(
        Procedure::Ireduce_scatter_block, "MPI_Ireduce_scatter_block", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Collective(CollectiveForm::ReduceScatterBlock, Ends::Request)),
        &[
            one("sendbuf", Buffer, In, &[Role::SendBuffer]), one("recvbuf", Buffer, Out, &[Role::ReceiveBuffer]),
            one("recvcount", Count, In, &[Role::ReceiveCount]),
            one("datatype", Handle(Type), In, &[Role::SendType, Role::ReceiveType]),
            one("op", Handle(Op), In, &[Role::Operator]), one("comm", Handle(Comm), In, &[Role::Communicator]),
            one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_Irsend
    Row::new(
        Procedure::Irsend, "MPI_Irsend", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Send(SendMode::Standard, Ends::Request)),
        &[
            one("buf", Buffer, In, &[Role::SendBuffer]), one("count", Count, In, &[Role::SendCount]),
            one("datatype", Handle(Type), In, &[Role::SendType]), one("dest", Int, In, &[Role::Destination]),
            one("tag", Int, In, &[Role::SendTag]), one("comm", Handle(Comm), In, &[Role::Communicator]),
            one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_Is_thread_main
    Row::new(
        Procedure::Is_thread_main, "MPI_Is_thread_main", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("flag", Logical, Out, &[Role::Flag]),
        ],
    ),
    // MPI_Iscan
    Row::new(
        Procedure::Iscan, "MPI_Iscan", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Collective(CollectiveForm::Scan, Ends::Request)),
        &[
            one("sendbuf", Buffer, In, &[Role::SendBuffer]), one("recvbuf", Buffer, Out, &[Role::ReceiveBuffer]),
            one("count", Count, In, &[Role::SendCount, Role::ReceiveCount]),
            one("datatype", Handle(Type), In, &[Role::SendType, Role::ReceiveType]),
            one("op", Handle(Op), In, &[Role::Operator]), one("comm", Handle(Comm), In, &[Role::Communicator]),
            one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_Iscatter
    Row::new(
        Procedure::Iscatter, "MPI_Iscatter", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Collective(CollectiveForm::Scatter, Ends::Request)),
        &[
            one("sendbuf", Buffer, In, &[Role::SendBuffer]), one("sendcount", Count, In, &[Role::SendCount]),
            one("sendtype", Handle(Type), In, &[Role::SendType]), one("recvbuf", Buffer, Out, &[Role::ReceiveBuffer]),
            one("recvcount", Count, In, &[Role::ReceiveCount]),
            one("recvtype", Handle(Type), In, &[Role::ReceiveType]), one("root", Int, In, &[Role::Root]),
            one("comm", Handle(Comm), In, &[Role::Communicator]),
            one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_Iscatterv
    Row::new(
        Procedure::Iscatterv, "MPI_Iscatterv", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Collective(CollectiveForm::Scatterv, Ends::Request)),
        &[
            one("sendbuf", Buffer, In, &[Role::SendBuffer]), array("sendcounts", Count, In, &[Role::SendCount]),
            array("displs", Count, In, &[Role::SendDisplacements]),
            one("sendtype", Handle(Type), In, &[Role::SendType]), one("recvbuf", Buffer, Out, &[Role::ReceiveBuffer]),
            one("recvcount", Count, In, &[Role::ReceiveCount]),
            one("recvtype", Handle(Type), In, &[Role::ReceiveType]), one("root", Int, In, &[Role::Root]),
            one("comm", Handle(Comm), In, &[Role::Communicator]),
            one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_Isend
    Row::new(
        Procedure::Isend, "MPI_Isend", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Send(SendMode::Standard, Ends::Request)),
        &[
            one("buf", Buffer, In, &[Role::SendBuffer]), one("count", Count, In, &[Role::SendCount]),
            one("datatype", Handle(Type), In, &[Role::SendType]), one("dest", Int, In, &[Role::Destination]),
            one("tag", Int, In, &[Role::SendTag]), one("comm", Handle(Comm), In, &[Role::Communicator]),
            one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_Isendrecv
    Row::new(
        Procedure::Isendrecv, "MPI_Isendrecv", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::SendReceive(Ends::Request)),
        &[
            one("sendbuf", Buffer, In, &[Role::SendBuffer]), one("sendcount", Count, In, &[Role::SendCount]),
            one("sendtype", Handle(Type), In, &[Role::SendType]), one("dest", Int, In, &[Role::Destination]),
            one("sendtag", Int, In, &[Role::SendTag]), one("recvbuf", Buffer, Out, &[Role::ReceiveBuffer]),
            one("recvcount", Count, In, &[Role::ReceiveCount]),
            one("recvtype", Handle(Type), In, &[Role::ReceiveType]), one("source", Int, In, &[Role::Source]),
            one("recvtag", Int, In, &[Role::ReceiveTag]), one("comm", Handle(Comm), In, &[Role::Communicator]),
            one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_Isendrecv_replace
    Row::new(
        Procedure::Isendrecv_replace, "MPI_Isendrecv_replace", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::SendReceive(Ends::Request)),
        &[
            one("buf", Buffer, Inout, &[Role::SendBuffer, Role::ReceiveBuffer]),
            one("count", Count, In, &[Role::SendCount, Role::ReceiveCount]),
            one("datatype", Handle(Type), In, &[Role::SendType, Role::ReceiveType]),
            one("dest", Int, In, &[Role::Destination]), one("sendtag", Int, In, &[Role::SendTag]),
            one("source", Int, In, &[Role::Source]), one("recvtag", Int, In, &[Role::ReceiveTag]),
            one("comm", Handle(Comm), In, &[Role::Communicator]),
            one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_Issend
    Row::new(
        Procedure::Issend, "MPI_Issend", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Send(SendMode::Synchronous, Ends::Request)),
        &[
            one("buf", Buffer, In, &[Role::SendBuffer]), one("count", Count, In, &[Role::SendCount]),
            one("datatype", Handle(Type), In, &[Role::SendType]), one("dest", Int, In, &[Role::Destination]),
            one("tag", Int, In, &[Role::SendTag]), one("comm", Handle(Comm), In, &[Role::Communicator]),
            one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_Keyval_create
    Row::new(
        Procedure::Keyval_create, "MPI_Keyval_create", false, Returns::Code,
        Interfaces::MPIF, None,
        &[
            one("copy_fn", Callback, In, &[]), one("delete_fn", Callback, In, &[]), one("keyval", Int, Out, &[]),
            one("extra_state", Other, In, &[]),
        ],
    ),
    // MPI_Keyval_free
    Row::new(
        Procedure::Keyval_free, "MPI_Keyval_free", false, Returns::Code,
        Interfaces::MPIF, None,
        &[
            one("keyval", Int, Inout, &[]),
        ],
    ),
    // MPI_Lookup_name
    Row::new(
        Procedure::Lookup_name, "MPI_Lookup_name", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("service_name", Text, In, &[]), one("info", Handle(Info), In, &[Role::Info]),
            one("port_name", Text, Out, &[]),
        ],
    ),
    // MPI_Message_c2f
    Row::new(
        Procedure::Message_c2f, "MPI_Message_c2f", false, Returns::Other,
        Interfaces::C, None,
        &[
            one("message", Handle(Message), In, &[Role::Message]),
        ],
    ),
    // MPI_Message_f2c
    Row::new(
        Procedure::Message_f2c, "MPI_Message_f2c", false, Returns::Other,
        Interfaces::C, None,
        &[
            one("message", Other, In, &[Role::Message]),
        ],
    ),
    // MPI_Message_fromint
    Row::new(
        Procedure::Message_fromint, "MPI_Message_fromint", false, Returns::Other,
        Interfaces::C, None,
        &[
            one("message", Int, In, &[Role::Message]),
        ],
    ),
    // MPI_Message_toint
    Row::new(
        Procedure::Message_toint, "MPI_Message_toint", false, Returns::Other,
        Interfaces::C, None,
        &[
            one("message", Handle(Message), In, &[Role::Message]),
        ],
    ),
    // MPI_Mprobe
    Row::new(
        Procedure::Mprobe, "MPI_Mprobe", false, Returns::Code,
        Interfaces::ALL, Some(Meaning::MatchedProbe(Waits::Blocking)),
        &[
            one("source", Int, In, &[Role::Source]), one("tag", Int, In, &[Role::ReceiveTag]),
            one("comm", Handle(Comm), In, &[Role::Communicator]),
            one("message", Handle(Message), Out, &[Role::Message]), one("status", Status, Out, &[Role::Status]),
        ],
    ),
    // MPI_Mrecv
    Row::new(
        Procedure::Mrecv, "MPI_Mrecv", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::MatchedReceive(Ends::Returning)),
        &[
            one("buf", Buffer, Out, &[Role::ReceiveBuffer]), one("count", Count, In, &[Role::ReceiveCount]),
            one("datatype", Handle(Type), In, &[Role::ReceiveType]),
            one("message", Handle(Message), Inout, &[Role::Message]), one("status", Status, Out, &[Role::Status]),
        ],
    ),
    // MPI_Neighbor_allgather
    Row::new(
        Procedure::Neighbor_allgather, "MPI_Neighbor_allgather", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Collective(CollectiveForm::NeighborAllgather, Ends::Returning)),
        &[
            one("sendbuf", Buffer, In, &[Role::SendBuffer]), one("sendcount", Count, In, &[Role::SendCount]),
            one("sendtype", Handle(Type), In, &[Role::SendType]), one("recvbuf", Buffer, Out, &[Role::ReceiveBuffer]),
            one("recvcount", Count, In, &[Role::ReceiveCount]),
            one("recvtype", Handle(Type), In, &[Role::ReceiveType]),
            one("comm", Handle(Comm), In, &[Role::Communicator]),
        ],
    ),
    // MPI_Neighbor_allgather_init
    Row::new(
        Procedure::Neighbor_allgather_init, "MPI_Neighbor_allgather_init", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Collective(CollectiveForm::NeighborAllgather, Ends::Persistent)),
        &[
            one("sendbuf", Buffer, In, &[Role::SendBuffer]), one("sendcount", Count, In, &[Role::SendCount]),
            one("sendtype", Handle(Type), In, &[Role::SendType]), one("recvbuf", Buffer, Out, &[Role::ReceiveBuffer]),
            one("recvcount", Count, In, &[Role::ReceiveCount]),
            one("recvtype", Handle(Type), In, &[Role::ReceiveType]),
            one("comm", Handle(Comm), In, &[Role::Communicator]), one("info", Handle(Info), In, &[Role::Info]),
            one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_Neighbor_allgatherv
    Row::new(
        Procedure::Neighbor_allgatherv, "MPI_Neighbor_allgatherv", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Collective(CollectiveForm::NeighborAllgatherv, Ends::Returning)),
        &[
            one("sendbuf", Buffer, In, &[Role::SendBuffer]), one("sendcount", Count, In, &[Role::SendCount]),
            one("sendtype", Handle(Type), In, &[Role::SendType]), one("recvbuf", Buffer, Out, &[Role::ReceiveBuffer]),
            array("recvcounts", Count, In, &[Role::ReceiveCount]),
            array("displs", Count, In, &[Role::ReceiveDisplacements]),
            one("recvtype", Handle(Type), In, &[Role::ReceiveType]),
            one("comm", Handle(Comm), In, &[Role::Communicator]),
        ],
    ),
    // MPI_Neighbor_allgatherv_init
    Row::new(
        Procedure::Neighbor_allgatherv_init, "MPI_Neighbor_allgatherv_init", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Collective(CollectiveForm::NeighborAllgatherv, Ends::Persistent)),
        &[
            one("sendbuf", Buffer, In, &[Role::SendBuffer]), one("sendcount", Count, In, &[Role::SendCount]),
            one("sendtype", Handle(Type), In, &[Role::SendType]), one("recvbuf", Buffer, Out, &[Role::ReceiveBuffer]),
            array("recvcounts", Count, In, &[Role::ReceiveCount]),
            array("displs", Count, In, &[Role::ReceiveDisplacements]),
            one("recvtype", Handle(Type), In, &[Role::ReceiveType]),
            one("comm", Handle(Comm), In, &[Role::Communicator]), one("info", Handle(Info), In, &[Role::Info]),
            one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_Neighbor_alltoall
    Row::new(
        Procedure::Neighbor_alltoall, "MPI_Neighbor_alltoall", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Collective(CollectiveForm::NeighborAlltoall, Ends::Returning)),
        &[
            one("sendbuf", Buffer, In, &[Role::SendBuffer]), one("sendcount", Count, In, &[Role::SendCount]),
            one("sendtype", Handle(Type), In, &[Role::SendType]), one("recvbuf", Buffer, Out, &[Role::ReceiveBuffer]),
            one("recvcount", Count, In, &[Role::ReceiveCount]),
            one("recvtype", Handle(Type), In, &[Role::ReceiveType]),
            one("comm", Handle(Comm), In, &[Role::Communicator]),
        ],
    ),
    // MPI_Neighbor_alltoall_init
    Row::new(
        Procedure::Neighbor_alltoall_init, "MPI_Neighbor_alltoall_init", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Collective(CollectiveForm::NeighborAlltoall, Ends::Persistent)),
        &[
            one("sendbuf", Buffer, In, &[Role::SendBuffer]), one("sendcount", Count, In, &[Role::SendCount]),
            one("sendtype", Handle(Type), In, &[Role::SendType]), one("recvbuf", Buffer, Out, &[Role::ReceiveBuffer]),
            one("recvcount", Count, In, &[Role::ReceiveCount]),
            one("recvtype", Handle(Type), In, &[Role::ReceiveType]),
            one("comm", Handle(Comm), In, &[Role::Communicator]), one("info", Handle(Info), In, &[Role::Info]),
            one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_Neighbor_alltoallv
    Row::new(
        Procedure::Neighbor_alltoallv, "MPI_Neighbor_alltoallv", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Collective(CollectiveForm::NeighborAlltoallv, Ends::Returning)),
        &[
            one("sendbuf", Buffer, In, &[Role::SendBuffer]), array("sendcounts", Count, In, &[Role::SendCount]),
            array("sdispls", Count, In, &[Role::SendDisplacements]),
            one("sendtype", Handle(Type), In, &[Role::SendType]), one("recvbuf", Buffer, Out, &[Role::ReceiveBuffer]),
            array("recvcounts", Count, In, &[Role::ReceiveCount]),
            array("rdispls", Count, In, &[Role::ReceiveDisplacements]),
            one("recvtype", Handle(Type), In, &[Role::ReceiveType]),
            one("comm", Handle(Comm), In, &[Role::Communicator]),
        ],
    ),
    // MPI_Neighbor_alltoallv_init
    Row::new(
        Procedure::Neighbor_alltoallv_init, "MPI_Neighbor_alltoallv_init", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Collective(CollectiveForm::NeighborAlltoallv, Ends::Persistent)),
        &[
            one("sendbuf", Buffer, In, &[Role::SendBuffer]), array("sendcounts", Count, In, &[Role::SendCount]),
            array("sdispls", Count, In, &[Role::SendDisplacements]),
            one("sendtype", Handle(Type), In, &[Role::SendType]), one("recvbuf", Buffer, Out, &[Role::ReceiveBuffer]),
            array("recvcounts", Count, In, &[Role::ReceiveCount]),
            array("rdispls", Count, In, &[Role::ReceiveDisplacements]),
            one("recvtype", Handle(Type), In, &[Role::ReceiveType]),
            one("comm", Handle(Comm), In, &[Role::Communicator]), one("info", Handle(Info), In, &[Role::Info]),
            one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_Neighbor_alltoallw
    Row::new(
        Procedure::Neighbor_alltoallw, "MPI_Neighbor_alltoallw", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Collective(CollectiveForm::NeighborAlltoallw, Ends::Returning)),
        &[
            one("sendbuf", Buffer, In, &[Role::SendBuffer]), array("sendcounts", Count, In, &[Role::SendCount]),
            array("sdispls", Address, In, &[Role::SendDisplacements]),
            array("sendtypes", Handle(Type), In, &[Role::SendType]),
            one("recvbuf", Buffer, Out, &[Role::ReceiveBuffer]),
            array("recvcounts", Count, In, &[Role::ReceiveCount]),
            array("rdispls", Address, In, &[Role::ReceiveDisplacements]),
            array("recvtypes", Handle(Type), In, &[Role::ReceiveType]),
            one("comm", Handle(Comm), In, &[Role::Communicator]),
        ],
    ),
    // MPI_Neighbor_alltoallw_init
    Row::new(
        Procedure::Neighbor_alltoallw_init, "MPI_Neighbor_alltoallw_init", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Collective(CollectiveForm::NeighborAlltoallw, Ends::Persistent)),
        &[
            one("sendbuf", Buffer, In, &[Role::SendBuffer]), array("sendcounts", Count, In, &[Role::SendCount]),
            array("sdispls", Address, In, &[Role::SendDisplacements]),
            array("sendtypes", Handle(Type), In, &[Role::SendType]),
            one("recvbuf", Buffer, Out, &[Role::ReceiveBuffer]),
            array("recvcounts", Count, In, &[Role::ReceiveCount]),
            array("rdispls", Address, In, &[Role::ReceiveDisplacements]),
            array("recvtypes", Handle(Type), In, &[Role::ReceiveType]),
            one("comm", Handle(Comm), In, &[Role::Communicator]), one("info", Handle(Info), In, &[Role::Info]),
            one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_Op_c2f
    Row::new(
        Procedure::Op_c2f, "MPI_Op_c2f", false, Returns::Other,
        Interfaces::C, None,
        &[
            one("op", Handle(Op), In, &[Role::Operator]),
        ],
    ),
    // MPI_Op_commutative
    Row::new(
        Procedure::Op_commutative, "MPI_Op_commutative", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("op", Handle(Op), In, &[Role::Operator]), one("commute", Logical, Out, &[]),
        ],
    ),
    // MPI_Op_create
    Row::new(
        Procedure::Op_create, "MPI_Op_create", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("user_fn", Callback, In, &[]), one("commute", Logical, In, &[]),
            one("op", Handle(Op), Out, &[Role::Operator]),
        ],
    ),
    // MPI_Op_f2c
    Row::new(
        Procedure::Op_f2c, "MPI_Op_f2c", false, Returns::Other,
        Interfaces::C, None,
        &[
            one("op", Other, In, &[Role::Operator]),
        ],
    ),
    // MPI_Op_free
    Row::new(
        Procedure::Op_free, "MPI_Op_free", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("op", Handle(Op), Inout, &[Role::Operator]),
        ],
    ),
    // MPI_Op_fromint
    Row::new(
        Procedure::Op_fromint, "MPI_Op_fromint", false, Returns::Other,
        Interfaces::C, None,
        &[
            one("op", Int, In, &[Role::Operator]),
        ],
    ),
    // MPI_Op_toint
    Row::new(
        Procedure::Op_toint, "MPI_Op_toint", false, Returns::Other,
        Interfaces::C, None,
        &[
            one("op", Handle(Op), In, &[Role::Operator]),
        ],
    ),
    // MPI_Open_port
    Row::new(
        Procedure::Open_port, "MPI_Open_port", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("info", Handle(Info), In, &[Role::Info]), one("port_name", Text, Out, &[]),
        ],
    ),
    // MPI_Pack
    Row::new(
        Procedure::Pack, "MPI_Pack", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Pack),
        &[
            one("inbuf", Buffer, In, &[Role::SendBuffer]), one("incount", Count, In, &[Role::SendCount]),
            one("datatype", Handle(Type), In, &[Role::SendType]), one("outbuf", Buffer, Out, &[Role::PackBuffer]),
            one("outsize", Count, In, &[]), one("position", Count, Inout, &[Role::Position]),
            one("comm", Handle(Comm), In, &[Role::Communicator]),
        ],
    ),
    // MPI_Pack_external
    Row::new(
        Procedure::Pack_external, "MPI_Pack_external", true, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("datarep", Text, In, &[]), one("inbuf", Buffer, In, &[]), one("incount", Count, In, &[]),
            one("datatype", Handle(Type), In, &[]), one("outbuf", Buffer, Out, &[]), one("outsize", Address, In, &[]),
            one("position", Address, Inout, &[]),
        ],
    ),
    // MPI_Pack_external_size
    Row::new(
        Procedure::Pack_external_size, "MPI_Pack_external_size", true, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("datarep", Text, In, &[]), one("incount", Count, In, &[]), one("datatype", Handle(Type), In, &[]),
            one("size", Address, Out, &[]),
        ],
    ),
    // MPI_Pack_size
    Row::new(
        Procedure::Pack_size, "MPI_Pack_size", true, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("incount", Count, In, &[]), one("datatype", Handle(Type), In, &[]),
            one("comm", Handle(Comm), In, &[Role::Communicator]), one("size", Count, Out, &[]),
        ],
    ),
    // MPI_Parrived
    Row::new(
        Procedure::Parrived, "MPI_Parrived", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("request", Handle(Request), In, &[Role::Request]), one("partition", Int, In, &[]),
            one("flag", Logical, Out, &[Role::Flag]),
        ],
    ),
    // MPI_Pcontrol
    Row::new(
        Procedure::Pcontrol, "MPI_Pcontrol", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("level", Int, In, &[]), one("varargs", Other, In, &[]),
        ],
    ),
    // MPI_Pready
    Row::new(
        Procedure::Pready, "MPI_Pready", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("partition", Int, In, &[]), one("request", Handle(Request), In, &[Role::Request]),
        ],
    ),
    // MPI_Pready_list
    Row::new(
        Procedure::Pready_list, "MPI_Pready_list", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("length", Int, In, &[]), array("array_of_partitions", Int, In, &[]),
            one("request", Handle(Request), In, &[Role::Request]),
        ],
    ),
    // MPI_Pready_range
    Row::new(
        Procedure::Pready_range, "MPI_Pready_range", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("partition_low", Int, In, &[]), one("partition_high", Int, In, &[]),
            one("request", Handle(Request), In, &[Role::Request]),
        ],
    ),
    // MPI_Precv_init
    Row::new(
        Procedure::Precv_init, "MPI_Precv_init", false, Returns::Code,
        Interfaces::ALL, Some(Meaning::NotUnderstood),
        &[
            one("buf", Buffer, In, &[]), one("partitions", Int, In, &[]), one("count", Address, In, &[]),
            one("datatype", Handle(Type), In, &[]), one("source", Int, In, &[]), one("tag", Int, In, &[]),
            one("comm", Handle(Comm), In, &[Role::Communicator]), one("info", Handle(Info), In, &[Role::Info]),
            one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_Probe
    Row::new(
        Procedure::Probe, "MPI_Probe", false, Returns::Code,
        Interfaces::ALL, Some(Meaning::Probe(Waits::Blocking)),
        &[
            one("source", Int, In, &[Role::Source]), one("tag", Int, In, &[Role::ReceiveTag]),
            one("comm", Handle(Comm), In, &[Role::Communicator]), one("status", Status, Out, &[Role::Status]),
        ],
    ),
    // MPI_Psend_init
    Row::new(
        Procedure::Psend_init, "MPI_Psend_init", false, Returns::Code,
        Interfaces::ALL, Some(Meaning::NotUnderstood),
        &[
            one("buf", Buffer, In, &[]), one("partitions", Int, In, &[]), one("count", Address, In, &[]),
            one("datatype", Handle(Type), In, &[]), one("dest", Int, In, &[]), one("tag", Int, In, &[]),
            one("comm", Handle(Comm), In, &[Role::Communicator]), one("info", Handle(Info), In, &[Role::Info]),
            one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_Publish_name
    Row::new(
        Procedure::Publish_name, "MPI_Publish_name", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("service_name", Text, In, &[]), one("info", Handle(Info), In, &[Role::Info]),
            one("port_name", Text, In, &[]),
        ],
    ),
    // MPI_Put
    Row::new(
        Procedure::Put, "MPI_Put", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Operation(OperationKind::Put)),
        &[
            one("origin_addr", Buffer, In, &[Role::OriginBuffer]),
            one("origin_count", Count, In, &[Role::OriginCount]),
            one("origin_datatype", Handle(Type), In, &[Role::OriginType]),
            one("target_rank", Int, In, &[Role::TargetRank]),
            one("target_disp", Address, In, &[Role::TargetDisplacement]),
            one("target_count", Count, In, &[Role::TargetCount]),
            one("target_datatype", Handle(Type), In, &[Role::TargetType]),
            one("win", Handle(Win), In, &[Role::Window]),
        ],
    ),
    // MPI_Query_thread
    Row::new(
        Procedure::Query_thread, "MPI_Query_thread", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("provided", Int, Out, &[]),
        ],
    ),
    // MPI_Raccumulate
    Row::new(
        Procedure::Raccumulate, "MPI_Raccumulate", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Operation(OperationKind::Accumulate)),
        &[
            one("origin_addr", Buffer, In, &[Role::OriginBuffer]),
            one("origin_count", Count, In, &[Role::OriginCount]),
            one("origin_datatype", Handle(Type), In, &[Role::OriginType]),
            one("target_rank", Int, In, &[Role::TargetRank]),
            one("target_disp", Address, In, &[Role::TargetDisplacement]),
            one("target_count", Count, In, &[Role::TargetCount]),
            one("target_datatype", Handle(Type), In, &[Role::TargetType]),
            one("op", Handle(Op), In, &[Role::Operator]), one("win", Handle(Win), In, &[Role::Window]),
            one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_Recv
    Row::new(
        Procedure::Recv, "MPI_Recv", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Receive(Ends::Returning)),
        &[
            one("buf", Buffer, Out, &[Role::ReceiveBuffer]), one("count", Count, In, &[Role::ReceiveCount]),
            one("datatype", Handle(Type), In, &[Role::ReceiveType]), one("source", Int, In, &[Role::Source]),
            one("tag", Int, In, &[Role::ReceiveTag]), one("comm", Handle(Comm), In, &[Role::Communicator]),
            one("status", Status, Out, &[Role::Status]),
        ],
    ),
    // MPI_Recv_init
    Row::new(
        Procedure::Recv_init, "MPI_Recv_init", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Receive(Ends::Persistent)),
        &[
            one("buf", Buffer, Out, &[Role::ReceiveBuffer]), one("count", Count, In, &[Role::ReceiveCount]),
            one("datatype", Handle(Type), In, &[Role::ReceiveType]), one("source", Int, In, &[Role::Source]),
            one("tag", Int, In, &[Role::ReceiveTag]), one("comm", Handle(Comm), In, &[Role::Communicator]),
            one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_Reduce
    Row::new(
        Procedure::Reduce, "MPI_Reduce", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Collective(CollectiveForm::Reduce, Ends::Returning)),
        &[
            one("sendbuf", Buffer, In, &[Role::SendBuffer]), one("recvbuf", Buffer, Out, &[Role::ReceiveBuffer]),
            one("count", Count, In, &[Role::SendCount, Role::ReceiveCount]),
            one("datatype", Handle(Type), In, &[Role::SendType, Role::ReceiveType]),
            one("op", Handle(Op), In, &[Role::Operator]), one("root", Int, In, &[Role::Root]),
            one("comm", Handle(Comm), In, &[Role::Communicator]),
        ],
    ),
    // MPI_Reduce_init
    Row::new(
        Procedure::Reduce_init, "MPI_Reduce_init", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Collective(CollectiveForm::Reduce, Ends::Persistent)),
        &[
            one("sendbuf", Buffer, In, &[Role::SendBuffer]), one("recvbuf", Buffer, Out, &[Role::ReceiveBuffer]),
            one("count", Count, In, &[Role::SendCount, Role::ReceiveCount]),
            one("datatype", Handle(Type), In, &[Role::SendType, Role::ReceiveType]),
            one("op", Handle(Op), In, &[Role::Operator]), one("root", Int, In, &[Role::Root]),
            one("comm", Handle(Comm), In, &[Role::Communicator]), one("info", Handle(Info), In, &[Role::Info]),
            one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_Reduce_local
    Row::new(
        Procedure::Reduce_local, "MPI_Reduce_local", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::ReduceLocal),
        &[
            one("inbuf", Buffer, In, &[Role::SendBuffer]), one("inoutbuf", Buffer, Inout, &[Role::ReceiveBuffer]),
            one("count", Count, In, &[Role::SendCount, Role::ReceiveCount]),
            one("datatype", Handle(Type), In, &[Role::SendType, Role::ReceiveType]),
            one("op", Handle(Op), In, &[Role::Operator]),
        ],
    ),
    // MPI_Reduce_scatter
    Row::new(
        Procedure::Reduce_scatter, "MPI_Reduce_scatter", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Collective(CollectiveForm::ReduceScatter, Ends::Returning)),
        &[
            one("sendbuf", Buffer, In, &[Role::SendBuffer]), one("recvbuf", Buffer, Out, &[Role::ReceiveBuffer]),
            array("recvcounts", Count, In, &[Role::ReceiveCount]),
            one("datatype", Handle(Type), In, &[Role::SendType, Role::ReceiveType]),
            one("op", Handle(Op), In, &[Role::Operator]), one("comm", Handle(Comm), In, &[Role::Communicator]),
        ],
    ),
    // MPI_Reduce_scatter_block
    Row::new(
        Procedure::Reduce_scatter_block, "MPI_Reduce_scatter_block", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Collective(CollectiveForm::ReduceScatterBlock, Ends::Returning)),
        &[
            one("sendbuf", Buffer, In, &[Role::SendBuffer]), one("recvbuf", Buffer, Out, &[Role::ReceiveBuffer]),
            one("recvcount", Count, In, &[Role::ReceiveCount]),
            one("datatype", Handle(Type), In, &[Role::SendType, Role::ReceiveType]),
            one("op", Handle(Op), In, &[Role::Operator]), one("comm", Handle(Comm), In, &[Role::Communicator]),
        ],
    ),
    // MPI_Reduce_scatter_block_init
    Row::new(
        Procedure::Reduce_scatter_block_init, "MPI_Reduce_scatter_block_init", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Collective(CollectiveForm::ReduceScatterBlock, Ends::Persistent)),
        &[
            one("sendbuf", Buffer, In, &[Role::SendBuffer]), one("recvbuf", Buffer, Out, &[Role::ReceiveBuffer]),
            one("recvcount", Count, In, &[Role::ReceiveCount]),
            one("datatype", Handle(Type), In, &[Role::SendType, Role::ReceiveType]),
            one("op", Handle(Op), In, &[Role::Operator]), one("comm", Handle(Comm), In, &[Role::Communicator]),
            one("info", Handle(Info), In, &[Role::Info]), one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_Reduce_scatter_init
    Row::new(
        Procedure::Reduce_scatter_init, "MPI_Reduce_scatter_init", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Collective(CollectiveForm::ReduceScatter, Ends::Persistent)),
        &[
            one("sendbuf", Buffer, In, &[Role::SendBuffer]), one("recvbuf", Buffer, Out, &[Role::ReceiveBuffer]),
            array("recvcounts", Count, In, &[Role::ReceiveCount]),
            one("datatype", Handle(Type), In, &[Role::SendType, Role::ReceiveType]),
            one("op", Handle(Op), In, &[Role::Operator]), one("comm", Handle(Comm), In, &[Role::Communicator]),
            one("info", Handle(Info), In, &[Role::Info]), one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_Register_datarep
    Row::new(
        Procedure::Register_datarep, "MPI_Register_datarep", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("datarep", Text, In, &[]), one("read_conversion_fn", Callback, In, &[]),
            one("write_conversion_fn", Callback, In, &[]), one("dtype_file_extent_fn", Callback, In, &[]),
            one("extra_state", Other, In, &[]),
        ],
    ),
    // MPI_Remove_error_class
    Row::new(
        Procedure::Remove_error_class, "MPI_Remove_error_class", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("errorclass", Int, In, &[]),
        ],
    ),
    // MPI_Remove_error_code
    Row::new(
        Procedure::Remove_error_code, "MPI_Remove_error_code", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("errorcode", Int, In, &[]),
        ],
    ),
    // MPI_Remove_error_string
    Row::new(
        Procedure::Remove_error_string, "MPI_Remove_error_string", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("errorcode", Int, In, &[]),
        ],
    ),
    // MPI_Request_c2f
    Row::new(
        Procedure::Request_c2f, "MPI_Request_c2f", false, Returns::Other,
        Interfaces::C, None,
        &[
            one("request", Handle(Request), In, &[Role::Request]),
        ],
    ),
    // MPI_Request_f2c
    Row::new(
        Procedure::Request_f2c, "MPI_Request_f2c", false, Returns::Other,
        Interfaces::C, None,
        &[
            one("request", Other, In, &[Role::Request]),
        ],
    ),
    // MPI_Request_free
    Row::new(
        Procedure::Request_free, "MPI_Request_free", false, Returns::Code,
        Interfaces::ALL, Some(Meaning::RequestFree),
        &[
            one("request", Handle(Request), Inout, &[Role::Request]),
        ],
    ),
    // MPI_Request_fromint
    Row::new(
        Procedure::Request_fromint, "MPI_Request_fromint", false, Returns::Other,
        Interfaces::C, None,
        &[
            one("request", Int, In, &[Role::Request]),
        ],
    ),
    // MPI_Request_get_status
    Row::new(
        Procedure::Request_get_status, "MPI_Request_get_status", false, Returns::Code,
        Interfaces::ALL, Some(Meaning::RequestStatus),
        &[
            one("request", Handle(Request), In, &[Role::Request]), one("flag", Logical, Out, &[Role::Flag]),
            one("status", Status, Out, &[Role::Status]),
        ],
    ),
    // MPI_Request_get_status_all
    Row::new(
        Procedure::Request_get_status_all, "MPI_Request_get_status_all", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("count", Int, In, &[]), array("array_of_requests", Handle(Request), In, &[]),
            one("flag", Logical, Out, &[Role::Flag]), array("array_of_statuses", Status, Out, &[]),
        ],
    ),
    // MPI_Request_get_status_any
    Row::new(
        Procedure::Request_get_status_any, "MPI_Request_get_status_any", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("count", Int, In, &[]), array("array_of_requests", Handle(Request), In, &[]),
            one("index", Int, Out, &[]), one("flag", Logical, Out, &[Role::Flag]),
            one("status", Status, Out, &[Role::Status]),
        ],
    ),
    // MPI_Request_get_status_some
    Row::new(
        Procedure::Request_get_status_some, "MPI_Request_get_status_some", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("incount", Int, In, &[]), array("array_of_requests", Handle(Request), In, &[]),
            one("outcount", Int, Out, &[]), array("array_of_indices", Int, Out, &[]),
            array("array_of_statuses", Status, Out, &[]),
        ],
    ),
    // MPI_Request_toint
    Row::new(
        Procedure::Request_toint, "MPI_Request_toint", false, Returns::Other,
        Interfaces::C, None,
        &[
            one("request", Handle(Request), In, &[Role::Request]),
        ],
    ),
    // MPI_Rget
    Row::new(
        Procedure::Rget, "MPI_Rget", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Operation(OperationKind::Get)),
        &[
            one("origin_addr", Buffer, Out, &[Role::ResultBuffer]),
            one("origin_count", Count, In, &[Role::ResultCount]),
            one("origin_datatype", Handle(Type), In, &[Role::ResultType]),
            one("target_rank", Int, In, &[Role::TargetRank]),
            one("target_disp", Address, In, &[Role::TargetDisplacement]),
            one("target_count", Count, In, &[Role::TargetCount]),
            one("target_datatype", Handle(Type), In, &[Role::TargetType]),
            one("win", Handle(Win), In, &[Role::Window]), one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_Rget_accumulate
    Row::new(
        Procedure::Rget_accumulate, "MPI_Rget_accumulate", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Operation(OperationKind::GetAccumulate)),
        &[
            one("origin_addr", Buffer, In, &[Role::OriginBuffer]),
            one("origin_count", Count, In, &[Role::OriginCount]),
            one("origin_datatype", Handle(Type), In, &[Role::OriginType]),
            one("result_addr", Buffer, Out, &[Role::ResultBuffer]),
            one("result_count", Count, In, &[Role::ResultCount]),
            one("result_datatype", Handle(Type), In, &[Role::ResultType]),
            one("target_rank", Int, In, &[Role::TargetRank]),
            one("target_disp", Address, In, &[Role::TargetDisplacement]),
            one("target_count", Count, In, &[Role::TargetCount]),
            one("target_datatype", Handle(Type), In, &[Role::TargetType]),
            one("op", Handle(Op), In, &[Role::Operator]), one("win", Handle(Win), In, &[Role::Window]),
            one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_Rput
    Row::new(
        Procedure::Rput, "MPI_Rput", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Operation(OperationKind::Put)),
        &[
            one("origin_addr", Buffer, In, &[Role::OriginBuffer]),
            one("origin_count", Count, In, &[Role::OriginCount]),
            one("origin_datatype", Handle(Type), In, &[Role::OriginType]),
            one("target_rank", Int, In, &[Role::TargetRank]),
            one("target_disp", Address, In, &[Role::TargetDisplacement]),
            one("target_count", Count, In, &[Role::TargetCount]),
            one("target_datatype", Handle(Type), In, &[Role::TargetType]),
            one("win", Handle(Win), In, &[Role::Window]), one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_Rsend
    Row::new(
        Procedure::Rsend, "MPI_Rsend", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Send(SendMode::Standard, Ends::Returning)),
        &[
            one("buf", Buffer, In, &[Role::SendBuffer]), one("count", Count, In, &[Role::SendCount]),
            one("datatype", Handle(Type), In, &[Role::SendType]), one("dest", Int, In, &[Role::Destination]),
            one("tag", Int, In, &[Role::SendTag]), one("comm", Handle(Comm), In, &[Role::Communicator]),
        ],
    ),
    // MPI_Rsend_init
    Row::new(
        Procedure::Rsend_init, "MPI_Rsend_init", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Send(SendMode::Standard, Ends::Persistent)),
        &[
            one("buf", Buffer, In, &[Role::SendBuffer]), one("count", Count, In, &[Role::SendCount]),
            one("datatype", Handle(Type), In, &[Role::SendType]), one("dest", Int, In, &[Role::Destination]),
            one("tag", Int, In, &[Role::SendTag]), one("comm", Handle(Comm), In, &[Role::Communicator]),
            one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_Scan
    Row::new(
        Procedure::Scan, "MPI_Scan", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Collective(CollectiveForm::Scan, Ends::Returning)),
        &[
            one("sendbuf", Buffer, In, &[Role::SendBuffer]), one("recvbuf", Buffer, Out, &[Role::ReceiveBuffer]),
            one("count", Count, In, &[Role::SendCount, Role::ReceiveCount]),
            one("datatype", Handle(Type), In, &[Role::SendType, Role::ReceiveType]),
            one("op", Handle(Op), In, &[Role::Operator]), one("comm", Handle(Comm), In, &[Role::Communicator]),
        ],
    ),
    // MPI_Scan_init
    Row::new(
        Procedure::Scan_init, "MPI_Scan_init", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Collective(CollectiveForm::Scan, Ends::Persistent)),
        &[
            one("sendbuf", Buffer, In, &[Role::SendBuffer]), one("recvbuf", Buffer, Out, &[Role::ReceiveBuffer]),
            one("count", Count, In, &[Role::SendCount, Role::ReceiveCount]),
            one("datatype", Handle(Type), In, &[Role::SendType, Role::ReceiveType]),
            one("op", Handle(Op), In, &[Role::Operator]), one("comm", Handle(Comm), In, &[Role::Communicator]),
            one("info", Handle(Info), In, &[Role::Info]), one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_Scatter
    Row::new(
        Procedure::Scatter, "MPI_Scatter", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Collective(CollectiveForm::Scatter, Ends::Returning)),
        &[
            one("sendbuf", Buffer, In, &[Role::SendBuffer]), one("sendcount", Count, In, &[Role::SendCount]),
            one("sendtype", Handle(Type), In, &[Role::SendType]), one("recvbuf", Buffer, Out, &[Role::ReceiveBuffer]),
            one("recvcount", Count, In, &[Role::ReceiveCount]),
            one("recvtype", Handle(Type), In, &[Role::ReceiveType]), one("root", Int, In, &[Role::Root]),
            one("comm", Handle(Comm), In, &[Role::Communicator]),
        ],
    ),
    // MPI_Scatter_init
    Row::new(
        Procedure::Scatter_init, "MPI_Scatter_init", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Collective(CollectiveForm::Scatter, Ends::Persistent)),
        &[
            one("sendbuf", Buffer, In, &[Role::SendBuffer]), one("sendcount", Count, In, &[Role::SendCount]),
            one("sendtype", Handle(Type), In, &[Role::SendType]), one("recvbuf", Buffer, Out, &[Role::ReceiveBuffer]),
            one("recvcount", Count, In, &[Role::ReceiveCount]),
            one("recvtype", Handle(Type), In, &[Role::ReceiveType]), one("root", Int, In, &[Role::Root]),
            one("comm", Handle(Comm), In, &[Role::Communicator]), one("info", Handle(Info), In, &[Role::Info]),
            one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_Scatterv
    Row::new(
        Procedure::Scatterv, "MPI_Scatterv", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Collective(CollectiveForm::Scatterv, Ends::Returning)),
        &[
            one("sendbuf", Buffer, In, &[Role::SendBuffer]), array("sendcounts", Count, In, &[Role::SendCount]),
            array("displs", Count, In, &[Role::SendDisplacements]),
            one("sendtype", Handle(Type), In, &[Role::SendType]), one("recvbuf", Buffer, Out, &[Role::ReceiveBuffer]),
            one("recvcount", Count, In, &[Role::ReceiveCount]),
            one("recvtype", Handle(Type), In, &[Role::ReceiveType]), one("root", Int, In, &[Role::Root]),
            one("comm", Handle(Comm), In, &[Role::Communicator]),
        ],
    ),
    // MPI_Scatterv_init
    Row::new(
        Procedure::Scatterv_init, "MPI_Scatterv_init", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Collective(CollectiveForm::Scatterv, Ends::Persistent)),
        &[
            one("sendbuf", Buffer, In, &[Role::SendBuffer]), array("sendcounts", Count, In, &[Role::SendCount]),
            array("displs", Count, In, &[Role::SendDisplacements]),
            one("sendtype", Handle(Type), In, &[Role::SendType]), one("recvbuf", Buffer, Out, &[Role::ReceiveBuffer]),
            one("recvcount", Count, In, &[Role::ReceiveCount]),
            one("recvtype", Handle(Type), In, &[Role::ReceiveType]), one("root", Int, In, &[Role::Root]),
            one("comm", Handle(Comm), In, &[Role::Communicator]), one("info", Handle(Info), In, &[Role::Info]),
            one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_Send
    Row::new(
        Procedure::Send, "MPI_Send", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Send(SendMode::Standard, Ends::Returning)),
        &[
            one("buf", Buffer, In, &[Role::SendBuffer]), one("count", Count, In, &[Role::SendCount]),
            one("datatype", Handle(Type), In, &[Role::SendType]), one("dest", Int, In, &[Role::Destination]),
            one("tag", Int, In, &[Role::SendTag]), one("comm", Handle(Comm), In, &[Role::Communicator]),
        ],
    ),
    // MPI_Send_init
    Row::new(
        Procedure::Send_init, "MPI_Send_init", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Send(SendMode::Standard, Ends::Persistent)),
        &[
            one("buf", Buffer, In, &[Role::SendBuffer]), one("count", Count, In, &[Role::SendCount]),
            one("datatype", Handle(Type), In, &[Role::SendType]), one("dest", Int, In, &[Role::Destination]),
            one("tag", Int, In, &[Role::SendTag]), one("comm", Handle(Comm), In, &[Role::Communicator]),
            one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_Sendrecv
    Row::new(
        Procedure::Sendrecv, "MPI_Sendrecv", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::SendReceive(Ends::Returning)),
        &[
            one("sendbuf", Buffer, In, &[Role::SendBuffer]), one("sendcount", Count, In, &[Role::SendCount]),
            one("sendtype", Handle(Type), In, &[Role::SendType]), one("dest", Int, In, &[Role::Destination]),
            one("sendtag", Int, In, &[Role::SendTag]), one("recvbuf", Buffer, Out, &[Role::ReceiveBuffer]),
            one("recvcount", Count, In, &[Role::ReceiveCount]),
            one("recvtype", Handle(Type), In, &[Role::ReceiveType]), one("source", Int, In, &[Role::Source]),
            one("recvtag", Int, In, &[Role::ReceiveTag]), one("comm", Handle(Comm), In, &[Role::Communicator]),
            one("status", Status, Out, &[Role::Status]),
        ],
    ),
    // MPI_Sendrecv_replace
    Row::new(
        Procedure::Sendrecv_replace, "MPI_Sendrecv_replace", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::SendReceive(Ends::Returning)),
        &[
            one("buf", Buffer, Inout, &[Role::SendBuffer, Role::ReceiveBuffer]),
            one("count", Count, In, &[Role::SendCount, Role::ReceiveCount]),
            one("datatype", Handle(Type), In, &[Role::SendType, Role::ReceiveType]),
            one("dest", Int, In, &[Role::Destination]), one("sendtag", Int, In, &[Role::SendTag]),
            one("source", Int, In, &[Role::Source]), one("recvtag", Int, In, &[Role::ReceiveTag]),
            one("comm", Handle(Comm), In, &[Role::Communicator]), one("status", Status, Out, &[Role::Status]),
        ],
    ),
    // MPI_Session_attach_buffer
    Row::new(
        Procedure::Session_attach_buffer, "MPI_Session_attach_buffer", true, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("session", Handle(Session), In, &[]), one("buffer", Buffer, In, &[]), one("size", Count, In, &[]),
        ],
    ),
    // MPI_Session_c2f
    Row::new(
        Procedure::Session_c2f, "MPI_Session_c2f", false, Returns::Other,
        Interfaces::C, None,
        &[
            one("session", Handle(Session), In, &[]),
        ],
    ),
    // MPI_Session_call_errhandler
    Row::new(
        Procedure::Session_call_errhandler, "MPI_Session_call_errhandler", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("session", Handle(Session), In, &[]), one("errorcode", Int, In, &[]),
        ],
    ),
    // MPI_Session_create_errhandler
    Row::new(
        Procedure::Session_create_errhandler, "MPI_Session_create_errhandler", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("session_errhandler_fn", Callback, In, &[]), one("errhandler", Handle(Errhandler), Out, &[]),
        ],
    ),
    // MPI_Session_detach_buffer
    Row::new(
        Procedure::Session_detach_buffer, "MPI_Session_detach_buffer", true, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("session", Handle(Session), In, &[]), one("buffer_addr", Pointer, Out, &[]),
            one("size", Count, Out, &[]),
        ],
    ),
    // MPI_Session_f2c
    Row::new(
        Procedure::Session_f2c, "MPI_Session_f2c", false, Returns::Other,
        Interfaces::C, None,
        &[
            one("session", Other, In, &[]),
        ],
    ),
    // MPI_Session_finalize
    Row::new(
        Procedure::Session_finalize, "MPI_Session_finalize", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("session", Handle(Session), Inout, &[]),
        ],
    ),
    // MPI_Session_flush_buffer
    Row::new(
        Procedure::Session_flush_buffer, "MPI_Session_flush_buffer", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("session", Handle(Session), In, &[]),
        ],
    ),
    // MPI_Session_fromint
    Row::new(
        Procedure::Session_fromint, "MPI_Session_fromint", false, Returns::Other,
        Interfaces::C, None,
        &[
            one("session", Int, In, &[]),
        ],
    ),
    // MPI_Session_get_errhandler
    Row::new(
        Procedure::Session_get_errhandler, "MPI_Session_get_errhandler", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("session", Handle(Session), In, &[]), one("errhandler", Handle(Errhandler), Out, &[]),
        ],
    ),
    // MPI_Session_get_info
    Row::new(
        Procedure::Session_get_info, "MPI_Session_get_info", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("session", Handle(Session), In, &[]), one("info_used", Handle(Info), Out, &[]),
        ],
    ),
    // MPI_Session_get_nth_pset
    Row::new(
        Procedure::Session_get_nth_pset, "MPI_Session_get_nth_pset", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("session", Handle(Session), In, &[]), one("info", Handle(Info), In, &[Role::Info]),
            one("n", Int, In, &[]), one("pset_len", Int, Inout, &[]), one("pset_name", Text, Out, &[]),
        ],
    ),
    // MPI_Session_get_num_psets
    Row::new(
        Procedure::Session_get_num_psets, "MPI_Session_get_num_psets", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("session", Handle(Session), In, &[]), one("info", Handle(Info), In, &[Role::Info]),
            one("npset_names", Int, Out, &[]),
        ],
    ),
    // MPI_Session_get_pset_info
    Row::new(
        Procedure::Session_get_pset_info, "MPI_Session_get_pset_info", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("session", Handle(Session), In, &[]), one("pset_name", Text, In, &[]),
            one("info", Handle(Info), Out, &[Role::Info]),
        ],
    ),
    // MPI_Session_iflush_buffer
    Row::new(
        Procedure::Session_iflush_buffer, "MPI_Session_iflush_buffer", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("session", Handle(Session), In, &[]), one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_Session_init
    Row::new(
        Procedure::Session_init, "MPI_Session_init", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("info", Handle(Info), In, &[Role::Info]), one("errhandler", Handle(Errhandler), In, &[]),
            one("session", Handle(Session), Out, &[]),
        ],
    ),
    // MPI_Session_set_errhandler
    Row::new(
        Procedure::Session_set_errhandler, "MPI_Session_set_errhandler", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("session", Handle(Session), In, &[]), one("errhandler", Handle(Errhandler), In, &[]),
        ],
    ),
    // MPI_Session_toint
    Row::new(
        Procedure::Session_toint, "MPI_Session_toint", false, Returns::Other,
        Interfaces::C, None,
        &[
            one("session", Handle(Session), In, &[]),
        ],
    ),
    // MPI_Ssend
    Row::new(
        Procedure::Ssend, "MPI_Ssend", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Send(SendMode::Synchronous, Ends::Returning)),
        &[
            one("buf", Buffer, In, &[Role::SendBuffer]), one("count", Count, In, &[Role::SendCount]),
            one("datatype", Handle(Type), In, &[Role::SendType]), one("dest", Int, In, &[Role::Destination]),
            one("tag", Int, In, &[Role::SendTag]), one("comm", Handle(Comm), In, &[Role::Communicator]),
        ],
    ),
    // MPI_Ssend_init
    Row::new(
        Procedure::Ssend_init, "MPI_Ssend_init", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Send(SendMode::Synchronous, Ends::Persistent)),
        &[
            one("buf", Buffer, In, &[Role::SendBuffer]), one("count", Count, In, &[Role::SendCount]),
            one("datatype", Handle(Type), In, &[Role::SendType]), one("dest", Int, In, &[Role::Destination]),
            one("tag", Int, In, &[Role::SendTag]), one("comm", Handle(Comm), In, &[Role::Communicator]),
            one("request", Handle(Request), Out, &[Role::Request]),
        ],
    ),
    // MPI_Start
    Row::new(
        Procedure::Start, "MPI_Start", false, Returns::Code,
        Interfaces::ALL, Some(Meaning::Start),
        &[
            one("request", Handle(Request), Inout, &[Role::Request]),
        ],
    ),
    // MPI_Startall
    Row::new(
        Procedure::Startall, "MPI_Startall", false, Returns::Code,
        Interfaces::ALL, Some(Meaning::Start),
        &[
            one("count", Int, In, &[Role::RequestCount]),
            array("array_of_requests", Handle(Request), Inout, &[Role::Requests]),
        ],
    ),
    // MPI_Status_c2f
    Row::new(
        Procedure::Status_c2f, "MPI_Status_c2f", false, Returns::Other,
        Interfaces::C, None,
        &[
            one("c_status", Status, In, &[]), one("f_status", Other, Out, &[]),
        ],
    ),
    // MPI_Status_c2f08
    Row::new(
        Procedure::Status_c2f08, "MPI_Status_c2f08", false, Returns::Other,
        Interfaces::C, None,
        &[
            one("c_status", Status, In, &[]), one("f08_status", Other, Out, &[]),
        ],
    ),
    // MPI_Status_f082c
    Row::new(
        Procedure::Status_f082c, "MPI_Status_f082c", false, Returns::Other,
        Interfaces::C, None,
        &[
            one("f08_status", Other, In, &[]), one("c_status", Status, Out, &[]),
        ],
    ),
    // MPI_Status_f082f
    Row::new(
        Procedure::Status_f082f, "MPI_Status_f082f", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("f08_status", Other, In, &[]), one("f_status", Other, Out, &[]),
        ],
    ),
    // MPI_Status_f2c
    Row::new(
        Procedure::Status_f2c, "MPI_Status_f2c", false, Returns::Other,
        Interfaces::C, None,
        &[
            one("f_status", Other, In, &[]), one("c_status", Status, Out, &[]),
        ],
    ),
    // MPI_Status_f2f08
    Row::new(
        Procedure::Status_f2f08, "MPI_Status_f2f08", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("f_status", Other, In, &[]), one("f08_status", Other, Out, &[]),
        ],
    ),
    // MPI_Status_get_error
    Row::new(
        Procedure::Status_get_error, "MPI_Status_get_error", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("status", Status, In, &[Role::Status]), one("err", Int, Out, &[]),
        ],
    ),
    // MPI_Status_get_source
    Row::new(
        Procedure::Status_get_source, "MPI_Status_get_source", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("status", Status, In, &[Role::Status]), one("source", Int, Out, &[]),
        ],
    ),
    // MPI_Status_get_tag
    Row::new(
        Procedure::Status_get_tag, "MPI_Status_get_tag", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("status", Status, In, &[Role::Status]), one("tag", Int, Out, &[]),
        ],
    ),
    // MPI_Status_set_cancelled
    Row::new(
        Procedure::Status_set_cancelled, "MPI_Status_set_cancelled", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("status", Status, Inout, &[Role::Status]), one("flag", Logical, In, &[Role::Flag]),
        ],
    ),
    // MPI_Status_set_elements
    Row::new(
        Procedure::Status_set_elements, "MPI_Status_set_elements", true, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("status", Status, Inout, &[Role::Status]), one("datatype", Handle(Type), In, &[]),
            one("count", Count, In, &[]),
        ],
    ),
    // MPI_Status_set_elements_x
    Row::new(
        Procedure::Status_set_elements_x, "MPI_Status_set_elements_x", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("status", Status, Inout, &[Role::Status]), one("datatype", Handle(Type), In, &[]),
            one("count", Address, In, &[]),
        ],
    ),
    // MPI_Status_set_error
    Row::new(
        Procedure::Status_set_error, "MPI_Status_set_error", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("status", Status, Inout, &[Role::Status]), one("err", Int, In, &[]),
        ],
    ),
    // MPI_Status_set_source
    Row::new(
        Procedure::Status_set_source, "MPI_Status_set_source", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("status", Status, Inout, &[Role::Status]), one("source", Int, In, &[]),
        ],
    ),
    // MPI_Status_set_tag
    Row::new(
        Procedure::Status_set_tag, "MPI_Status_set_tag", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("status", Status, Inout, &[Role::Status]), one("tag", Int, In, &[]),
        ],
    ),
    // MPI_Test
    Row::new(
        Procedure::Test, "MPI_Test", false, Returns::Code,
        Interfaces::ALL, Some(Meaning::Completion(Completion::One, Waits::Polling)),
        &[
            one("request", Handle(Request), Inout, &[Role::Request]), one("flag", Logical, Out, &[Role::Flag]),
            one("status", Status, Out, &[Role::Status]),
        ],
    ),
    // MPI_Test_cancelled
    Row::new(
        Procedure::Test_cancelled, "MPI_Test_cancelled", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("status", Status, In, &[Role::Status]), one("flag", Logical, Out, &[Role::Flag]),
        ],
    ),
    // MPI_Testall
    Row::new(
        Procedure::Testall, "MPI_Testall", false, Returns::Code,
        Interfaces::ALL, Some(Meaning::Completion(Completion::All, Waits::Polling)),
        &[
            one("count", Int, In, &[Role::RequestCount]),
            array("array_of_requests", Handle(Request), Inout, &[Role::Requests]),
            one("flag", Logical, Out, &[Role::Flag]), array("array_of_statuses", Status, Out, &[Role::Statuses]),
        ],
    ),
    // MPI_Testany
    Row::new(
        Procedure::Testany, "MPI_Testany", false, Returns::Code,
        Interfaces::ALL, Some(Meaning::Completion(Completion::Any, Waits::Polling)),
        &[
            one("count", Int, In, &[Role::RequestCount]),
            array("array_of_requests", Handle(Request), Inout, &[Role::Requests]),
            one("index", Int, Out, &[Role::Index]), one("flag", Logical, Out, &[Role::Flag]),
            one("status", Status, Out, &[Role::Status]),
        ],
    ),
    // MPI_Testsome
    Row::new(
        Procedure::Testsome, "MPI_Testsome", false, Returns::Code,
        Interfaces::ALL, Some(Meaning::Completion(Completion::Some, Waits::Polling)),
        &[
            one("incount", Int, In, &[Role::RequestCount]),
            array("array_of_requests", Handle(Request), Inout, &[Role::Requests]),
            one("outcount", Int, Out, &[Role::Result]), array("array_of_indices", Int, Out, &[Role::Index]),
            array("array_of_statuses", Status, Out, &[Role::Statuses]),
        ],
    ),
    // MPI_Topo_test
    Row::new(
        Procedure::Topo_test, "MPI_Topo_test", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("comm", Handle(Comm), In, &[Role::Communicator]), one("status", Int, Out, &[Role::Status]),
        ],
    ),
    // MPI_Type_c2f
    Row::new(
        Procedure::Type_c2f, "MPI_Type_c2f", false, Returns::Other,
        Interfaces::C, None,
        &[
            one("datatype", Handle(Type), In, &[]),
        ],
    ),
    // MPI_Type_commit
    Row::new(
        Procedure::Type_commit, "MPI_Type_commit", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("datatype", Handle(Type), Inout, &[]),
        ],
    ),
    // MPI_Type_contiguous
    Row::new(
        Procedure::Type_contiguous, "MPI_Type_contiguous", true, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("count", Count, In, &[]), one("oldtype", Handle(Type), In, &[]),
            one("newtype", Handle(Type), Out, &[]),
        ],
    ),
    // MPI_Type_create_darray
    Row::new(
        Procedure::Type_create_darray, "MPI_Type_create_darray", true, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("size", Int, In, &[]), one("rank", Int, In, &[]), one("ndims", Int, In, &[]),
            array("array_of_gsizes", Count, In, &[]), array("array_of_distribs", Int, In, &[]),
            array("array_of_dargs", Int, In, &[]), array("array_of_psizes", Int, In, &[]), one("order", Int, In, &[]),
            one("oldtype", Handle(Type), In, &[]), one("newtype", Handle(Type), Out, &[]),
        ],
    ),
    // MPI_Type_create_f90_complex
    Row::new(
        Procedure::Type_create_f90_complex, "MPI_Type_create_f90_complex", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("p", Int, In, &[]), one("r", Int, In, &[]), one("newtype", Handle(Type), Out, &[]),
        ],
    ),
    // MPI_Type_create_f90_integer
    Row::new(
        Procedure::Type_create_f90_integer, "MPI_Type_create_f90_integer", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("r", Int, In, &[]), one("newtype", Handle(Type), Out, &[]),
        ],
    ),
    // MPI_Type_create_f90_real
    Row::new(
        Procedure::Type_create_f90_real, "MPI_Type_create_f90_real", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("p", Int, In, &[]), one("r", Int, In, &[]), one("newtype", Handle(Type), Out, &[]),
        ],
    ),
    // MPI_Type_create_hindexed
    Row::new(
        Procedure::Type_create_hindexed, "MPI_Type_create_hindexed", true, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("count", Count, In, &[]), array("array_of_blocklengths", Count, In, &[]),
            array("array_of_displacements", Address, In, &[]), one("oldtype", Handle(Type), In, &[]),
            one("newtype", Handle(Type), Out, &[]),
        ],
    ),
    // MPI_Type_create_hindexed_block
    Row::new(
        Procedure::Type_create_hindexed_block, "MPI_Type_create_hindexed_block", true, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("count", Count, In, &[]), one("blocklength", Count, In, &[]),
            array("array_of_displacements", Address, In, &[]), one("oldtype", Handle(Type), In, &[]),
            one("newtype", Handle(Type), Out, &[]),
        ],
    ),
    // MPI_Type_create_hvector
    Row::new(
        Procedure::Type_create_hvector, "MPI_Type_create_hvector", true, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("count", Count, In, &[]), one("blocklength", Count, In, &[]), one("stride", Address, In, &[]),
            one("oldtype", Handle(Type), In, &[]), one("newtype", Handle(Type), Out, &[]),
        ],
    ),
    // MPI_Type_create_indexed_block
    Row::new(
        Procedure::Type_create_indexed_block, "MPI_Type_create_indexed_block", true, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("count", Count, In, &[]), one("blocklength", Count, In, &[]),
            array("array_of_displacements", Count, In, &[]), one("oldtype", Handle(Type), In, &[]),
            one("newtype", Handle(Type), Out, &[]),
        ],
    ),
    // MPI_Type_create_keyval
    Row::new(
        Procedure::Type_create_keyval, "MPI_Type_create_keyval", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("type_copy_attr_fn", Callback, In, &[]), one("type_delete_attr_fn", Callback, In, &[]),
            one("type_keyval", Int, Out, &[]), one("extra_state", Other, In, &[]),
        ],
    ),
    // MPI_Type_create_resized
    Row::new(
        Procedure::Type_create_resized, "MPI_Type_create_resized", true, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("oldtype", Handle(Type), In, &[]), one("lb", Address, In, &[]), one("extent", Address, In, &[]),
            one("newtype", Handle(Type), Out, &[]),
        ],
    ),
    // MPI_Type_create_struct
    Row::new(
        Procedure::Type_create_struct, "MPI_Type_create_struct", true, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("count", Count, In, &[]), array("array_of_blocklengths", Count, In, &[]),
            array("array_of_displacements", Address, In, &[]), array("array_of_types", Handle(Type), In, &[]),
            one("newtype", Handle(Type), Out, &[]),
        ],
    ),
    // MPI_Type_create_subarray
    Row::new(
        Procedure::Type_create_subarray, "MPI_Type_create_subarray", true, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("ndims", Int, In, &[]), array("array_of_sizes", Count, In, &[]),
            array("array_of_subsizes", Count, In, &[]), array("array_of_starts", Count, In, &[]),
            one("order", Int, In, &[]), one("oldtype", Handle(Type), In, &[]), one("newtype", Handle(Type), Out, &[]),
        ],
    ),
    // MPI_Type_delete_attr
    Row::new(
        Procedure::Type_delete_attr, "MPI_Type_delete_attr", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("datatype", Handle(Type), In, &[]), one("type_keyval", Int, In, &[]),
        ],
    ),
    // MPI_Type_dup
    Row::new(
        Procedure::Type_dup, "MPI_Type_dup", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("oldtype", Handle(Type), In, &[]), one("newtype", Handle(Type), Out, &[]),
        ],
    ),
    // MPI_Type_extent
    Row::new(
        Procedure::Type_extent, "MPI_Type_extent", false, Returns::Code,
        Interfaces::MPIF, None,
        &[
            one("datatype", Handle(Type), In, &[]), one("extent", Address, Out, &[]),
        ],
    ),
    // MPI_Type_f2c
    Row::new(
        Procedure::Type_f2c, "MPI_Type_f2c", false, Returns::Other,
        Interfaces::C, None,
        &[
            one("datatype", Other, In, &[]),
        ],
    ),
    // MPI_Type_free
    Row::new(
        Procedure::Type_free, "MPI_Type_free", false, Returns::Code,
        Interfaces::ALL, Some(Meaning::TypeFree),
        &[
            one("datatype", Handle(Type), Inout, &[Role::SendType]),
        ],
    ),
    // MPI_Type_free_keyval
    Row::new(
        Procedure::Type_free_keyval, "MPI_Type_free_keyval", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("type_keyval", Int, Inout, &[]),
        ],
    ),
    // MPI_Type_fromint
    Row::new(
        Procedure::Type_fromint, "MPI_Type_fromint", false, Returns::Other,
        Interfaces::C, None,
        &[
            one("datatype", Int, In, &[]),
        ],
    ),
    // MPI_Type_get_attr
    Row::new(
        Procedure::Type_get_attr, "MPI_Type_get_attr", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("datatype", Handle(Type), In, &[]), one("type_keyval", Int, In, &[]),
            one("attribute_val", Other, Out, &[]), one("flag", Logical, Out, &[Role::Flag]),
        ],
    ),
    // MPI_Type_get_contents
    Row::new(
        Procedure::Type_get_contents, "MPI_Type_get_contents", true, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("datatype", Handle(Type), In, &[]), one("max_integers", Count, In, &[]),
            one("max_addresses", Count, In, &[]), large_only("max_large_counts", Count, In, &[]),
            one("max_datatypes", Count, In, &[]), array("array_of_integers", Int, Out, &[]),
            array("array_of_addresses", Address, Out, &[]), large_only("array_of_large_counts", Address, Out, &[]),
            array("array_of_datatypes", Handle(Type), Out, &[]),
        ],
    ),
    // MPI_Type_get_envelope
    Row::new(
        Procedure::Type_get_envelope, "MPI_Type_get_envelope", true, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("datatype", Handle(Type), In, &[]), one("num_integers", Count, Out, &[]),
            one("num_addresses", Count, Out, &[]), large_only("num_large_counts", Count, Out, &[]),
            one("num_datatypes", Count, Out, &[]), one("combiner", Int, Out, &[]),
        ],
    ),
    // MPI_Type_get_extent
    Row::new(
        Procedure::Type_get_extent, "MPI_Type_get_extent", true, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("datatype", Handle(Type), In, &[]), one("lb", Address, Out, &[]), one("extent", Address, Out, &[]),
        ],
    ),
    // MPI_Type_get_extent_x
    Row::new(
        Procedure::Type_get_extent_x, "MPI_Type_get_extent_x", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("datatype", Handle(Type), In, &[]), one("lb", Address, Out, &[]), one("extent", Address, Out, &[]),
        ],
    ),
    // MPI_Type_get_name
    Row::new(
        Procedure::Type_get_name, "MPI_Type_get_name", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("datatype", Handle(Type), In, &[]), one("type_name", Text, Out, &[]), one("resultlen", Int, Out, &[]),
        ],
    ),
    // MPI_Type_get_true_extent
    Row::new(
        Procedure::Type_get_true_extent, "MPI_Type_get_true_extent", true, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("datatype", Handle(Type), In, &[]), one("true_lb", Address, Out, &[]),
            one("true_extent", Address, Out, &[]),
        ],
    ),
    // MPI_Type_get_true_extent_x
    Row::new(
        Procedure::Type_get_true_extent_x, "MPI_Type_get_true_extent_x", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("datatype", Handle(Type), In, &[]), one("true_lb", Address, Out, &[]),
            one("true_extent", Address, Out, &[]),
        ],
    ),
    // MPI_Type_get_value_index
    Row::new(
        Procedure::Type_get_value_index, "MPI_Type_get_value_index", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("value_type", Handle(Type), In, &[]), one("index_type", Handle(Type), In, &[]),
            one("pair_type", Handle(Type), Out, &[]),
        ],
    ),
    // MPI_Type_hindexed
    Row::new(
        Procedure::Type_hindexed, "MPI_Type_hindexed", false, Returns::Code,
        Interfaces::MPIF, None,
        &[
            one("count", Int, In, &[]), array("array_of_blocklengths", Int, In, &[]),
            array("array_of_displacements", Address, In, &[]), one("oldtype", Handle(Type), In, &[]),
            one("newtype", Handle(Type), Out, &[]),
        ],
    ),
    // MPI_Type_hvector
    Row::new(
        Procedure::Type_hvector, "MPI_Type_hvector", false, Returns::Code,
        Interfaces::MPIF, None,
        &[
            one("count", Int, In, &[]), one("blocklength", Int, In, &[]), one("stride", Address, In, &[]),
            one("oldtype", Handle(Type), In, &[]), one("newtype", Handle(Type), Out, &[]),
        ],
    ),
    // MPI_Type_indexed
    Row::new(
        Procedure::Type_indexed, "MPI_Type_indexed", true, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("count", Count, In, &[]), array("array_of_blocklengths", Count, In, &[]),
            array("array_of_displacements", Count, In, &[]), one("oldtype", Handle(Type), In, &[]),
            one("newtype", Handle(Type), Out, &[]),
        ],
    ),
    // MPI_Type_lb
    Row::new(
        Procedure::Type_lb, "MPI_Type_lb", false, Returns::Code,
        Interfaces::MPIF, None,
        &[
            one("datatype", Handle(Type), In, &[]), one("displacement", Address, Out, &[]),
        ],
    ),
    // MPI_Type_match_size
    Row::new(
        Procedure::Type_match_size, "MPI_Type_match_size", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("typeclass", Int, In, &[]), one("size", Int, In, &[]), one("datatype", Handle(Type), Out, &[]),
        ],
    ),
    // MPI_Type_set_attr
    Row::new(
        Procedure::Type_set_attr, "MPI_Type_set_attr", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("datatype", Handle(Type), In, &[]), one("type_keyval", Int, In, &[]),
            one("attribute_val", Other, In, &[]),
        ],
    ),
    // MPI_Type_set_name
    Row::new(
        Procedure::Type_set_name, "MPI_Type_set_name", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("datatype", Handle(Type), In, &[]), one("type_name", Text, In, &[]),
        ],
    ),
    // MPI_Type_size
    Row::new(
        Procedure::Type_size, "MPI_Type_size", true, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("datatype", Handle(Type), In, &[]), one("size", Count, Out, &[]),
        ],
    ),
    // MPI_Type_size_x
    Row::new(
        Procedure::Type_size_x, "MPI_Type_size_x", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("datatype", Handle(Type), In, &[]), one("size", Address, Out, &[]),
        ],
    ),
    // MPI_Type_struct
    Row::new(
        Procedure::Type_struct, "MPI_Type_struct", false, Returns::Code,
        Interfaces::MPIF, None,
        &[
            one("count", Int, In, &[]), array("array_of_blocklengths", Int, In, &[]),
            array("array_of_displacements", Address, In, &[]), array("array_of_types", Handle(Type), In, &[]),
            one("newtype", Handle(Type), Out, &[]),
        ],
    ),
    // MPI_Type_toint
    Row::new(
        Procedure::Type_toint, "MPI_Type_toint", false, Returns::Other,
        Interfaces::C, None,
        &[
            one("datatype", Handle(Type), In, &[]),
        ],
    ),
    // MPI_Type_ub
    Row::new(
        Procedure::Type_ub, "MPI_Type_ub", false, Returns::Code,
        Interfaces::MPIF, None,
        &[
            one("datatype", Handle(Type), In, &[]), one("displacement", Address, Out, &[]),
        ],
    ),
    // MPI_Type_vector
    Row::new(
        Procedure::Type_vector, "MPI_Type_vector", true, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("count", Count, In, &[]), one("blocklength", Count, In, &[]), one("stride", Count, In, &[]),
            one("oldtype", Handle(Type), In, &[]), one("newtype", Handle(Type), Out, &[]),
        ],
    ),
    // MPI_Unpack
    Row::new(
        Procedure::Unpack, "MPI_Unpack", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Unpack),
        &[
            one("inbuf", Buffer, In, &[Role::PackBuffer]), one("insize", Count, In, &[]),
            one("position", Count, Inout, &[Role::Position]), one("outbuf", Buffer, Out, &[Role::ReceiveBuffer]),
            one("outcount", Count, In, &[Role::ReceiveCount]),
            one("datatype", Handle(Type), In, &[Role::ReceiveType]),
            one("comm", Handle(Comm), In, &[Role::Communicator]),
        ],
    ),
    // MPI_Unpack_external
    Row::new(
        Procedure::Unpack_external, "MPI_Unpack_external", true, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("datarep", Text, In, &[]), one("inbuf", Buffer, In, &[]), one("insize", Address, In, &[]),
            one("position", Address, Inout, &[]), one("outbuf", Buffer, Out, &[]), one("outcount", Count, In, &[]),
            one("datatype", Handle(Type), In, &[]),
        ],
    ),
    // MPI_Unpublish_name
    Row::new(
        Procedure::Unpublish_name, "MPI_Unpublish_name", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("service_name", Text, In, &[]), one("info", Handle(Info), In, &[Role::Info]),
            one("port_name", Text, In, &[]),
        ],
    ),
    // MPI_Wait
    Row::new(
        Procedure::Wait, "MPI_Wait", false, Returns::Code,
        Interfaces::ALL, Some(Meaning::Completion(Completion::One, Waits::Blocking)),
        &[
            one("request", Handle(Request), Inout, &[Role::Request]), one("status", Status, Out, &[Role::Status]),
        ],
    ),
    // MPI_Waitall
    Row::new(
        Procedure::Waitall, "MPI_Waitall", false, Returns::Code,
        Interfaces::ALL, Some(Meaning::Completion(Completion::All, Waits::Blocking)),
        &[
            one("count", Int, In, &[Role::RequestCount]),
            array("array_of_requests", Handle(Request), Inout, &[Role::Requests]),
            array("array_of_statuses", Status, Out, &[Role::Statuses]),
        ],
    ),
    // MPI_Waitany
    Row::new(
        Procedure::Waitany, "MPI_Waitany", false, Returns::Code,
        Interfaces::ALL, Some(Meaning::Completion(Completion::Any, Waits::Blocking)),
        &[
            one("count", Int, In, &[Role::RequestCount]),
            array("array_of_requests", Handle(Request), Inout, &[Role::Requests]),
            one("index", Int, Out, &[Role::Index]), one("status", Status, Out, &[Role::Status]),
        ],
    ),
    // MPI_Waitsome
    Row::new(
        Procedure::Waitsome, "MPI_Waitsome", false, Returns::Code,
        Interfaces::ALL, Some(Meaning::Completion(Completion::Some, Waits::Blocking)),
        &[
            one("incount", Int, In, &[Role::RequestCount]),
            array("array_of_requests", Handle(Request), Inout, &[Role::Requests]),
            one("outcount", Int, Out, &[Role::Result]), array("array_of_indices", Int, Out, &[Role::Index]),
            array("array_of_statuses", Status, Out, &[Role::Statuses]),
        ],
    ),
    // MPI_Win_allocate
    Row::new(
        Procedure::Win_allocate, "MPI_Win_allocate", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Window(WindowFlavor::Allocate)),
        &[
            one("size", Address, In, &[Role::Size]), one("disp_unit", Count, In, &[Role::Unit]),
            one("info", Handle(Info), In, &[Role::Info]), one("comm", Handle(Comm), In, &[Role::Communicator]),
            one("baseptr", Pointer, Out, &[Role::BasePointer]), one("win", Handle(Win), Out, &[Role::Window]),
        ],
    ),
    // MPI_Win_allocate_shared
    Row::new(
        Procedure::Win_allocate_shared, "MPI_Win_allocate_shared", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Window(WindowFlavor::Shared)),
        &[
            one("size", Address, In, &[Role::Size]), one("disp_unit", Count, In, &[Role::Unit]),
            one("info", Handle(Info), In, &[Role::Info]), one("comm", Handle(Comm), In, &[Role::Communicator]),
            one("baseptr", Pointer, Out, &[Role::BasePointer]), one("win", Handle(Win), Out, &[Role::Window]),
        ],
    ),
    // MPI_Win_attach
    Row::new(
        Procedure::Win_attach, "MPI_Win_attach", false, Returns::Code,
        Interfaces::ALL, Some(Meaning::OnWindow(CallKind::Attach)),
        &[
            one("win", Handle(Win), In, &[Role::Window]), one("base", Buffer, In, &[Role::Base]),
            one("size", Address, In, &[Role::Size]),
        ],
    ),
    // MPI_Win_c2f
    Row::new(
        Procedure::Win_c2f, "MPI_Win_c2f", false, Returns::Other,
        Interfaces::C, None,
        &[
            one("win", Handle(Win), In, &[Role::Window]),
        ],
    ),
    // MPI_Win_call_errhandler
    Row::new(
        Procedure::Win_call_errhandler, "MPI_Win_call_errhandler", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("win", Handle(Win), In, &[Role::Window]), one("errorcode", Int, In, &[]),
        ],
    ),
    // MPI_Win_complete
    Row::new(
        Procedure::Win_complete, "MPI_Win_complete", false, Returns::Code,
        Interfaces::ALL, Some(Meaning::OnWindow(CallKind::Complete)),
        &[
            one("win", Handle(Win), In, &[Role::Window]),
        ],
    ),
    // MPI_Win_create
    Row::new(
        Procedure::Win_create, "MPI_Win_create", true, Returns::Code,
        Interfaces::ALL, Some(Meaning::Window(WindowFlavor::Create)),
        &[
            one("base", Buffer, In, &[Role::Base]), one("size", Address, In, &[Role::Size]),
            one("disp_unit", Count, In, &[Role::Unit]), one("info", Handle(Info), In, &[Role::Info]),
            one("comm", Handle(Comm), In, &[Role::Communicator]), one("win", Handle(Win), Out, &[Role::Window]),
        ],
    ),
    // MPI_Win_create_dynamic
    Row::new(
        Procedure::Win_create_dynamic, "MPI_Win_create_dynamic", false, Returns::Code,
        Interfaces::ALL, Some(Meaning::Window(WindowFlavor::Dynamic)),
        &[
            one("info", Handle(Info), In, &[Role::Info]), one("comm", Handle(Comm), In, &[Role::Communicator]),
            one("win", Handle(Win), Out, &[Role::Window]),
        ],
    ),
    // MPI_Win_create_errhandler
    Row::new(
        Procedure::Win_create_errhandler, "MPI_Win_create_errhandler", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("win_errhandler_fn", Callback, In, &[]), one("errhandler", Handle(Errhandler), Out, &[]),
        ],
    ),
    // MPI_Win_create_keyval
    Row::new(
        Procedure::Win_create_keyval, "MPI_Win_create_keyval", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("win_copy_attr_fn", Callback, In, &[]), one("win_delete_attr_fn", Callback, In, &[]),
            one("win_keyval", Int, Out, &[]), one("extra_state", Other, In, &[]),
        ],
    ),
    // MPI_Win_delete_attr
    Row::new(
        Procedure::Win_delete_attr, "MPI_Win_delete_attr", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("win", Handle(Win), In, &[Role::Window]), one("win_keyval", Int, In, &[]),
        ],
    ),
    // MPI_Win_detach
    Row::new(
        Procedure::Win_detach, "MPI_Win_detach", false, Returns::Code,
        Interfaces::ALL, Some(Meaning::OnWindow(CallKind::Detach)),
        &[
            one("win", Handle(Win), In, &[Role::Window]), one("base", Buffer, In, &[Role::Base]),
        ],
    ),
    // MPI_Win_f2c
    Row::new(
        Procedure::Win_f2c, "MPI_Win_f2c", false, Returns::Other,
        Interfaces::C, None,
        &[
            one("win", Other, In, &[Role::Window]),
        ],
    ),
    // MPI_Win_fence
    Row::new(
        Procedure::Win_fence, "MPI_Win_fence", false, Returns::Code,
        Interfaces::ALL, Some(Meaning::OnWindow(CallKind::Fence)),
        &[
            one("assert", Int, In, &[Role::Assertion]), one("win", Handle(Win), In, &[Role::Window]),
        ],
    ),
    // MPI_Win_flush
    Row::new(
        Procedure::Win_flush, "MPI_Win_flush", false, Returns::Code,
        Interfaces::ALL, Some(Meaning::OnWindow(CallKind::Flush { all: false, local: false })),
        &[
            one("rank", Int, In, &[Role::TargetRank]), one("win", Handle(Win), In, &[Role::Window]),
        ],
    ),
    // MPI_Win_flush_all
    Row::new(
        Procedure::Win_flush_all, "MPI_Win_flush_all", false, Returns::Code,
        Interfaces::ALL, Some(Meaning::OnWindow(CallKind::Flush { all: true, local: false })),
        &[
            one("win", Handle(Win), In, &[Role::Window]),
        ],
    ),
    // MPI_Win_flush_local
    Row::new(
        Procedure::Win_flush_local, "MPI_Win_flush_local", false, Returns::Code,
        Interfaces::ALL, Some(Meaning::OnWindow(CallKind::Flush { all: false, local: true })),
        &[
            one("rank", Int, In, &[Role::TargetRank]), one("win", Handle(Win), In, &[Role::Window]),
        ],
    ),
    // MPI_Win_flush_local_all
    Row::new(
        Procedure::Win_flush_local_all, "MPI_Win_flush_local_all", false, Returns::Code,
        Interfaces::ALL, Some(Meaning::OnWindow(CallKind::Flush { all: true, local: true })),
        &[
            one("win", Handle(Win), In, &[Role::Window]),
        ],
    ),
    // MPI_Win_free
    Row::new(
        Procedure::Win_free, "MPI_Win_free", false, Returns::Code,
        Interfaces::ALL, Some(Meaning::OnWindow(CallKind::Free)),
        &[
            one("win", Handle(Win), Inout, &[Role::Window]),
        ],
    ),
    // MPI_Win_free_keyval
    Row::new(
        Procedure::Win_free_keyval, "MPI_Win_free_keyval", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("win_keyval", Int, Inout, &[]),
        ],
    ),
    // MPI_Win_fromint
    Row::new(
        Procedure::Win_fromint, "MPI_Win_fromint", false, Returns::Other,
        Interfaces::C, None,
        &[
            one("win", Int, In, &[Role::Window]),
        ],
    ),
    // MPI_Win_get_attr
    Row::new(
        Procedure::Win_get_attr, "MPI_Win_get_attr", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("win", Handle(Win), In, &[Role::Window]), one("win_keyval", Int, In, &[]),
            one("attribute_val", Other, Out, &[]), one("flag", Logical, Out, &[Role::Flag]),
        ],
    ),
    // MPI_Win_get_errhandler
    Row::new(
        Procedure::Win_get_errhandler, "MPI_Win_get_errhandler", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("win", Handle(Win), In, &[Role::Window]), one("errhandler", Handle(Errhandler), Out, &[]),
        ],
    ),
    // MPI_Win_get_group
    Row::new(
        Procedure::Win_get_group, "MPI_Win_get_group", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("win", Handle(Win), In, &[Role::Window]), one("group", Handle(Group), Out, &[Role::Group]),
        ],
    ),
    // MPI_Win_get_info
    Row::new(
        Procedure::Win_get_info, "MPI_Win_get_info", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("win", Handle(Win), In, &[Role::Window]), one("info_used", Handle(Info), Out, &[]),
        ],
    ),
    // MPI_Win_get_name
    Row::new(
        Procedure::Win_get_name, "MPI_Win_get_name", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("win", Handle(Win), In, &[Role::Window]), one("win_name", Text, Out, &[]),
            one("resultlen", Int, Out, &[]),
        ],
    ),
    // MPI_Win_lock
    Row::new(
        Procedure::Win_lock, "MPI_Win_lock", false, Returns::Code,
        Interfaces::ALL, Some(Meaning::OnWindow(CallKind::Lock)),
        &[
            one("lock_type", Int, In, &[Role::LockType]), one("rank", Int, In, &[Role::TargetRank]),
            one("assert", Int, In, &[Role::Assertion]), one("win", Handle(Win), In, &[Role::Window]),
        ],
    ),
    // MPI_Win_lock_all
    Row::new(
        Procedure::Win_lock_all, "MPI_Win_lock_all", false, Returns::Code,
        Interfaces::ALL, Some(Meaning::OnWindow(CallKind::LockAll)),
        &[
            one("assert", Int, In, &[Role::Assertion]), one("win", Handle(Win), In, &[Role::Window]),
        ],
    ),
    // MPI_Win_post
    Row::new(
        Procedure::Win_post, "MPI_Win_post", false, Returns::Code,
        Interfaces::ALL, Some(Meaning::OnWindow(CallKind::Post)),
        &[
            one("group", Handle(Group), In, &[Role::Group]), one("assert", Int, In, &[Role::Assertion]),
            one("win", Handle(Win), In, &[Role::Window]),
        ],
    ),
    // MPI_Win_set_attr
    Row::new(
        Procedure::Win_set_attr, "MPI_Win_set_attr", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("win", Handle(Win), In, &[Role::Window]), one("win_keyval", Int, In, &[]),
            one("attribute_val", Other, In, &[]),
        ],
    ),
    // MPI_Win_set_errhandler
    Row::new(
        Procedure::Win_set_errhandler, "MPI_Win_set_errhandler", false, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("win", Handle(Win), In, &[Role::Window]), one("errhandler", Handle(Errhandler), In, &[]),
        ],
    ),
    // MPI_Win_set_info
    Row::new(
        Procedure::Win_set_info, "MPI_Win_set_info", false, Returns::Code,
        Interfaces::ALL, Some(Meaning::WindowInfo),
        &[
            one("win", Handle(Win), In, &[Role::Window]), one("info", Handle(Info), In, &[Role::Info]),
        ],
    ),
    // MPI_Win_set_name
    Row::new(
        Procedure::Win_set_name, "MPI_Win_set_name", false, Returns::Code,
        Interfaces::ALL, Some(Meaning::WindowName),
        &[
            one("win", Handle(Win), In, &[Role::Window]), one("win_name", Text, In, &[Role::Text]),
        ],
    ),
    // MPI_Win_shared_query
    Row::new(
        Procedure::Win_shared_query, "MPI_Win_shared_query", true, Returns::Code,
        Interfaces::ALL, None,
        &[
            one("win", Handle(Win), In, &[Role::Window]), one("rank", Int, In, &[]), one("size", Address, Out, &[]),
            one("disp_unit", Count, Out, &[]), one("baseptr", Pointer, Out, &[]),
        ],
    ),
    // MPI_Win_start
    Row::new(
        Procedure::Win_start, "MPI_Win_start", false, Returns::Code,
        Interfaces::ALL, Some(Meaning::OnWindow(CallKind::Start)),
        &[
            one("group", Handle(Group), In, &[Role::Group]), one("assert", Int, In, &[Role::Assertion]),
            one("win", Handle(Win), In, &[Role::Window]),
        ],
    ),
    // MPI_Win_sync
    Row::new(
        Procedure::Win_sync, "MPI_Win_sync", false, Returns::Code,
        Interfaces::ALL, Some(Meaning::OnWindow(CallKind::Sync)),
        &[
            one("win", Handle(Win), In, &[Role::Window]),
        ],
    ),
    // MPI_Win_test
    Row::new(
        Procedure::Win_test, "MPI_Win_test", false, Returns::Code,
        Interfaces::ALL, Some(Meaning::OnWindow(CallKind::Test)),
        &[
            one("win", Handle(Win), In, &[Role::Window]), one("flag", Logical, Out, &[Role::Flag]),
        ],
    ),
    // MPI_Win_toint
    Row::new(
        Procedure::Win_toint, "MPI_Win_toint", false, Returns::Other,
        Interfaces::C, None,
        &[
            one("win", Handle(Win), In, &[Role::Window]),
        ],
    ),
    // MPI_Win_unlock
    Row::new(
        Procedure::Win_unlock, "MPI_Win_unlock", false, Returns::Code,
        Interfaces::ALL, Some(Meaning::OnWindow(CallKind::Unlock)),
        &[
            one("rank", Int, In, &[Role::TargetRank]), one("win", Handle(Win), In, &[Role::Window]),
        ],
    ),
    // MPI_Win_unlock_all
    Row::new(
        Procedure::Win_unlock_all, "MPI_Win_unlock_all", false, Returns::Code,
        Interfaces::ALL, Some(Meaning::OnWindow(CallKind::UnlockAll)),
        &[
            one("win", Handle(Win), In, &[Role::Window]),
        ],
    ),
    // MPI_Win_wait
    Row::new(
        Procedure::Win_wait, "MPI_Win_wait", false, Returns::Code,
        Interfaces::ALL, Some(Meaning::OnWindow(CallKind::Wait)),
        &[
            one("win", Handle(Win), In, &[Role::Window]),
        ],
    ),
    // MPI_Wtick
    Row::new(
        Procedure::Wtick, "MPI_Wtick", false, Returns::Double,
        Interfaces::ALL, None,
        &[
        ],
    ),
    // MPI_Wtime
    Row::new(
        Procedure::Wtime, "MPI_Wtime", false, Returns::Double,
        Interfaces::ALL, None,
        &[
        ],
    ),
];

/// Calls the macro `$callback` with a line for every procedure with a meaning: its variant of [`Procedure`], its name
/// in C, its name in lower case (to which Fortran's bindings add), and `large` if it has a form with large counts.
#[macro_export]
macro_rules! followed_procedures_of_mpi {
    ($callback:ident) => {
        $callback! {
            Init "MPI_Init" "mpi_init" plain;
            Init_thread "MPI_Init_thread" "mpi_init_thread" plain;
            Finalize "MPI_Finalize" "mpi_finalize" plain;
            Abort "MPI_Abort" "mpi_abort" plain;
            Comm_dup "MPI_Comm_dup" "mpi_comm_dup" plain;
            Comm_dup_with_info "MPI_Comm_dup_with_info" "mpi_comm_dup_with_info" plain;
            Comm_create "MPI_Comm_create" "mpi_comm_create" plain;
            Comm_split "MPI_Comm_split" "mpi_comm_split" plain;
            Comm_split_type "MPI_Comm_split_type" "mpi_comm_split_type" plain;
            Cart_sub "MPI_Cart_sub" "mpi_cart_sub" plain;
            Cart_create "MPI_Cart_create" "mpi_cart_create" plain;
            Graph_create "MPI_Graph_create" "mpi_graph_create" plain;
            Dist_graph_create "MPI_Dist_graph_create" "mpi_dist_graph_create" plain;
            Dist_graph_create_adjacent "MPI_Dist_graph_create_adjacent" "mpi_dist_graph_create_adjacent" plain;
            Intercomm_merge "MPI_Intercomm_merge" "mpi_intercomm_merge" plain;
            Comm_idup "MPI_Comm_idup" "mpi_comm_idup" plain;
            Comm_idup_with_info "MPI_Comm_idup_with_info" "mpi_comm_idup_with_info" plain;
            Comm_create_group "MPI_Comm_create_group" "mpi_comm_create_group" plain;
            Intercomm_create "MPI_Intercomm_create" "mpi_intercomm_create" plain;
            Comm_free "MPI_Comm_free" "mpi_comm_free" plain;
            Comm_disconnect "MPI_Comm_disconnect" "mpi_comm_disconnect" plain;
            Type_free "MPI_Type_free" "mpi_type_free" plain;
            Win_create "MPI_Win_create" "mpi_win_create" large;
            Win_allocate "MPI_Win_allocate" "mpi_win_allocate" large;
            Win_allocate_shared "MPI_Win_allocate_shared" "mpi_win_allocate_shared" large;
            Win_create_dynamic "MPI_Win_create_dynamic" "mpi_win_create_dynamic" plain;
            Win_free "MPI_Win_free" "mpi_win_free" plain;
            Win_attach "MPI_Win_attach" "mpi_win_attach" plain;
            Win_detach "MPI_Win_detach" "mpi_win_detach" plain;
            Win_set_name "MPI_Win_set_name" "mpi_win_set_name" plain;
            Win_set_info "MPI_Win_set_info" "mpi_win_set_info" plain;
            Free_mem "MPI_Free_mem" "mpi_free_mem" plain;
            Put "MPI_Put" "mpi_put" large;
            Rput "MPI_Rput" "mpi_rput" large;
            Get "MPI_Get" "mpi_get" large;
            Rget "MPI_Rget" "mpi_rget" large;
            Accumulate "MPI_Accumulate" "mpi_accumulate" large;
            Raccumulate "MPI_Raccumulate" "mpi_raccumulate" large;
            Get_accumulate "MPI_Get_accumulate" "mpi_get_accumulate" large;
            Rget_accumulate "MPI_Rget_accumulate" "mpi_rget_accumulate" large;
            Fetch_and_op "MPI_Fetch_and_op" "mpi_fetch_and_op" plain;
            Compare_and_swap "MPI_Compare_and_swap" "mpi_compare_and_swap" plain;
            Win_fence "MPI_Win_fence" "mpi_win_fence" plain;
            Win_post "MPI_Win_post" "mpi_win_post" plain;
            Win_start "MPI_Win_start" "mpi_win_start" plain;
            Win_complete "MPI_Win_complete" "mpi_win_complete" plain;
            Win_wait "MPI_Win_wait" "mpi_win_wait" plain;
            Win_test "MPI_Win_test" "mpi_win_test" plain;
            Win_lock "MPI_Win_lock" "mpi_win_lock" plain;
            Win_unlock "MPI_Win_unlock" "mpi_win_unlock" plain;
            Win_lock_all "MPI_Win_lock_all" "mpi_win_lock_all" plain;
            Win_unlock_all "MPI_Win_unlock_all" "mpi_win_unlock_all" plain;
            Win_flush "MPI_Win_flush" "mpi_win_flush" plain;
            Win_flush_local "MPI_Win_flush_local" "mpi_win_flush_local" plain;
            Win_flush_all "MPI_Win_flush_all" "mpi_win_flush_all" plain;
            Win_flush_local_all "MPI_Win_flush_local_all" "mpi_win_flush_local_all" plain;
            Win_sync "MPI_Win_sync" "mpi_win_sync" plain;
            Wait "MPI_Wait" "mpi_wait" plain;
            Test "MPI_Test" "mpi_test" plain;
            Waitall "MPI_Waitall" "mpi_waitall" plain;
            Testall "MPI_Testall" "mpi_testall" plain;
            Waitany "MPI_Waitany" "mpi_waitany" plain;
            Testany "MPI_Testany" "mpi_testany" plain;
            Waitsome "MPI_Waitsome" "mpi_waitsome" plain;
            Testsome "MPI_Testsome" "mpi_testsome" plain;
            Request_get_status "MPI_Request_get_status" "mpi_request_get_status" plain;
            Start "MPI_Start" "mpi_start" plain;
            Startall "MPI_Startall" "mpi_startall" plain;
            Cancel "MPI_Cancel" "mpi_cancel" plain;
            Request_free "MPI_Request_free" "mpi_request_free" plain;
            Send "MPI_Send" "mpi_send" large;
            Rsend "MPI_Rsend" "mpi_rsend" large;
            Bsend "MPI_Bsend" "mpi_bsend" large;
            Isend "MPI_Isend" "mpi_isend" large;
            Irsend "MPI_Irsend" "mpi_irsend" large;
            Ibsend "MPI_Ibsend" "mpi_ibsend" large;
            Send_init "MPI_Send_init" "mpi_send_init" large;
            Rsend_init "MPI_Rsend_init" "mpi_rsend_init" large;
            Bsend_init "MPI_Bsend_init" "mpi_bsend_init" large;
            Ssend "MPI_Ssend" "mpi_ssend" large;
            Issend "MPI_Issend" "mpi_issend" large;
            Ssend_init "MPI_Ssend_init" "mpi_ssend_init" large;
            Recv "MPI_Recv" "mpi_recv" large;
            Irecv "MPI_Irecv" "mpi_irecv" large;
            Recv_init "MPI_Recv_init" "mpi_recv_init" large;
            Sendrecv "MPI_Sendrecv" "mpi_sendrecv" large;
            Isendrecv "MPI_Isendrecv" "mpi_isendrecv" large;
            Sendrecv_replace "MPI_Sendrecv_replace" "mpi_sendrecv_replace" large;
            Isendrecv_replace "MPI_Isendrecv_replace" "mpi_isendrecv_replace" large;
            Probe "MPI_Probe" "mpi_probe" plain;
            Iprobe "MPI_Iprobe" "mpi_iprobe" plain;
            Mprobe "MPI_Mprobe" "mpi_mprobe" plain;
            Improbe "MPI_Improbe" "mpi_improbe" plain;
            Mrecv "MPI_Mrecv" "mpi_mrecv" large;
            Imrecv "MPI_Imrecv" "mpi_imrecv" large;
            Pack "MPI_Pack" "mpi_pack" large;
            Unpack "MPI_Unpack" "mpi_unpack" large;
            Reduce_local "MPI_Reduce_local" "mpi_reduce_local" large;
            File_read "MPI_File_read" "mpi_file_read" large;
            File_read_all "MPI_File_read_all" "mpi_file_read_all" large;
            File_read_shared "MPI_File_read_shared" "mpi_file_read_shared" large;
            File_read_ordered "MPI_File_read_ordered" "mpi_file_read_ordered" large;
            File_read_at "MPI_File_read_at" "mpi_file_read_at" large;
            File_read_at_all "MPI_File_read_at_all" "mpi_file_read_at_all" large;
            File_write "MPI_File_write" "mpi_file_write" large;
            File_write_all "MPI_File_write_all" "mpi_file_write_all" large;
            File_write_shared "MPI_File_write_shared" "mpi_file_write_shared" large;
            File_write_ordered "MPI_File_write_ordered" "mpi_file_write_ordered" large;
            File_write_at "MPI_File_write_at" "mpi_file_write_at" large;
            File_write_at_all "MPI_File_write_at_all" "mpi_file_write_at_all" large;
            Barrier "MPI_Barrier" "mpi_barrier" plain;
            Ibarrier "MPI_Ibarrier" "mpi_ibarrier" plain;
            Barrier_init "MPI_Barrier_init" "mpi_barrier_init" plain;
            Bcast "MPI_Bcast" "mpi_bcast" large;
            Ibcast "MPI_Ibcast" "mpi_ibcast" large;
            Bcast_init "MPI_Bcast_init" "mpi_bcast_init" large;
            Gather "MPI_Gather" "mpi_gather" large;
            Igather "MPI_Igather" "mpi_igather" large;
            Gather_init "MPI_Gather_init" "mpi_gather_init" large;
            Gatherv "MPI_Gatherv" "mpi_gatherv" large;
            Igatherv "MPI_Igatherv" "mpi_igatherv" large;
            Gatherv_init "MPI_Gatherv_init" "mpi_gatherv_init" large;
            Scatter "MPI_Scatter" "mpi_scatter" large;
            Iscatter "MPI_Iscatter" "mpi_iscatter" large;
            Scatter_init "MPI_Scatter_init" "mpi_scatter_init" large;
            Scatterv "MPI_Scatterv" "mpi_scatterv" large;
            Iscatterv "MPI_Iscatterv" "mpi_iscatterv" large;
            Scatterv_init "MPI_Scatterv_init" "mpi_scatterv_init" large;
            Allgather "MPI_Allgather" "mpi_allgather" large;
            Iallgather "MPI_Iallgather" "mpi_iallgather" large;
            Allgather_init "MPI_Allgather_init" "mpi_allgather_init" large;
            Allgatherv "MPI_Allgatherv" "mpi_allgatherv" large;
            Iallgatherv "MPI_Iallgatherv" "mpi_iallgatherv" large;
            Allgatherv_init "MPI_Allgatherv_init" "mpi_allgatherv_init" large;
            Alltoall "MPI_Alltoall" "mpi_alltoall" large;
            Ialltoall "MPI_Ialltoall" "mpi_ialltoall" large;
            Alltoall_init "MPI_Alltoall_init" "mpi_alltoall_init" large;
            Alltoallv "MPI_Alltoallv" "mpi_alltoallv" large;
            Ialltoallv "MPI_Ialltoallv" "mpi_ialltoallv" large;
            Alltoallv_init "MPI_Alltoallv_init" "mpi_alltoallv_init" large;
            Alltoallw "MPI_Alltoallw" "mpi_alltoallw" large;
            Ialltoallw "MPI_Ialltoallw" "mpi_ialltoallw" large;
            Alltoallw_init "MPI_Alltoallw_init" "mpi_alltoallw_init" large;
            Reduce "MPI_Reduce" "mpi_reduce" large;
            Ireduce "MPI_Ireduce" "mpi_ireduce" large;
            Reduce_init "MPI_Reduce_init" "mpi_reduce_init" large;
            Allreduce "MPI_Allreduce" "mpi_allreduce" large;
            Iallreduce "MPI_Iallreduce" "mpi_iallreduce" large;
            Allreduce_init "MPI_Allreduce_init" "mpi_allreduce_init" large;
            Reduce_scatter "MPI_Reduce_scatter" "mpi_reduce_scatter" large;
            Ireduce_scatter "MPI_Ireduce_scatter" "mpi_ireduce_scatter" large;
            Reduce_scatter_init "MPI_Reduce_scatter_init" "mpi_reduce_scatter_init" large;
            Reduce_scatter_block "MPI_Reduce_scatter_block" "mpi_reduce_scatter_block" large;
            Ireduce_scatter_block "MPI_Ireduce_scatter_block" "mpi_ireduce_scatter_block" large;
            Reduce_scatter_block_init "MPI_Reduce_scatter_block_init" "mpi_reduce_scatter_block_init" large;
            Scan "MPI_Scan" "mpi_scan" large;
            Iscan "MPI_Iscan" "mpi_iscan" large;
            Scan_init "MPI_Scan_init" "mpi_scan_init" large;
            Exscan "MPI_Exscan" "mpi_exscan" large;
            Iexscan "MPI_Iexscan" "mpi_iexscan" large;
            Exscan_init "MPI_Exscan_init" "mpi_exscan_init" large;
            Neighbor_allgather "MPI_Neighbor_allgather" "mpi_neighbor_allgather" large;
            Ineighbor_allgather "MPI_Ineighbor_allgather" "mpi_ineighbor_allgather" large;
            Neighbor_allgather_init "MPI_Neighbor_allgather_init" "mpi_neighbor_allgather_init" large;
            Neighbor_allgatherv "MPI_Neighbor_allgatherv" "mpi_neighbor_allgatherv" large;
            Ineighbor_allgatherv "MPI_Ineighbor_allgatherv" "mpi_ineighbor_allgatherv" large;
            Neighbor_allgatherv_init "MPI_Neighbor_allgatherv_init" "mpi_neighbor_allgatherv_init" large;
            Neighbor_alltoall "MPI_Neighbor_alltoall" "mpi_neighbor_alltoall" large;
            Ineighbor_alltoall "MPI_Ineighbor_alltoall" "mpi_ineighbor_alltoall" large;
            Neighbor_alltoall_init "MPI_Neighbor_alltoall_init" "mpi_neighbor_alltoall_init" large;
            Neighbor_alltoallv "MPI_Neighbor_alltoallv" "mpi_neighbor_alltoallv" large;
            Ineighbor_alltoallv "MPI_Ineighbor_alltoallv" "mpi_ineighbor_alltoallv" large;
            Neighbor_alltoallv_init "MPI_Neighbor_alltoallv_init" "mpi_neighbor_alltoallv_init" large;
            Neighbor_alltoallw "MPI_Neighbor_alltoallw" "mpi_neighbor_alltoallw" large;
            Ineighbor_alltoallw "MPI_Ineighbor_alltoallw" "mpi_ineighbor_alltoallw" large;
            Neighbor_alltoallw_init "MPI_Neighbor_alltoallw_init" "mpi_neighbor_alltoallw_init" large;
            Comm_spawn "MPI_Comm_spawn" "mpi_comm_spawn" plain;
            Comm_spawn_multiple "MPI_Comm_spawn_multiple" "mpi_comm_spawn_multiple" plain;
            Comm_accept "MPI_Comm_accept" "mpi_comm_accept" plain;
            Comm_connect "MPI_Comm_connect" "mpi_comm_connect" plain;
            Comm_join "MPI_Comm_join" "mpi_comm_join" plain;
            Psend_init "MPI_Psend_init" "mpi_psend_init" plain;
            Precv_init "MPI_Precv_init" "mpi_precv_init" plain;
        }
    };
}
