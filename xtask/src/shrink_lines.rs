//! Makes a program smaller, line by line, while something stays as it is.

/// The fewest lines found for which `holds`. Only ranges of lines with as many closing as opening braces are left out.
pub fn shrink(mut lines: Vec<String>, holds: impl Fn(&[String]) -> bool) -> Vec<String> {
    let mut size = lines.len() / 2;
    while size > 0 {
        let mut smaller = false;
        let mut end = lines.len();
        while end >= size {
            let start = end - size;
            let mut candidate = lines.clone();
            let removed: Vec<String> = candidate.drain(start..end).collect();
            if is_balanced(&removed) && holds(&candidate) {
                lines = candidate;
                smaller = true;
            }
            // Blocks of any place begin anywhere.
            end = start.min(lines.len()) + if size > 8 { size / 2 } else { size - 1 };
            if start == 0 {
                break;
            }
        }
        if !smaller || size > 1 {
            size = if size > 8 { size * 2 / 3 } else { size - 1 };
        }
    }
    lines
}

/// Whether each brace has its partner, so that the rest may still be a program.
fn is_balanced(lines: &[String]) -> bool {
    let mut depth = 0i32;
    for byte in lines.iter().flat_map(|line| line.bytes()) {
        match byte {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            _ => {}
        }
        if depth < 0 {
            return false;
        }
    }
    depth == 0
}

#[cfg(test)]
mod tests {
    use super::shrink;

    #[test]
    fn keeps_what_matters() {
        let lines = ["a", "if {", "b", "}", "c", "for {", "while {", "d", "}", "}", "e"];
        let small = shrink(lines.map(str::to_owned).to_vec(), |lines| lines.iter().any(|line| line == "d"));
        assert_eq!(small, ["for {", "while {", "d", "}", "}"]);
    }
}
