//! Point-to-point synchronisation (OpenSHMEM 1.5 §9.10): waits and tests of own symmetric words.
//!
//! A wait asks for a while, then offers its processor, then sleeps until something arrives; the transport does that,
//! and knows whether PEs share processors. What another PE stores by an address of `shmem_ptr` wakes nobody before its
//! fence or quiet, or some milliseconds. A test that fails offers the processor now and then.

use crate::call::Call;
use crate::element::Word;
use crate::pe::Pe;
use crate::rma::symmetric;
use std::cell::Cell;
use std::ffi::c_int;

/// `SHMEM_CMP_EQ`.
pub(crate) const EQ: c_int = 1;
/// `SHMEM_CMP_NE`.
pub(crate) const NE: c_int = 2;
/// `SHMEM_CMP_GT`.
pub(crate) const GT: c_int = 3;
/// `SHMEM_CMP_GE`.
pub(crate) const GE: c_int = 4;
/// `SHMEM_CMP_LT`.
pub(crate) const LT: c_int = 5;
/// `SHMEM_CMP_LE`.
pub(crate) const LE: c_int = 6;

/// Tests in a row that fail before one offers the processor.
const PATIENCE: u32 = 16;

/// After a test that failed: lets others run now and then.
pub(crate) fn pause() {
    thread_local!(static FAILED: Cell<u32> = const { Cell::new(0) });
    let failed = FAILED.get() + 1;
    FAILED.set(failed % PATIENCE);
    if failed == PATIENCE {
        std::thread::yield_now();
    }
}

/// A comparison that exists.
fn comparison<T: PartialOrd>(call: Call, cmp: c_int) -> fn(&T, &T) -> bool {
    match cmp {
        EQ => T::eq,
        NE => T::ne,
        GT => T::gt,
        GE => T::ge,
        LT => T::lt,
        LE => T::le,
        other => call.misuse(format_args!(
            "cmp is {other}, which is none of SHMEM_CMP_EQ to SHMEM_CMP_LE"
        )),
    }
}

/// What a call looks at: words, those that it leaves out, and what each is compared with.
struct Words<T: 'static> {
    call: Call,
    at: *const T,
    count: usize,
    /// Not 0: leave this word out; null: none.
    status: *const c_int,
    compare: fn(&T, &T) -> bool,
    value: Wanted<T>,
}

enum Wanted<T> {
    One(T),
    Each(*const T),
}

impl<T: Word> Words<T> {
    /// # Safety
    /// `status` is null or valid for reads of `count` elements, and so are the values of `Wanted::Each`.
    unsafe fn new(
        call: Call,
        at: *const T,
        count: usize,
        status: *const c_int,
        cmp: c_int,
        value: Wanted<T>,
    ) -> Self {
        let pe = Pe::of(call);
        let compare = comparison(call, cmp);
        if count > 0 {
            symmetric(call, pe, "ivars", at, count);
            if !at.is_aligned() {
                call.misuse(format_args!("ivars ({at:p}) is not aligned to its type"));
            }
        }
        Self {
            call,
            at,
            count,
            status,
            compare,
            value,
        }
    }

    /// Numbers of the words that count.
    fn wanted(&self) -> impl Iterator<Item = usize> {
        // SAFETY: valid by the caller of `new`.
        (0..self.count).filter(|&word| self.status.is_null() || unsafe { *self.status.add(word) } == 0)
    }

    fn holds(&self, word: usize) -> bool {
        // SAFETY: symmetric memory is mapped; aligned, by `new`; values are valid by the caller of `new`.
        unsafe {
            let found = T::load(self.at.add(word));
            match &self.value {
                Wanted::One(value) => (self.compare)(&found, value),
                Wanted::Each(values) => (self.compare)(&found, &*values.add(word)),
            }
        }
    }

    fn all(&self) -> bool {
        self.wanted().all(|word| self.holds(word))
    }

    /// A word that holds, from a place on that moves, so that none is passed over for ever.
    fn any(&self) -> Option<usize> {
        thread_local!(static START: Cell<usize> = const { Cell::new(0) });
        let start = START.get();
        let found = self
            .wanted()
            .filter(|&word| word >= start)
            .find(|&word| self.holds(word))
            .or_else(|| {
                self.wanted()
                    .take_while(|&word| word < start)
                    .find(|&word| self.holds(word))
            });
        if let Some(word) = found {
            START.set(word + 1);
        }
        found
    }

    /// Writes the numbers of words that hold, and says how many.
    ///
    /// # Safety
    /// `indices` is valid for writes of as many.
    unsafe fn some(&self, indices: *mut usize) -> usize {
        let mut number = 0;
        for word in self.wanted().filter(|&word| self.holds(word)) {
            // SAFETY: by the caller.
            unsafe { indices.add(number).write(word) };
            number += 1;
        }
        number
    }

    /// Whether no word counts: then nothing is waited for.
    fn is_empty(&self) -> bool {
        self.wanted().next().is_none()
    }

    fn wait(&self, ready: &mut dyn FnMut() -> bool) {
        Pe::of(self.call).wait(self.call, ready);
    }

    fn wait_all(&self) {
        self.wait(&mut || self.all());
    }

    fn wait_any(&self) -> usize {
        if self.is_empty() {
            return usize::MAX;
        }
        let mut found = None;
        self.wait(&mut || {
            found = self.any();
            found.is_some()
        });
        found.unwrap_or(usize::MAX)
    }

    /// # Safety
    /// As for [`Words::some`].
    unsafe fn wait_some(&self, indices: *mut usize) -> usize {
        if self.is_empty() {
            return 0;
        }
        let mut number = 0;
        self.wait(&mut || {
            // SAFETY: by the caller.
            number = unsafe { self.some(indices) };
            number > 0
        });
        number
    }
}

/// Waits for one word, and gives what was found there.
pub(crate) fn value<T: Word>(call: Call, ivar: *const T, cmp: c_int, value: T) -> T {
    let pe = Pe::of(call);
    let compare = comparison(call, cmp);
    symmetric(call, pe, "ivar", ivar, 1);
    if !ivar.is_aligned() {
        call.misuse(format_args!("ivar ({ivar:p}) is not aligned to its type"));
    }
    let mut found = value;
    pe.wait(call, &mut || {
        // SAFETY: symmetric memory is mapped; aligned, as was checked.
        found = unsafe { T::load(ivar) };
        compare(&found, &value)
    });
    found
}

/// `shmem_wait_until`.
///
/// # Safety
/// None is needed beyond what is checked; handlers of calls are unsafe alike. Arrays of the functions below are valid
/// for their elements.
pub(crate) unsafe fn until<T: Word>(call: Call, ivar: *mut T, cmp: c_int, wanted: T) {
    value(call, ivar, cmp, wanted);
}

/// `shmem_wait`: until the word is another one.
///
/// # Safety
/// As for [`until`].
pub(crate) unsafe fn until_changed<T: Word>(call: Call, ivar: *mut T, former: T) {
    value(call, ivar, NE, former);
}

/// `shmem_test`.
///
/// # Safety
/// As for [`until`].
pub(crate) unsafe fn test<T: Word>(call: Call, ivar: *mut T, cmp: c_int, value: T) -> c_int {
    // SAFETY: there is no array but the word.
    let words = unsafe { Words::new(call, ivar, 1, std::ptr::null(), cmp, Wanted::One(value)) };
    answer(words.holds(0))
}

fn answer(holds: bool) -> c_int {
    if !holds {
        pause();
    }
    holds.into()
}

macro_rules! forms {
    ($value:ident: $value_type:ty => $wanted:expr;
        $until_all:ident $until_any:ident $until_some:ident $test_all:ident $test_any:ident $test_some:ident) => {
        /// `shmem_wait_until_all`, with one value or a vector of values.
        ///
        /// # Safety
        /// As for [`until`].
        pub(crate) unsafe fn $until_all<T: Word>(
            call: Call,
            ivars: *mut T,
            nelems: usize,
            status: *const c_int,
            cmp: c_int,
            $value: $value_type,
        ) {
            // SAFETY: by the caller.
            unsafe { Words::new(call, ivars, nelems, status, cmp, $wanted) }.wait_all();
        }

        /// `shmem_wait_until_any`: a word that holds; `SIZE_MAX` if none is looked at.
        ///
        /// # Safety
        /// As for [`until`].
        pub(crate) unsafe fn $until_any<T: Word>(
            call: Call,
            ivars: *mut T,
            nelems: usize,
            status: *const c_int,
            cmp: c_int,
            $value: $value_type,
        ) -> usize {
            // SAFETY: by the caller.
            unsafe { Words::new(call, ivars, nelems, status, cmp, $wanted) }.wait_any()
        }

        /// `shmem_wait_until_some`: how many hold, at least one; 0 if none is looked at.
        ///
        /// # Safety
        /// As for [`until`].
        pub(crate) unsafe fn $until_some<T: Word>(
            call: Call,
            ivars: *mut T,
            nelems: usize,
            indices: *mut usize,
            status: *const c_int,
            cmp: c_int,
            $value: $value_type,
        ) -> usize {
            // SAFETY: by the caller.
            unsafe { Words::new(call, ivars, nelems, status, cmp, $wanted).wait_some(indices) }
        }

        /// `shmem_test_all`: 1 also if none is looked at.
        ///
        /// # Safety
        /// As for [`until`].
        pub(crate) unsafe fn $test_all<T: Word>(
            call: Call,
            ivars: *mut T,
            nelems: usize,
            status: *const c_int,
            cmp: c_int,
            $value: $value_type,
        ) -> c_int {
            // SAFETY: by the caller.
            answer(unsafe { Words::new(call, ivars, nelems, status, cmp, $wanted) }.all())
        }

        /// `shmem_test_any`: a word that holds, or `SIZE_MAX`.
        ///
        /// # Safety
        /// As for [`until`].
        pub(crate) unsafe fn $test_any<T: Word>(
            call: Call,
            ivars: *mut T,
            nelems: usize,
            status: *const c_int,
            cmp: c_int,
            $value: $value_type,
        ) -> usize {
            // SAFETY: by the caller.
            let found = unsafe { Words::new(call, ivars, nelems, status, cmp, $wanted) }.any();
            answer(found.is_some());
            found.unwrap_or(usize::MAX)
        }

        /// `shmem_test_some`: how many hold.
        ///
        /// # Safety
        /// As for [`until`].
        pub(crate) unsafe fn $test_some<T: Word>(
            call: Call,
            ivars: *mut T,
            nelems: usize,
            indices: *mut usize,
            status: *const c_int,
            cmp: c_int,
            $value: $value_type,
        ) -> usize {
            // SAFETY: by the caller.
            let number = unsafe { Words::new(call, ivars, nelems, status, cmp, $wanted).some(indices) };
            answer(number > 0);
            number
        }
    };
}

forms! { value: T => Wanted::One(value); until_all until_any until_some test_all test_any test_some }
forms! { values: *mut T => Wanted::Each(values);
until_all_vector until_any_vector until_some_vector test_all_vector test_any_vector test_some_vector }
