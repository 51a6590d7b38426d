! Heat along a rod, one piece of it on each rank. Contains a bug; halo-fixed.f90 is the repaired form.
!
! Each step opens an epoch with a fence, puts the two end cells of a piece into the neighbours' halo cells, and closes
! the epoch with a second fence. The bug: the new cells are computed before that second fence. Until it returns, the
! halo cells may still be in the middle of being written, and the end cells may still be in the middle of being sent.
module rod
  use mpi_f08
  use, intrinsic :: iso_c_binding
  implicit none
  integer, parameter :: cells = 64, steps = 50
  real(8), pointer :: halo(:)
  real(8), allocatable :: u(:), v(:)
  type(MPI_Win) :: win
contains
  subroutine exchange(left, right)
    integer, intent(in) :: left, right
    call MPI_Put(u(1), 1, MPI_DOUBLE_PRECISION, left, 1_MPI_ADDRESS_KIND, 1, MPI_DOUBLE_PRECISION, win)
    call MPI_Put(u(cells), 1, MPI_DOUBLE_PRECISION, right, 0_MPI_ADDRESS_KIND, 1, MPI_DOUBLE_PRECISION, win)
  end subroutine exchange

  subroutine advance()
    integer :: i
    real(8) :: before, after
    do i = 1, cells
      if (i == 1) then
        before = halo(1)
      else
        before = u(i - 1)
      end if
      if (i == cells) then
        after = halo(2)
      else
        after = u(i + 1)
      end if
      v(i) = u(i) + 0.25d0 * (before - 2 * u(i) + after)
    end do
    do i = 1, cells
      u(i) = v(i)
    end do
  end subroutine advance
end module rod

program main
  use rod
  implicit none
  integer :: rank, size, left, right, step
  type(c_ptr) :: base
  real(8) :: heat, total

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, size)
  left = mod(rank + size - 1, size)
  right = mod(rank + 1, size)

  call MPI_Win_allocate(16_MPI_ADDRESS_KIND, 8, MPI_INFO_NULL, MPI_COMM_WORLD, base, win)
  call MPI_Win_set_name(win, "halo")
  call c_f_pointer(base, halo, [2])
  allocate (u(cells), v(cells))
  u = 0
  if (rank == 0) u(1:cells / 2) = 100

  do step = 1, steps
    call MPI_Win_fence(0, win)
    call exchange(left, right)
    call advance()
    call MPI_Win_fence(0, win)
  end do

  heat = sum(u)
  call MPI_Reduce(heat, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD)
  if (rank == 0) print '(a, f0.6, a, f0.6)', 'heat ', total, ', expected ', 100d0 * cells / 2
  call MPI_Win_free(win)
  call MPI_Finalize()
end program main
