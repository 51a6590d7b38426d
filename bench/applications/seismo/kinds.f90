! Kinds, constants, and how the program ends when something is wrong.
module kinds
  use, intrinsic :: iso_fortran_env, only: real64, int32, int64, error_unit
  use mpi_f08
  implicit none
  private
  public :: real64, int32, int64, error_unit, stop_all, lower

  integer, parameter, public :: dp = real64
  real(dp), parameter, public :: pi = acos(-1.0_dp)
  integer, parameter, public :: name_length = 64

contains

  subroutine stop_all(why, detail)
    character(len=*), intent(in) :: why
    character(len=*), intent(in), optional :: detail
    if (present(detail)) then
       write (error_unit, '(4a)') 'seismo: ', why, ': ', trim(detail)
    else
       write (error_unit, '(2a)') 'seismo: ', why
    end if
    call MPI_Abort(MPI_COMM_WORLD, 2)
    error stop 2
  end subroutine stop_all

  elemental function lower(text) result(small)
    character(len=*), intent(in) :: text
    character(len=len(text)) :: small
    integer :: i, code
    do i = 1, len(text)
       code = iachar(text(i:i))
       if (code >= iachar('A') .and. code <= iachar('Z')) code = code + 32
       small(i:i) = achar(code)
    end do
  end function lower

end module kinds
