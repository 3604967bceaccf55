//! `explore` on the classic families: executions a second, and executions against Mazurkiewicz traces.
//!
//! The families are those of the DPOR literature: *indexer* and *file system* (Flanagan and Godefroid, POPL 2005),
//! *last-zero* and *readers-writers* (Abdulla et al., POPL 2014). A line on standard error gives, for each, executions,
//! redundant ones, and the number of traces (of distinct orders of conflicting steps), where it is known.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use heddle_base::Budget;
use heddle_engines::{Engine, Explore};
use heddle_ir::{Program, PropertySet, text::parse};
use heddle_machine::Prepared;
use heddle_task::{Run, Statistics, Task};

/// `readers` threads read `x`, one writes it. Traces: 2^readers.
fn readers(n: usize) -> String {
    let spawns = "spawn reader(null)\n".repeat(n);
    format!(
        "global x: i32 = 0
        fn reader(arg: ptr) {{ a = load.i32 &x\n return }}
        fn main() {{ {spawns} store.i32 &x, 1\n exit 0 }}"
    )
}

/// Thread `j` (1..=n) writes array[j] from array[j-1]; thread 0 looks for the last zero.
fn last_zero(n: usize) -> String {
    let mut text = format!("global a: [{} x i32] = {{}}\n", n + 1);
    for j in 1..=n {
        text += &format!(
            "fn w{j}(arg: ptr) {{ v = load.i32 &a+{}\n store.i32 &a+{}, v + 1\n return }}\n",
            4 * (j - 1),
            4 * j
        );
    }
    let spawns: String = (1..=n).map(|j| format!("spawn w{j}(null)\n")).collect();
    text + &format!(
        "fn main() {{ {spawns}
          i = {n}:i64
        loop:
          v = load.i32 &a + i * 4
          if v == 0 goto done
          i = i - 1
          goto loop
        done:
          exit 0
        }}"
    )
}

/// Threads insert four messages each into a hash table of 128 by compare-and-swap; they collide from 12 threads on.
fn indexer(n: usize) -> String {
    let spawns: String = (0..n).map(|t| format!("spawn worker({}:ptr)\n", t)).collect();
    format!(
        "global table: [128 x i32] = {{}}
        fn worker(arg: ptr) {{
          tid = trunc.i32(ptrtoint.i64(arg))
          m = 0
        next:
          if m >= 4 goto done
          m = m + 1
          w = m * 11 + tid
          h = (w * 7) %u 128
        probe:
          atomic_begin rmw
          old = load.i32.seqcst &table + zext.i64(h) * 4
          if old != 0 goto taken
          store.i32.seqcst &table + zext.i64(h) * 4, w
        taken:
          atomic_end
          if old == 0 goto next
          h = (h + 1) %u 128
          goto probe
        done:
          return
        }}
        fn main() {{ {spawns} exit 0 }}"
    )
}

/// The inode and block locks of Frangipani, 32 inodes and 26 blocks.
fn file_system(n: usize) -> String {
    let spawns: String = (0..n).map(|t| format!("spawn worker({}:ptr)\n", t)).collect();
    format!(
        "global locki: [32 x i32] = {{}}
        global inode: [32 x i32] = {{}}
        global lockb: [26 x i32] = {{}}
        global busy: [26 x i32] = {{}}
        fn lock(m: ptr) {{
          atomic_begin model
          o = load.i32.plain.internal m
          await o == 0, mutex m
          store.i32.plain.internal m, self
          sync hold mutex m
          atomic_end
          return
        }}
        fn unlock(m: ptr) {{
          atomic_begin model
          sync unhold mutex m
          store.i32.plain.internal m, 0
          atomic_end
          return
        }}
        fn worker(arg: ptr) {{
          tid = ptrtoint.i64(arg)
          i = tid %u 32
          call lock(&locki + i * 4)
          v = load.i32 &inode + i * 4
          if v != 0 goto out
          b = (i * 2) %u 26
        again:
          call lock(&lockb + b * 4)
          u = load.i32 &busy + b * 4
          if u != 0 goto next
          store.i32 &busy + b * 4, 1
          store.i32 &inode + i * 4, trunc.i32(b) + 1
          call unlock(&lockb + b * 4)
          goto out
        next:
          call unlock(&lockb + b * 4)
          b = (b + 1) %u 26
          goto again
        out:
          call unlock(&locki + i * 4)
          return
        }}
        fn main() {{ {spawns} exit 0 }}"
    )
}

fn explore(program: &Program) -> Statistics {
    let statistics = Statistics::default();
    let task = Task::new(program, PropertySet::default());
    let prepared = Prepared::new(&task, &Budget::unlimited()).expect("there are no limits");
    let run = Run { budget: Budget::unlimited(), progress: &|_| {}, statistics: &statistics };
    let verdict = Explore::default().check(&task, &prepared, &run);
    assert!(matches!(verdict, heddle_task::Verdict::Safe(_)), "{verdict:?}");
    statistics
}

fn families(c: &mut Criterion) {
    // The number of traces, where a formula or the literature gives it.
    let families: Vec<(String, String, Option<u64>)> = vec![
        ("readers-writers 8".into(), readers(8), Some(256)),
        ("readers-writers 11".into(), readers(11), Some(2048)),
        ("last-zero 5".into(), last_zero(5), None),
        ("last-zero 10".into(), last_zero(10), None),
        ("indexer 11".into(), indexer(11), Some(1)),
        ("indexer 12".into(), indexer(12), Some(8)),
        ("indexer 13".into(), indexer(13), Some(64)),
        ("file-system 14".into(), file_system(14), Some(2)),
        ("file-system 16".into(), file_system(16), Some(8)),
        ("file-system 18".into(), file_system(18), Some(32)),
    ];
    let mut group = c.benchmark_group("explore");
    group.sample_size(10);
    for (name, text, traces) in families {
        let program = parse(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        let statistics = explore(&program);
        let executions = statistics.get("executions") as u64;
        let known = traces.map_or("?".to_owned(), |n| n.to_string());
        eprintln!("{name}: {executions} executions, {} redundant, {known} traces", statistics.get("redundant"));
        group.throughput(Throughput::Elements(executions));
        group.bench_function(&name, |b| b.iter(|| explore(&program)));
    }
    group.finish();
}

criterion_group!(benches, families);
criterion_main!(benches);
