//! One answer of what several engines have said.

use heddle_task::{Bounds, Reason, Run, Statistics, Verdict};

/// What an engine said, and its statistics.
pub(super) struct Said {
    pub(super) engine: &'static str,
    pub(super) verdict: Verdict,
    pub(super) statistics: Statistics,
}

impl Said {
    /// Whether there is nothing left to be asked.
    pub(super) fn is_decided(&self) -> bool {
        matches!(self.verdict, Verdict::Safe(_) | Verdict::Unsafe(_))
    }

    /// Whether it holds within bounds.
    pub(super) fn is_within(&self) -> bool {
        matches!(self.verdict, Verdict::SafeWithin(_))
    }

    /// Whether something other than a limit stands in the way.
    pub(super) fn gave_up(&self) -> bool {
        match self.verdict {
            Verdict::Unknown(Reason::Time | Reason::Memory | Reason::Cancelled) => false,
            Verdict::Unknown(_) => true,
            Verdict::Safe(_) | Verdict::SafeWithin(_) | Verdict::Unsafe(_) => false,
        }
    }

    fn bounds(&self) -> Option<&Bounds> {
        match &self.verdict {
            Verdict::SafeWithin(within) => Some(&within.bounds),
            Verdict::Safe(_) | Verdict::Unsafe(_) | Verdict::Unknown(_) => None,
        }
    }
}

/// The verdict of a run in which these were asked, in the order of the table of stages: not empty.
pub(super) fn conclude(mut said: Vec<Said>, run: &Run<'_>) -> Verdict {
    let chosen = said.remove(best(&said));
    for other in &said {
        run.statistics.absorb(&other.statistics, &format!("beside.{}.", other.engine));
    }
    run.statistics.absorb(&chosen.statistics, "");
    chosen.statistics.story().into_iter().for_each(|line| run.statistics.tell(line));
    if !chosen.is_decided() {
        for other in &said {
            run.statistics.tell(match &other.verdict {
                Verdict::SafeWithin(bounds) => format!("{}: SAFE WITHIN {bounds}", other.engine),
                Verdict::Unknown(reason) => format!("{}: UNKNOWN {reason}", other.engine),
                Verdict::Safe(_) | Verdict::Unsafe(_) => continue,
            });
        }
    }
    run.statistics.set_decided_by(chosen.engine);
    chosen.verdict
}

/// Which answer counts.
fn best(said: &[Said]) -> usize {
    let violated = said.iter().position(|said| matches!(said.verdict, Verdict::Unsafe(_)));
    if let Some(decided) = violated.or_else(|| said.iter().position(Said::is_decided)) {
        return decided;
    }
    // What stands in the way of the first engine is met by some execution, and bounds on context switches only hide it;
    // executing all interleavings would meet it too.
    let obstacle = said.first().is_some_and(Said::gave_up);
    let mut chosen = 0;
    for (index, one) in said.iter().enumerate().filter(|(_, said)| !obstacle || said.engine == "explore") {
        let Some(bounds) = one.bounds() else { continue };
        if said[chosen].bounds().is_none_or(|known| is_better(bounds, known)) {
            chosen = index;
        }
    }
    chosen
}

/// Whether one answer within bounds says more than another: it covers that and more, or has fewer kinds of bounds.
fn is_better(one: &Bounds, other: &Bounds) -> bool {
    let kinds = |bounds: &Bounds| bounds.named().iter().filter(|(_, bound)| bound.is_some()).count();
    let pairs = || one.named().into_iter().zip(other.named()).map(|((_, one), (_, other))| (one, other));
    let covers = pairs().all(|pair| match pair {
        (None, _) => true,
        (Some(one), Some(other)) => one >= other,
        (Some(_), None) => false,
    });
    one != other && covers || kinds(one) < kinds(other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use heddle_task::{Proof, Within};

    fn said(engine: &'static str, verdict: Verdict) -> Said {
        Said { engine, verdict, statistics: Statistics::default() }
    }

    fn of_bounds(bounds: Bounds) -> Verdict {
        Verdict::SafeWithin(Box::new(Within { bounds, ..Within::default() }))
    }

    fn within(unwind: Option<u64>, contexts: Option<u64>) -> Verdict {
        of_bounds(Bounds { unwind, contexts, ..Bounds::default() })
    }

    fn chosen(all: Vec<Said>) -> &'static str {
        all[best(&all)].engine
    }

    #[test]
    fn who_decides_is_asked_no_more() {
        let safe = Verdict::Safe(Proof::CompleteUnwinding);
        assert_eq!(chosen(vec![said("order", within(Some(3), None)), said("lazy", safe)]), "lazy");
    }

    #[test]
    fn a_bound_is_better_than_no_answer() {
        let time = || Verdict::Unknown(Reason::Time);
        assert_eq!(chosen(vec![said("order", time()), said("lazy", within(None, Some(5)))]), "lazy");
        assert_eq!(chosen(vec![said("order", within(Some(2), None)), said("lazy", time())]), "order");
        assert_eq!(chosen(vec![said("order", time()), said("lazy", time())]), "order");
    }

    #[test]
    fn fewer_kinds_of_bounds_cover_more() {
        let lazy = || said("lazy", within(Some(8), Some(5)));
        assert_eq!(chosen(vec![said("order", within(Some(2), None)), lazy()]), "order");
        assert_eq!(chosen(vec![said("order", Verdict::Unknown(Reason::Memory)), lazy()]), "lazy");
        assert_eq!(chosen(vec![said("order", within(Some(3), None)), said("lazy", within(Some(5), None))]), "lazy");
        assert_eq!(chosen(vec![said("order", within(Some(5), None)), said("lazy", within(Some(5), None))]), "order");
    }

    #[test]
    fn bounds_on_switches_do_not_hide_what_is_unsupported() {
        let unsupported = || said("order", Verdict::Unknown(Reason::Unsupported("it".to_owned())));
        assert_eq!(chosen(vec![unsupported(), said("lazy", within(None, Some(2)))]), "order");
        let wakes = || of_bounds(Bounds { spurious: Some(2), ..Bounds::default() });
        assert_eq!(chosen(vec![unsupported(), said("explore", wakes())]), "explore");
    }
}
