! `mpi_f08` without error arguments, and an array section with gaps as origin, where the library supports one.
program f08_section
  use mpi_f08
  implicit none
  integer :: rank
  integer, asynchronous :: memory(10), x(10)
  type(MPI_Win) :: win
  integer(kind=MPI_ADDRESS_KIND) :: bytes = 40, place = 0
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  x = rank
  call MPI_Win_create(memory, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win)
  call MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win)
  if (MPI_SUBARRAYS_SUPPORTED) then
    call MPI_Put(x(1:10:3), 4, MPI_INTEGER, rank, place, 4, MPI_INTEGER, win)
  end if
  call MPI_Win_unlock(rank, win)
  call MPI_Win_free(win)
  call MPI_Finalize()
end program
