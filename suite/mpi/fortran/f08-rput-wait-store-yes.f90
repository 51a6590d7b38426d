! {"RACE_KIND": "local", "RACE_PAIR": ["MPI_Rput@19", "STORE@20"], "NPROCS": 2, "DESCRIPTION": "the origin buffer of a request-based put is assigned before MPI_Wait (mpi_f08)"}
! The request is not complete (MPI-4.1 12.3.4).
program rput_wait
    use mpi_f08
    implicit none
    integer :: rank, ierr
    type(MPI_Win) :: win
    integer, asynchronous :: cells(8), values(4)
    type(MPI_Request) :: request

    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    cells = 0
    values = [1, 2, 3, 4]
    call MPI_Win_create(cells, 32_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)

    call MPI_Win_lock_all(0, win, ierr)
    if (rank == 0) then
        call MPI_Rput(values, 4, MPI_INTEGER, 1, 0_MPI_ADDRESS_KIND, 4, MPI_INTEGER, win, request, ierr)
        values(2) = 20
        call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    end if
    call MPI_Win_unlock_all(win, ierr)

    print *, 'rank', rank, values(2)
    call MPI_Win_free(win, ierr)
    call MPI_Finalize(ierr)
end program rput_wait
