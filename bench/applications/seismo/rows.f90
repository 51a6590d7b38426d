! Which rows a process has, and fields over them.
module rows
  use kinds
  use mpi_f08
  implicit none
  private
  public :: layout_t, field_t, make_layout

  integer, parameter, public :: ghost = 2      ! rows of the neighbours at each side

  type :: layout_t
     type(MPI_Comm) :: comm
     integer :: rank = 0, ranks = 1
     integer :: nx = 0, nz = 0
     integer :: first = 1, last = 0
   contains
     procedure :: first_of
     procedure :: owner
     procedure :: rows => row_count
     procedure :: above
     procedure :: below
  end type layout_t

  ! Values of rows first - ghost to last + ghost.
  type :: field_t
     real(dp), allocatable :: values(:, :)
   contains
     procedure :: create
     procedure :: energy
     final :: destroy
  end type field_t

contains

  function make_layout(comm, nx, nz) result(layout)
    type(MPI_Comm), intent(in) :: comm
    integer, intent(in) :: nx, nz
    type(layout_t) :: layout
    layout%comm = comm
    call MPI_Comm_rank(comm, layout%rank)
    call MPI_Comm_size(comm, layout%ranks)
    layout%nx = nx
    layout%nz = nz
    layout%first = layout%first_of(layout%rank)
    layout%last = layout%first_of(layout%rank + 1) - 1
  end function make_layout

  pure integer function first_of(self, rank)
    class(layout_t), intent(in) :: self
    integer, intent(in) :: rank
    first_of = 1 + int(int(self%nz, int64) * rank / self%ranks)
  end function first_of

  pure integer function owner(self, row)
    class(layout_t), intent(in) :: self
    integer, intent(in) :: row
    owner = 0
    do while (self%first_of(owner + 1) <= row)
       owner = owner + 1
    end do
  end function owner

  pure integer function row_count(self)
    class(layout_t), intent(in) :: self
    row_count = self%last - self%first + 1
  end function row_count

  pure integer function above(self)
    class(layout_t), intent(in) :: self
    above = merge(self%rank - 1, MPI_PROC_NULL, self%rank > 0)
  end function above

  pure integer function below(self)
    class(layout_t), intent(in) :: self
    below = merge(self%rank + 1, MPI_PROC_NULL, self%rank < self%ranks - 1)
  end function below

  subroutine create(self, layout)
    class(field_t), intent(inout) :: self
    class(layout_t), intent(in) :: layout
    if (allocated(self%values)) deallocate (self%values)
    allocate (self%values(layout%nx, layout%first - ghost:layout%last + ghost), source=0.0_dp)
  end subroutine create

  pure real(dp) function energy(self)
    class(field_t), intent(in) :: self
    energy = sum(self%values(:, lbound(self%values, 2) + ghost:ubound(self%values, 2) - ghost)**2)
  end function energy

  subroutine destroy(self)
    type(field_t), intent(inout) :: self
    if (allocated(self%values)) deallocate (self%values)
  end subroutine destroy

end module rows
