! {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Put@19", "STORE@22"], "NPROCS": 2, "DESCRIPTION": "a whole-array assignment meets a put within one fence epoch (mpi_f08)"}
! `cells(:) = 7` stores to all elements before the fence that completes the put (MPI-4.1 12.5.1,
! 12.7).
program put_assign
    use mpi_f08
    implicit none
    integer :: rank, ierr
    type(MPI_Win) :: win
    integer, asynchronous :: cells(100), value

    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    cells = 0
    value = 42
    call MPI_Win_create(cells, int(4 * size(cells), MPI_ADDRESS_KIND), 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)

    call MPI_Win_fence(0, win, ierr)
    if (rank == 0) then
        call MPI_Put(value, 1, MPI_INTEGER, 1, 49_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)
    end if
    if (rank == 1) then
        cells(:) = 7
    end if
    call MPI_Win_fence(0, win, ierr)

    print *, 'rank', rank, cells(50)
    call MPI_Win_free(win, ierr)
    call MPI_Finalize(ierr)
end program put_assign
