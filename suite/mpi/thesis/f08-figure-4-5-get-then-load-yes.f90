! {"RACE_KIND": "local", "RACE_PAIR": ["MPI_Get@19", "LOAD@20"], "NPROCS": 2, "DESCRIPTION": "a get, then a load of its origin buffer, in a fence epoch"}
! Nothing completes the first operation before the second access (Ait Kaci 2022, Figure 4.5 and Table 4.1).
program f08_figure_4_5_get_then_load_yes
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
    if (rank == 1) then
        call MPI_Get(buf, 1, MPI_INTEGER, 0, 0_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win)
        seen = buf
    end if
    call MPI_Win_fence(0, win)

    print *, rank, buf, seen
    call MPI_Win_free(win)
    call MPI_Finalize()
end program f08_figure_4_5_get_then_load_yes
