//! Steps a second of the machine: a counting loop over registers, over a local in memory, over a global, over a global
//! while another thread waits, and calls.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use heddle_ir::Visibility;
use heddle_ir::text::parse;
use heddle_machine::{Config, First, Machine, compile, run};

const ROUNDS: u64 = 1_000_000;

const LOOPS: [(&str, &str); 5] = [
    (
        "registers",
        "fn main() {
          i = 0
          s = 0
        loop:
          if i >= 1000000 goto done
          s = s + i
          i = i + 1
          goto loop
        done:
          exit 0
        }",
    ),
    (
        "local in memory",
        "fn main() {
          slot i: i32
          store.i32 &i, 0
        loop:
          a = load.i32 &i
          if a >= 1000000 goto done
          store.i32 &i, a + 1
          goto loop
        done:
          exit 0
        }",
    ),
    (
        "global",
        "global i: i32 = 0
        fn main() {
        loop:
          a = load.i32 &i
          if a >= 1000000 goto done
          store.i32 &i, a + 1
          goto loop
        done:
          exit 0
        }",
    ),
    (
        "global, two threads",
        "global i: i32 = 0
        global done: i32 = 0
        fn worker(arg: ptr) {
        loop:
          a = load.i32 &i
          if a >= 1000000 goto done
          store.i32 &i, a + 1
          goto loop
        done:
          store.i32 &done, 1
          return
        }
        fn main() {
          spawn worker(null)
          atomic_begin model
          d = load.i32 &done
          await d == 1, join &done
          atomic_end
          exit 0
        }",
    ),
    (
        "calls",
        "fn next(i: i32) -> i32 { return i + 1 }
        fn main() {
          i = 0
        loop:
          if i >= 1000000 goto done
          i = call next(i)
          goto loop
        done:
          exit 0
        }",
    ),
];

fn counting(c: &mut Criterion) {
    let mut group = c.benchmark_group("steps");
    group.sample_size(10);
    for (name, text) in LOOPS {
        let program = parse(text).expect("a program");
        let code = compile(&program, &Visibility::conservative(&program));
        // Four steps a round in every loop.
        group.throughput(Throughput::Elements(4 * ROUNDS));
        group.bench_function(name, |b| {
            b.iter(|| {
                let mut machine = Machine::new(&program, &code, Config::default());
                let mut made = Vec::new();
                run(&mut machine, &mut First, &mut made).expect("no schedule to fit")
            });
        });
    }
    group.finish();
}

criterion_group!(benches, counting);
criterion_main!(benches);
