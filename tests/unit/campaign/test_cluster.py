"""Campaigns on workers of Dask: a real scheduler and two workers, one of them killed."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

pytest.importorskip("distributed", reason="the extra `dask` is not installed")

import ggp
from ggp.errors import PuzzleError
from ggp.harness.campaign import cluster
from ggp.harness.campaign.cluster import Cluster, refuse_others
from ggp.harness.campaign.run import Watch, carry_out
from ggp.harness.campaign.store import Store
from ggp.harness.records import Record
from tests.campaigns import faked, records
from tests.commands import Ask
from tests.comparing import PLUGINS, TESTS
from tests.slow import few_or_many

pytestmark = pytest.mark.usefixtures("fakes")


@contextmanager
def started(folder: Path, workers: int) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A scheduler and workers as a user starts them, with one thread each and nobody who starts them anew."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    address = f"tcp://127.0.0.1:{port}"
    root = Path(str(ggp.__file__)).parent.parent
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(root), str(TESTS)])}
    scheduler = ["scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard", "--no-jupyter"]
    worker = [
        "worker",
        address,
        "--nthreads",
        "1",
        "--no-nanny",
        "--no-dashboard",
        "--local-directory",
        str(folder),
    ]
    commands = [scheduler, *[worker] * workers]
    running = []
    with open(folder / "words", "wb") as words:
        try:
            for command in commands:
                program = [sys.executable, "-m", "distributed.cli.dask_" + command[0], *command[1:]]
                running.append(
                    subprocess.Popen(program, env=environment, stdout=words, stderr=words, cwd=folder)
                )
            yield address, running
        finally:
            for process in running:
                process.kill()
            for process in running:
                process.wait(20)


class Killing(Watch):
    """Kills a worker when some runs have ended."""

    def __init__(self, victim: subprocess.Popen[bytes]) -> None:
        self.victim = victim
        self.count = 0

    def ended(self, record: Record) -> None:
        self.count += 1
        if self.count == 4:
            self.victim.send_signal(signal.SIGKILL)


@contextmanager
def here() -> Iterator[str]:
    """A scheduler and a worker in this process."""
    from distributed import LocalCluster

    options = {"n_workers": 1, "threads_per_worker": 1, "processes": False, "dashboard_address": None}
    with LocalCluster(**options) as local:
        yield local.scheduler_address
        cluster.POOLS.close()


def all_made_here(tmp_path: Path) -> None:
    """A worker in this process, and then one whose versions are others."""
    with (
        here() as address,
        Store(tmp_path / "s.ggp", write=True) as store,
        Cluster(address, ["slow-0"], PLUGINS) as workers,
    ):
        done = carry_out(faked("slow-0", repeats=4), store, workers, plugins=PLUGINS)
        assert (done.total, done.made) == (4, 4)
        with pytest.raises(PuzzleError, match="a worker that came later has other versions: python"):
            workers.wanted |= {"python": "2.7"}
            carry_out(faked("slow-0", repeats=5), store, workers, plugins=PLUGINS)
    found = records(tmp_path / "s.ggp", every=True)
    assert all(one["stop"] == "satisfied" and one["solutions"] == 6 for one in found) and len(found) == 4


def killed_under_way(tmp_path: Path) -> None:
    """Two workers in processes of their own, one of which is killed."""
    campaign = faked("slow-0", "search", repeats=8)
    with (
        started(tmp_path, 2) as (address, (_, first, second)),
        Store(tmp_path / "s.ggp", write=True) as store,
        Cluster(address, ["slow-0", "search"], PLUGINS) as workers,
    ):
        deadline = time.monotonic() + 30
        while len(workers.client.nthreads()) < 2:
            assert time.monotonic() < deadline
            time.sleep(0.1)
        done = carry_out(campaign, store, workers, watch=Killing(first), plugins=PLUGINS)
        again = carry_out(campaign, store, workers, plugins=PLUGINS)
        assert first.wait(10) == -signal.SIGKILL and second.poll() is None
    assert (done.total, done.made, again.made, again.resumed) == (16, 16, 0, 16)
    found = records(tmp_path / "s.ggp", every=True)
    assert len({(one["label"], one["repeat"]) for one in found}) == len(found) == 16
    assert all(one["stop"] == "satisfied" and one["solutions"] == 6 and one["cpu_seconds"] for one in found)


@few_or_many("way", all_made_here, killed_under_way)
def test_a_campaign_on_a_scheduler(tmp_path: Path, way: Callable[[Path], None]) -> None:
    """Each run has one record: with one worker, and with two of which one dies."""
    way(tmp_path)


@contextmanager
def silent() -> Iterator[str]:
    """Something that takes connections and never says a word."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen(8)
        yield f"tcp://127.0.0.1:{server.getsockname()[1]}"


def test_a_scheduler_that_does_not_answer(tmp_path: Path, ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "ANSWERS", 0.3)
    options = ["--level", "queens/4", "--solvers", "null", "-o", tmp_path / "s.ggp", "--scheduler"]
    with silent() as address:
        for name in (address, "tcp://127.0.0.1:9", "no address at all"):
            began = time.monotonic()
            answer = ask("campaign", *options, name)
            assert answer.status == 2 and "no scheduler of Dask answers" in answer.err
            assert time.monotonic() - began < 20


def test_a_scheduler_without_workers(tmp_path: Path, ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "APPEARS", 0.5)
    with started(tmp_path, 0) as (address, _):
        options = ("--level", "queens/4", "--solvers", "search", "--scheduler", address)
        answer = ask("campaign", "-o", tmp_path / "s.ggp", *options)
    assert answer.status == 2 and "has no workers after 0.5 s" in answer.err and "dask worker" in answer.err


def test_workers_with_other_versions_are_refused() -> None:
    ours = {"ggp": "1", "python": "3.11.7", "cp-sat": {"ortools": "9.15"}}
    refuse_others("the worker a", ours, ours)
    with pytest.raises(
        PuzzleError, match=r"the worker b has other versions: cp-sat: ortools 9.14 there, ortools 9.15"
    ):
        refuse_others("the worker b", ours | {"cp-sat": {"ortools": "9.14"}}, ours)
    with pytest.raises(PuzzleError, match="python: 3.12.1 there"):
        refuse_others("the worker c", ours | {"python": "3.12.1"}, ours)
