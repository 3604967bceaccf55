//! For tests of this crate and of engines: programs in text form.

use heddle_ir::Program;
use heddle_ir::text::parse;

/// A program from its text form.
pub fn program(text: &str) -> Program {
    parse(text).unwrap_or_else(|error| panic!("{error}"))
}

/// Locks as the models write them: the owner's number in the first integer.
pub const LOCKS: &str = "
    fn lock(m: ptr) {
      atomic_begin model
      o = load.i32.plain.internal m
      await o == 0, mutex m
      store.i32.plain.internal m, self
      sync hold mutex m
      atomic_end
      return
    }
    fn unlock(m: ptr) {
      atomic_begin model
      sync unhold mutex m
      store.i32.plain.internal m, 0
      atomic_end
      return
    }
    fn wait_for(flag: ptr, n: i32) {
      atomic_begin model
      o = load.i32.plain.internal flag
      await o == n, join flag
      sync acquire join flag
      atomic_end
      return
    }
    fn done(flag: ptr) {
      atomic_begin model
      sync release join flag
      o = load.i32.plain.internal flag
      store.i32.plain.internal flag, o + 1
      atomic_end
      return
    }
";
