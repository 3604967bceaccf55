//! Strategies: what they find, what they tell.

use heddle_base::Id;
use heddle_ir::Visibility;
use heddle_task::{Choice, ThreadId};

use crate::testing::program;
use crate::*;

/// The assertion fails only if thread 0.1 runs between two particular steps of thread 0.2, and not later.
const DEPTH_TWO: &str = "
    global x: i32 = 0
    global y: i32 = 0
    fn setter(a: ptr) {
      store.i32 &x, 1
      store.i32 &x, 2
      return
    }
    fn reader(a: ptr) {
      v = load.i32 &x
      w = load.i32 &y
      assert v != 1, assert \"seen halfway\"
      return
    }
    fn main() {
      spawn setter(null)
      spawn reader(null)
      return
    }";

fn found(runs: u32, scheduler: &mut dyn Scheduler) -> u32 {
    let program = program(DEPTH_TWO);
    let code = compile(&program, &Visibility::conservative(&program));
    let mut machine = Machine::new(&program, &code, Config::default());
    (0..runs)
        .filter(|_| {
            machine.reset();
            run(&mut machine, scheduler, &mut Vec::new()).unwrap().violation().is_some()
        })
        .count() as u32
}

#[test]
fn pct_needs_the_depth_of_the_bug() {
    assert_eq!(found(200, &mut First), 0);
    assert_eq!(found(200, &mut Pct::new(1, 7)), 0, "without a change point threads are not preempted");
    let two = found(200, &mut Pct::new(2, 7));
    // The first execution tells how long executions are: seven turns, so every fifteenth run or so must do.
    assert!(two >= 8, "{two}");
}

#[test]
fn pct_lets_others_go_on_when_one_spins() {
    let text = "
        global go: i32 = 0
        fn waiter(a: ptr) {
        again:
          v = load.i32 &go
          if v == 0 goto again
          return
        }
        fn main() {
          spawn waiter(null)
          spawn waiter(null)
          store.i32 &go, 1
          return
        }";
    let program = program(text);
    let code = compile(&program, &Visibility::conservative(&program));
    for seed in 0..5 {
        let mut machine = Machine::new(&program, &code, Config::default());
        let outcome = run(&mut machine, &mut Pct::new(3, seed), &mut Vec::new()).unwrap();
        assert_eq!(outcome.to_string(), "finished");
    }
}

#[test]
fn a_guide_is_followed_as_far_as_it_goes() {
    let program = program(DEPTH_TWO);
    let code = compile(&program, &Visibility::conservative(&program));
    let step =
        |thread: usize| GuideStep { choice: Choice { thread: ThreadId::new(thread), spurious: false }, site: None };
    let go = |guide: Vec<GuideStep>| {
        let mut machine = Machine::new(&program, &code, Config::default());
        let (mut first, mut made) = (First, Vec::new());
        let mut guided = Guided::new(guide, &mut first);
        let outcome = run(&mut machine, &mut guided, &mut made).unwrap();
        (outcome.to_string(), guided.departure().cloned())
    };
    let (outcome, departure) = go(vec![step(0), step(0)]);
    assert_eq!(outcome, "finished");
    assert_eq!(departure, Some(Departure { step: 2, reason: DepartureReason::End }));
    let (outcome, departure) = go(vec![step(0), step(0), step(1), step(2), step(2)]);
    assert_eq!(outcome, "assert: seen halfway");
    assert_eq!(departure, None);
    let (_, departure) = go(vec![step(0), step(2)]);
    assert_eq!(departure, Some(Departure { step: 1, reason: DepartureReason::NoThread }));
    let wrong = GuideStep { site: Some(heddle_task::CodeSite { func: program.entry, step: Id::new(0) }), ..step(1) };
    let (_, departure) = go(vec![step(0), wrong]);
    assert!(matches!(departure, Some(Departure { step: 1, reason: DepartureReason::OtherSite(_) })), "{departure:?}");
}
