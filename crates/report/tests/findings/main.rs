//! Every format, on realistic reports, on an empty one, and on strings that want to break it.
//!
//! After an intended change: `INSTA_UPDATE=always cargo test -p farside-report --test findings`, and read the
//! difference.

mod hostile;
mod reports;

mod arbitrary;
mod hosts;
mod html;
mod json;
mod litmus;
mod sarif;
mod suppressions;
mod text;
