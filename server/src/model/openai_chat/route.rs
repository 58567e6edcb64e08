//! Which call a fragment belongs to. A decision table: where it gives no answer the turn fails, since a wrong
//! one would put one call's arguments into another.
//!
//! The standard is an `index` on every fragment and `id` and `name` on a call's first one. Which servers leave
//! one of them out, repeat it or change it is told by the transcripts in `server/tests/transcripts/openai-chat`.

use super::call::{Call, Fragment};
use super::extent::Extent;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Route {
    Continue(usize),
    Start,
}

/// It may belong to several calls, or to none: why.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("it is not known which call a fragment belongs to: {0}")]
pub struct Ambiguous(&'static str);

/// How the fragment's name goes with the one of the call.
#[derive(Clone, Copy, PartialEq)]
enum Name {
    /// The fragment has none.
    Absent,
    /// The call has none yet.
    First,
    Same,
    /// The next piece of the name: no arguments have begun, and a tool begins with both together.
    Piece,
    Other,
}

/// What ties the fragment to the call that it may belong to.
#[derive(Clone, Copy)]
enum Tie {
    /// The id.
    Id {
        /// The fragment's index, where both have one, is another.
        is_elsewhere: bool,
    },
    /// The index, or the order where there is none; and no id that says otherwise.
    Place,
    /// The same, but the fragment's id is a new one.
    PlaceWithNewId { has_index: bool },
}

/// `calls`: so far, `last`: the one that the last fragment went to. `is_offered`: whether there is such a tool;
/// `begins_offered`: whether one begins so.
pub fn route(
    fragment: &Fragment,
    calls: &[Call],
    last: Option<usize>,
    is_offered: impl Fn(&str) -> bool,
    begins_offered: impl Fn(&str) -> bool,
) -> Result<Route, Ambiguous> {
    let Some((at, tie)) = candidate(fragment, calls, last)? else { return Ok(Route::Start) };
    let call = &calls[at];
    let name = match fragment.name.as_deref() {
        None => Name::Absent,
        Some(_) if call.name.is_empty() => Name::First,
        Some(name) if name == call.name => Name::Same,
        Some(name) if call.extent() == Extent::Blank && begins_offered(&format!("{}{name}", call.name)) => {
            Name::Piece
        }
        Some(_) => Name::Other,
    };
    let begins_object = fragment.arguments.text().trim_start().starts_with('{');
    let goes_on = Ok(Route::Continue(at));
    let starts = Ok(Route::Start);
    let unclear = |why| Err(Ambiguous(why));
    match (tie, name, call.extent()) {
        // A second object behind the first, and nothing says that it is another call's.
        (Tie::Id { .. } | Tie::Place, Name::Absent, Extent::Closed) if begins_object => {
            unclear("an object behind a call that has ended, and no name")
        }

        // The call's own id says enough, wherever the fragment stands and whatever it repeats …
        (Tie::Id { .. }, Name::Absent | Name::First, _) => goes_on,
        (Tie::Id { is_elsewhere: false }, Name::Piece, _) => goes_on,
        (Tie::Id { .. }, Name::Same, Extent::Open) => goes_on,
        (Tie::Id { is_elsewhere: false }, Name::Same, Extent::Blank) => goes_on,
        (Tie::Id { is_elsewhere: false }, Name::Same, Extent::Closed) if !begins_object => goes_on,
        // … unless two calls share it: then the second begins with its name behind a first that has ended.
        (Tie::Id { .. }, Name::Same, Extent::Closed) => starts,
        (Tie::Id { is_elsewhere: true }, Name::Other, _) => starts,
        (Tie::Id { is_elsewhere: false }, Name::Other, Extent::Closed) => starts,
        (Tie::Id { is_elsewhere: true }, Name::Same | Name::Piece, Extent::Blank) => {
            unclear("an id stands at two indexes")
        }
        (Tie::Id { is_elsewhere: true }, Name::Piece, Extent::Open | Extent::Closed) => {
            unclear("an id stands at two indexes")
        }

        // The standard: neither id nor name, only the place.
        (Tie::Place, Name::Absent | Name::First | Name::Piece, _) => goes_on,
        (Tie::Place, Name::Same, Extent::Closed) if begins_object => starts,
        (Tie::Place, Name::Same, _) => goes_on,
        (Tie::Place, Name::Other, Extent::Closed) => starts,

        // Ids that change with every fragment, or several calls in one place.
        (Tie::PlaceWithNewId { has_index: true }, Name::Absent, Extent::Blank | Extent::Open) => goes_on,
        (Tie::PlaceWithNewId { has_index: true }, Name::Absent, Extent::Closed) => {
            if fragment.arguments.text().trim().is_empty() {
                goes_on
            } else {
                unclear("a new id without a name behind a call that has ended")
            }
        }
        (Tie::PlaceWithNewId { has_index: false }, Name::Absent, Extent::Closed) if begins_object => starts,
        (Tie::PlaceWithNewId { has_index: false }, Name::Absent, _) => {
            unclear("a new id with neither an index nor a name")
        }
        (Tie::PlaceWithNewId { .. }, Name::Same | Name::Piece | Name::Other, Extent::Closed) => starts,
        (Tie::PlaceWithNewId { .. }, Name::Other, Extent::Blank) if !call.provider_id.is_empty() => starts,
        (Tie::PlaceWithNewId { .. }, Name::Same, Extent::Open) if call.provider_id.is_empty() => goes_on,
        (Tie::PlaceWithNewId { has_index: true }, Name::First | Name::Piece, _)
            if call.provider_id.is_empty() =>
        {
            goes_on
        }
        (Tie::PlaceWithNewId { .. }, Name::First | Name::Same | Name::Piece | Name::Other, _) => {
            unclear("a new id with a name in the place of a call that has not ended")
        }

        // A call without arguments, and another one behind it; of a tool that is none it may be half the name.
        (Tie::Id { is_elsewhere: false } | Tie::Place, Name::Other, Extent::Blank)
            if is_offered(&call.name) =>
        {
            starts
        }
        (Tie::Id { is_elsewhere: false } | Tie::Place, Name::Other, Extent::Blank | Extent::Open) => {
            unclear("a call has two names")
        }
    }
}

/// The call that it may belong to, and what speaks for it; none: it can only be a new one.
fn candidate(
    fragment: &Fragment,
    calls: &[Call],
    last: Option<usize>,
) -> Result<Option<(usize, Tie)>, Ambiguous> {
    let having = |fits: &dyn Fn(&Call) -> bool| -> Vec<usize> {
        (0..calls.len()).filter(|at| fits(&calls[*at])).collect()
    };
    let is_elsewhere =
        |call: &Call| matches!((fragment.index, call.index), (Some(here), Some(there)) if here != there);
    if let Some(id) = fragment.id.as_deref() {
        let same_id = having(&|call| call.provider_id == id);
        match same_id.as_slice() {
            [] => {}
            [at] => return Ok(Some((*at, Tie::Id { is_elsewhere: is_elsewhere(&calls[*at]) }))),
            several => {
                let here: Vec<_> = several.iter().filter(|at| !is_elsewhere(&calls[**at])).collect();
                return match here.as_slice() {
                    [at] => Ok(Some((**at, Tie::Id { is_elsewhere: false }))),
                    // A further one with the same id at a new index.
                    [] if fragment.name.is_some() => Ok(None),
                    // All in one place: the one that is being streamed, where it can be no other.
                    _ if last.is_some_and(|last| several.contains(&last))
                        && several
                            .iter()
                            .all(|at| Some(*at) == last || calls[*at].extent() == Extent::Closed) =>
                    {
                        Ok(last.map(|last| (last, Tie::Id { is_elsewhere: false })))
                    }
                    _ => Err(Ambiguous("several calls have its id")),
                };
            }
        }
    }
    let place = |has_index| match fragment.id {
        Some(_) => Tie::PlaceWithNewId { has_index },
        None => Tie::Place,
    };
    if fragment.index.is_some() {
        // Of several in one place the latest.
        if let Some(at) = having(&|call| call.index == fragment.index).last() {
            return Ok(Some((*at, place(true))));
        }
        let last_has_ended = last.is_none_or(|last| calls[last].extent() == Extent::Closed);
        return if fragment.id.is_some() || fragment.name.is_some() || last_has_ended {
            Ok(None)
        } else {
            Err(Ambiguous("a new index with neither an id nor a name, behind a call that has not ended"))
        };
    }
    let Some(last) = last else { return Ok(None) };
    let others_open = having(&|call| call.extent() == Extent::Open).iter().any(|at| *at != last);
    if others_open && fragment.name.is_none() {
        return Err(Ambiguous("several calls are open, and it has no index"));
    }
    Ok(Some((last, place(false))))
}
