//! What must be answered how fast, and by whom.

/// A limit for one row.
pub struct Bar {
    /// Name and bound of the row, as the tables have them.
    pub row: &'static str,
    pub contexts: &'static str,
    pub engines: Engines,
    /// Whether equivalent interleavings are left out.
    pub reduced: bool,
    pub seconds: f64,
}

/// Which engines a limit is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Engines {
    /// This one.
    One(&'static str),
    /// Each of the three.
    Each,
    /// Any engine.
    Some,
}

impl Bar {
    /// Whether the times of the engines asked for meet it: a time each, none without an answer.
    pub fn is_met(&self, times: &[Option<f64>]) -> bool {
        let fast = |time: &Option<f64>| time.is_some_and(|time| time < self.seconds);
        match self.engines {
            Engines::One(_) | Engines::Each => !times.is_empty() && times.iter().all(fast),
            Engines::Some => times.iter().any(fast),
        }
    }
}

/// All limits.
pub fn bars() -> Vec<Bar> {
    let bar = |row, contexts, engines, reduced, seconds| Bar { row, contexts, engines, reduced, seconds };
    let lazy = Engines::One("lazy");
    let mut bars = vec![
        bar("reorder_6_bad (5,1)", "9", lazy, true, 0.2),
        bar("wronglock_7_bad (1,6)", "8", lazy, true, 2.0),
        bar("micro_2_ok (100)", "17", lazy, false, 20.0),
        bar("micro_2_ok (100)", "17", lazy, true, 1.0),
        bar("twostage_100_bad (99,1)", "4", Engines::Each, true, 5.0),
        bar("circular_buffer_ok", "∞", Engines::Some, true, 10.0),
        bar("reorder_10_bad (9,1)", "11", Engines::Some, true, 1.0),
        bar("reorder_20_bad (19,1)", "21", Engines::Some, true, 1.0),
    ];
    let dining = [
        "philosophers_2_bad",
        "philosophers_2_ok",
        "philosophers_3_bad",
        "philosophers_3_ok",
        "philosophers_4_bad",
        "philosophers_4_ok",
        "philosophers_5_bad",
        "philosophers_5_ok",
        "philosophers_6_bad",
        "philosophers_6_ok",
        "philosophers_7_bad",
        "philosophers_7_ok",
    ];
    bars.extend(dining.map(|row| bar(row, "∞", Engines::Some, true, 5.0)));
    bars
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_met_by_the_engines_that_it_names() {
        let met = |engines, times: &[Option<f64>]| {
            Bar { row: "", contexts: "", engines, reduced: true, seconds: 2.0 }.is_met(times)
        };
        assert!(met(Engines::One("lazy"), &[Some(1.9)]));
        assert!(!met(Engines::One("lazy"), &[Some(2.0)]));
        assert!(!met(Engines::One("lazy"), &[]));
        assert!(met(Engines::Each, &[Some(0.1), Some(0.2)]));
        assert!(!met(Engines::Each, &[Some(0.1), None]));
        assert!(met(Engines::Some, &[None, Some(0.2)]));
        assert!(!met(Engines::Some, &[None, None]));
    }
}
