! {"RACE_KIND": "local", "RACE_PAIR": ["MPI_Put@19", "STORE@20"], "NPROCS": 2, "DESCRIPTION": "a put, then a store of its origin buffer, in a fence epoch"}
! Nothing completes the first operation before the second access (Ait Kaci 2022, Figure 4.6 and Table 4.1).
program f08_figure_4_6_put_then_store_yes
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

    call MPI_Win_fence(0, win)
    if (rank == 0) then
        call MPI_Put(buf, 1, MPI_INTEGER, 1, 1_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win)
        buf = 7
    end if
    call MPI_Win_fence(0, win)

    print *, rank, buf, seen
    call MPI_Win_free(win)
    call MPI_Finalize()
end program f08_figure_4_6_put_then_store_yes
