//! Who calls and who starts whom, with function pointers resolved.

use heddle_base::IndexVec;
use rustc_hash::FxHashMap;

use crate::points_to::PointsTo;
use crate::program::{FuncId, Program};
use crate::step::StepId;

/// The call graph of the functions that can be executed.
#[derive(Clone, Debug)]
pub struct CallGraph {
    /// Functions that each function can call, in order.
    pub calls: IndexVec<FuncId, Vec<FuncId>>,
    /// Functions that each function can start as a thread, in order.
    pub spawns: IndexVec<FuncId, Vec<FuncId>>,
    /// Whether a function can be executed at all.
    pub reachable: IndexVec<FuncId, bool>,
    targets: FxHashMap<(FuncId, StepId), Vec<FuncId>>,
}

impl CallGraph {
    /// Reads the graph off a points-to analysis.
    pub fn new(program: &Program, points_to: &PointsTo) -> Self {
        let mut graph = CallGraph {
            calls: IndexVec::from_elem(Vec::new(), program.functions.len()),
            spawns: IndexVec::from_elem(Vec::new(), program.functions.len()),
            reachable: IndexVec::from_elem(false, program.functions.len()),
            targets: FxHashMap::default(),
        };
        for instance in points_to.instances.iter() {
            let func = instance.func;
            graph.reachable[func] = true;
            for (list, edges) in [(&mut graph.calls, &instance.calls), (&mut graph.spawns, &instance.spawns)] {
                for &(step, callee) in edges {
                    let callee = points_to.instances[callee].func;
                    list[func].push(callee);
                    graph.targets.entry((func, step)).or_default().push(callee);
                }
            }
        }
        let lists = graph.calls.iter_mut().chain(graph.spawns.iter_mut()).chain(graph.targets.values_mut());
        for list in lists {
            list.sort_unstable();
            list.dedup();
        }
        graph
    }

    /// The functions that a call or spawn step can reach; empty if it cannot be executed.
    pub fn targets(&self, func: FuncId, step: StepId) -> &[FuncId] {
        self.targets.get(&(func, step)).map_or(&[], Vec::as_slice)
    }
}
