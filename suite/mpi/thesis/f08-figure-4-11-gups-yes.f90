! {"RACE_KIND": "local", "RACE_PAIR": ["MPI_Put@27", "STORE@24"], "FURTHER_PAIRS": [["MPI_Put@27", "STORE@26"]], "NPROCS": 2, "DESCRIPTION": "aggregated updates: a row is filled again while its put reads it, as no mode flushes"}
! An else is missing: without a mode nothing completes the put (Ait Kaci 2022, Figure 4.11).
program f08_figure_4_11_gups_yes
    use mpi_f08
    implicit none
    integer, parameter :: row_length = 2, batch = 8
    logical :: flush_mode = .false., flush_local_mode = .false.
    integer :: rank, x, counter
    integer(kind=MPI_ADDRESS_KIND) :: buffered
    integer(kind=8), asynchronous :: row(row_length + 1), received(4 * batch)
    type(MPI_Win) :: upd

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    received = 0
    counter = 1
    buffered = 0
    call MPI_Win_create(received, 32_MPI_ADDRESS_KIND * batch, 8, MPI_INFO_NULL, MPI_COMM_WORLD, upd)

    call MPI_Win_lock_all(0, upd)
    if (rank == 0) then
        do x = 1, batch
            counter = counter + 1
            row(counter) = x
            if (counter > row_length) then
                row(1) = row_length
                call MPI_Put(row, row_length + 1, MPI_INTEGER8, 1, buffered, row_length + 1, MPI_INTEGER8, upd)
                buffered = buffered + row_length + 1
                counter = 1
                if (flush_mode) then
                    call MPI_Win_flush(1, upd)
                else if (flush_local_mode) then
                    call MPI_Win_flush_local(1, upd)
                end if
            end if
        end do
    end if
    call MPI_Win_unlock_all(upd)

    print *, rank, buffered
    call MPI_Win_free(upd)
    call MPI_Finalize()
end program f08_figure_4_11_gups_yes
