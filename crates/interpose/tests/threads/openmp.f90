! EXPECT: 1<2 2<3 4<5 6<7 8<9
program openmp
  use omp_lib
  implicit none
  interface
    subroutine mark(number)
      integer, intent(in) :: number
    end subroutine
    subroutine after(number)
      integer, intent(in) :: number
    end subroutine
  end interface
  integer(omp_lock_kind) :: lock
  integer :: variable, i
  external :: begin, end
  call begin()
  call omp_set_num_threads(2)
  call omp_init_lock(lock)
  call mark(1)
  !$omp parallel private(i)
  call mark(2)
  !$omp barrier
  call mark(3)
  if (omp_get_thread_num() == 0) then
    call omp_set_lock(lock)
    call mark(4)
    call omp_unset_lock(lock)
  else
    call after(4)
    call omp_set_lock(lock)
    call mark(5)
    call omp_unset_lock(lock)
  end if
  !$omp do schedule(dynamic)
  do i = 1, 4
    call mark(6)
  end do
  call mark(7)
  !$omp single
  !$omp task depend(out: variable)
  call mark(8)
  !$omp end task
  !$omp task depend(in: variable)
  call mark(9)
  !$omp end task
  !$omp end single
  !$omp end parallel
  call end()
end program
