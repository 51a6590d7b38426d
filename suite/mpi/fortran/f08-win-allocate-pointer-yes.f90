! {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Get@23", "STORE@25"], "NPROCS": 2, "DESCRIPTION": "window memory reached through C_F_POINTER is stored to while a get reads it (mpi_f08)"}
! The pointer's target is window memory of MPI_Win_allocate; the store comes before the fence
! (MPI-4.1 12.2.2, 12.7).
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
    if (rank == 1) cells(10) = 99
    call MPI_Win_fence(0, win, ierr)

    print *, 'rank', rank, copy(2)
    call MPI_Win_free(win, ierr)
    call MPI_Finalize(ierr)
end program win_allocate
