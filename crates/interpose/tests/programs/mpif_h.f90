! The same calls as `use_mpi.f90`, through the include file.
program mpif_h
  implicit none
  include 'mpif.h'
  integer :: ierr, rank, size, right, x, y, found, win, other, request(2), memory(10)
  integer(kind=MPI_ADDRESS_KIND) :: bytes, place
  include 'body.inc'
end program
