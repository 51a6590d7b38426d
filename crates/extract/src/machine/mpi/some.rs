//! Tests of requests, and waits for some of several.
//!
//! A test may find that a request is over as soon as it can be, and may as well find that it is not (MPI-4.1 §3.7.3: a
//! message on its way, an operation not complete). What it finds is no event, as a failed poll is none; one that finds
//! it is a wait. Of several requests that may be over, the library chooses (§3.7.5).

use crate::machine::{Followed, Machine};
use crate::request::Request;
use crate::value::Value;
use farside_lint::ir::{PlaceId, Type};

/// More requests are not told apart where any of them may be over.
const MOST_CHOSEN: usize = 4;

/// Where a call that looks at several requests says which are over.
struct Found<'v> {
    /// `flag`, of a test.
    flag: Option<&'v Value>,
    /// `index`, or `indices`.
    index: &'v Value,
    /// `outcount`, of calls that find some.
    count: Option<&'v Value>,
    status: &'v Value,
}

impl Machine<'_> {
    /// A test, or a wait for some of several requests; false if it is neither.
    pub(super) fn test_call(&mut self, call: &str, values: &[Value], place: PlaceId) -> Followed<bool> {
        match (call, values) {
            ("Test", [request, flag, status]) => self.test_all_of((1, request), flag, status, place)?,
            ("Testall", [count, requests, flag, statuses]) => {
                let count = self.count(count, place)?;
                self.test_all_of((count, requests), flag, statuses, place)?;
            }
            ("Waitany", [count, requests, index, status]) => {
                let found = Found {
                    flag: None,
                    index,
                    count: None,
                    status,
                };
                self.some_of(count, requests, &found, place)?;
            }
            ("Testany", [count, requests, index, flag, status]) => {
                let found = Found {
                    flag: Some(flag),
                    index,
                    count: None,
                    status,
                };
                self.some_of(count, requests, &found, place)?;
            }
            ("Waitsome" | "Testsome", [count, requests, many, indices, statuses]) => {
                // What a test that finds nothing gives says so itself.
                let flag = (call == "Testsome").then_some(many);
                let found = Found {
                    flag,
                    index: indices,
                    count: Some(many),
                    status: statuses,
                };
                self.some_of(count, requests, &found, place)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The requests of an array that are not `MPI_REQUEST_NULL`, by their places.
    fn open_requests(&mut self, count: u64, requests: &Value, place: PlaceId) -> Followed<Vec<(u64, Value)>> {
        let ty = self.handle_type();
        let mut open = Vec::new();
        for at in 0..count {
            let request = self.moved(requests, at * ty.size(), place)?;
            let handle = self.load(&request, &ty, u32::MAX, place)?;
            if !self.is_inactive(&handle, place)? {
                open.push((at, request));
            }
        }
        Ok(open)
    }

    /// `MPI_Test`, `MPI_Testall`.
    fn test_all_of(
        &mut self,
        (count, requests): (u64, &Value),
        flag: &Value,
        status: &Value,
        place: PlaceId,
    ) -> Followed<()> {
        let open = self.open_requests(count, requests, place)?;
        let ways = if open.is_empty() { 1 } else { 2 };
        self.any(ways, place, &mut |machine, way| {
            let over = way == 0;
            let not_over: &[(u64, Value)] = if over { &[] } else { &open };
            machine.none_is_over(not_over, place)?;
            if over {
                let one = count == 1;
                for (_, request) in &open {
                    let its = if one { status } else { &Value::Known(0) };
                    machine.wait_for_request(request, its, place)?;
                }
                if !one || open.is_empty() {
                    machine.some_status(status, count, place)?;
                }
            }
            machine.put_number(flag, u64::from(over), place)
        })
    }

    /// Waits for one of several requests, or for some, or finds that none is over.
    fn some_of(
        &mut self,
        count: &Value,
        requests: &Value,
        found: &Found<'_>,
        place: PlaceId,
    ) -> Followed<()> {
        let count = self.count(count, place)?;
        let open = self.open_requests(count, requests, place)?;
        if open.is_empty() {
            return self.none_is_left(found, place);
        }
        if found.count.is_some() && open.len() > MOST_CHOSEN {
            let text = format!("some of more than {MOST_CHOSEN} requests");
            return Err(self.lost(place, &text));
        }
        let mut chosen: Vec<Vec<usize>> = match found.count {
            Some(_) => (1..1_usize << open.len())
                .map(|set| (0..open.len()).filter(|at| set >> at & 1 == 1).collect())
                .collect(),
            None => (0..open.len()).map(|at| vec![at]).collect(),
        };
        if found.flag.is_some() {
            chosen.push(Vec::new());
        }
        self.any(chosen.len(), place, &mut |machine, way| {
            let over = &chosen[way];
            let not_over: &[(u64, Value)] = if over.is_empty() { &open } else { &[] };
            machine.none_is_over(not_over, place)?;
            for (number, &at) in (0..).zip(over) {
                let (index, request) = &open[at];
                let status = match found.count {
                    // Of several, what is in statuses is not known.
                    Some(_) => Value::Known(0),
                    None => found.status.clone(),
                };
                machine.wait_for_request(request, &status, place)?;
                let to = machine.moved(found.index, 4 * number, place)?;
                machine.put_number(&to, *index, place)?;
            }
            match (found.count, found.flag) {
                (Some(count), _) => {
                    machine.some_status(found.status, over.len() as u64, place)?;
                    machine.put_number(count, over.len() as u64, place)
                }
                (None, Some(flag)) => {
                    if over.is_empty() {
                        let undefined = machine.undefined();
                        machine.store(found.index, &undefined, &Type::Integer(32), place)?;
                    }
                    machine.put_number(flag, u64::from(!over.is_empty()), place)
                }
                (None, None) => Ok(()),
            }
        })
    }

    /// A test finds that none of these requests is over. Of an operation that was flushed it would find that it is.
    fn none_is_over(&mut self, open: &[(u64, Value)], place: PlaceId) -> Followed<()> {
        let ty = self.handle_type();
        for (_, request) in open {
            let handle = self.load(request, &ty, u32::MAX, place)?;
            if let Request::Operation {
                window,
                gives,
                number,
                ..
            } = self.known_request(&handle, place)?
                && self.state.progress().is_flushed(window, gives, number)
            {
                self.inexact(
                    place,
                    "a test of an operation that was flushed may find that it is not over",
                );
            }
        }
        Ok(())
    }

    /// No request is open: nothing is waited for.
    fn none_is_left(&mut self, found: &Found<'_>, place: PlaceId) -> Followed<()> {
        let undefined = self.undefined();
        match found.count {
            Some(count) => self.store(count, &undefined, &Type::Integer(32), place)?,
            None => {
                self.store(found.index, &undefined, &Type::Integer(32), place)?;
                self.some_status(found.status, 1, place)?;
                if let Some(flag) = found.flag {
                    self.put_number(flag, 1, place)?;
                }
            }
        }
        Ok(())
    }

    fn put_number(&mut self, to: &Value, number: u64, place: PlaceId) -> Followed<()> {
        self.store(to, &Value::Known(number), &Type::Integer(32), place)
    }
}
