//! Makes a program smaller while something stays as it is.

use super::tree::Source;

/// The smallest program found by leaving out statements, dissolving blocks and emptying threads for which `holds`.
pub fn shrink(source: Source, holds: &mut dyn FnMut(&Source) -> bool) -> Source {
    let mut best = source;
    loop {
        let mut smaller = false;
        for thread in 0..best.threads.len() {
            let mut candidate = best.clone();
            candidate.threads[thread].clear();
            if !best.threads[thread].is_empty() && holds(&candidate) {
                best = candidate;
                smaller = true;
            }
        }
        // From the back, so that what was tried before keeps its place.
        for place in (0..best.places()).rev() {
            if place >= best.places() {
                continue;
            }
            for candidate in [best.without(place), best.hoisted(place)] {
                if candidate.text().len() < best.text().len() && holds(&candidate) {
                    best = candidate;
                    smaller = true;
                    break;
                }
            }
        }
        if !smaller {
            return best;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tree::{Source, Stmt};
    use super::shrink;

    #[test]
    fn keeps_what_matters() {
        let line = |text: &str| Stmt::Line(text.to_owned());
        let inner = Stmt::Block {
            parts: vec![
                ("if (y) {".to_owned(), vec![line("x = 1;"), line("y = 2;")]),
                ("} else {".to_owned(), vec![line("x = 3;")]),
            ],
            close: "}".to_owned(),
        };
        let source = Source { threads: vec![vec![line("y--;")]], main: vec![line("x++;"), inner, line("x = 9;")] };
        let small = shrink(source, &mut |s| s.text().contains("y = 2;"));
        assert_eq!(small.main.len(), 1);
        assert!(small.threads[0].is_empty());
        assert!(!small.text().contains("if ("));
    }
}
