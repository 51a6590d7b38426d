! Loops of Fortran programs, each between two calls of synchronise, on memory that the driver hands over.
module kernels
  use iso_c_binding
  implicit none
  interface
    subroutine synchronise() bind(c)
    end subroutine
    subroutine lend(page) bind(c)
      import
      integer(c_int) :: page(*)
    end subroutine
  end interface
  type shape
    integer(c_int) :: kind
    real(c_double) :: at(3)
  end type
contains
  ! A star, with the halo that its arrays have, and rows that are longer than what is used.
  subroutine star(a, b, n, m, lead)
    integer, intent(in) :: n, m, lead
    real(c_double), intent(inout) :: a(0:lead - 1, 0:m + 1)
    real(c_double), intent(in) :: b(0:lead - 1, 0:m + 1)
    integer :: i, j
    do j = 1, m
      do i = 1, n
        a(i, j) = a(i, j) + 0.25d0 * (b(i - 1, j) + b(i + 1, j) + b(i, j - 1) + b(i, j + 1))
      end do
    end do
  end subroutine

  ! Sections with strides, downwards, of assumed shape.
  subroutine sections(a, b)
    real(c_double), intent(inout) :: a(:)
    real(c_double), intent(in) :: b(:)
    a(1::3) = b(1::3) + 1
    a(size(a):1:-2) = a(size(a):1:-2) * 2
    where (b > 0.5d0) a = a + b
  end subroutine

  subroutine gather(a, list, n)
    real(c_double), intent(inout) :: a(*)
    integer(c_int), intent(inout) :: list(*)
    integer, intent(in) :: n
    integer :: i
    do i = 1, n
      list(i) = mod(i * 37, 500) + 1
    end do
    call synchronise()
    do i = 1, n
      if (mod(list(i), 3) == 0) cycle
      a(list(i)) = a(list(i)) + list(i)
      if (a(list(i)) > 1d300) exit
    end do
  end subroutine

  subroutine shapes(all, n)
    type(shape), intent(inout) :: all(*)
    integer, intent(in) :: n
    integer :: i, k
    do i = n, 1, -1
      all(i)%kind = i
      do k = 1, 3
        all(i)%at(k) = all(i)%at(k) + k
      end do
    end do
  end subroutine

  ! A parallel loop, of which the body is a function of its own: one thread of the team runs it here.
  subroutine parallel(a, n)
    integer, intent(in) :: n
    real(c_double), intent(inout) :: a(n)
    integer :: i
    !$omp parallel do num_threads(1)
    do i = 1, n
      a(i) = a(i) + i
    end do
  end subroutine

  ! A local array, whose address a procedure keeps that has returned: the buffer of a pending operation.
  subroutine buffer(n)
    integer, intent(in) :: n
    integer(c_int), target :: cells(1024 + 1024)
    integer :: i, first
    ! The page that begins within the array.
    first = int(mod(4096_c_intptr_t - mod(transfer(c_loc(cells), 0_c_intptr_t), 4096_c_intptr_t), 4096_c_intptr_t)) / 4
    call lend(cells(first + 1:))
    do i = 1, n
      cells(first + i) = i
    end do
    cells(first + 600) = cells(first + 601)
    call synchronise()
    do i = 1, n
      cells(first + 2 * i) = cells(first + 2 * i) + 1
    end do
    call synchronise()
    if (cells(first + 3) == 77) print *, 'never'
  end subroutine

  subroutine run(arena, doubles, n) bind(c)
    integer(c_int), value :: n
    integer(c_int), target, intent(inout) :: arena(65536)
    real(c_double), target, intent(inout) :: doubles(32768)
    type(shape), pointer :: all(:)
    call star(doubles, doubles(16001), min(n, 60), 20, 64)
    call synchronise()
    call star(doubles(3), doubles(16001), 7, min(n, 60), 9)
    call synchronise()
    call sections(doubles(1:n), doubles(20001:20000 + n))
    call synchronise()
    call sections(doubles(1:7 * n:7), doubles(n:1:-1))
    call synchronise()
    call gather(doubles, arena(50001), n)
    call synchronise()
    call c_f_pointer(c_loc(arena(1025)), all, [500])
    call shapes(all, min(n, 500))
    call synchronise()
    call parallel(doubles, n)
    call synchronise()
    call buffer(n)
  end subroutine
end module
