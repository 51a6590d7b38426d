! {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "window memory reached through C_F_POINTER is stored to after the get (mpi_f08)"}
! The fence completes the get before the store (MPI-4.1 12.5.1).
program win_allocate
    use, intrinsic :: iso_c_binding, only: c_ptr, c_f_pointer
    use mpi_f08
    implicit none
    integer :: rank, ierr
    integer, asynchronous :: copy(2)
    integer, pointer, asynchronous :: cells(:)
    type(c_ptr) :: base
    type(MPI_Win) :: win

    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    copy = 0
    call MPI_Win_allocate(40_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, base, win, ierr)
    call c_f_pointer(base, cells, [10])
    cells = rank

    call MPI_Win_fence(0, win, ierr)
    if (rank == 0) then
        call MPI_Get(copy, 2, MPI_INTEGER, 1, 8_MPI_ADDRESS_KIND, 2, MPI_INTEGER, win, ierr)
    end if
    call MPI_Win_fence(0, win, ierr)
    if (rank == 1) cells(10) = 99
    call MPI_Win_fence(0, win, ierr)

    print *, 'rank', rank, copy(2)
    call MPI_Win_free(win, ierr)
    call MPI_Finalize(ierr)
end program win_allocate
