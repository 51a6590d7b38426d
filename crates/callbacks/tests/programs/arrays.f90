! Sections, array temporaries, strings and matmul, instrumented.
module numbers
contains
  subroutine twice(values)
    real(8), intent(inout) :: values(5)
    values = 2 * values
  end subroutine
end module

program arrays
  use numbers
  real(8) :: matrix(5, 5), square(5, 5)
  character(len=8) :: name
  integer :: i, j
  do j = 1, 5
    do i = 1, 5
      matrix(i, j) = i + 10 * j
    end do
  end do
  call twice(matrix(2, :))
  square = matmul(matrix, matrix)
  name = 'sum'
  name = trim(name) // ':'
  print '(a,f10.1,f10.1)', name, sum(matrix), square(1, 1)
end program
