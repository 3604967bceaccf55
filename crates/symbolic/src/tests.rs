//! Unwinding of programs in text form: how far loops and calls go, what is cut off, which threads there are.

use heddle_base::Budget;
use heddle_ir::text::parse;
use heddle_ir::{Program, PropertySet, Visibility};
use heddle_solver::Terms;

use crate::unwind::{Knowledge, UnwindConfig, unwind};

fn program(text: &str) -> Program {
    parse(text).unwrap_or_else(|error| panic!("{error}"))
}

/// The threads, possible violations and cut-offs at a bound.
#[track_caller]
fn check(bound: u64, text: &str, threads: usize, violations: usize, cuts: usize) {
    let program = program(text);
    let config = UnwindConfig {
        unwind: bound,
        unwindset: Vec::new(),
        properties: PropertySet::default(),
        domains: Vec::new(),
        deadlocks: false,
        max_steps: 10_000,
        thread_steps: None,
    };
    let (mut knowledge, mut terms) = (Knowledge::new(&program), Terms::new());
    let visibility = Visibility::conservative(&program);
    let unwinding = unwind(&program, &visibility, &config, &mut knowledge, &mut terms, &Budget::unlimited()).unwrap();
    assert!(unwinding.unsupported.is_empty(), "{:?}", unwinding.unsupported);
    let found = (unwinding.threads.len(), unwinding.violations.len(), unwinding.cuts.len());
    assert_eq!(found, (threads, violations, cuts), "threads, violations, cut-offs");
    let chained: usize = unwinding.threads.iter().map(|thread| thread.chain.len()).sum();
    assert!(chained <= unwinding.nodes.len());
    assert!(unwinding.accesses.iter().all(|access| unwinding.nodes.get(access.node).is_some()));
}

const COUNT_TO_TEN: &str = "
    program lp64
    entry main
    fn main() {
      regs i: i32
      i = 0
      head:
      if i == 10 goto end
      i = i + 1
      goto head
      end:
      assert i == 10, assert \"ten\"
      return
    }";

#[test]
fn a_loop_of_constants_is_unrolled_completely() {
    // The assertion is decided: nothing can go wrong.
    check(1, COUNT_TO_TEN, 1, 0, 0);
    check(0, COUNT_TO_TEN, 1, 0, 0);
}

const COUNT_TO_INPUT: &str = "
    program lp64
    entry main
    fn main() {
      regs i: i32, n: i32
      i = 0
      n = havoc.i32 n
      head:
      if i == n goto end
      i = i + 1
      goto head
      end:
      assert i == 0, assert \"none\"
      return
    }";

#[test]
fn other_loops_are_cut_and_say_so() {
    // One exit for each round; they meet at the assertion.
    check(0, COUNT_TO_INPUT, 1, 0, 1);
    check(1, COUNT_TO_INPUT, 1, 1, 1);
    check(5, COUNT_TO_INPUT, 1, 1, 1);
}

#[test]
fn recursion_of_constants_ends_and_other_recursion_is_cut() {
    let recursive = |argument: &str| {
        format!(
            "program lp64
            entry main
            fn down(k: i32) {{
              if k == 0 goto end
              call down(k - 1)
              end:
              return
            }}
            fn main() {{
              regs n: i32
              n = havoc.i32 n
              call down({argument})
              return
            }}"
        )
    };
    check(1, &recursive("10"), 1, 0, 0);
    check(1, &recursive("n"), 1, 0, 1);
    check(4, &recursive("n"), 1, 0, 1);
}

#[test]
fn a_call_through_a_pointer_tries_every_function() {
    // Each callee fails in its own way, and the table may have a null.
    let text = "
        program lp64
        entry main
        global table: [4 x ptr] = { 0: &one, 8: &two }
        fn one() {
          assert false, assert \"one\"
          return
        }
        fn two() {
          assert false, assert \"two\"
          return
        }
        fn main() {
          regs n: i64, f: ptr
          n = havoc.i64 n
          f = load.ptr &table + ((n & 3) << 3)
          call *f()
          return
        }";
    check(1, text, 1, 3, 0);
}

#[test]
fn a_loop_starts_threads() {
    let text = "
        program lp64
        entry main
        global x: i32
        fn work(arg: ptr) {
          regs old: i32
          old = load.i32 &x
          store.i32 &x, old + 1
          return
        }
        fn main() {
          regs i: i32
          i = 0
          head:
          if i == 3 goto end
          spawn work(null)
          i = i + 1
          goto head
          end:
          return
        }";
    check(1, text, 4, 0, 0);
}
