! {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "a put, a flush, then a get of its origin buffer"}
! The first operation is complete before the second access (Ait Kaci 2022, §4.2).
program f08_figure_4_2_put_then_get_no
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

    call MPI_Win_lock_all(0, win)
    if (rank == 1) then
        call MPI_Put(buf, 1, MPI_INTEGER, 0, 1_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win)
        call MPI_Win_flush(0, win)
        call MPI_Get(buf, 1, MPI_INTEGER, 0, 0_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win)
    end if
    call MPI_Win_unlock_all(win)

    print *, rank, buf, seen
    call MPI_Win_free(win)
    call MPI_Finalize()
end program f08_figure_4_2_put_then_get_no
