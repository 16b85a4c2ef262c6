"""A PostgreSQL server of our own, where one is installed."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

try:
    import psycopg
except ImportError:
    psycopg = None  # type: ignore[assignment]


class Cluster:
    """A private PostgreSQL server on a unix socket; it will not run as root, so root lends it to a system user."""

    def __init__(self, programs: Path, folder: Path, durable: bool = False) -> None:
        self.programs = programs
        self.durable = durable
        self.folder = folder
        self.owner = next((n for n in ("postgres", "nobody") if _known(n)), None) if os.geteuid() == 0 else None

    def run(self, program: str, *arguments: str) -> None:
        command = [str(self.programs / program), *arguments]
        group = pwd.getpwnam(self.owner).pw_gid if self.owner else None
        environment = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "TZ": "UTC"}
        subprocess.run(
            command,
            user=self.owner,
            group=group,
            extra_groups=[] if self.owner else None,
            env=environment,
            cwd=self.folder,
            check=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def make(self) -> None:
        if self.owner:
            shutil.chown(self.folder, self.owner)
        self.run("initdb", "-D", str(self.folder / "data"), "-U", "tester", "-A", "trust", "-E", "UTF8")

    def start(self) -> None:
        # Without fsync only a power cut would tell, and emptying the database for each test does not wait for the disk.
        waits = "on" if self.durable else "off"
        settings = (
            f"-c fsync={waits} -c max_connections=300 -c listen_addresses= -c unix_socket_directories={self.folder}"
        )
        self.run("pg_ctl", *self._data, "-w", "-l", str(self.folder / "log"), "-o", settings, "start")

    def restart(self) -> None:
        """Fall over and come back: no connection is told, no page is written."""
        self.run("pg_ctl", *self._data, "-w", "-l", str(self.folder / "log"), "-m", "immediate", "restart")

    def stop(self) -> None:
        self.run("pg_ctl", *self._data, "-m", "immediate", "stop")

    def fresh(self) -> str:
        """The URL of the one database, emptied; to make a new one takes far longer."""
        with psycopg.connect(host=str(self.folder), user="tester", dbname="postgres", autocommit=True) as connection:
            connection.execute("DROP SCHEMA public CASCADE")
            connection.execute("CREATE SCHEMA public")
        return f"postgresql://tester@/postgres?host={self.folder}"

    @property
    def _data(self) -> tuple[str, str]:
        return "-D", str(self.folder / "data")


def _known(user: str) -> bool:
    try:
        pwd.getpwnam(user)
    except KeyError:
        return False
    return True


def _programs() -> Path | None:
    folders = [found.parent for found in Path("/usr/lib/postgresql").glob("*/bin/initdb")]
    newest = max(folders, key=lambda folder: float(folder.parent.name), default=None)
    found = shutil.which("initdb")
    return newest or (Path(found).resolve().parent if found else None)


@pytest.fixture(scope="session")
def postgres_cluster() -> Iterator[Cluster]:
    if psycopg is None:
        pytest.skip("PostgreSQL is tested only where psycopg is installed")
    programs = _programs()
    if programs is None:
        pytest.skip("PostgreSQL is tested only where its programs are installed: no initdb was found")
    # A path of its own under /tmp: pytest's folders are closed to the server's user, and too long for a socket.
    with tempfile.TemporaryDirectory(prefix="bitduel-pg-") as folder:
        cluster = Cluster(programs, Path(folder))
        cluster.make()
        cluster.start()
        yield cluster
        cluster.stop()


@pytest.fixture
def postgres_url(postgres_cluster: Cluster) -> str:
    """The URL of an empty database."""
    return postgres_cluster.fresh()
