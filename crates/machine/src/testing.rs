//! For tests of this crate and of engines: programs in text form.

use std::fmt::Write as _;

use heddle_base::Random;
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

/// A random program: threads with loads, stores, sections, locks and waits on a few variables.
pub fn random_text(random: &mut Random) -> String {
    let threads = 2 + random.below(2);
    let mut text = format!("{LOCKS}\nglobal m: i32 = 0\nglobal k: i32 = 0\n");
    for v in ["x", "y", "z"] {
        writeln!(text, "global {v}: i32 = 0").unwrap();
    }
    for t in 0..threads {
        writeln!(text, "global out{t}: i32 = 0").unwrap();
    }
    for t in 0..threads {
        writeln!(text, "fn w{t}(arg: ptr) {{\n acc = 0").unwrap();
        let length = 1 + random.below(if threads == 2 { 4 } else { 2 });
        let mut label = 0;
        let mut held: Vec<&str> = Vec::new();
        for _ in 0..length {
            let v = ["x", "y", "z"][random.below(3) as usize];
            let c = 1 + random.below(2);
            match random.below(12) {
                0..3 => writeln!(text, " a = load.i32 &{v}\n acc = acc * 3 + a").unwrap(),
                3..6 => writeln!(text, " store.i32 &{v}, {c}").unwrap(),
                6 => writeln!(text, " atomic_begin\n a = load.i32 &{v}\n store.i32 &{v}, a + {c}\n atomic_end").unwrap(),
                7 => {
                    label += 1;
                    writeln!(text, " if acc == 0 goto l{label}\n store.i32 &{v}, {c}\nl{label}: skip").unwrap();
                }
                8 => writeln!(
                    text,
                    " atomic_begin model\n a = load.i32 &{v}\n await a != 0, other &{v}\n store.i32 &{v}, 0\n atomic_end"
                )
                .unwrap(),
                10 => writeln!(
                    text,
                    " atomic_begin model\n a = load.i32 &{v}\n await.spurious a != 0, condition &{v}\n atomic_end"
                )
                .unwrap(),
                9 => writeln!(text, " atomic_begin\n a = load.i32 &{v}\n assume a != {c}\n store.i32 &{v}, 2\n atomic_end")
                    .unwrap(),
                _ => {
                    let lock = ["m", "k"][random.below(2) as usize];
                    if let Some(at) = held.iter().position(|h| *h == lock) {
                        held.remove(at);
                        writeln!(text, " call unlock(&{lock})").unwrap();
                    } else {
                        held.push(lock);
                        writeln!(text, " call lock(&{lock})").unwrap();
                    }
                }
            }
        }
        for lock in held.into_iter().rev() {
            writeln!(text, " call unlock(&{lock})").unwrap();
        }
        writeln!(text, " store.i32 &out{t}, acc\n return\n}}").unwrap();
    }
    text.push_str("fn main() {\n");
    for t in 1..threads {
        writeln!(text, " spawn w{t}(null)").unwrap();
    }
    text.push_str(" call w0(null)\n return\n}\n");
    text
}
