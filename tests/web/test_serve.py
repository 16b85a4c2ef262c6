"""Starting the site where it cannot listen."""

import socket
from pathlib import Path

from helpers import bitduel


def test_a_port_that_is_taken_is_one_line_and_status_1(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        ran = bitduel("serve", "--port", str(port), "--db", f"sqlite:///{tmp_path}/matches.db")
    assert (ran.out, ran.status) == ("", 1)
    assert ran.err == f"bitduel: The site cannot listen on 127.0.0.1 port {port}: Address already in use.\n"
