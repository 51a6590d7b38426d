! Fourier transforms of lines of any length whose factors are 2, 3 and 5.
module fourier
  use settings, only: dp, pi
  implicit none
  private

  type, public :: plan_t
     integer :: n = 0
     integer :: factors = 0
     integer :: factor(32) = 0
     complex(dp), allocatable :: root(:) ! exp(-2 pi i k / n)
     complex(dp), allocatable :: work(:)
  end type plan_t

  public :: make_plan, transform, direct_transform

contains

  subroutine make_plan(plan, n)
    type(plan_t), intent(out) :: plan
    integer, intent(in) :: n
    integer :: rest, p, k
    plan%n = n
    rest = n
    do p = 2, 5
       do while (mod(rest, p) == 0 .and. rest > 1)
          plan%factors = plan%factors + 1
          plan%factor(plan%factors) = p
          rest = rest / p
       end do
    end do
    allocate (plan%root(0:n - 1), plan%work(0:n - 1))
    do k = 0, n - 1
       plan%root(k) = cmplx(cos(2.0_dp * pi * k / n), -sin(2.0_dp * pi * k / n), dp)
    end do
  end subroutine make_plan

  ! In place. direction -1: forward, unscaled; +1: backward, divided by n.
  subroutine transform(plan, line, direction)
    type(plan_t), intent(inout) :: plan
    complex(dp), intent(inout) :: line(0:)
    integer, intent(in) :: direction
    integer :: n, f, p, blocks, length, stride
    n = plan%n
    if (direction > 0) line = conjg(line)
    ! Stockham: after each factor the data are transforms of `length` points, interleaved.
    blocks = n
    length = 1
    do f = 1, plan%factors
       p = plan%factor(f)
       blocks = blocks / p
       stride = n / (length * p)
       call pass(line, plan%work, plan%root, n, p, length, blocks, stride)
       line(0:n - 1) = plan%work
       length = length * p
    end do
    if (direction > 0) line = conjg(line) / n
  end subroutine transform

  subroutine pass(from, to, root, n, p, length, blocks, stride)
    integer, intent(in) :: n, p, length, blocks, stride
    complex(dp), intent(in) :: from(0:n - 1), root(0:n - 1)
    complex(dp), intent(out) :: to(0:n - 1)
    complex(dp) :: part(0:4), total
    integer :: b, j, q, r
    do j = 0, length - 1
       do b = 0, blocks - 1
          do q = 0, p - 1
             part(q) = from(j * blocks * p + q * blocks + b) * root(mod(q * j * stride, n))
          end do
          do r = 0, p - 1
             total = part(0)
             do q = 1, p - 1
                total = total + part(q) * root(mod(q * r * (n / p), n))
             end do
             to((j + r * length) * blocks + b) = total
          end do
       end do
    end do
  end subroutine pass

  ! The definition, to compare with.
  subroutine direct_transform(line, out)
    complex(dp), intent(in) :: line(0:)
    complex(dp), intent(out) :: out(0:)
    integer :: j, k, n
    n = size(line)
    do k = 0, n - 1
       out(k) = (0.0_dp, 0.0_dp)
       do j = 0, n - 1
          out(k) = out(k) + line(j) * exp(cmplx(0.0_dp, -2.0_dp * pi * mod(j * k, n) / n, dp))
       end do
    end do
  end subroutine direct_transform

end module fourier
