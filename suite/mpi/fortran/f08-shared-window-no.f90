! {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "a neighbour's direct store through C_F_POINTER, a barrier, the owner's load (mpi_f08)"}
! Sync, barrier, sync (MPI-4.1 12.2.3, 12.7.4).
program shared_window
    use, intrinsic :: iso_c_binding, only: c_ptr, c_f_pointer
    use mpi_f08
    implicit none
    integer :: rank, ierr, unit, seen
    integer, pointer, asynchronous :: mine(:), theirs(:)
    integer(kind=MPI_ADDRESS_KIND) :: bytes
    type(c_ptr) :: base, other
    type(MPI_Win) :: win

    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    seen = 0
    call MPI_Win_allocate_shared(64_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, base, win, ierr)
    call MPI_Win_shared_query(win, 1 - rank, bytes, unit, other, ierr)
    call c_f_pointer(base, mine, [16])
    call c_f_pointer(other, theirs, [16])
    mine = 0
    call MPI_Barrier(MPI_COMM_WORLD, ierr)

    call MPI_Win_lock_all(MPI_MODE_NOCHECK, win, ierr)
    if (rank == 0) theirs(5) = 12
    call MPI_Win_sync(win, ierr)
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    call MPI_Win_sync(win, ierr)
    if (rank == 1) seen = mine(5)
    call MPI_Win_unlock_all(win, ierr)

    print *, 'rank', rank, seen
    call MPI_Win_free(win, ierr)
    call MPI_Finalize(ierr)
end program shared_window
