! {"RACE_KIND": "local", "RACE_PAIR": ["MPI_Put@18", "STORE@19"], "NPROCS": 2, "DESCRIPTION": "the origin buffer of a put is assigned before the unlock (mpi_f08)"}
! The put may read its buffer until MPI_Win_unlock (MPI-4.1 12.3.2, 12.5.3).
program put_origin
    use mpi_f08
    implicit none
    integer :: rank, ierr
    type(MPI_Win) :: win
    integer, asynchronous :: cells(4), value

    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    cells = 0
    value = 1
    call MPI_Win_create(cells, 16_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)

    if (rank == 0) then
        call MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win, ierr)
        call MPI_Put(value, 1, MPI_INTEGER, 1, 0_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)
        value = 2
        call MPI_Win_unlock(1, win, ierr)
    end if

    print *, 'rank', rank, value
    call MPI_Win_free(win, ierr)
    call MPI_Finalize(ierr)
end program put_origin
