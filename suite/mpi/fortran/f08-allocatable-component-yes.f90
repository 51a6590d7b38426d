! {"RACE_KIND": "local", "RACE_PAIR": ["MPI_Put@25", "STORE@23"], "NPROCS": 2, "DESCRIPTION": "an allocatable component is filled again while its put reads it, as the flush is of the other rank"}
! The buffer is an allocatable component of a derived type that grows (MPI-4.1 12.5.4).
module queue
  use mpi_f08
  implicit none
  type outgoing
    integer, allocatable :: values(:)
    type(MPI_Win) :: win
  end type
contains
  subroutine send(q, rounds, target)
    type(outgoing), intent(inout) :: q
    integer, intent(in) :: rounds, target
    integer :: i, k
    integer, allocatable :: longer(:)
    do i = 1, rounds
      if (size(q%values) < 4) then
        allocate(longer(4))
        longer = 0
        call move_alloc(longer, q%values)
      end if
      do k = 1, 4
        q%values(k) = i * k
      end do
      call MPI_Put(q%values, 4, MPI_INTEGER, target, int(4 * (i - 1), MPI_ADDRESS_KIND), 4, MPI_INTEGER, q%win)
      call MPI_Win_flush_local(1 - target, q%win)
    end do
  end subroutine
end module

program allocatable_component
  use queue
  use, intrinsic :: iso_c_binding, only: c_ptr
  implicit none
  type(outgoing) :: q
  type(c_ptr) :: base
  integer :: rank
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  allocate(q%values(2))
  q%values = 0
  call MPI_Win_allocate(64_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, base, q%win)
  call MPI_Win_lock_all(0, q%win)
  if (rank == 0) call send(q, 3, 1)
  call MPI_Win_unlock_all(q%win)
  call MPI_Win_free(q%win)
  if (rank == 0) print *, q%values(1)
  call MPI_Finalize()
end program
