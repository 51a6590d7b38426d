//! What the detector finds in recordings that are written here; one program, so that it is built once.

mod accumulates;
mod advice;
mod flags;
mod forgetting;
mod grants;
mod locks;
mod members;
mod misuse;
mod oracle;
mod ordered;
mod races;
mod script;
mod shards;
mod starts;
mod strands;
mod turns;
mod values;
