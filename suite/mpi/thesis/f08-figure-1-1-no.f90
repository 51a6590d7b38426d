! {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "a condition on the result of a get that was flushed"}
! The get is complete before its result is used (Ait Kaci 2022, Figure 1.1, repaired).
program f08_figure_1_1_no
    use mpi_f08
    implicit none
    integer :: rank
    integer, asynchronous :: cells(2), buf, seen
    type(MPI_Win) :: win

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    buf = 1
    seen = 0
    cells = 3 + 2 * rank
    call MPI_Win_create(cells, 8_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win)

    call MPI_Barrier(MPI_COMM_WORLD)
    call MPI_Win_lock_all(0, win)
    if (rank == 1) then
        call MPI_Get(buf, 1, MPI_INTEGER, 0, 0_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win)
        call MPI_Win_flush(0, win)
        if (mod(buf, 2) == 0) then
            buf = buf + 1
        end if
    end if
    call MPI_Win_unlock_all(win)

    print *, rank, buf, seen
    call MPI_Win_free(win)
    call MPI_Finalize()
end program f08_figure_1_1_no
