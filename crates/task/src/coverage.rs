//! What a search has covered, and the one place where `SAFE` is decided.
//!
//! An engine that found no violation fills a [`Coverage`]: everything that keeps its search from speaking for all
//! executions. [`Coverage::verdict`] makes the answer of it; no engine writes `SAFE` itself.
//!
//! **Invariant:** [`Verdict::Safe`] only if nothing was cut off and there is no obstacle. A bound that was reached gives
//! [`Verdict::SafeWithin`]; an obstacle, whatever the bounds, gives [`Verdict::Unknown`].

use serde::{Deserialize, Serialize};

use crate::task::{Bounds, Task};
use crate::verdict::{Proof, Reason, Verdict, Within};

/// What was looked at, and what was not.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Coverage {
    /// Where executions were cut off by a bound.
    pub cuts: Vec<Cut>,
    /// A limit of the engine or the machine that stopped it short of the bounds.
    pub limit: Option<String>,
    /// Something that the engine cannot handle is reachable.
    pub unsupported: Option<String>,
    /// Something without a defined meaning is reachable, and the property that covers it is not checked.
    pub undefined: Option<String>,
    /// A thread can observe another thread's write without synchronising with it, so that races are possible between
    /// accesses that are adjacent in no interleaving.
    pub unordered: bool,
    /// Memory that was never written is read, and not all of its values were considered.
    pub uninitialised: Option<String>,
    /// Inputs that did not have all values of their type.
    pub inputs: Vec<InputCoverage>,
    /// What is reachable within the bounds, where the engine knows.
    pub reached: Reached,
}

/// Executions were cut off.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cut {
    /// By which bound.
    pub bound: Bound,
    /// Its value.
    pub value: u64,
    /// What was cut off and where, if the engine knows.
    pub place: Option<CutPlace>,
}

/// What was cut off by a bound, and where.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CutPlace {
    /// Where, as `file:line:column`, in the user's own code if there is a place in it.
    pub place: String,
    /// What.
    pub kind: CutKind,
    /// The loop as `--unwindset` takes it, or the function that calls itself, or whose steps are bounded.
    pub name: String,
    /// Iterations, nested calls or steps that were considered.
    pub limit: u64,
}

/// What a bound can cut off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CutKind {
    /// Iterations of a loop.
    Loop,
    /// Iterations of a loop that creates threads.
    ThreadCreation,
    /// Recursive calls.
    Recursion,
    /// The rest of a thread.
    Thread,
}

impl CutKind {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            CutKind::Loop => "loop",
            CutKind::ThreadCreation => "thread_creation",
            CutKind::Recursion => "recursion",
            CutKind::Thread => "thread",
        }
    }
}

/// The bounds of [`Bounds`], by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    /// Iterations of loops, depth of recursion.
    Unwind,
    /// Context switches.
    Contexts,
    /// Points at which threads are chosen between.
    Choices,
    /// Steps of each thread.
    Steps,
    /// Spurious wake-ups of each thread.
    Spurious,
}

/// Which values of an input were considered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputCoverage {
    /// The input.
    pub name: String,
    /// Its values.
    pub values: InputValues,
}

/// Values of an input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InputValues {
    /// All that a domain allows, so many.
    Domain(u64),
    /// One of many.
    One,
}

/// What was reached within the bounds. `None` where the engine does not know.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reached {
    /// Whether some execution reaches the end of `main`: it returns, or the process or its first thread ends without `abort`.
    pub end_of_main: Option<bool>,
    /// The assertions of the user's own code, by place.
    pub assertions: Vec<ReachedAssertion>,
}

/// An assertion of the user's own code.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ReachedAssertion {
    /// Where, as `file:line:column`.
    pub place: String,
    /// Whether some execution evaluates it. `None` where the engine does not know.
    pub reached: Option<bool>,
}

impl Reached {
    /// Whether no execution reaches the end of `main` or an assertion. An answer within such bounds says next to nothing.
    pub fn is_vacuous(&self) -> bool {
        self.end_of_main == Some(false) && self.assertions.iter().all(|assertion| assertion.reached == Some(false))
    }
}

impl Coverage {
    /// That of a search that misses nothing: all values of all inputs, as far as the task has no domains for them.
    pub fn of(task: &Task<'_>) -> Self {
        let domain = |(name, values): &(String, Vec<i128>)| InputCoverage {
            name: name.clone(),
            values: InputValues::Domain(values.len() as u64),
        };
        Coverage { inputs: task.domains.iter().map(domain).collect(), ..Coverage::default() }
    }

    /// Notes that a bound cut something off at an unknown place.
    pub fn cut(&mut self, bound: Bound, value: u64) {
        self.cuts.push(Cut { bound, value, place: None });
    }

    /// Notes that a bound cut something off at these places, or at an unknown one if there are none.
    pub fn cut_at(&mut self, bound: Bound, value: u64, places: Vec<CutPlace>) {
        if places.is_empty() {
            self.cut(bound, value);
        }
        self.cuts.extend(places.into_iter().map(|place| Cut { bound, value, place: Some(place) }));
    }

    /// The bounds that cut something off.
    pub fn bounds(&self) -> Bounds {
        let mut bounds = Bounds::default();
        for cut in &self.cuts {
            let field = match cut.bound {
                Bound::Unwind => &mut bounds.unwind,
                Bound::Contexts => &mut bounds.contexts,
                Bound::Choices => &mut bounds.choices,
                Bound::Steps => &mut bounds.steps,
                Bound::Spurious => &mut bounds.spurious,
            };
            *field = Some(field.map_or(cut.value, |value| value.max(cut.value)));
        }
        bounds
    }

    /// Why the search does not speak for all executions within the bounds. The first of several in a fixed order, so that
    /// engines that meet the same obstacles name the same one.
    pub fn obstacle(&self) -> Option<Reason> {
        if let Some(limit) = &self.limit {
            return Some(Reason::Limit(limit.clone()));
        }
        if let Some(what) = &self.unsupported {
            return Some(Reason::Unsupported(what.clone()));
        }
        if let Some(what) = &self.undefined {
            return Some(Reason::Undefined(what.clone()));
        }
        if self.unordered {
            let what = "races where a thread observes another one without synchronising with it \
                        (a failed trylock, a relaxed access)";
            return Some(Reason::Unsupported(what.to_owned()));
        }
        if let Some(input) = self.inputs.iter().find(|input| input.values == InputValues::One) {
            return Some(Reason::Inputs(format!("only one value of `{}` was tried", input.name)));
        }
        self.uninitialised.clone().map(Reason::Inputs)
    }

    /// The answer of a search that found no violation. `proof` is what it rests on if nothing is missing.
    pub fn verdict(&self, proof: Proof) -> Verdict {
        let bounds = self.bounds();
        match self.obstacle() {
            Some(reason) => Verdict::Unknown(reason),
            None if bounds.is_empty() => Verdict::Safe(proof),
            None => {
                let (cuts, reached) = (self.cuts.clone(), self.reached.clone());
                Verdict::SafeWithin(Box::new(Within { bounds, cuts, reached }))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(fill: impl FnOnce(&mut Coverage)) -> String {
        let mut coverage = Coverage::default();
        fill(&mut coverage);
        match coverage.verdict(Proof::CompleteUnwinding) {
            Verdict::Safe(_) => "SAFE".to_owned(),
            Verdict::SafeWithin(bounds) => format!("SAFE WITHIN {bounds}"),
            Verdict::Unknown(reason) => reason.to_string().split(':').next().unwrap_or_default().to_owned(),
            Verdict::Unsafe(_) => "UNSAFE".to_owned(),
        }
    }

    #[test]
    fn nothing_missing_is_safe() {
        assert_eq!(answer(|_| {}), "SAFE");
        let domain = || InputCoverage { name: "n".to_owned(), values: InputValues::Domain(4) };
        assert_eq!(answer(|coverage| coverage.inputs.push(domain())), "SAFE");
        // What the search reached does not change what it covered.
        assert_eq!(answer(|coverage| coverage.reached.end_of_main = Some(false)), "SAFE");
    }

    #[test]
    fn each_bound_alone_forbids_safe() {
        for (bound, expected) in [
            (Bound::Unwind, "SAFE WITHIN unwind=3"),
            (Bound::Contexts, "SAFE WITHIN contexts=3"),
            (Bound::Choices, "SAFE WITHIN choices=3"),
            (Bound::Steps, "SAFE WITHIN steps=3"),
            (Bound::Spurious, "SAFE WITHIN spurious=3"),
        ] {
            assert_eq!(answer(|coverage| coverage.cut(bound, 3)), expected);
        }
    }

    #[test]
    fn each_obstacle_alone_forbids_safe_and_safe_within() {
        let one = || InputCoverage { name: "n".to_owned(), values: InputValues::One };
        let what = || Some("it".to_owned());
        type Fill<'a> = &'a dyn Fn(&mut Coverage);
        let obstacles: [(&str, Fill<'_>); 6] = [
            ("limit", &|coverage| coverage.limit = what()),
            ("unsupported", &|coverage| coverage.unsupported = what()),
            ("undefined", &|coverage| coverage.undefined = what()),
            ("unsupported", &|coverage| coverage.unordered = true),
            ("inputs", &|coverage| coverage.inputs.push(one())),
            ("inputs", &|coverage| coverage.uninitialised = what()),
        ];
        for (expected, fill) in obstacles {
            assert_eq!(answer(fill), expected);
            let with_bound = |coverage: &mut Coverage| {
                coverage.cut(Bound::Unwind, 3);
                fill(coverage);
            };
            assert_eq!(answer(with_bound), expected);
        }
    }

    #[test]
    fn the_largest_value_of_a_bound_is_named() {
        let twice = |coverage: &mut Coverage| {
            coverage.cut(Bound::Unwind, 2);
            coverage.cut(Bound::Unwind, 5);
            coverage.cut(Bound::Contexts, 4);
        };
        assert_eq!(answer(twice), "SAFE WITHIN unwind=5 contexts=4");
    }

    #[test]
    fn bounds_that_no_execution_survives_are_vacuous() {
        let assertion = |reached| ReachedAssertion { place: "a.c:1:1".to_owned(), reached };
        let vacuous = |end_of_main, assertions: &[Option<bool>]| {
            Reached { end_of_main, assertions: assertions.iter().map(|&reached| assertion(reached)).collect() }
                .is_vacuous()
        };
        assert!(vacuous(Some(false), &[]));
        assert!(vacuous(Some(false), &[Some(false), Some(false)]));
        assert!(!vacuous(Some(false), &[Some(false), Some(true)]));
        assert!(!vacuous(Some(true), &[Some(false)]));
        // What is not known is no reason to say so.
        assert!(!vacuous(Some(false), &[None]));
        assert!(!vacuous(None, &[]));
    }

    #[test]
    fn each_place_that_is_cut_off_is_kept() {
        let at = |line: u32| CutPlace {
            place: format!("a.c:{line}:1"),
            kind: CutKind::Loop,
            name: format!("main.{line}"),
            limit: 3,
        };
        let mut coverage = Coverage::default();
        coverage.cut_at(Bound::Unwind, 3, vec![at(1), at(2)]);
        coverage.cut_at(Bound::Contexts, 4, Vec::new());
        let Verdict::SafeWithin(within) = coverage.verdict(Proof::CompleteUnwinding) else { panic!("cut off") };
        let places: Vec<Option<&str>> =
            within.cuts.iter().map(|cut| cut.place.as_ref().map(|place| place.place.as_str())).collect();
        assert_eq!(places, [Some("a.c:1:1"), Some("a.c:2:1"), None]);
        assert_eq!(within.to_string(), "unwind=3 contexts=4");
    }

    #[test]
    fn coverage_can_be_stored() {
        let mut coverage = Coverage { unordered: true, ..Coverage::default() };
        coverage.cut(Bound::Steps, 7);
        let text = serde_json::to_string(&coverage).expect("plain data");
        assert_eq!(serde_json::from_str::<Coverage>(&text).expect("as it was written"), coverage);
    }
}
