! {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "a whole-array assignment after the fence that completes the put (mpi_f08)"}
! The fence orders the put before the assignment (MPI-4.1 12.5.1).
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
    call MPI_Win_fence(0, win, ierr)
    if (rank == 1) then
        cells(:) = 7
    end if
    call MPI_Win_fence(0, win, ierr)

    print *, 'rank', rank, cells(50)
    call MPI_Win_free(win, ierr)
    call MPI_Finalize(ierr)
end program put_assign
