//! Diagnostics as text: place, message, the source line, and a caret below it.
//!
//! ```text
//! queue.c:41:9: error: expected `;` before `}`
//!   41 |     x = 1
//!      |          ^
//! ```

use std::fmt::Write;

use heddle_base::{SourceMap, Span};

use crate::diag::{Diagnostic, Severity};

/// How diagnostics look.
#[derive(Clone, Copy, Debug)]
pub struct RenderConfig {
    /// Whether to use terminal colours.
    pub color: bool,
    /// Columns of source text to show; longer lines are clipped around the caret.
    pub width: usize,
}

impl Default for RenderConfig {
    fn default() -> Self {
        RenderConfig { color: false, width: 100 }
    }
}

/// One diagnostic with its notes, each line ended.
pub fn render(diagnostic: &Diagnostic, sources: &SourceMap, config: RenderConfig) -> String {
    let mut out = String::new();
    let (word, color) = match diagnostic.severity {
        Severity::Error => ("error", RED),
        Severity::Warning => ("warning", MAGENTA),
    };
    part(&mut out, diagnostic.span, word, color, &diagnostic.message, sources, config);
    for (span, message) in &diagnostic.notes {
        part(&mut out, *span, "note", CYAN, message, sources, config);
    }
    out
}

const RED: &str = "\x1b[1;31m";
const MAGENTA: &str = "\x1b[1;35m";
const CYAN: &str = "\x1b[1;36m";
const BOLD: &str = "\x1b[1m";
const RESET: &str = "\x1b[0m";

fn part(
    out: &mut String,
    span: Span,
    word: &str,
    color: &str,
    message: &str,
    sources: &SourceMap,
    config: RenderConfig,
) {
    let paint = |code: &'static str| if config.color { code } else { "" };
    let color = if config.color { color } else { "" };
    let (bold, reset) = (paint(BOLD), paint(RESET));
    let loc = sources.loc(span.lo);
    let _ = writeln!(out, "{bold}{}:{reset} {color}{word}:{reset} {bold}{message}{reset}", sources.display(loc));
    if loc.is_nowhere() {
        return;
    }
    let snippet = Snippet::new(sources.line_at(span.lo), loc.col as usize - 1, span, config.width);
    let gutter = loc.line.to_string();
    let blank = " ".repeat(gutter.len());
    let _ = writeln!(out, "  {gutter} | {}", snippet.text);
    let _ = writeln!(out, "  {blank} | {}{color}{}{reset}", " ".repeat(snippet.indent), snippet.marks);
}

/// A clipped line and the marks below it.
struct Snippet {
    text: String,
    indent: usize,
    marks: String,
}

impl Snippet {
    const TAB: usize = 4;
    const ELLIPSIS: &str = "...";

    /// `offset` is where the marked bytes begin in `line`.
    fn new(line: &str, offset: usize, span: Span, width: usize) -> Snippet {
        let end = offset + (span.hi.saturating_sub(span.lo)) as usize;
        // The line as a person sees it, and which of its columns are marked.
        let mut shown: Vec<char> = Vec::new();
        let (mut first, mut last) = (None, None);
        for (at, c) in line.char_indices() {
            if at >= offset && first.is_none() {
                first = Some(shown.len());
            }
            if at >= end && last.is_none() {
                last = Some(shown.len());
            }
            match c {
                '\t' => shown.extend(std::iter::repeat_n(' ', Self::TAB - shown.len() % Self::TAB)),
                c if c.is_control() || crate::lex::raw_byte(c).is_some() => shown.push(char::REPLACEMENT_CHARACTER),
                c => shown.push(c),
            }
        }
        let first = first.unwrap_or(shown.len());
        let last = last.unwrap_or(shown.len()).max(first + 1);
        Self::clip(&shown, first, last, width.max(20))
    }

    /// Cuts off what is more than `width` columns, keeping the first mark in sight.
    fn clip(shown: &[char], first: usize, last: usize, width: usize) -> Snippet {
        let begin = if first < width * 3 / 4 { 0 } else { first - width / 2 };
        let end = shown.len().min(begin + width);
        let mut text = String::new();
        if begin > 0 {
            text.push_str(Self::ELLIPSIS);
        }
        text.extend(&shown[begin.min(end)..end]);
        let indent = first - begin + if begin > 0 { Self::ELLIPSIS.len() } else { 0 };
        if end < shown.len() {
            text.push_str(Self::ELLIPSIS);
        }
        let count = last.min(end.max(first + 1)) - first;
        let text = text.trim_end().to_owned();
        Snippet { text, indent, marks: "^".to_owned() + &"~".repeat(count - 1) }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::diag::Diagnostics;

    /// Renders an error over the bytes between the two `$` of `text`.
    fn check(text: &str, config: RenderConfig, expect: Expect) {
        let marks: Vec<usize> = text.match_indices('$').map(|m| m.0).collect();
        let (lo, hi) = (marks[0], marks[1] - 1);
        let mut sources = SourceMap::new();
        let start = sources.add_input("a.c", text.replace('$', "")).unwrap();
        let mut diags = Diagnostics::default();
        diags.error(Span::new(start + lo as u32, start + hi as u32), "no good");
        expect.assert_eq(&render(diags.iter().next().unwrap(), &sources, config));
    }

    #[test]
    fn underlines_the_span() {
        check(
            "int x;\nint y = $foo$ + 1;\n",
            RenderConfig::default(),
            expect![[r#"
                a.c:2:9: error: no good
                  2 | int y = foo + 1;
                    |         ^~~
            "#]],
        );
    }

    #[test]
    fn an_empty_span_is_one_caret() {
        check(
            "x = 1$$\n",
            RenderConfig::default(),
            expect![[r#"
                a.c:1:6: error: no good
                  1 | x = 1
                    |      ^
            "#]],
        );
    }

    #[test]
    fn tabs_are_widened() {
        check(
            "\tx =\t$y$;",
            RenderConfig::default(),
            expect![[r#"
                a.c:1:6: error: no good
                  1 |     x = y;
                    |         ^
            "#]],
        );
    }

    #[test]
    fn a_span_of_several_lines_is_marked_to_the_line_end() {
        check(
            "f($a,\n  b$)",
            RenderConfig::default(),
            expect![[r#"
                a.c:1:3: error: no good
                  1 | f(a,
                    |   ^~
            "#]],
        );
    }

    #[test]
    fn long_lines_are_clipped() {
        let text = format!("{} $bad$ {}", "a ".repeat(100), "b ".repeat(100));
        check(
            &text,
            RenderConfig { width: 40, ..RenderConfig::default() },
            expect![[r#"
                a.c:1:202: error: no good
                  1 | ... a a a a a a a a a  bad b b b b b b b b ...
                    |                        ^~~
            "#]],
        );
    }

    #[test]
    fn characters_count_once() {
        check(
            "/* äöü */ $y$",
            RenderConfig::default(),
            expect![[r#"
                a.c:1:14: error: no good
                  1 | /* äöü */ y
                    |           ^
            "#]],
        );
    }

    #[test]
    fn notes_and_colours() {
        let mut sources = SourceMap::new();
        let start = sources.add_input("a.c", "int x;\nint x;\n".to_owned()).unwrap();
        let mut diags = Diagnostics::default();
        let note = (Span::new(start + 4, start + 5), "the other one".to_owned());
        diags.error_with_note(Span::new(start + 11, start + 12), "twice", Some(note));
        let text = render(diags.iter().next().unwrap(), &sources, RenderConfig { color: true, ..Default::default() });
        expect![[r#"
            <1m>a.c:2:5:<0m> <1;31m>error:<0m> <1m>twice<0m>
              2 | int x;
                |     <1;31m>^<0m>
            <1m>a.c:1:5:<0m> <1;36m>note:<0m> <1m>the other one<0m>
              1 | int x;
                |     <1;36m>^<0m>
        "#]]
        .assert_eq(&text.replace("\x1b[", "<").replace("1m", "1m>").replace("0m", "0m>").replace("6m", "6m>"));
    }
}
