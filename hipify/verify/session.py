"""One verification: both programs run in folders of their own, and what they did is compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from hipify.errors import ToolchainError
from hipify.targets.platform import Executable
from hipify.toolchain.execute import Execution, execute
from hipify.verify.compare import Comparison, Difference, Rules, compare_texts
from hipify.verify.files import FileDifference, compare_files, snapshot, working_copy, written
from hipify.verify.kernel_times import Ratios
from hipify.verify.probe import Probe


@dataclass(frozen=True)
class Side:
    """One side's run: how it ended, the files it wrote by path, and where."""

    execution: Execution
    folder: Path
    wrote: dict[str, str] = field(default_factory=dict)

    @property
    def output(self) -> str:
        """What it wrote to standard output."""
        return self.execution.stdout.decode("utf-8", "replace")


@dataclass
class Verdict:
    """What came of a verification."""

    output: Comparison
    statuses: tuple[Execution, Execution] | None = None
    files: list[FileDifference] = field(default_factory=list)
    files_compared: int = 0
    times: Ratios | None = None
    trace: tuple[str, ...] = ()
    """What the traces say, in lines, where the calls were recorded. It tells where to look and
    decides nothing: buffers may hold addresses, which differ from run to run."""

    @property
    def ended_alike(self) -> bool:
        """Whether both programs ended with the same status, neither of them stopped."""
        if self.statuses is None:
            return True
        left, right = self.statuses
        return left.status == right.status and not left.timed_out and not right.timed_out

    @property
    def same(self) -> bool:
        """Whether the port does what the original does."""
        return self.output.same and not self.files and self.ended_alike


def run_side(
    program: Executable,
    arguments: Sequence[str],
    tree: Path,
    work: Path,
    *,
    leave_out: Path,
    timeout: float,
    probe: Probe | None = None,
) -> Side:
    """Runs a program in a copy of its tree at `work`; `probe` measures its kernels."""
    folder = working_copy(tree, work, leave_out)
    before = snapshot(folder)
    env = dict(program.env)
    if probe is not None:
        env |= probe.environment(observed(work))
    argv = [*program.prefix, str(program.path), *arguments]
    done = execute(argv, timeout=timeout, env=env, cwd=folder)
    return Side(done, folder, written(before, snapshot(folder)))


def observed(work: Path) -> Path:
    """Where a probe writes what it saw of the program that runs in `work`."""
    return work.with_name(f"{work.name}-probe.txt")


def compare_sides(original: Side, port: Side, rules: Rules) -> Verdict:
    """Compares output, files and exit codes."""
    verdict = Verdict(compare_texts(original.output, port.output, rules))
    verdict.statuses = (original.execution, port.execution)
    verdict.files = compare_files(original.folder, port.folder, original.wrote, port.wrote, rules)
    verdict.files_compared = len(original.wrote.keys() | port.wrote.keys())
    return verdict


def require_work(original: Side) -> None:
    """Raises ToolchainError for an original that failed and left nothing to compare with."""
    done = original.execution
    if not done.ok and not done.stdout and not original.wrote:
        tail = done.stderr.decode("utf-8", "replace").strip().splitlines()[-10:]
        what = f"the original {done.how} and wrote nothing: there is nothing to compare with"
        raise ToolchainError("\n  ".join([what, *tail]))


def report_lines(verdict: Verdict, limit: int) -> list[str]:
    """The verdict for people; at most `limit` differences of each kind are shown."""
    lines = []
    if verdict.statuses is not None and not verdict.ended_alike:
        left, right = verdict.statuses
        lines.append(f"the original {left.how}, the port {right.how}")
    elif verdict.statuses is not None and verdict.statuses[0].status:
        lines.append(f"note: both {verdict.statuses[0].how.replace('was', 'were')}")
    lines += _differences("output", verdict.output.differences, limit)
    for difference in verdict.files[:limit]:
        lines.append(f"{difference.path}: {difference.why}")
        if difference.comparison is not None:
            lines += _differences(difference.path, difference.comparison.differences, limit)
    lines += verdict.trace
    if len(verdict.trace) > 1 and verdict.same:
        lines.append("  the outputs agree: buffers may hold addresses, or what atomics summed up")
    if verdict.times is not None:
        count, total = len(verdict.times.kernels), verdict.times.total
        lines.append(
            f"kernel time, port / original: {total:.3f} in all, "
            f"median {verdict.times.median:.3f} of {count} kernels"
        )
    lines.append(_summary(verdict))
    return lines


def _differences(what: str, differences: Sequence[Difference], limit: int) -> list[str]:
    lines = []
    for each in differences[:limit]:
        lines.append(f"{what}:{each.line or each.other_line}: {each.why}")
        if each.line:
            lines.append(f"  original  {each.text}")
        if each.other_line:
            lines.append(f"  port      {each.other_text}")
    if len(differences) > limit:
        lines.append(f"{what}: {len(differences) - limit} more differences")
    return lines


def _summary(verdict: Verdict) -> str:
    output = verdict.output
    parts = [f"{output.lines} lines"]
    if verdict.files_compared:
        parts.append(f"{verdict.files_compared} files")
    if output.ignored:
        parts.append(f"{output.ignored} times or addresses ignored")
    if output.worst:
        parts.append(f"numbers up to {output.worst:.1e} apart (relative)")
    word = "same" if verdict.same else "DIFFERENT"
    return f"{word}: {', '.join(parts)}"
