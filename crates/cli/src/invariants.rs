//! Invariants of a correctness witness as checks in the program's text.
//!
//! A check is an expression: it reads what the invariant mentions in one atomic step and calls [`VIOLATED`] with the
//! invariant's number if it does not hold. For a statement it stands before it, for a loop in its condition. Lines stay
//! where they are.
//!
//! **Limit.** A statement that is the whole body of an `if` or a loop has no place for a check before it; such an invariant
//! is left out, and the witness cannot be confirmed.

use heddle_task::witness::{Invariant, InvariantPlace};

/// The function that a violated invariant calls.
pub const VIOLATED: &str = "heddle_invariant_violated";

/// Declarations that checks need; one line.
pub const PRELUDE: &str = "extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void); \
     extern void __VERIFIER_error(void); \
     static void heddle_invariant_violated(int number) { __VERIFIER_error(); }";

/// The text with a check for each invariant, and the numbers of those that have no place.
pub fn instrument(text: &str, invariants: &[Invariant]) -> (String, Vec<usize>) {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let mut left_out = Vec::new();
    // From the end to the start, so that places before stay right.
    let mut order: Vec<usize> = (0..invariants.len()).collect();
    order.sort_by_key(|&i| std::cmp::Reverse((invariants[i].line, invariants[i].column.unwrap_or(1))));
    for number in order {
        let invariant = &invariants[number];
        let done = place(&lines, invariant).and_then(|at| match invariant.at {
            InvariantPlace::Location => before_statement(&mut lines, at, &check(number, invariant)),
            InvariantPlace::Loop => in_condition(&mut lines, at, &check(number, invariant)),
        });
        if done.is_none() {
            left_out.push(number);
        }
    }
    (lines.join("\n") + "\n", left_out)
}

/// A position: index of a line, and of a byte in it.
type At = (usize, usize);

fn check(number: usize, invariant: &Invariant) -> String {
    let expression = &invariant.expression;
    format!(
        "({{ __VERIFIER_atomic_begin(); int heddle_holds = !!({expression}); __VERIFIER_atomic_end(); \
         if (!heddle_holds) {VIOLATED}({number}); 1; }})"
    )
}

/// Where the statement or loop begins.
fn place(lines: &[String], invariant: &Invariant) -> Option<At> {
    // What is no C expression (such as `\old`) has no meaning here.
    if invariant.expression.contains('\\') {
        return None;
    }
    let line = (invariant.line as usize).checked_sub(1)?;
    let text = lines.get(line)?;
    let start = match invariant.column {
        Some(column) => (column as usize).checked_sub(1).filter(|&c| text.is_char_boundary(c))?,
        None => 0,
    };
    let blank = text.get(start..)?.len() - text.get(start..)?.trim_start().len();
    Some((line, start + blank))
}

fn before_statement(lines: &mut [String], at: At, check: &str) -> Option<()> {
    let before = previous(lines, at);
    // Only behind these does a statement have room for another one before it.
    if !matches!(before, Some(';' | '{' | '}' | ':')) {
        return None;
    }
    lines[at.0].insert_str(at.1, &format!("{check}; "));
    Some(())
}

/// The last character before a position that is no blank.
fn previous(lines: &[String], at: At) -> Option<char> {
    let own = lines[at.0][..at.1].trim_end().chars().last();
    own.or_else(|| lines[..at.0].iter().rev().find_map(|line| line.trim_end().chars().last()))
}

/// Puts a check into the condition of the loop that begins at a position.
fn in_condition(lines: &mut [String], at: At, check: &str) -> Option<()> {
    let rest = lines[at.0].get(at.1..)?;
    let word: String = rest.chars().take_while(char::is_ascii_alphabetic).collect();
    let behind = (at.0, at.1 + word.len());
    match word.as_str() {
        "while" => {
            let open = find(lines, behind, '(')?;
            let close = closing(lines, open)?;
            lines[close.0].insert(close.1, ')');
            lines[open.0].insert_str(open.1 + 1, &format!("{check} && ("));
        }
        "for" => {
            let open = find(lines, behind, '(')?;
            let first = separator(lines, (open.0, open.1 + 1))?;
            let second = separator(lines, (first.0, first.1 + 1))?;
            let empty = first.0 == second.0 && lines[first.0][first.1 + 1..second.1].trim().is_empty();
            if empty {
                lines[first.0].insert_str(first.1 + 1, &format!(" {check}"));
            } else {
                lines[second.0].insert(second.1, ')');
                lines[first.0].insert_str(first.1 + 1, &format!(" {check} && ("));
            }
        }
        "do" => {
            let open = find(lines, behind, '{')?;
            lines[open.0].insert_str(open.1 + 1, &format!(" {check};"));
        }
        _ => return None,
    }
    Some(())
}

/// The positions from here on with their characters, without those in strings, character constants and comments.
fn code(lines: &[String], from: At) -> Vec<(At, char)> {
    let mut out = Vec::new();
    let mut in_comment = false;
    for (number, line) in lines.iter().enumerate().skip(from.0) {
        let mut quote = None;
        let mut characters = line.char_indices().peekable();
        while let Some((index, c)) = characters.next() {
            let next = characters.peek().map(|(_, c)| *c);
            match (in_comment, quote) {
                (true, _) => {
                    if c == '*' && next == Some('/') {
                        characters.next();
                        in_comment = false;
                    }
                }
                (false, Some(q)) => {
                    if c == '\\' {
                        characters.next();
                    } else if c == q {
                        quote = None;
                    }
                }
                (false, None) => match (c, next) {
                    ('/', Some('/')) => break,
                    ('/', Some('*')) => in_comment = true,
                    ('"' | '\'', _) => quote = Some(c),
                    _ if (number, index) >= from => out.push(((number, index), c)),
                    _ => {}
                },
            }
        }
    }
    out
}

/// The first character behind a position, if it is this one.
fn find(lines: &[String], from: At, wanted: char) -> Option<At> {
    let (at, c) = code(lines, from).into_iter().find(|(_, c)| !c.is_whitespace())?;
    (c == wanted).then_some(at)
}

fn closing(lines: &[String], open: At) -> Option<At> {
    let mut depth = 0;
    for (at, c) in code(lines, open) {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// The next semicolon that stands in no parentheses.
fn separator(lines: &[String], from: At) -> Option<At> {
    let mut depth = 0;
    for (at, c) in code(lines, from) {
        match c {
            '(' | '{' => depth += 1,
            ')' | '}' => depth -= 1,
            ';' if depth == 0 => return Some(at),
            _ => {}
        }
        if depth < 0 {
            return None;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn instrumented(text: &str, at: InvariantPlace, line: u32, expected: &str) {
        let file = "a.c".to_owned();
        let invariant = Invariant { at, file, line, column: None, expression: "x > 0".to_owned() };
        let (out, _) = instrument(text, std::slice::from_ref(&invariant));
        assert_eq!(out.replace(&check(0, &invariant), "CHECK"), expected);
    }

    #[test]
    fn checks_stand_in_conditions_of_loops() {
        use InvariantPlace::Loop;
        instrumented("while (f(x)) y();\n", Loop, 1, "while (CHECK && (f(x))) y();\n");
        instrumented("while (a // )\n  && b)\n{", Loop, 1, "while (CHECK && (a // )\n  && b))\n{\n");
        instrumented("for (i = 0; i < 3; i++)\n", Loop, 1, "for (i = 0; CHECK && ( i < 3); i++)\n");
        instrumented("for (;;) { }\n", Loop, 1, "for (; CHECK;) { }\n");
        instrumented("do { } while (x);\n", Loop, 1, "do { CHECK; } while (x);\n");
        instrumented("x = 1;\n", Loop, 1, "x = 1;\n");
    }

    #[test]
    fn checks_stand_before_statements() {
        use InvariantPlace::Location;
        instrumented("{\n  x = 1;\n}\n", Location, 2, "{\n  CHECK; x = 1;\n}\n");
        instrumented("if (a)\n  x = 1;\n", Location, 2, "if (a)\n  x = 1;\n");
        instrumented("x\n", Location, 7, "x\n");
    }
}
