! {"RACE_KIND": "none", "RACE_PAIR": [], "NPROCS": 2, "DESCRIPTION": "the owner reads a counter with MPI_Fetch_and_op and MPI_NO_OP while others count (mpi_f08)"}
! Accumulate operations of one basic type are atomic with each other (MPI-4.1 12.7.1).
program counter_load
    use mpi_f08
    implicit none
    integer :: rank, ierr
    type(MPI_Win) :: win
    integer, asynchronous :: counter(4), one, ticket

    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    counter = 0
    one = 1
    ticket = -1
    call MPI_Win_create(counter, 16_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)

    call MPI_Win_lock_all(0, win, ierr)
    if (rank == 0) then
        call MPI_Fetch_and_op(one, ticket, MPI_INTEGER, 1, 0_MPI_ADDRESS_KIND, MPI_SUM, win, ierr)
        call MPI_Win_flush(1, win, ierr)
    else
        call MPI_Fetch_and_op(one, ticket, MPI_INTEGER, 1, 0_MPI_ADDRESS_KIND, MPI_NO_OP, win, ierr)
        call MPI_Win_flush(1, win, ierr)
    end if
    call MPI_Win_unlock_all(win, ierr)

    print *, 'rank', rank, ticket
    call MPI_Win_free(win, ierr)
    call MPI_Finalize(ierr)
end program counter_load
