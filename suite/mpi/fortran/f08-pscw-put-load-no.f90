! {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "the target loads after MPI_Win_wait (mpi_f08)"}
! MPI_Win_wait orders the put before the load (MPI-4.1 12.5.2).
program pscw_put
    use mpi_f08
    implicit none
    integer :: rank, ierr
    type(MPI_Win) :: win
    integer, asynchronous :: cells(4), value
    integer :: seen
    type(MPI_Group) :: world, others

    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    cells = 0
    value = 3
    seen = 0
    call MPI_Win_create(cells, 16_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
    call MPI_Comm_group(MPI_COMM_WORLD, world, ierr)
    call MPI_Group_incl(world, 1, [1 - rank], others, ierr)

    if (rank == 0) then
        call MPI_Win_start(others, 0, win, ierr)
        call MPI_Put(value, 1, MPI_INTEGER, 1, 2_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)
        call MPI_Win_complete(win, ierr)
    else
        call MPI_Win_post(others, 0, win, ierr)
        call MPI_Win_wait(win, ierr)
        seen = cells(3)
    end if

    print *, 'rank', rank, seen
    call MPI_Group_free(others, ierr)
    call MPI_Group_free(world, ierr)
    call MPI_Win_free(win, ierr)
    call MPI_Finalize(ierr)
end program pscw_put
