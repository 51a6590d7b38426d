! Pictures of the whole field on process 0, which gets the rows of the others while these wait.
module pictures
  use kinds
  use rows
  use waves
  use mpi_f08
  implicit none
  private
  public :: picture_t

  type :: picture_t
     type(layout_t) :: layout
     type(MPI_Win) :: window
     real(dp), allocatable :: shown(:, :)      ! the rows of this process, as others may see them
     real(dp), allocatable :: whole(:, :)
     integer :: taken = 0
   contains
     procedure :: begin
     procedure :: take
     procedure :: spread
     procedure :: finish
  end type picture_t

contains

  subroutine begin(self, layout)
    class(picture_t), intent(inout) :: self
    type(layout_t), intent(in) :: layout
    self%layout = layout
    allocate (self%shown(layout%nx, layout%first:layout%last), source=0.0_dp)
    if (layout%rank == 0) then
       allocate (self%whole(layout%nx, layout%nz), source=0.0_dp)
    else
       allocate (self%whole(0, 0))
    end if
    call MPI_Win_create(self%shown, size(self%shown, kind=MPI_ADDRESS_KIND) * 8, 8, MPI_INFO_NULL, layout%comm, &
         self%window)
    call MPI_Win_fence(MPI_MODE_NOPRECEDE, self%window)
  end subroutine begin

  subroutine take(self, wave)
    class(picture_t), intent(inout) :: self
    class(wave_t), intent(in) :: wave
    type(MPI_Datatype) :: block
    integer :: owner, rows
    associate (l => self%layout)
      self%shown = wave%now%values(:, l%first:l%last)
      call MPI_Win_fence(0, self%window)
      if (l%rank == 0) then
         do owner = 0, l%ranks - 1
            rows = l%first_of(owner + 1) - l%first_of(owner)
            call MPI_Type_contiguous(l%nx, MPI_DOUBLE_PRECISION, block)
            call MPI_Type_commit(block)
            call MPI_Get(self%whole(1, l%first_of(owner)), l%nx * rows, MPI_DOUBLE_PRECISION, owner, &
                 0_MPI_ADDRESS_KIND, rows, block, self%window)
            call MPI_Type_free(block)
         end do
      end if
      call MPI_Win_fence(MPI_MODE_NOSTORE, self%window)
    end associate
    self%taken = self%taken + 1
  end subroutine take

  ! Least and largest value, and where the wave is centred.
  subroutine spread(self, least, most, row)
    class(picture_t), intent(in) :: self
    real(dp), intent(out) :: least, most, row
    real(dp) :: weight
    integer :: z
    least = minval(self%whole)
    most = maxval(self%whole)
    row = 0
    weight = 0
    do z = 1, size(self%whole, 2)
       row = row + z * sum(self%whole(:, z)**2)
       weight = weight + sum(self%whole(:, z)**2)
    end do
    if (weight > 0) row = row / weight
  end subroutine spread

  subroutine finish(self)
    class(picture_t), intent(inout) :: self
    call MPI_Win_fence(MPI_MODE_NOSUCCEED, self%window)
    call MPI_Win_free(self%window)
  end subroutine finish

end module pictures
