"""Tool-info module for BenchExec: how to call heddle and how to read its answer.

Use: PYTHONPATH=contrib/benchexec benchexec contrib/benchexec/heddle.xml
"""

import os

import benchexec.result as result
import benchexec.tools.template
from benchexec.tools.sv_benchmarks_util import ILP32, LP64, get_data_model_from_task

# The properties of SV-COMP, by what their formula says, and ours.
PROPERTIES = [
    ("call(reach_error())", "assert"),
    ("call(__VERIFIER_error())", "assert"),
    ("data-race", "race"),
    ("valid-deref", "memory"),
    ("valid-free", "memory"),
    ("valid-memtrack", "leak"),
    ("overflow", "overflow"),
]


class Tool(benchexec.tools.template.BaseTool2):
    """heddle, a verifier for multithreaded C."""

    def executable(self, tool_locator):
        return tool_locator.find_executable("heddle", subdir="bin")

    def name(self):
        return "heddle"

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="heddle")

    def cmdline(self, executable, options, task, rlimits):
        command = [executable, "check", *options]
        model = get_data_model_from_task(task, {ILP32: "ilp32", LP64: "lp64"})
        if model and "--data-model" not in options:
            command += ["--data-model", model]
        if task.property_file and "--property" not in options:
            command += ["--property", ",".join(properties_of(task.property_file))]
        if rlimits.cputime and "--time-limit" not in options:
            command += ["--time-limit", str(rlimits.cputime)]
        if rlimits.memory and "--memory-limit" not in options:
            # A little below the hard limit, so that heddle can still say why it stops.
            command += ["--memory-limit", str(rlimits.memory * 9 // 10 // 2**20)]
        return command + list(task.input_files_or_identifier)

    def determine_result(self, run):
        """The verdict is the last line of standard output."""
        lines = [line.strip() for line in run.output if line.strip()]
        last = lines[-1] if lines else ""
        if last == "SAFE":
            return result.RESULT_TRUE_PROP
        if last.startswith("UNSAFE "):
            return violated(last.split()[1])
        if last.startswith(("SAFE WITHIN", "SAFE ASSUMING")):
            return f"{result.RESULT_UNKNOWN} ({last.lower()})"
        if last.startswith("UNKNOWN"):
            return f"{result.RESULT_UNKNOWN} ({last[len('UNKNOWN'):].strip()})"
        if run.was_timeout:
            return result.RESULT_TIMEOUT
        return result.RESULT_ERROR


def properties_of(path):
    """Our names for the properties of a property file, without duplicates."""
    if not os.path.exists(path):
        raise benchexec.tools.template.UnsupportedFeatureException(f"{path} cannot be read")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    found = [name for formula, name in PROPERTIES if formula in text]
    if not found:
        raise benchexec.tools.template.UnsupportedFeatureException(f"heddle has no property for {text.strip()!r}")
    return list(dict.fromkeys(found))


def violated(name):
    """BenchExec's word for a violated property."""
    return {
        "assert": result.RESULT_FALSE_REACH,
        "race": result.RESULT_FALSE_DATARACE if hasattr(result, "RESULT_FALSE_DATARACE") else "false(no-data-race)",
        "memory": result.RESULT_FALSE_DEREF,
        "leak": result.RESULT_FALSE_MEMTRACK,
        "overflow": result.RESULT_FALSE_OVERFLOW,
    }.get(name, f"{result.RESULT_FALSE_PROP}({name})")
