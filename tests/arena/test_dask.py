"""The same work on a Dask cluster, a worker of which is killed on the way."""

import builtins
import os
import signal
from pathlib import Path
from typing import Any

import pytest

from bitduel.arena import run
from bitduel.arena.runner import Standings
from bitduel.core.errors import BitduelError


def test_without_the_package_it_is_said_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = builtins.__import__

    def without(name: str, *more: Any, **others: Any) -> Any:
        if name == "distributed":
            raise ImportError(name)
        return plain(name, *more, **others)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(BitduelError, match="bitduel\\[dask\\]"):
        run(["perfect", "random"], "64", dask="tcp://127.0.0.1:1")


@pytest.mark.thorough
@pytest.mark.filterwarnings("ignore")
def test_a_cluster_plays_the_same_though_a_worker_is_killed(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    killed: list[int] = []
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        pids = [worker.process.pid for worker in cluster.workers.values()]

        def watch(standings: Standings) -> None:
            if standings.games and not killed:
                killed.append(pids[0])
                os.kill(pids[0], signal.SIGKILL)

        address = cluster.scheduler_address
        run(["perfect", "easy", "random"], "64,bits", rounds=500, seed=3, dask=address, out=tmp_path, on_progress=watch)
    assert killed
    alone = run(["perfect", "easy", "random"], "64,bits", rounds=500, seed=3)
    rows = (tmp_path / "games.jsonl").read_text().splitlines()
    alone_rows = [row.rpartition(', "seconds"')[0] for row in alone.lines]
    assert [row.rpartition(', "seconds"')[0] for row in rows] == alone_rows
