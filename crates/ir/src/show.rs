//! What `heddle show cfg|loops|threads|shared` prints: plain text for all, Graphviz for `cfg` and `threads`.

use std::fmt::Write;

use heddle_base::{Id, Loc};

use crate::analysis::Analysis;
use crate::cfg::{Block, Cfg};
use crate::layout::{Layout, LayoutId, LayoutKind};
use crate::loops::{Loop, Loops};
use crate::mentions::Mentioned;
use crate::points_to::{InstanceId, ObjectId, ObjectKind, Offset, PointsTo};
use crate::program::{FuncId, Function, Program};
use crate::sharing::SharedObject;
use crate::step::{AllocKind, StepId};
use crate::text::step_lines;
use crate::threads::{ThreadClass, ThreadId, Threads};

/// Which functions to show.
#[derive(Clone, Copy, Debug, Default)]
pub struct ShowOptions {
    /// Also those of library models.
    pub models: bool,
    /// Also those that nothing reachable mentions.
    pub unreachable: bool,
}

fn functions(program: &Program, options: ShowOptions) -> impl Iterator<Item = (FuncId, &Function)> {
    let mentioned = (!options.unreachable).then(|| Mentioned::from_entry(program));
    program
        .functions
        .iter_enumerated()
        .filter(move |(id, f)| (options.models || !f.model) && mentioned.as_ref().is_none_or(|m| m.functions[*id]))
}

/// The basic blocks of each function, with what follows each.
pub fn cfg_text(program: &Program, options: ShowOptions) -> String {
    let mut out = String::new();
    for (id, function) in functions(program, options) {
        let cfg = Cfg::new(function);
        let lines = step_lines(program, id);
        writeln!(out, "{}{}:", if out.is_empty() { "" } else { "\n" }, function.name).unwrap();
        for (block_id, block) in cfg.blocks.iter_enumerated() {
            let next: Vec<String> = block.succs.iter().map(ToString::to_string).collect();
            let next = if next.is_empty() { "end".to_owned() } else { next.join(", ") };
            writeln!(out, "  {block_id} -> {next}").unwrap();
            for step in block.steps() {
                writeln!(out, "    {}: {}", step.index(), lines[step]).unwrap();
            }
        }
    }
    out
}

/// The control flow graphs for Graphviz, one cluster a function.
pub fn cfg_dot(program: &Program, options: ShowOptions) -> String {
    let mut out = String::from("digraph cfg {\n  node [shape=box, fontname=monospace];\n");
    for (id, function) in functions(program, options) {
        let cfg = Cfg::new(function);
        let lines = step_lines(program, id);
        writeln!(out, "  subgraph cluster_{id} {{\n    label={};", dot_string(&function.name)).unwrap();
        for (block_id, block) in cfg.blocks.iter_enumerated() {
            let text = |step: StepId| format!("{}: {}\n", step.index(), lines[step]);
            let label: String = block.steps().map(text).collect();
            writeln!(out, "    {id}_{block_id} [label={}];", dot_string(&label)).unwrap();
        }
        out.push_str("  }\n");
        for (block_id, block) in cfg.blocks.iter_enumerated() {
            for succ in &block.succs {
                let label = edge_label(function, &cfg, block, cfg.blocks[*succ].first);
                writeln!(out, "  {id}_{block_id} -> {id}_{succ}{label};").unwrap();
            }
        }
    }
    out.push_str("}\n");
    out
}

/// Which side of a branch an edge is.
fn edge_label(function: &Function, cfg: &Cfg, block: &Block, to: StepId) -> &'static str {
    let kind = &function.steps[block.last].kind;
    match (kind.target(), kind.falls_through() && cfg.blocks.len() > 1) {
        (Some(target), true) if target == to => " [label=\"yes\"]",
        (Some(_), true) => " [label=\"no\"]",
        _ => "",
    }
}

/// A string for Graphviz, its lines to the left.
/// A string of Graphviz.
pub fn dot_string(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\l");
    format!("\"{escaped}\"")
}

/// The loops of each function with their names for `--unwindset`, inner ones indented.
pub fn loops_text(program: &Program, options: ShowOptions) -> String {
    let mut out = String::new();
    for (_, function) in functions(program, options) {
        let loops = Loops::new(function, &Cfg::new(function));
        for l in loops.loops.iter() {
            writeln!(out, "{}", loop_line(program, l)).unwrap();
        }
    }
    if out.is_empty() { "no loops\n".to_owned() } else { out }
}

fn loop_line(program: &Program, l: &Loop) -> String {
    let indent = 2 * (l.depth as usize - 1);
    let back: Vec<String> = l.back_edges.iter().map(|s| s.index().to_string()).collect();
    let (head, back) = (l.head.index(), back.join(", "));
    let irreducible = if l.irreducible { ", irreducible" } else { "" };
    let name = format!("{:indent$}{}", "", l.name);
    format!("{name:<24} {:<24} step {head}, back from {back}{irreducible}", place(program, l.loc))
}

/// `queue.c:41:5`, or `-` for what has no place.
pub fn place(program: &Program, loc: Loc) -> String {
    if loc.is_nowhere() { "-".to_owned() } else { program.sources.display(loc) }
}

/// The thread classes: where each is created, by whom, how many there can be, and what runs at the same time.
pub fn threads_text(program: &Program, analysis: &Analysis) -> String {
    let threads = &analysis.threads;
    let mut out = String::new();
    for (id, class) in threads.classes.iter_enumerated() {
        let number = if class.many { "any number" } else { "one" };
        writeln!(out, "{}: {number}", class.name).unwrap();
        if class.spawn.is_some() {
            let parents = names(threads, class.parents.iter().copied());
            writeln!(out, "  starts {}", program.functions[class.start].name).unwrap();
            writeln!(out, "  created by {parents} at {}", place(program, class.loc)).unwrap();
        }
        let others = names(threads, threads.classes.ids().filter(|&b| threads.at_once(id, b)));
        writeln!(out, "  runs at once with {}", if others.is_empty() { "nothing" } else { &others }).unwrap();
    }
    out
}

fn names(threads: &Threads, ids: impl Iterator<Item = ThreadId>) -> String {
    ids.map(|t| threads.classes[t].name.as_str()).collect::<Vec<_>>().join(", ")
}

/// The thread classes for Graphviz: who creates whom, and (dashed) what runs at the same time.
pub fn threads_dot(program: &Program, analysis: &Analysis) -> String {
    let threads = &analysis.threads;
    let mut out = String::from("digraph threads {\n  node [shape=box, fontname=monospace];\n");
    let label = |class: &ThreadClass| {
        let many = if class.many { ", any number" } else { "" };
        dot_string(&format!("{}{many}", class.name))
    };
    for (id, class) in threads.classes.iter_enumerated() {
        writeln!(out, "  {id} [label={}];", label(class)).unwrap();
    }
    for (id, class) in threads.classes.iter_enumerated() {
        for parent in &class.parents {
            writeln!(out, "  {parent} -> {id} [label={}];", dot_string(&place(program, class.loc))).unwrap();
        }
    }
    for a in threads.classes.ids() {
        for b in threads.classes.ids().filter(|&b| a <= b && threads.at_once(a, b)) {
            writeln!(out, "  {a} -> {b} [style=dashed, dir=none, constraint=false];").unwrap();
        }
    }
    out.push_str("}\n");
    out
}

/// The objects that several threads touch at the same time, with who reads and who writes which part.
pub fn shared_text(program: &Program, analysis: &Analysis, options: ShowOptions) -> String {
    let mut out = String::new();
    for shared in &analysis.sharing.objects {
        if options.models || !is_internal(program, &analysis.points_to, shared.object) {
            shared_object(program, analysis, shared, &mut out);
        }
    }
    if out.is_empty() { "nothing is shared\n".to_owned() } else { out }
}

fn shared_object(program: &Program, analysis: &Analysis, shared: &SharedObject, out: &mut String) {
    let name = object_label(program, &analysis.points_to, shared.object);
    let layout = object_layout(program, &analysis.points_to, shared.object);
    let parts: Vec<String> = shared.offsets.iter().map(|&o| part_name(program, &name, layout, o)).collect();
    writeln!(out, "{}", parts.join(", ")).unwrap();
    for (what, list) in [("read by", &shared.readers), ("written by", &shared.writers)] {
        if !list.is_empty() {
            writeln!(out, "  {what} {}", names(&analysis.threads, list.iter().copied())).unwrap();
        }
    }
}

/// The name of an object; an allocated one is called by the place in the user's code that asks for it.
fn object_label(program: &Program, points_to: &PointsTo, object: ObjectId) -> String {
    let ObjectKind::Alloc(instance, step) = points_to.objects[object].kind else {
        return points_to.object_name(program, object);
    };
    let mut at = (instance, step);
    while let (true, Some(site)) = (is_model(program, points_to, at.0), points_to.instances[at.0].site) {
        at = site;
    }
    let function = &program.functions[points_to.instances[at.0].func];
    let loc = function.steps[at.1].loc;
    let asked = if loc.is_nowhere() { format!("{}:{}", function.name, at.1.index()) } else { place(program, loc) };
    format!("block of {asked}")
}

fn is_model(program: &Program, points_to: &PointsTo, instance: InstanceId) -> bool {
    program.functions[points_to.instances[instance].func].model
}

/// Whether an object belongs to a library model: its globals, its locals, what it allocates for itself.
fn is_internal(program: &Program, points_to: &PointsTo, object: ObjectId) -> bool {
    match points_to.objects[object].kind {
        ObjectKind::Global(global) => program.globals[global].model,
        ObjectKind::Slot(instance, _) => is_model(program, points_to, instance),
        ObjectKind::Alloc(instance, step) => {
            let function = &program.functions[points_to.instances[instance].func];
            let kind = &function.steps[step].kind;
            matches!(kind, crate::step::StepKind::Alloc { kind: AllocKind::Model, .. })
        }
        ObjectKind::Func(_) => false,
    }
}

fn object_layout(program: &Program, points_to: &PointsTo, object: ObjectId) -> Option<LayoutId> {
    match points_to.objects[object].kind {
        ObjectKind::Global(global) => Some(program.globals[global].layout),
        ObjectKind::Slot(instance, slot) => {
            Some(program.functions[points_to.instances[instance].func].slots[slot].layout)
        }
        ObjectKind::Alloc(..) | ObjectKind::Func(_) => None,
    }
}

/// `q.head[3]` for an offset in an object.
fn part_name(program: &Program, name: &str, layout: Option<LayoutId>, offset: Offset) -> String {
    match (layout, offset) {
        (Some(layout), Offset::At(at)) if at >= 0 => format!("{name}{}", path_to(program, layout, at as u64)),
        (Some(layout), Offset::Any) => match &program.layouts[layout].kind {
            LayoutKind::Array { .. } => format!("{name}[*]"),
            LayoutKind::Scalar(_) => name.to_owned(),
            LayoutKind::Record { .. } | LayoutKind::Bytes => format!("{name}+*"),
        },
        _ => format!("{name}{offset}"),
    }
}

/// The way from the start of a layout to the scalar at an offset.
pub fn path_to(program: &Program, layout: LayoutId, offset: u64) -> String {
    let (mut at, mut left, mut path) = (layout, offset, String::new());
    loop {
        match &program.layouts[at].kind {
            LayoutKind::Array { elem, .. } if program.layouts[*elem].size > 0 => {
                let size = program.layouts[*elem].size;
                write!(path, "[{}]", left / size).unwrap();
                (at, left) = (*elem, left % size);
            }
            LayoutKind::Record { fields, .. } => {
                let holds = |l: &Layout, start: u64| start <= left && left < start + l.size;
                let Some(field) = fields.iter().find(|f| holds(&program.layouts[f.layout], f.offset)) else { break };
                if !field.name.is_empty() {
                    write!(path, ".{}", field.name).unwrap();
                }
                (at, left) = (field.layout, left - field.offset);
            }
            LayoutKind::Array { .. } | LayoutKind::Scalar(_) | LayoutKind::Bytes => break,
        }
    }
    if left > 0 {
        write!(path, "+{left}").unwrap();
    }
    path
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::text::parse;
    use crate::threads::tests::MODELS;

    const PROGRAM: &str = r#"
        layout t0 = struct "struct queue" size 24 align 4 {
          0: i32 head
          4: [5 x i32] items
        }
        global q: struct queue
        global last: ptr
        fn worker(arg: ptr) {         @ q.c:3:1
          i = 0                       @ q.c:4:3
        loop:
          if 5 <= i goto end          @ q.c:5:3
          store.i32 &q+12, i          @ q.c:6:5
          i = i + 1                   @ q.c:5:9
          goto loop                   @ q.c:5:9
        end:
          p = load.ptr &last
          b = alloc.heap 4            @ q.c:7:7
          store.i32 b, 1
          store.ptr &last, b
          return
        }
        fn main() {
          slot t: i64
          live t
          call create(&t, &worker, null)     @ q.c:11:3
          call create(&t, &worker, null)     @ q.c:12:3
          p = load.ptr &last
          y = load.i32 p
          x = load.i32 &q+12
          store.ptr &last, null
          exit 0
        }"#;

    fn check(show: fn(&Program) -> String, expect: Expect) {
        let program = parse(&format!("{MODELS}{PROGRAM}")).unwrap_or_else(|e| panic!("{e}"));
        expect.assert_eq(&show(&program));
    }

    #[test]
    fn cfg_as_text_and_picture() {
        check(
            |p| cfg_text(p, ShowOptions::default()),
            expect![[r#"
                worker:
                  b0 -> b1
                    0: i = 0
                  b1 -> b2, b3
                    1: if 5 <= i goto 5
                  b2 -> b1
                    2: store.i32 &q+12, i
                    3: i = i + 1
                    4: goto 1
                  b3 -> end
                    5: p = load.ptr &last
                    6: b = alloc.heap 4
                    7: store.i32 b, 1
                    8: store.ptr &last, b
                    9: return

                main:
                  b0 -> end
                    0: live t
                    1: call create(&t, &worker, null)
                    2: call create(&t, &worker, null)
                    3: p = load.ptr &last
                    4: y = load.i32 p
                    5: x = load.i32 &q+12
                    6: store.ptr &last, null
                    7: exit 0
            "#]],
        );
        check(
            |p| cfg_dot(p, ShowOptions::default()),
            expect![[r#"
                digraph cfg {
                  node [shape=box, fontname=monospace];
                  subgraph cluster_f3 {
                    label="worker";
                    f3_b0 [label="0: i = 0\l"];
                    f3_b1 [label="1: if 5 <= i goto 5\l"];
                    f3_b2 [label="2: store.i32 &q+12, i\l3: i = i + 1\l4: goto 1\l"];
                    f3_b3 [label="5: p = load.ptr &last\l6: b = alloc.heap 4\l7: store.i32 b, 1\l8: store.ptr &last, b\l9: return\l"];
                  }
                  f3_b0 -> f3_b1;
                  f3_b1 -> f3_b2 [label="no"];
                  f3_b1 -> f3_b3 [label="yes"];
                  f3_b2 -> f3_b1;
                  subgraph cluster_f4 {
                    label="main";
                    f4_b0 [label="0: live t\l1: call create(&t, &worker, null)\l2: call create(&t, &worker, null)\l3: p = load.ptr &last\l4: y = load.i32 p\l5: x = load.i32 &q+12\l6: store.ptr &last, null\l7: exit 0\l"];
                  }
                }
            "#]],
        );
    }

    #[test]
    fn loops() {
        check(
            |p| loops_text(p, ShowOptions::default()),
            expect![[r#"
                worker.0                 q.c:5:3                  step 1, back from 4
            "#]],
        );
    }

    #[test]
    fn threads() {
        check(
            |p| threads_text(p, &Analysis::new(p)),
            expect![[r#"
                main: one
                  runs at once with worker, worker.2
                worker: one
                  starts worker
                  created by main at q.c:11:3
                  runs at once with main, worker.2
                worker.2: one
                  starts worker
                  created by main at q.c:12:3
                  runs at once with main, worker
            "#]],
        );
        check(
            |p| threads_dot(p, &Analysis::new(p)),
            expect![[r#"
                digraph threads {
                  node [shape=box, fontname=monospace];
                  T0 [label="main"];
                  T1 [label="worker"];
                  T2 [label="worker.2"];
                  T0 -> T1 [label="q.c:11:3"];
                  T0 -> T2 [label="q.c:12:3"];
                  T0 -> T1 [style=dashed, dir=none, constraint=false];
                  T0 -> T2 [style=dashed, dir=none, constraint=false];
                  T1 -> T2 [style=dashed, dir=none, constraint=false];
                }
            "#]],
        );
    }

    #[test]
    fn shared() {
        check(
            |p| shared_text(p, &Analysis::new(p), ShowOptions::default()),
            expect![[r#"
                last
                  read by main, worker, worker.2
                  written by main, worker, worker.2
                q.items[2]
                  read by main
                  written by worker, worker.2
                block of q.c:7:7
                  read by main
                  written by worker, worker.2
            "#]],
        );
    }

    #[test]
    fn paths_into_layouts() {
        let program = parse(&format!("{MODELS}{PROGRAM}")).unwrap();
        let queue = LayoutId::new(0);
        let paths: Vec<String> = [0, 4, 12, 13, 30].iter().map(|&o| path_to(&program, queue, o)).collect();
        assert_eq!(paths, [".head", ".items[0]", ".items[2]", ".items[2]+1", "+30"]);
    }
}
