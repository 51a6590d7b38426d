//! How judges tell each other what follows from accesses.
//!
//! All judges come to the same questions in the same order, so that an answer needs no name: what one judge hears from
//! another is what that one told for the question at hand. Answers wait until they are asked for, which is not long: no
//! judge is further ahead of another than the events are that both are given.

use crate::order::Derived;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender};

pub(super) type Answer = Vec<Derived>;

/// What a judge tells all others at once, as it travels: what followed from accesses, or that it judges nothing more.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Word(Option<Answer>);

impl Word {
    /// The last one of a judge: nothing more comes of it.
    pub(super) fn last() -> Self {
        Self(None)
    }
}

/// How a judge in another process, or the one who speaks for it here, gets words of others, each with the number of its
/// judge. It must not wait.
pub type Post = Arc<dyn Fn(u32, Word) + Send + Sync>;

/// Where words of others come in, each with the number of its judge.
pub type Inbox = Receiver<(u32, Word)>;

/// From one judge to all others, and back.
pub(super) struct Links {
    own: u32,
    /// To the others, or to who passes it on to them.
    to: Vec<Post>,
    inbox: Inbox,
    /// By judge: what was not asked for yet.
    told: Vec<VecDeque<Answer>>,
    /// By judge: nothing more comes.
    left: Vec<bool>,
}

impl Links {
    pub(super) fn new(own: u32, judges: usize, to: Vec<Post>, inbox: Inbox) -> Self {
        Self {
            own,
            to,
            inbox,
            told: vec![VecDeque::new(); judges],
            left: vec![false; judges],
        }
    }

    /// Tells all others.
    pub(super) fn tell(&self, found: Answer) {
        tell(&self.to, self.own, &Word(Some(found)));
    }

    /// What a judge tells; `None`, if it has left.
    pub(super) fn hear(&mut self, judge: u32) -> Option<Answer> {
        let index = judge as usize;
        loop {
            if let Some(answer) = self.told.get_mut(index)?.pop_front() {
                return Some(answer);
            }
            if self.left[index] {
                return None;
            }
            let (from, Word(word)) = self.inbox.recv().ok()?;
            match word {
                Some(answer) => self.told.get_mut(from as usize)?.push_back(answer),
                None => *self.left.get_mut(from as usize)? = true,
            }
        }
    }

    /// What all others tell; `None`, if one has left.
    pub(super) fn hear_all(&mut self) -> Option<Answer> {
        let mut all = Answer::new();
        let own = self.own;
        for judge in (0..self.told.len() as u32).filter(|judge| *judge != own) {
            all.extend(self.hear(judge)?);
        }
        Some(all)
    }
}

impl Drop for Links {
    fn drop(&mut self) {
        tell(&self.to, self.own, &Word(None));
    }
}

impl fmt::Debug for Links {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "links of judge {}", self.own)
    }
}

/// Hands a word of a judge to all of these.
pub(super) fn tell(to: &[Post], own: u32, word: &Word) {
    to.iter().for_each(|post| post(own, word.clone()));
}

/// By which a judge of this process gets words.
pub(super) fn post(inbox: Sender<(u32, Word)>) -> Post {
    // One that has ended needs no words.
    Arc::new(move |from, word| _ = inbox.send((from, word)))
}
