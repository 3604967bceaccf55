//! How many atomic sections are open at a step.

use heddle_base::{Id, IndexVec};

use crate::cfg::successors;
use crate::program::Function;
use crate::step::{StepId, StepKind};

/// The number of sections of its function that are open before each step; none for steps that are not reached.
///
/// The function must be well-formed: then all paths to a step agree.
pub fn section_depths(function: &Function) -> IndexVec<StepId, Option<u32>> {
    let mut depths: IndexVec<StepId, Option<u32>> = IndexVec::from_elem(None, function.steps.len());
    let mut todo = vec![(StepId::new(0), 0u32)];
    while let Some((step, depth)) = todo.pop() {
        if depths[step].is_some() {
            continue;
        }
        depths[step] = Some(depth);
        let kind = &function.steps[step].kind;
        let after = match kind {
            StepKind::AtomicBegin { .. } => depth + 1,
            StepKind::AtomicEnd => depth.saturating_sub(1),
            _ => depth,
        };
        todo.extend(successors(kind, step).map(|next| (next, after)));
    }
    depths
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::parse;

    #[test]
    fn nested_sections() {
        let program = parse(
            "fn main() {\n atomic_begin\n atomic_begin\n skip\n atomic_end\n atomic_end\n return\n skip\n return\n}",
        )
        .unwrap();
        let depths = section_depths(&program.functions[program.entry]);
        let depths: Vec<Option<u32>> = depths.iter().copied().collect();
        assert_eq!(depths, [Some(0), Some(1), Some(2), Some(2), Some(1), Some(0), None, None]);
    }
}
