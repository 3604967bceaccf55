//! Speed of lexing and parsing, on generated text that has the mix of a preprocessed program: prototypes with attributes,
//! structs, and functions.

use std::fmt::Write;
use std::hint::black_box;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use heddle_base::SourceMap;
use heddle_c_front::diag::Diagnostics;
use heddle_c_front::intern::Interner;
use heddle_c_front::parse::parse_unit;

/// A program of about `size` bytes.
fn program(size: usize) -> String {
    let mut text = String::new();
    for n in 0.. {
        if text.len() >= size {
            break;
        }
        let _ = write!(
            text,
            r#"# {n} "/usr/include/generated_{n}.h" 1 3 4
typedef unsigned long int size_type_{n};
struct node_{n} {{ struct node_{n} *next, *previous; size_type_{n} length; char name[32]; unsigned flag : 3; }};
extern int library_call_{n} (struct node_{n} *__restrict __node, const char *__name, size_type_{n} __n)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1, 2)));
extern void *other_call_{n} (void *__p, int __flags, ...) __attribute__ ((__nothrow__));
# {n} "program.c" 2
static struct node_{n} pool_{n}[16] = {{ [0] = {{ .length = 1, .name = "first\n" }}, [1 ... 3] = {{ 0, 0, 2 }} }};

int work_{n}(struct node_{n} *list, int limit)
{{
  int count = 0;
  for (struct node_{n} *p = list; p != (struct node_{n} *)0 && count < limit; p = p->next) {{
    if (p->length > sizeof(struct node_{n}) || (p->flag & 0x3u) == 1)
      count += library_call_{n}(p, p->name, (size_type_{n}) count * 2 + 1);
    else if (!p->previous)
      continue;
    switch (p->name[0]) {{
      case 'a': pool_{n}[count % 16].length++; break;
      default: return -1;
    }}
  }}
  return count > limit ? limit : count; /* done */
}}
"#
        );
    }
    text
}

fn bench(criterion: &mut Criterion) {
    for (name, size) in [("40 kB", 40_000), ("1 MB", 1_000_000)] {
        let text = program(size);
        let mut group = criterion.benchmark_group("parse");
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function(name, |bencher| {
            bencher.iter_batched(
                || {
                    let mut sources = SourceMap::new();
                    let start = sources.add_input("program.i", text.clone()).expect("room for the text");
                    (sources, start)
                },
                |(mut sources, start)| {
                    let (mut interner, mut diags) = (Interner::default(), Diagnostics::default());
                    let ast = parse_unit(&mut sources, start, &mut interner, &mut diags);
                    assert!(!diags.has_errors());
                    black_box(ast)
                },
                BatchSize::LargeInput,
            );
        });
        group.finish();
    }
}

criterion_group!(benches, bench);
criterion_main!(benches);
