//! What functions of the C library compute, and what is said of what they compute is not known.
//!
//! Each program works out a number, and races if it is not the number that the test names: so a wrong number is a
//! finding.

use super::{FLUSH, MPI, body, expect, folder, lint_in, said};
use std::process::Output;

fn linted(count: &str, wanted: i64, options: &[&str]) -> Output {
    let source = format!(
        "{MPI}
#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
{count}
int main(int argc, char **argv) {{ MPI_Init(&argc, &argv);
const int good = count() == {wanted};
{}
MPI_Finalize(); return 0; }}",
        body(&format!("if (good) {FLUSH}"))
    );
    let folder = folder(&[("program.c", &source)]);
    lint_in(folder.path(), &[options, &["--paths", "1", "program.c"]].concat())
}

/// The number is worked out, and with certainty.
#[track_caller]
fn expect_number(count: &str, wanted: i64) {
    for (wanted, status) in [(wanted, 0), (wanted + 1, 1)] {
        let output = linted(count, wanted, &[]);
        expect(&output, status, &[]);
        assert!(!said(&output).contains("unknown-call"), "{}", said(&output));
    }
}

#[test]
fn functions_of_real_numbers() {
    expect_number(
        "static long count(void) { volatile double v = 2; int e; double f = frexp(v * 20, &e), whole;
double part = modf(v + 0.5, &whole); return e * 1000 + (long)(f * 1000) + lround(v + 0.5) + lrint(v + 0.5)
+ (long)ldexp(v, 4) + ilogb(v * 4) + (long)(part * 10) + (long)whole + isnan(v) + (long)remainder(v, 3); }",
        6 * 1000 + 625 + 3 + 2 + 32 + 3 + 5 + 2 - 1,
    );
    expect_number(
        "static long count(void) { int r; int o = __builtin_add_overflow(2000000000, 2000000000, &r);
long s; return o * 10 + (r == -294967296) + __builtin_mul_overflow(3L, 5L, &s) + s; }",
        26,
    );
}

#[test]
fn what_is_printed_into_a_text() {
    expect_number(
        "static long count(void) { char b[40]; int n = snprintf(b, sizeof b, \"%03d|%-4s|%6.2f|%*x\", 7, \"ab\", 3.14159, 4, 255);
return n * 10 + (strcmp(b, \"007|ab  |  3.14|  ff\") == 0); }",
        201,
    );
}

#[test]
fn a_thread_gives_its_result_to_who_joins_it() {
    expect_number(
        "static void *twice(void *a) { return (void *)(2 * (long)a); }
static void *leave(void *a) { pthread_exit(a); }
static long count(void) { pthread_t t, u; void *r, *q; pthread_create(&t, 0, twice, (void *)21);
pthread_create(&u, 0, leave, (void *)5); pthread_join(t, &r); pthread_join(u, &q); return (long)r * 10 + (long)q; }",
        425,
    );
}

#[test]
fn arguments_of_any_number() {
    expect_number(
        "static long sum(int n, ...) { va_list v; va_start(v, n); long s = 0; while (n--) s += va_arg(v, int);
va_end(v); return s; }
static long count(void) { return sum(3, 1, 2, 3) + sum(9, 1, 2, 3, 4, 5, 6, 7, 8, 9); }",
        51,
    );
    expect_number(
        "struct pair { int a, b; };
static long mixed(const char *kinds, ...) { va_list v, w; va_start(v, kinds); va_copy(w, v); long s = 0;
for (; *kinds; kinds++) switch (*kinds) {
case 'd': s = 10 * s + (long)(2 * va_arg(v, double)); break;
case 'i': s = 10 * s + va_arg(v, int); break;
case 'p': s = 10 * s + *va_arg(v, int *); break;
default: { struct pair pair = va_arg(v, struct pair); s = 10 * s + pair.a + pair.b; } }
s = 10 * s + (va_arg(w, double) > 1); va_end(w); va_end(v); return s; }
static long count(void) { int four = 4; struct pair pair = {3, 2}; return mixed(\"dipsi\", 1.5, 2, &four, pair, -1 + 4); }",
        324_531,
    );
}

#[test]
fn texts_by_lists_of_arguments() {
    expect_number(
        "static int print(char *to, size_t most, const char *format, ...) {
va_list list; va_start(list, format); int length = vsnprintf(to, most, format, list); va_end(list); return length; }
static long count(void) { char text[40]; int number; double part;
int length = print(text, sizeof text, \"%d of %s, %.2f\", 42, \"some\", 1.25);
sscanf(text, \"%d of some, %lf\", &number, &part);
return 1000 * length + number + (long)(100 * part); }",
        16_167,
    );
}

#[test]
fn what_mpi_says_of_its_objects() {
    expect_number(
        "typedef long MPI_Aint; typedef long long MPI_Count;
int MPI_Type_create_hindexed(int, const int *, const MPI_Aint *, MPI_Datatype, MPI_Datatype *);
int MPI_Type_get_true_extent(MPI_Datatype, MPI_Aint *, MPI_Aint *); int MPI_Type_size(MPI_Datatype, int *);
int MPI_Type_size_x(MPI_Datatype, MPI_Count *); int MPI_Type_get_extent_x(MPI_Datatype, MPI_Count *, MPI_Count *);
int MPI_Type_match_size(int, int, MPI_Datatype *); int MPI_Type_create_f90_integer(int, MPI_Datatype *);
int MPI_Type_create_f90_real(int, int, MPI_Datatype *); int MPI_Info_create(MPI_Info *); int MPI_Info_free(MPI_Info *);
int MPI_Info_set(MPI_Info, const char *, const char *); int MPI_Info_get_nthkey(MPI_Info, int, char *);
int MPI_Info_get_valuelen(MPI_Info, const char *, int *, int *); int MPI_Comm_size(MPI_Comm, int *);
int MPI_Comm_dup_with_info(MPI_Comm, MPI_Info, MPI_Comm *);
static long count(void) { MPI_Datatype t, d; MPI_Aint lb, ext; MPI_Count size, low, high; int n = 0, length = 0, flag;
int blocks[2] = {1, 1}; MPI_Aint at[2] = {8, 24}; MPI_Type_create_hindexed(2, blocks, at, MPI_INT, &t);
MPI_Type_get_true_extent(t, &lb, &ext); MPI_Type_size_x(t, &size); MPI_Type_get_extent_x(t, &low, &high);
long sum = lb + 10 * ext + 1000 * size + 10000 * low;
MPI_Type_match_size(1, 8, &d); MPI_Type_size(d, &n); sum += 100000 * n;
MPI_Type_create_f90_integer(9, &d); MPI_Type_size(d, &n); sum += 1000000 * n;
MPI_Type_create_f90_real(10, -32766, &d); MPI_Type_size(d, &n); sum += 10000000 * n;
MPI_Info info; MPI_Info_create(&info); MPI_Info_set(info, \"key\", \"seven\"); char key[256];
MPI_Info_get_valuelen(info, \"key\", &length, &flag); MPI_Info_get_nthkey(info, 0, key); MPI_Info_free(&info);
sum += 100000000L * (length + flag + (strcmp(key, \"key\") == 0));
MPI_Comm c; MPI_Comm_dup_with_info(MPI_COMM_WORLD, MPI_INFO_NULL, &c); MPI_Comm_size(c, &n); sum += 1000000000L * (n > 1);
return sum; }",
        8 + 200 + 8000 + 80000 + 800_000 + 4_000_000 + 80_000_000 + 700_000_000 + 1_000_000_000,
    );
}
