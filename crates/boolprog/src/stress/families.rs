//! Program families that grow with a number, as text: [BOOLPROG §5] and those that show what a proof rule can do.

use std::fmt::Write;

/// A family: its name, its program for a size (wrong on request), and what is expected.
pub struct Family {
    /// As in `docs/results.md`.
    pub name: &'static str,
    /// What it is about.
    pub about: &'static str,
    /// The program of a size. With `wrong` it has a violation.
    pub text: fn(n: usize, wrong: bool) -> String,
    /// Sizes to measure.
    pub sizes: &'static [usize],
}

/// All families.
pub const FAMILIES: [Family; 15] = [
    Family {
        name: "ART-PC",
        about: "n assignments of free values to 4 globals",
        text: art_pc,
        sizes: &[10, 20, 100, 1000, 10_000],
    },
    Family {
        name: "ART-V",
        about: "n globals, free values, then copies",
        text: art_v,
        sizes: &[10, 20, 100, 1000, 10_000],
    },
    Family {
        name: "POOL",
        about: "a server with n kinds of workers and a queue under a lock",
        text: pool,
        sizes: &[2, 5, 10, 20, 50],
    },
    Family {
        name: "PHASE",
        about: "n globals set up without a lock before the first thread (Remark 1)",
        text: phase,
        sizes: &[2, 10, 100],
    },
    Family { name: "LOCKS", about: "n nested locks", text: locks, sizes: &[1, 2, 5, 10, 20] },
    Family {
        name: "FLAGS",
        about: "at most one thread gets through (needs pairs), n flags",
        text: flags,
        sizes: &[1, 2, 4, 8],
    },
    Family {
        name: "TWO-LOCKS",
        about: "two locks for two counters of one bit (needs pairs), n bits of noise",
        text: two_locks,
        sizes: &[1, 2, 4, 8],
    },
    Family { name: "BCAST", about: "n locals of others reset by `$`", text: bcast, sizes: &[1, 2, 4, 8] },
    Family { name: "ROOM", about: "at most n threads inside, one for each seat", text: room, sizes: &[1, 2, 3] },
    Family {
        name: "TICKET",
        about: "a ticket lock with numbers of n bits (needs pairs)",
        text: ticket,
        sizes: &[1, 2, 3, 4],
    },
    Family {
        name: "CAS-MAX",
        about: "a maximum of n bits, raised by compare-and-swap",
        text: cas_max,
        sizes: &[1, 2, 4, 8],
    },
    Family {
        name: "COUNT",
        about: "up to n threads are counted while they are inside (defeats pairs from 2 on)",
        text: count,
        sizes: &[1, 2, 3],
    },
    Family {
        name: "SPAWN-JOIN",
        about: "a thread is started and waited for in a loop (needs pairs), n flags",
        text: spawn_join,
        sizes: &[1, 2, 4, 8],
    },
    Family { name: "CLOSED", about: "a loop of n steps inside an atomic section", text: closed, sizes: &[2, 10, 50] },
    Family {
        name: "VARS",
        about: "n locals that copy each other under a lock",
        text: vars,
        sizes: &[2, 5, 10, 20, 40],
    },
];

fn names(prefix: &str, n: usize) -> String {
    (0..n).map(|i| format!("{prefix}{i}")).collect::<Vec<_>>().join(", ")
}

fn art_pc(n: usize, wrong: bool) -> String {
    let mut text = format!("// ART-PC-{n}\ndecl {};\n\nworker() begin\n", names("x", 4));
    for i in 0..n {
        writeln!(text, "  x{} := *;", i % 4).unwrap();
    }
    let check = if wrong { "x0" } else { "x0 | !x0" };
    write!(text, "  assert({check});\nend\n\nmain() begin\n  again: start_thread worker;\n  goto again;\nend\n")
        .unwrap();
    text
}

fn art_v(n: usize, wrong: bool) -> String {
    let mut text = format!("// ART-V-{n}\ndecl {};\n\nworker() begin\n", names("x", n));
    for i in 0..n {
        writeln!(text, "  x{i} := *;").unwrap();
    }
    for i in 0..n {
        writeln!(text, "  x{i} := x{};", (i + 1) % n).unwrap();
    }
    let check = if wrong { "x0" } else { "x0 | !x0" };
    write!(text, "  assert({check});\nend\n\nmain() begin\n  again: start_thread worker;\n  goto again;\nend\n")
        .unwrap();
    text
}

/// A server: workers of n kinds take requests from a queue, and each kind has a resource of its own under one lock.
fn pool(n: usize, wrong: bool) -> String {
    let mut text = format!("// POOL-{n}\ndecl queued, open, {}, {};\n", names("busy", n), names("l", n));
    for i in 0..n {
        let check = if wrong && i == n - 1 { format!("!busy{i} & !queued") } else { format!("!busy{i}") };
        write!(
            text,
            "\nworker{i}() begin\n  decl mine;\n  while (open) do\n    atomic begin assume(queued | !open); mine := queued; queued := 0; end\n    \
             if (mine) then\n      lock l{i};\n      assert({check});\n      busy{i} := 1;\n      busy{i} := 0;\n      unlock l{i};\n    fi\n  od\nend\n"
        )
        .unwrap();
    }
    text.push_str("\nmain() begin\n  open := 1;\n  while (*) do\n    queued := 1;\n");
    for i in 0..n {
        writeln!(text, "    if (*) then start_thread worker{i}; fi").unwrap();
    }
    text.push_str("  od\n  open := 0;\nend\n");
    text
}

fn phase(n: usize, wrong: bool) -> String {
    let mut text = format!("// PHASE-{n}\ndecl l, {};\n\nworker() begin\n  lock l;\n", names("x", n));
    for i in 0..n {
        writeln!(text, "  assert(!x{i});").unwrap();
    }
    text.push_str("  unlock l;\nend\n\nmain() begin\n");
    if wrong {
        text.push_str("  start_thread worker;\n");
    }
    for i in 0..n {
        writeln!(text, "  x{i} := 1;\n  x{i} := 0;").unwrap();
    }
    text.push_str("  again: start_thread worker;\n  goto again;\nend\n");
    text
}

fn locks(n: usize, wrong: bool) -> String {
    let mut text = format!("// LOCKS-{n}\ndecl g, {};\n\nworker() begin\n", names("l", n));
    for i in 0..n {
        if !(wrong && n == 1) {
            writeln!(text, "  lock l{i};").unwrap();
        }
        if wrong && i == 0 && n > 1 {
            text.push_str("  unlock l0;\n");
        }
    }
    // Without all locks two threads can be here: with `wrong` every lock is given back too early.
    if wrong {
        for i in 1..n {
            writeln!(text, "  unlock l{i};").unwrap();
        }
    }
    text.push_str("  assert(!g);\n  g := 1;\n  g := 0;\n");
    if !wrong {
        for i in (0..n).rev() {
            writeln!(text, "  unlock l{i};").unwrap();
        }
    }
    text.push_str("end\n\nmain() begin\n  again: start_thread worker;\n  goto again;\nend\n");
    text
}

/// The first thread that takes the ticket goes on alone; nothing but pairs knows that it is alone.
fn flags(n: usize, wrong: bool) -> String {
    let mut text = format!("// FLAGS-{n}\ndecl taken, {};\n\nworker() begin\n", names("f", n));
    let guard = if wrong { "*" } else { "!taken" };
    writeln!(text, "  atomic begin assume({guard}); taken := 1; end").unwrap();
    text.push_str("  while (*) do\n");
    for i in 0..n {
        writeln!(text, "    f{i} := 1;\n    assert(f{i});\n    f{i} := 0;").unwrap();
    }
    text.push_str("  od\nend\n\nmain() begin\n  again: start_thread worker;\n  goto again;\nend\n");
    text
}

fn two_locks(n: usize, wrong: bool) -> String {
    let mut text = format!("// TWO-LOCKS-{n}\ndecl a, b, {};\n", names("noise", n));
    for (name, flag) in [("up", "a"), ("down", "b")] {
        let guard = if wrong { "*".to_owned() } else { format!("!{flag}") };
        write!(
            text,
            "\n{name}() begin\n  atomic begin assume({guard}); {flag} := 1; end\n  assert({flag});\n  {flag} := 0;\n"
        )
        .unwrap();
        for i in 0..n {
            writeln!(text, "  noise{i} := !noise{i};").unwrap();
        }
        text.push_str("end\n");
    }
    text.push_str("\nmain() begin\n  again: start_thread up;\n  start_thread down;\n  goto again;\nend\n");
    text
}

/// Whoever writes resets what others have noted; a note that is still there is right.
fn bcast(n: usize, wrong: bool) -> String {
    let mut text = format!("// BCAST-{n}\ndecl {};\n\nworker() begin\n  decl {};\n", names("x", n), names("seen", n));
    for i in 0..n {
        writeln!(text, "  atomic begin assume(x{i}); seen{i} := 1; end").unwrap();
        writeln!(text, "  assert(seen{i} => x{i});").unwrap();
        let passive = if wrong { format!("seen{i}$") } else { format!("seen{i}$ & x{i}") };
        writeln!(
            text,
            "  x{i}, seen{i}, seen{i}$ := !x{i}, 0, {}0;",
            if wrong { format!("{passive} | ") } else { String::new() }
        )
        .unwrap();
    }
    text.push_str("end\n\nmain() begin\n");
    for i in 0..n {
        writeln!(text, "  x{i} := 1;").unwrap();
    }
    text.push_str("  again: start_thread worker;\n  goto again;\nend\n");
    text
}

/// A counter in unary lets n threads in. Two threads know nothing of a third.
fn room(n: usize, wrong: bool) -> String {
    let mut text = format!("// ROOM-{n}\ndecl {}, {};\n\nworker() begin\n", names("seat", n), names("in", n + 1));
    text.push_str("  decl mine;\n");
    writeln!(text, "  goto {};", (0..n).map(|i| format!("S{i}")).collect::<Vec<_>>().join(", ")).unwrap();
    for i in 0..n {
        let guard = if wrong { "*".to_owned() } else { format!("!seat{i}") };
        writeln!(text, "  S{i}: atomic begin assume({guard}); seat{i} := 1; end").unwrap();
        // in_k: at least k + 1 threads are inside.
        text.push_str("  atomic begin\n");
        for k in (1..=n).rev() {
            writeln!(text, "    in{k} := in{k} | in{};", k - 1).unwrap();
        }
        writeln!(text, "    in0 := 1;\n  end\n  assert(!in{n});").unwrap();
        text.push_str("  atomic begin\n");
        for k in 0..n {
            writeln!(text, "    in{k} := in{};", k + 1).unwrap();
        }
        writeln!(text, "    in{n} := 0;\n    seat{i} := 0;\n  end\n  goto Done;").unwrap();
    }
    text.push_str("  Done: skip;\nend\n\nmain() begin\n  again: start_thread worker;\n  goto again;\nend\n");
    text
}

/// `x := x + 1`, modulo 2ⁿ: a bit changes if all below it are 1.
fn increment(x: &str, n: usize) -> String {
    let carry = |i: usize| (0..i).map(|k| format!("{x}{k}")).collect::<Vec<_>>().join(" & ");
    let bit = |i: usize| if i == 0 { format!("!{x}0") } else { format!("{x}{i} != ({})", carry(i)) };
    format!("{} := {};", names(x, n), (0..n).map(bit).collect::<Vec<_>>().join(", "))
}

/// `a = b` on n bits.
fn equal(a: &str, b: &str, n: usize) -> String {
    (0..n).map(|i| format!("{a}{i} = {b}{i}")).map(|e| format!("({e})")).collect::<Vec<_>>().join(" & ")
}

/// `a < b` on n bits.
fn less(a: &str, b: &str, n: usize) -> String {
    (0..n).fold("0".to_owned(), |below, i| format!("(!{a}{i} & {b}{i} | ({a}{i} = {b}{i}) & {below})"))
}

/// Each thread draws a number and waits until it is served. A number is given out only if fewer than 2ⁿ − 1 are in use. Wrong:
/// drawing is not atomic, so two threads have one number.
fn ticket(n: usize, wrong: bool) -> String {
    let mut text = format!("// TICKET-{n}\ndecl inside, {}, {};\n", names("next", n), names("serving", n));
    writeln!(text, "\nworker() begin\n  decl {}, {};", names("mine", n), names("after", n)).unwrap();
    text.push_str(if wrong { "" } else { "  atomic begin\n" });
    writeln!(text, "  {} := {};", names("after", n), names("next", n)).unwrap();
    writeln!(text, "  {}\n  assume(!({}));", increment("after", n), equal("after", "serving", n)).unwrap();
    writeln!(text, "  {} := {};\n  {}", names("mine", n), names("next", n), increment("next", n)).unwrap();
    text.push_str(if wrong { "" } else { "  end\n" });
    writeln!(text, "  assume({});\n  assert(!inside);\n  inside := 1;\n  inside := 0;", equal("mine", "serving", n))
        .unwrap();
    writeln!(text, "  {}\nend", increment("serving", n)).unwrap();
    text.push_str("\nmain() begin\n  again: start_thread worker;\n  goto again;\nend\n");
    text
}

/// A thread raises the maximum to its value unless it is that large; afterwards the maximum stays at least as large. Wrong: it
/// stores without comparing.
fn cas_max(n: usize, wrong: bool) -> String {
    let mut text = format!("// CAS-MAX-{n}\ndecl {};\n", names("max", n));
    writeln!(text, "\nworker() begin\n  decl done, {}, {};", names("v", n), names("old", n)).unwrap();
    writeln!(text, "  {} := {};\n  while (!done) do", names("v", n), vec!["*"; n].join(", ")).unwrap();
    writeln!(
        text,
        "    {} := {};\n    if (!{}) then\n      done := 1;\n    else",
        names("old", n),
        names("max", n),
        less("old", "v", n)
    )
    .unwrap();
    let same = if wrong { "1".to_owned() } else { equal("max", "old", n) };
    writeln!(
        text,
        "      atomic begin\n        if ({same}) then\n          {}, done := {}, 1;\n        fi\n      end\n    fi\n  od",
        names("max", n),
        names("v", n)
    )
    .unwrap();
    writeln!(text, "  assert(!{});\nend", less("max", "v", n)).unwrap();
    text.push_str("\nmain() begin\n  again: start_thread worker;\n  goto again;\nend\n");
    text
}

/// `at_i`: at least i + 1 threads are inside, and no more than n come in. Wrong: a thread may come in without being counted.
fn count(n: usize, wrong: bool) -> String {
    let mut text = format!("// COUNT-{n}\ndecl {};\n\nworker() begin\n", names("at", n));
    let up: Vec<String> = (0..n).map(|i| if i == 0 { "1".to_owned() } else { format!("at{}", i - 1) }).collect();
    let down: Vec<String> = (0..n).map(|i| if i + 1 == n { "0".to_owned() } else { format!("at{}", i + 1) }).collect();
    let counted = format!("atomic begin assume(!at{}); {} := {}; end", n - 1, names("at", n), up.join(", "));
    if wrong {
        writeln!(text, "  if (*) then {counted} fi").unwrap();
    } else {
        writeln!(text, "  {counted}").unwrap();
    }
    writeln!(text, "  assert(at0);\n  {} := {};\nend", names("at", n), down.join(", ")).unwrap();
    text.push_str("\nmain() begin\n  again: start_thread worker;\n  goto again;\nend\n");
    text
}

/// One worker at a time: the next one is started when the last one is done. Wrong: nobody waits.
fn spawn_join(n: usize, wrong: bool) -> String {
    let mut text = format!("// SPAWN-JOIN-{n}\ndecl done, {};\n\nworker() begin\n", names("x", n));
    for i in 0..n {
        writeln!(text, "  x{i} := 1;").unwrap();
    }
    for i in 0..n {
        writeln!(text, "  x{i} := 0;").unwrap();
    }
    text.push_str("  done := 1;\nend\n\nmain() begin\n  again: done := 0;\n  start_thread worker;\n");
    text.push_str(if wrong { "" } else { "  assume(done);\n" });
    let any = (0..n).map(|i| format!("x{i}")).collect::<Vec<_>>().join(" | ");
    writeln!(text, "  assert(!({any}));\n  goto again;\nend").unwrap();
    text
}

fn closed(n: usize, wrong: bool) -> String {
    let mut text = "// CLOSED\ndecl g, h;\n\nworker() begin\n".to_owned();
    let section = if wrong { ("", "") } else { ("  atomic begin\n", "  end\n") };
    text.push_str(section.0);
    text.push_str("  while (*) do\n");
    for _ in 0..n {
        text.push_str("    g := !g;\n    h := !h;\n");
    }
    text.push_str("  od\n  assert(g = h);\n");
    text.push_str(section.1);
    text.push_str("end\n\nmain() begin\n  again: start_thread worker;\n  goto again;\nend\n");
    text
}

fn vars(n: usize, wrong: bool) -> String {
    let mut text = format!("// VARS-{n}\ndecl g, l;\n\nworker() begin\n  decl {};\n", names("x", n));
    text.push_str(if wrong { "" } else { "  lock l;\n" });
    text.push_str("  x0 := g;\n");
    for i in 1..n {
        writeln!(text, "  x{i} := x{};", i - 1).unwrap();
    }
    writeln!(text, "  assert(x{} = g);\n  g := *;", n - 1).unwrap();
    text.push_str(if wrong { "" } else { "  unlock l;\n" });
    text.push_str("end\n\nmain() begin\n  again: start_thread worker;\n  goto again;\nend\n");
    text
}
