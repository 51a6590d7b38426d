! {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "a section of an array is the origin of a put, the section after it is assigned (use mpi)"}
! buffer(3:6) and buffer(7:9) share no element (MPI-4.1 12.3.2).
program section_origin
    use mpi
    implicit none
    integer :: rank, ierr
    integer :: win
    integer, asynchronous :: cells(10), buffer(10)
    integer(kind=MPI_ADDRESS_KIND) :: bytes, where

    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    cells = 0
    buffer = rank
    bytes = 40
    where = 0
    call MPI_Win_create(cells, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)

    call MPI_Win_lock_all(0, win, ierr)
    if (rank == 0) then
        call MPI_Put(buffer(3), 4, MPI_INTEGER, 1, where, 4, MPI_INTEGER, win, ierr)
        buffer(7:9) = -1
    end if
    call MPI_Win_unlock_all(win, ierr)

    print *, 'rank', rank, buffer(6)
    call MPI_Win_free(win, ierr)
    call MPI_Finalize(ierr)
end program section_origin
