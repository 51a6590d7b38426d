! {"RACE_KIND": "misuse", "RACE_PAIR": ["MPI_Put@18"], "NPROCS": 2, "DESCRIPTION": "a put before any epoch (mpi_f08)", "RULE": "outside-epoch"}
! Every RMA operation needs an access epoch at the origin (MPI-4.1 12.5).
program outside_epoch
    use mpi_f08
    implicit none
    integer :: rank, ierr
    type(MPI_Win) :: win
    integer, asynchronous :: cells(4), value

    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    cells = 0
    value = 3
    call MPI_Win_create(cells, 16_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
    call MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN, ierr)

    if (rank == 0) then
        call MPI_Put(value, 1, MPI_INTEGER, 1, 0_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)
    end if
    call MPI_Barrier(MPI_COMM_WORLD, ierr)

    print *, 'rank', rank, 'done'
    call MPI_Win_free(win, ierr)
    call MPI_Finalize(ierr)
end program outside_epoch
