//! Programs whose loops other threads decide, with a rendering in which every loop has at most so many rounds.
//!
//! The restricted rendering has no loops: a round is an `if` in the one before it, and a round too much is an assumption that
//! fails. It is plain C, so what a bound on loops means does not depend on how an engine unwinds.

use std::fmt::Write as _;

use crate::random::Rng;

/// A statement.
#[derive(Clone, Debug)]
pub enum Stmt {
    Line(String),
    If { condition: String, body: Vec<Stmt> },
    While { condition: String, body: Vec<Stmt> },
    DoWhile { condition: String, body: Vec<Stmt> },
    Locked(Vec<Stmt>),
}

impl Stmt {
    fn body(&mut self) -> Option<&mut Vec<Stmt>> {
        match self {
            Stmt::Line(_) => None,
            Stmt::If { body, .. } | Stmt::While { body, .. } | Stmt::DoWhile { body, .. } | Stmt::Locked(body) => {
                Some(body)
            }
        }
    }
}

/// A program: the bodies of its threads; `main` starts and joins them and then does the last.
#[derive(Clone, Debug)]
pub struct Looping {
    pub threads: Vec<Vec<Stmt>>,
    pub main: Vec<Stmt>,
}

/// The program of a seed.
pub fn generate(seed: u64) -> Looping {
    let mut generator = Generator { rng: Rng::new(seed) };
    let threads = (0..2).map(|_| generator.body(2, 1)).collect();
    let last = generator.assertion();
    Looping { threads, main: vec![last] }
}

struct Generator {
    rng: Rng,
}

impl Generator {
    fn body(&mut self, most: usize, depth: usize) -> Vec<Stmt> {
        (0..1 + self.rng.below(most)).map(|_| self.statement(depth)).collect()
    }

    fn statement(&mut self, depth: usize) -> Stmt {
        let kinds = if depth == 0 { 5 } else { 10 };
        match self.rng.below(kinds) {
            0 => self.assertion(),
            1..=4 => Stmt::Line(self.assignment()),
            5 => Stmt::If { condition: self.condition(), body: self.body(1, depth - 1) },
            6..=7 => Stmt::While { condition: self.condition(), body: self.body(2, depth - 1) },
            8 => Stmt::DoWhile { condition: self.condition(), body: self.body(1, depth - 1) },
            _ => Stmt::Locked(self.body(2, depth - 1)),
        }
    }

    fn assignment(&mut self) -> String {
        let (a, b) = (self.rng.pick(&["x", "y"]), self.rng.pick(&["x", "y"]));
        match self.rng.below(6) {
            0 => format!("{a}++;"),
            1 => format!("{a} = {};", self.rng.below(3)),
            2 => format!("r0 = {a};"),
            3 => "r0++;".to_owned(),
            4 => format!("{a} = {b} + 1;"),
            _ => format!("{a} = r0;"),
        }
    }

    fn condition(&mut self) -> String {
        let place = self.rng.pick(&["x", "y"]);
        match self.rng.below(6) {
            0 => format!("{place} == 0"),
            1 => format!("{place} != {}", self.rng.below(3)),
            2 => format!("r0 < {place}"),
            3 => format!("{place} < {}", 1 + self.rng.below(4)),
            4 => "x != y".to_owned(),
            _ => format!("{place} > r0 && r0 < 4"),
        }
    }

    fn assertion(&mut self) -> Stmt {
        let place = self.rng.pick(&["x", "y", "r0"]);
        let n = self.rng.below(5);
        Stmt::Line(match self.rng.below(3) {
            0 => format!("__VERIFIER_assert({place} != {});", n + 1),
            1 => format!("__VERIFIER_assert({place} <= {n});"),
            _ => format!("__VERIFIER_assert(!(x == {n} && y == {}));", self.rng.below(3)),
        })
    }
}

impl Looping {
    /// The program as C; with `rounds`, every loop has at most that many.
    pub fn text(&self, rounds: Option<u64>) -> String {
        let mut out = String::from(PRELUDE);
        for (index, body) in self.threads.iter().enumerate() {
            let _ = writeln!(out, "\nstatic void *thread{index}(void *arg) {{\n    int r0 = 0;");
            render(body, 1, rounds, &mut out);
            out.push_str("    return 0;\n}\n");
        }
        out.push_str("\nint main(void) {\n    int r0 = 0;\n    pthread_t id[2];\n");
        for index in 0..self.threads.len() {
            let _ = writeln!(out, "    pthread_create(&id[{index}], 0, thread{index}, 0);");
        }
        for index in 0..self.threads.len() {
            let _ = writeln!(out, "    pthread_join(id[{index}], 0);");
        }
        render(&self.main, 1, rounds, &mut out);
        out.push_str("    return 0;\n}\n");
        out
    }

    /// Programs with one statement less, or one block dissolved.
    pub fn smaller(&self) -> Vec<Looping> {
        let mut all = Vec::new();
        for place in 0.. {
            let (mut without, mut hoisted) = (self.clone(), self.clone());
            let removed = without.change(place, &mut |body, at| {
                body.remove(at);
            });
            if !removed {
                return all;
            }
            all.push(without);
            let mut has_body = false;
            hoisted.change(place, &mut |body, at| {
                if let Some(inner) = body.remove(at).body() {
                    has_body = true;
                    body.splice(at..at, std::mem::take(inner));
                }
            });
            if has_body {
                all.push(hoisted);
            }
        }
        all
    }

    fn change(&mut self, place: usize, change: &mut dyn FnMut(&mut Vec<Stmt>, usize)) -> bool {
        let mut left = place;
        let mut bodies = self.threads.iter_mut().chain([&mut self.main]);
        bodies.any(|body| change_in(body, &mut left, change))
    }
}

fn change_in(body: &mut Vec<Stmt>, left: &mut usize, change: &mut dyn FnMut(&mut Vec<Stmt>, usize)) -> bool {
    for at in 0..body.len() {
        if *left == 0 {
            change(body, at);
            return true;
        }
        *left -= 1;
        if body[at].body().is_some_and(|inner| change_in(inner, left, change)) {
            return true;
        }
    }
    false
}

fn render(body: &[Stmt], depth: usize, rounds: Option<u64>, out: &mut String) {
    let indent = "    ".repeat(depth);
    for stmt in body {
        match (stmt, rounds) {
            (Stmt::Line(line), _) => {
                let _ = writeln!(out, "{indent}{line}");
            }
            (Stmt::If { condition, body }, _) => {
                let _ = writeln!(out, "{indent}if ({condition}) {{");
                render(body, depth + 1, rounds, out);
                let _ = writeln!(out, "{indent}}}");
            }
            (Stmt::Locked(body), _) => {
                let _ = writeln!(out, "{indent}pthread_mutex_lock(&m0);");
                render(body, depth, rounds, out);
                let _ = writeln!(out, "{indent}pthread_mutex_unlock(&m0);");
            }
            (Stmt::While { condition, body }, None) => {
                let _ = writeln!(out, "{indent}while ({condition}) {{");
                render(body, depth + 1, rounds, out);
                let _ = writeln!(out, "{indent}}}");
            }
            (Stmt::DoWhile { condition, body }, None) => {
                let _ = writeln!(out, "{indent}do {{");
                render(body, depth + 1, rounds, out);
                let _ = writeln!(out, "{indent}}} while ({condition});");
            }
            (Stmt::While { condition, body }, Some(left)) => unrolled(condition, body, depth, (left, rounds), out),
            (Stmt::DoWhile { condition, body }, Some(left)) => {
                render(body, depth, rounds, out);
                unrolled(condition, body, depth, (left.saturating_sub(1), rounds), out);
            }
        }
    }
}

/// The rounds that are left of a loop; inner loops have all of theirs in each.
fn unrolled(condition: &str, body: &[Stmt], depth: usize, (left, rounds): (u64, Option<u64>), out: &mut String) {
    let indent = "    ".repeat(depth);
    if left == 0 {
        let _ = writeln!(out, "{indent}if ({condition}) __VERIFIER_assume(0);");
        return;
    }
    let _ = writeln!(out, "{indent}if ({condition}) {{");
    render(body, depth + 1, rounds, out);
    unrolled(condition, body, depth + 1, (left - 1, rounds), out);
    let _ = writeln!(out, "{indent}}}");
}

const PRELUDE: &str = "typedef unsigned long pthread_t;
typedef union { char bytes[40]; long align; } pthread_mutex_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
void __VERIFIER_assert(int);
void __VERIFIER_assume(int);
pthread_mutex_t m0;
int x, y;
";

#[cfg(test)]
mod tests {
    use super::{Looping, Stmt};

    #[test]
    fn loops_become_ifs() {
        let body = vec![Stmt::Line("x++;".to_owned())];
        let program =
            Looping { threads: vec![vec![Stmt::While { condition: "y".to_owned(), body }]], main: Vec::new() };
        let text = program.text(Some(2));
        assert!(!text.contains("while"));
        assert_eq!(text.matches("x++;").count(), 2);
        assert_eq!(text.matches("if (y)").count(), 3);
        assert!(program.text(None).contains("while (y) {"));
    }
}
