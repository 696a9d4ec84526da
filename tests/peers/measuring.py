"""What the measurements here share: taking turns on a quiet machine, and tables that say where they
come from."""

import contextlib
import datetime
import json
import os
import pathlib
import platform
import re
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = ROOT / "data"
TABLES = DATA / "measurements"
PHRASEBOOK = DATA / "phrasebook"
QUIET = 0.05  # the share of all processors that others may use while we measure


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def fail(text: str):
    sys.exit(f"{pathlib.Path(sys.argv[0]).name}: error: {text}")


# ---- Is the machine ours? ----

def busy_seconds() -> float:
    """Processor time that all processes, and the host for others, have used since the start."""
    with open("/proc/stat") as file:
        user, nice, system, _, _, irq, softirq, steal = map(int, file.readline().split()[1:9])
    return (user + nice + system + irq + softirq + steal) / os.sysconf("SC_CLK_TCK")


def own_seconds(processes: list) -> float:
    times = os.times()
    total = times.user + times.system + times.children_user + times.children_system
    for process in processes:
        with contextlib.suppress(FileNotFoundError):
            fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
            total += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return total


class Watch:
    """How much of the processors others used while something ran: this process, its children that
    have ended, and the given ones that have not, are ours."""

    def __init__(self, processes: list = ()):
        self.processes = processes

    def __enter__(self):
        self.begin = time.monotonic(), busy_seconds(), own_seconds(self.processes)
        return self

    def __exit__(self, *_):
        elapsed, busy, own = (after - before for after, before in zip(
            (time.monotonic(), busy_seconds(), own_seconds(self.processes)), self.begin))
        self.others = max(0.0, busy - own) / (elapsed * os.cpu_count()) if elapsed > 0 else 0.0


def wait_until_quiet(patience: float) -> None:
    """Returns when others leave the processors alone for a second, or patience has run out."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        with Watch() as watch:
            time.sleep(1)
        if watch.others < QUIET:
            return


def take_turns(sides: list, rounds: int, patience: float, processes: list = ()) -> tuple:
    """Calls each side in turn, so many rounds: A B A B. A round in which others were busy is
    thrown away while there is patience (seconds). Returns the rounds, each a list of what the
    sides returned, and the greatest share of the processors that others had in one of them."""
    kept = []
    end = time.monotonic() + patience
    while len(kept) < rounds:
        wait_until_quiet(end - time.monotonic())
        with Watch(processes) as watch:
            results = [side() for side in sides]
        if watch.others < QUIET or time.monotonic() > end:
            kept.append((watch.others, results))
    return [results for _, results in kept], max(others for others, _ in kept)


# ---- The program ----

def run(*command, stderr=subprocess.PIPE, **options) -> str:
    """What a command prints; ends this program, saying why, if it fails."""
    command = [str(word) for word in command]
    try:
        result = subprocess.run(command, stdout=subprocess.PIPE, stderr=stderr, text=True, **options)
    except OSError as error:
        fail(f"cannot run {command[0]}: {error.strerror}")
    if result.returncode != 0:
        fail(f"{' '.join(command)} failed:\n{(result.stderr or '').strip()[-2000:]}")
    return result.stdout


def words_of(options: dict) -> list:
    """Of a command line: --name value --other-name value."""
    return [word for name, value in options.items() for word in ("--" + name.replace("_", "-"), str(value))]


def benchmark_step(program, **options) -> dict:
    """`attention-lab benchmark step` in a process of its own: seconds, peak_memory_bytes and more."""
    output = run(program, "benchmark", "step", *words_of(options), "--brief", "--json")
    try:
        return json.loads(output)["step"]
    except (ValueError, KeyError):
        fail(f"{program} benchmark step printed no step: {output[:200]}")


def changed_program(work, *patches) -> pathlib.Path:
    """The last commit's program with patches of walkthrough/break-it, built in work."""
    source, build = work / "source", work / "build"
    if not source.exists():
        source.mkdir(parents=True)
        archive = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout
        subprocess.run(["tar", "x", "-C", source], input=archive, check=True)
        for patch in patches:
            run("patch", "-p1", "-d", source, "-i", source / f"walkthrough/break-it/{patch}.patch")
    run("cmake", "-S", source, "-B", build, "-DATTENTION_TESTS=OFF", "-DCMAKE_BUILD_TYPE=Release")
    run("cmake", "--build", build, "--target", "attention-lab", "--parallel", 2)
    return build / "attention-lab"


def steps_and_seconds(said: str) -> dict:
    """Of a training, from what the program says at its end."""
    steps, minutes, seconds = re.search(r"^([\d,]+) steps in (?:(\d+) min )?([\d.]+) s", said, re.MULTILINE).groups()
    return {"steps": steps.replace(",", ""), "seconds": 60 * int(minutes or 0) + int(float(seconds))}


# ---- Tables ----

def processor() -> str:
    """Its name, as the system has it."""
    with contextlib.suppress(OSError), open("/proc/cpuinfo") as file:
        names = {line.split(":", 1)[1].strip() for line in file if line.startswith("model name")}
        if names:
            return ", ".join(sorted(names))
    return platform.processor() or platform.machine()


def folder() -> pathlib.Path:
    """Where this processor's times belong: by its maker's name, such as intel; with AVX2 at most, intel-avx2."""
    maker = re.match(r"\w+", processor().lower())[0]
    flags = re.search(r"^flags\s*:(.*)", pathlib.Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    avx2_at_most = os.environ.get("ATTENTION_ISA") == "avx2" or (flags and "avx512f" not in flags[1].split())
    return TABLES / (f"{maker}-avx2" if avx2_at_most else maker)


def machine(load: bool = True) -> list:
    """Lines that say where and when numbers were measured, and how busy the machine was."""
    return [f"processor: {processor()}, {os.cpu_count()} cores",
            f"system: {platform.system()} {platform.release()}",
            f"date: {datetime.date.today().isoformat()}",
            *([f"load at the end: {os.getloadavg()[0]:.2f}"] if load else [])]


def number(value) -> str:
    """Four digits that count; text as it is; nothing as a dash."""
    if value is None:
        return "-"
    if isinstance(value, float):
        text = f"{value:.4g}"
        return f"{value:.0f}" if "e+" in text else text
    return str(value)


def table(comments: list, columns: list, rows: list) -> str:
    lines = ["# " + comment for comment in comments]
    lines.append("\t".join(columns))
    lines += ["\t".join(number(row.get(column)) for column in columns) for row in rows]
    return "\n".join(lines) + "\n"


def write_table(name: str, comments: list, rows: list, columns: list = None, load: bool = True) -> None:
    """To data/measurements, with what machine() says. The columns are those of the rows, unless they are given."""
    columns = columns or list(dict.fromkeys(key for row in rows for key in row))
    (TABLES / f"{name}.tsv").write_text(table([*comments, *machine(load)], columns, rows))


def read_table(path) -> list:
    """The rows of a table as dictionaries of text."""
    lines = [line for line in pathlib.Path(path).read_text().splitlines()
             if line and not line.startswith("#")]
    columns = lines[0].split("\t")
    return [dict(zip(columns, line.split("\t"))) for line in lines[1:]]


median = statistics.median
