//! The list of functions (GASPI 17.1, chapters 5 to 14).

/// The functions that are not followed: they tell something, set up, or print.
pub const OTHERS: &[&str] = &[
    // §5.
    "gaspi_config_get",
    "gaspi_config_set",
    "gaspi_proc_rank",
    "gaspi_proc_num",
    "gaspi_connect",
    "gaspi_disconnect",
    "gaspi_state_vec_get",
    // §6.
    "gaspi_group_num",
    "gaspi_group_size",
    "gaspi_group_ranks",
    "gaspi_group_max",
    // §7.
    "gaspi_segment_num",
    "gaspi_segment_list",
    "gaspi_segment_ptr",
    "gaspi_segment_max",
    // §8.5.
    "gaspi_queue_size",
    "gaspi_queue_num",
    "gaspi_queue_size_max",
    "gaspi_queue_max",
    // §9 to §11.
    "gaspi_passive_transfer_size_max",
    "gaspi_atomic_max",
    "gaspi_allreduce_buf_size",
    "gaspi_allreduce_elem_max",
    // §12 to §14.
    "gaspi_transfer_size_max",
    "gaspi_notification_num",
    "gaspi_network_type",
    "gaspi_build_infrastructure",
    "gaspi_version",
    "gaspi_time_get",
    "gaspi_time_ticks",
    "gaspi_print_error",
    "gaspi_statistic_counter_max",
    "gaspi_statistic_counter_info",
    "gaspi_statistic_verbosity_level",
    "gaspi_statistic_counter_get",
    "gaspi_statistic_counter_reset",
    "gaspi_pcontrol",
    // GPI-2.
    "gaspi_initialized",
    "gaspi_proc_local_rank",
    "gaspi_proc_local_num",
    "gaspi_proc_ping",
    "gaspi_segment_size",
    "gaspi_segment_avail_local",
    "gaspi_rw_list_elem_max",
    "gaspi_transfer_size_min",
    "gaspi_passive_transfer_size_min",
    "gaspi_error_str",
    "gaspi_printf",
    "gaspi_printf_to",
    "gaspi_cpu_frequency",
    "gaspi_numa_socket",
    "gaspi_set_socket_affinity",
    "gaspi_threads_register",
    "gaspi_threads_sync",
];

/// Hands every function that is followed to a macro: `each! { name, meaning, widths of arguments, places of the queue
/// and the timeout }`, where the meaning needs the names of [`crate::gaspi`], and the widths those of
/// [`crate::gaspi::width`].
#[macro_export]
macro_rules! followed_functions_of_gaspi {
    ($each:ident) => {
        // §5.
        $each! { "gaspi_proc_init", Meaning::Init, [WORD], [0] }
        $each! { "gaspi_proc_term", Meaning::Term, [WORD], [0] }
        $each! { "gaspi_proc_kill", Meaning::NotUnderstood, [RANK, WORD], [1] }
        // §6.
        $each! { "gaspi_group_create", Meaning::GroupCreate, [WORD], [] }
        $each! { "gaspi_group_add", Meaning::GroupAdd, [GROUP, RANK], [] }
        $each! { "gaspi_group_commit", Meaning::GroupCommit, [GROUP, WORD], [1] }
        $each! { "gaspi_group_delete", Meaning::GroupDelete, [GROUP], [] }
        // §7.
        $each! { "gaspi_segment_alloc", Meaning::SegmentHere(Memory::Allocated), [SEGMENT, WORD, NUMBER], [] }
        $each! { "gaspi_segment_bind", Meaning::SegmentHere(Memory::Bound), [SEGMENT, WORD, WORD, NUMBER], [] }
        $each! { "gaspi_segment_register", Meaning::SegmentRegister, [SEGMENT, RANK, WORD], [2] }
        $each! {
            "gaspi_segment_create", Meaning::SegmentOfGroup(Memory::Allocated),
            [SEGMENT, WORD, GROUP, WORD, NUMBER], [3]
        }
        $each! {
            "gaspi_segment_use", Meaning::SegmentOfGroup(Memory::Bound),
            [SEGMENT, WORD, WORD, GROUP, WORD, NUMBER], [4]
        }
        $each! { "gaspi_segment_delete", Meaning::SegmentDelete, [SEGMENT], [] }
        // §8.2, §8.4.
        $each! {
            "gaspi_write", Meaning::Request(Direction::Write, Notifies::No),
            [SEGMENT, WORD, RANK, SEGMENT, WORD, WORD, QUEUE, WORD], [6, 7]
        }
        $each! {
            "gaspi_read", Meaning::Request(Direction::Read, Notifies::No),
            [SEGMENT, WORD, RANK, SEGMENT, WORD, WORD, QUEUE, WORD], [6, 7]
        }
        $each! {
            "gaspi_write_notify", Meaning::Request(Direction::Write, Notifies::Remote),
            [SEGMENT, WORD, RANK, SEGMENT, WORD, WORD, NUMBER, NUMBER, QUEUE, WORD], [8, 9]
        }
        $each! {
            "gaspi_read_notify", Meaning::Request(Direction::Read, Notifies::Local),
            [SEGMENT, WORD, RANK, SEGMENT, WORD, WORD, NUMBER, QUEUE, WORD], [7, 8]
        }
        $each! {
            "gaspi_write_list", Meaning::List(Direction::Write, Notifies::No),
            [NUMBER, WORD, WORD, RANK, WORD, WORD, WORD, QUEUE, WORD], [7, 8]
        }
        $each! {
            "gaspi_read_list", Meaning::List(Direction::Read, Notifies::No),
            [NUMBER, WORD, WORD, RANK, WORD, WORD, WORD, QUEUE, WORD], [7, 8]
        }
        $each! {
            "gaspi_write_list_notify", Meaning::List(Direction::Write, Notifies::Remote),
            [NUMBER, WORD, WORD, RANK, WORD, WORD, WORD, SEGMENT, NUMBER, NUMBER, QUEUE, WORD], [10, 11]
        }
        $each! {
            "gaspi_read_list_notify", Meaning::List(Direction::Read, Notifies::Local),
            [NUMBER, WORD, WORD, RANK, WORD, WORD, WORD, SEGMENT, NUMBER, QUEUE, WORD], [9, 10]
        }
        $each! { "gaspi_wait", Meaning::Wait, [QUEUE, WORD], [1] }
        // §8.3.
        $each! { "gaspi_notify", Meaning::Notify, [SEGMENT, RANK, NUMBER, NUMBER, QUEUE, WORD], [4, 5] }
        $each! {
            "gaspi_notify_waitsome", Meaning::NotifyWaitsome, [SEGMENT, NUMBER, NUMBER, WORD, WORD], [4]
        }
        $each! { "gaspi_notify_reset", Meaning::NotifyReset, [SEGMENT, NUMBER, WORD], [] }
        // §8.5.
        $each! { "gaspi_queue_create", Meaning::QueueCreate, [WORD, WORD], [1] }
        $each! { "gaspi_queue_delete", Meaning::QueueDelete, [QUEUE], [] }
        $each! { "gaspi_queue_purge", Meaning::QueuePurge, [QUEUE, WORD], [1] }
        // §9.
        $each! { "gaspi_passive_send", Meaning::PassiveSend, [SEGMENT, WORD, RANK, WORD, WORD], [4] }
        $each! { "gaspi_passive_receive", Meaning::PassiveReceive, [SEGMENT, WORD, WORD, WORD, WORD], [4] }
        $each! { "gaspi_passive_queue_purge", Meaning::NotUnderstood, [WORD], [0] }
        // §10.
        $each! { "gaspi_atomic_fetch_add", Meaning::FetchAdd, [SEGMENT, WORD, RANK, WORD, WORD, WORD], [5] }
        $each! {
            "gaspi_atomic_compare_swap", Meaning::CompareSwap, [SEGMENT, WORD, RANK, WORD, WORD, WORD, WORD], [6]
        }
        // §11.
        $each! { "gaspi_barrier", Meaning::Collective(Collective::Barrier), [GROUP, WORD], [1] }
        $each! {
            "gaspi_allreduce", Meaning::Collective(Collective::Allreduce),
            [WORD, WORD, NUMBER, NUMBER, NUMBER, GROUP, WORD], [6]
        }
        $each! {
            "gaspi_allreduce_user", Meaning::Collective(Collective::AllreduceUser),
            [WORD, WORD, NUMBER, WORD, WORD, WORD, GROUP, WORD], [7]
        }
    };
}
