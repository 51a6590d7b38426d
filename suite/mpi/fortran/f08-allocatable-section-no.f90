! {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "a window over an allocatable array; an array section of it is stored after the put (mpi_f08)"}
! The unlock completes the put and the message orders it before the stores (MPI-4.1 12.5.3, 12.7).
program allocatable_section
    use mpi_f08
    implicit none
    integer :: rank, ierr
    type(MPI_Win) :: win
    real, allocatable, asynchronous :: field(:, :)
    real, asynchronous :: value
    integer :: note

    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    allocate (field(5, 6))
    field = 0
    value = 1.5
    note = 0
    call MPI_Win_create(field, int(4 * size(field), MPI_ADDRESS_KIND), 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)

    if (rank == 0) then
        call MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win, ierr)
        call MPI_Put(value, 1, MPI_REAL, 1, 17_MPI_ADDRESS_KIND, 1, MPI_REAL, win, ierr)
        call MPI_Win_unlock(1, win, ierr)
        call MPI_Send(note, 1, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, ierr)
    else
        call MPI_Recv(note, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
        field(:, 4) = -1.0
    end if

    print *, 'rank', rank, field(3, 4)
    call MPI_Win_free(win, ierr)
    deallocate (field)
    call MPI_Finalize(ierr)
end program allocatable_section
