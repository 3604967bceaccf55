//! Limits that hold whatever the rest is doing.
//!
//! Long computations ask their [`Budget`] and give up in good order. Where one does not ask in time (a phase whose length the
//! input decides, an allocation that grows faster than it is looked at), the watchdog answers in its place: once a limit is
//! passed by a margin, it says `UNKNOWN` with the reason and ends the process.
//!
//! Whoever answers first does so alone: [`claim`] is asked before an answer is written to standard output.

use std::sync::atomic::{AtomicU8, Ordering};
use std::time::{Duration, Instant};

use heddle_base::budget::resident_bytes;
use heddle_base::{Budget, Stop};
use heddle_task::Reason;

/// How long what asks its budget has for an answer after a limit is reached.
const GRACE: Duration = Duration::from_millis(700);
/// How often limits are looked at.
const INTERVAL: Duration = Duration::from_millis(10);
/// How much more than allowed may be held meanwhile, as a part of the limit.
const MEMORY_MARGIN: u64 = 20;

/// Who answers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answerer {
    Command = 1,
    Watchdog = 2,
}

/// Zero as long as nobody has answered.
static ANSWERER: AtomicU8 = AtomicU8::new(0);

/// Whether nobody else has answered. Who comes second must write nothing more.
pub(crate) fn claim(who: Answerer) -> bool {
    match ANSWERER.compare_exchange(0, who as u8, Ordering::SeqCst, Ordering::SeqCst) {
        Ok(_) => true,
        Err(other) => other == who as u8,
    }
}

/// Watches the limits of a budget from now on. `answer` gives the answer.
pub(crate) fn start(budget: &Budget, answer: impl Fn(&Reason) + Send + 'static) {
    let budget = budget.clone();
    // Without a thread there is no watchdog, and everything else is as before.
    let _ = std::thread::Builder::new().name("watchdog".to_owned()).spawn(move || watch(&budget, &answer));
}

fn watch(budget: &Budget, answer: &dyn Fn(&Reason)) {
    let mut since: Option<Instant> = None;
    let most = budget.memory_limit().map(|limit| limit.saturating_add(limit / MEMORY_MARGIN));
    loop {
        std::thread::sleep(INTERVAL);
        let too_large = most.is_some_and(|most| resident_bytes().is_some_and(|now| now > most));
        let stop = match budget.check() {
            Ok(()) if !too_large => {
                since = None;
                continue;
            }
            Ok(()) => Stop::Memory,
            Err(stop) => stop,
        };
        let begun = *since.get_or_insert_with(Instant::now);
        if !too_large && begun.elapsed() < GRACE {
            continue;
        }
        if claim(Answerer::Watchdog) {
            answer(&stop.into());
            std::process::exit(3);
        }
        return;
    }
}
