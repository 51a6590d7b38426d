! The same calls as `use_mpi_f08.f90` and `mpif_h.f90`, through the module `mpi`.
program use_mpi
  use mpi
  implicit none
  integer :: ierr, rank, size, right, x, y, found, win, other, request(2), memory(10)
  integer(kind=MPI_ADDRESS_KIND) :: bytes, place
  include 'body.inc'
end program
