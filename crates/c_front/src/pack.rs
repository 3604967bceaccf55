//! `#pragma pack`: the largest alignment that members of the records defined under it get.

/// What the pragmas of an input say, each from a token on.
#[derive(Default)]
pub(crate) struct Packs {
    /// Index of a token, and the alignment from there on; 0 for no bound.
    changes: Vec<(usize, u64)>,
    saved: Vec<(Option<String>, u64)>,
}

impl Packs {
    /// The bound for a record whose closing brace is the token at this index; 0 for none.
    pub(crate) fn at(&self, token: usize) -> u64 {
        let before = self.changes.partition_point(|&(from, _)| from <= token);
        before.checked_sub(1).map_or(0, |last| self.changes[last].1)
    }

    /// Obeys a pragma, given without `#pragma`, if it is about packing. Malformed ones have no effect, as with gcc.
    pub(crate) fn pragma(&mut self, body: &str, token: usize) {
        let arguments = body.trim_start().strip_prefix("pack").map(str::trim_start);
        let Some(rest) = arguments.and_then(|rest| rest.strip_prefix('(')) else { return };
        let Some((inner, _)) = rest.split_once(')') else { return };
        if let Some(align) = self.obey(inner) {
            self.changes.push((token, align));
        }
    }

    /// The alignment from here on; none if nothing changes.
    fn obey(&mut self, arguments: &str) -> Option<u64> {
        let now = self.changes.last().map_or(0, |change| change.1);
        let words: Vec<&str> = arguments.split(',').map(str::trim).collect();
        match words[..] {
            [""] => Some(0),
            ["push"] => {
                self.saved.push((None, now));
                None
            }
            ["push", one] => match alignment(one) {
                Some(align) => {
                    self.saved.push((None, now));
                    Some(align)
                }
                None => {
                    self.saved.push((Some(one.to_owned()), now));
                    None
                }
            },
            ["push", name, align] => {
                let align = alignment(align)?;
                self.saved.push((Some(name.to_owned()), now));
                Some(align)
            }
            ["pop"] => self.saved.pop().map(|(_, align)| align),
            ["pop", name] => {
                let at = self.saved.iter().rposition(|(saved, _)| saved.as_deref() == Some(name))?;
                let align = self.saved[at].1;
                self.saved.truncate(at);
                Some(align)
            }
            [align] => alignment(align),
            _ => None,
        }
    }
}

fn alignment(text: &str) -> Option<u64> {
    text.parse().ok().filter(|align| [0, 1, 2, 4, 8, 16].contains(align))
}

#[cfg(test)]
mod tests {
    use super::Packs;

    #[test]
    fn pushes_and_pops() {
        let mut packs = Packs::default();
        let pragmas = [
            "pack(push)",
            "pack(1)",
            "omp x",
            "pack(push, 4)",
            "pack(3)",
            "pack(push, n, 2)",
            "pack(pop, n)",
            "pack()",
        ];
        let mut seen = Vec::new();
        for (i, pragma) in pragmas.iter().enumerate() {
            packs.pragma(pragma, i);
            seen.push(packs.at(i));
        }
        assert_eq!(seen, [0, 1, 1, 4, 4, 2, 4, 0]);
        packs.pragma("pack ( pop ) ", 20);
        packs.pragma("pack(pop)", 21);
        packs.pragma("pack(pop)", 22);
        assert_eq!([19, 20, 21, 22].map(|token| packs.at(token)), [0, 1, 0, 0]);
    }
}
