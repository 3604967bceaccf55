//! JUnit XML: the answer as one test case, for CI services that show test results.

use std::fmt::Write;

use heddle_task::Verdict;

use crate::json::CheckInfo;
use crate::summary::{headline, summary};
use crate::text::{self, TextOptions};

/// The report of one check of `name`. A violation is a failure, an undecided check an error.
pub fn report(verdict: &Verdict, info: &CheckInfo<'_>, name: &str) -> String {
    let seconds = info.statistics.get("seconds").copied().unwrap_or(0.0);
    let (failures, errors) = match verdict {
        Verdict::Unsafe(_) => (1, 0),
        Verdict::Unknown(_) => (0, 1),
        Verdict::Safe(_) | Verdict::SafeWithin(_) => (0, 0),
    };
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let counts = format!("tests=\"1\" failures=\"{failures}\" errors=\"{errors}\" time=\"{seconds:.3}\"");
    let _ = writeln!(out, "<testsuites {counts}>");
    let _ = writeln!(out, "  <testsuite name=\"heddle\" skipped=\"0\" {counts}>");
    let _ = writeln!(out, "    <testcase classname=\"heddle\" name=\"{}\" time=\"{seconds:.3}\">", escape(name));
    let headline = escape(&headline(verdict));
    match verdict {
        Verdict::Unsafe(found) => {
            let kind = found.violation.property.to_string();
            let body = escape(&text::violation(&found.trace, &TextOptions::default()));
            let _ = writeln!(out, "      <failure message=\"{headline}\" type=\"{}\">{body}</failure>", escape(&kind));
        }
        Verdict::Unknown(_) => {
            let body = escape(&summary(verdict).join("\n"));
            let _ = writeln!(out, "      <error message=\"{headline}\" type=\"undecided\">{body}</error>");
        }
        Verdict::Safe(_) | Verdict::SafeWithin(_) => {
            let body = escape(&summary(verdict).join("\n"));
            let _ = writeln!(out, "      <system-out>{headline}\n{body}</system-out>");
        }
    }
    out.push_str("    </testcase>\n  </testsuite>\n</testsuites>\n");
    out
}

/// Text as XML character data. Characters that XML 1.0 does not have become a replacement character.
pub(crate) fn escape(text: &str) -> String {
    text.chars().fold(String::with_capacity(text.len()), |mut out, c| {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\t' | '\n' | '\r' => out.push(c),
            c if (c as u32) < 0x20 || matches!(c as u32, 0xfffe | 0xffff) => out.push('\u{fffd}'),
            c => out.push(c),
        }
        out
    })
}
