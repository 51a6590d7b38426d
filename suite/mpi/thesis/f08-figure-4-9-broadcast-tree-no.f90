! {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "a loop whose condition reads what a flushed get of an earlier round brought"}
! Each get is complete before the next round (Ait Kaci 2022, Figure 4.9, repaired).
program f08_figure_4_9_no
    use mpi_f08
    implicit none
    integer :: rank, mask
    integer, asynchronous :: cells(2), buf, seen
    type(MPI_Win) :: win

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    buf = 1
    seen = 0
    cells = 3 + 2 * rank
    call MPI_Win_create(cells, 8_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win)

    call MPI_Barrier(MPI_COMM_WORLD)
    mask = 1
    call MPI_Win_lock_all(0, win)
    do while (mask < 4 .and. buf /= 100)
        if (iand(rank, mask) /= 0) then
            call MPI_Get(buf, 1, MPI_INTEGER, rank - mask, 0_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win)
            call MPI_Win_flush(rank - mask, win)
        end if
        mask = mask * 2
    end do
    call MPI_Win_unlock_all(win)

    print *, rank, buf, seen
    call MPI_Win_free(win)
    call MPI_Finalize()
end program f08_figure_4_9_no
