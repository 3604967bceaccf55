//! Limits of a run: from flags to a budget, and the interrupt key.

use heddle_base::Budget;
use heddle_machine::Limits;

use crate::args::LimitArgs;

/// The budget that the flags ask for. An interrupt (Ctrl-C) or a request to terminate cancels it.
pub fn budget(args: &LimitArgs) -> Budget {
    let mut budget = Budget::unlimited();
    if let Some(time) = args.time_limit {
        budget = budget.with_time(time);
    }
    if let Some(megabytes) = args.memory_limit {
        budget = budget.with_memory(megabytes.saturating_mul(1 << 20));
    }
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        // The second one finds the default action again: whoever insists is obeyed at once.
        let _ = signal_hook::flag::register_conditional_default(signal, budget.cancel_flag());
        let _ = signal_hook::flag::register(signal, budget.cancel_flag());
    }
    budget
}

/// The machine's limits.
pub fn machine(args: &LimitArgs) -> Limits {
    let memory = args.memory_limit.map(|megabytes| megabytes.saturating_mul(1 << 20));
    let default = Limits::default();
    Limits { thread_steps: args.max_steps, memory: memory.map_or(default.memory, |m| m.min(default.memory)), ..default }
}
