! Random numbers: a linear congruential generator of 48 bits. Each history has its own stream, so that results do not
! depend on who computes it.
module chances
  use problem, only: dp, long
  implicit none
  private

  integer(long), parameter :: multiplier = 25214903917_long, increment = 11_long
  integer(long), parameter :: mask = 281474976710655_long
  integer, parameter :: stride_bits = 16 ! 65,536 numbers a history

  type, public :: stream_t
     integer(long) :: state = 0
  end type stream_t

  public :: start_stream, next_chance

contains

  ! a * b modulo 2^48, without overflow.
  pure integer(long) function times(a, b)
    integer(long), intent(in) :: a, b
    integer(long) :: low, high
    low = iand(b, 16777215_long)
    high = ishft(b, -24)
    times = iand(product_low(a, low) + ishft(iand(product_low(a, high), 16777215_long), 24), mask)
  end function times

  ! a (48 bits) times b (24 bits), modulo 2^48.
  pure integer(long) function product_low(a, b)
    integer(long), intent(in) :: a, b
    integer(long) :: low, high
    low = iand(a, 16777215_long)
    high = ishft(a, -24)
    product_low = iand(low * b + ishft(iand(high * b, 16777215_long), 24), mask)
  end function product_low

  ! The stream of a history: the sequence of the seed, skipped ahead.
  subroutine start_stream(s, seed, history)
    type(stream_t), intent(out) :: s
    integer, intent(in) :: seed
    integer(long), intent(in) :: history
    integer(long) :: a, c, total_a, total_c, skip
    total_a = 1
    total_c = 0
    a = multiplier
    c = increment
    skip = ishft(history, stride_bits)
    do while (skip > 0)
       if (iand(skip, 1_long) == 1) then
          total_a = times(total_a, a)
          total_c = iand(times(total_c, a) + c, mask)
       end if
       c = iand(times(a + 1, c), mask)
       a = times(a, a)
       skip = ishft(skip, -1)
    end do
    s%state = iand(times(int(seed, long) * 2 + 1, total_a) + total_c, mask)
  end subroutine start_stream

  real(dp) function next_chance(s)
    type(stream_t), intent(inout) :: s
    s%state = iand(times(s%state, multiplier) + increment, mask)
    next_chance = (real(ishft(s%state, -8), dp) + 0.5_dp) / 1099511627776.0_dp
  end function next_chance

end module chances
