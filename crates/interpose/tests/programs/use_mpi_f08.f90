! The same calls as `use_mpi.f90`, through the module `mpi_f08`.
program use_mpi_f08
  use mpi_f08
  implicit none
  integer :: ierr, rank, size, right, found
  integer, asynchronous :: x, y, memory(10)
  type(MPI_Win) :: win
  type(MPI_Comm) :: other
  type(MPI_Request) :: request(2)
  integer(kind=MPI_ADDRESS_KIND) :: bytes, place
  include 'body.inc'
end program
