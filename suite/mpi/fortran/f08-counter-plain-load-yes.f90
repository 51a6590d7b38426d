! {"RACE_KIND": "remote", "RACE_PAIR": ["MPI_Fetch_and_op@19", "LOAD@22"], "NPROCS": 2, "DESCRIPTION": "the owner reads a counter with a load while others count with MPI_Fetch_and_op (mpi_f08)"}
! A load is not atomic with accumulate operations (MPI-4.1 12.7).
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
        ticket = counter(1)
    end if
    call MPI_Win_unlock_all(win, ierr)

    print *, 'rank', rank, ticket
    call MPI_Win_free(win, ierr)
    call MPI_Finalize(ierr)
end program counter_load
