//! `docs/results.md` by sections, so that one measurement leaves those of others alone.

use std::fs;

const FILE: &str = "docs/results.md";

const OPENING: &str = "# Results\n\nMeasured by `cargo xtask results`, which rewrites one section at a time.\n";

/// Puts a section in the place of the one with its title, or at the end.
pub fn write_section(title: &str, body: &str) -> Result<(), String> {
    let path = super::root().join(FILE);
    let text = fs::read_to_string(&path).unwrap_or_else(|_| OPENING.to_owned());
    fs::write(&path, replaced(&text, &format!("## {title}"), body)).map_err(|error| format!("{FILE}: {error}"))?;
    println!("{FILE}: section \"{title}\"");
    Ok(())
}

/// The body of a section as it is now.
pub fn read_section(title: &str) -> Option<String> {
    let text = fs::read_to_string(super::root().join(FILE)).ok()?;
    body(&text, &format!("## {title}")).map(str::to_owned)
}

/// What stands under a heading.
pub fn body<'t>(text: &'t str, heading: &str) -> Option<&'t str> {
    let (from, to) = extent(text, heading)?;
    text[from..to].split_once('\n').map(|(_, body)| body.trim())
}

/// A text with one of its sections replaced, or appended.
pub fn replaced(text: &str, heading: &str, body: &str) -> String {
    let section = format!("{heading}\n\n{}\n", body.trim());
    match extent(text, heading) {
        Some((from, to)) => {
            let after = &text[to..];
            format!("{}{section}{}{after}", &text[..from], if after.is_empty() { "" } else { "\n" })
        }
        None => format!("{}\n\n{section}", text.trim_end()).trim_start().to_owned(),
    }
}

/// From a heading to the next one of its level or above.
fn extent(text: &str, heading: &str) -> Option<(usize, usize)> {
    let level = |line: &str| line.bytes().take_while(|&b| b == b'#').count();
    let own = level(heading);
    let mut at = 0;
    let mut from = None;
    for line in text.split_inclusive('\n') {
        match from {
            None if line.trim_end() == heading => from = Some(at),
            Some(from) if (1..=own).contains(&level(line)) => return Some((from, at)),
            _ => {}
        }
        at += line.len();
    }
    from.map(|from| (from, text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_is_replaced_in_its_place() {
        let text = "# R\n\nOpening.\n\n## A\n\nold\n\n### A1\n\nx\n\n## B\n\nkept\n";
        assert_eq!(replaced(text, "## A", "new\n"), "# R\n\nOpening.\n\n## A\n\nnew\n\n## B\n\nkept\n");
        assert_eq!(replaced(text, "## B", "new"), text.replace("kept", "new"));
        assert_eq!(replaced(text, "### A1", "y"), text.replace("\nx\n", "\ny\n"));
        assert_eq!(body(text, "## A"), Some("old\n\n### A1\n\nx"));
        assert_eq!(body(text, "## C"), None);
        assert_eq!(replaced("# R\n", "## C", "new"), "# R\n\n## C\n\nnew\n");
    }
}
