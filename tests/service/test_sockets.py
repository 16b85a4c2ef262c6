"""A place to be spoken to: nobody who is told of it is refused."""

import socket

import pytest

from bitduel.service.sockets import BusyError, listen


def test_who_comes_before_the_server_is_ready_waits_and_is_not_refused() -> None:
    with listen("The server", "127.0.0.1", 0) as place, socket.create_connection(place.getsockname()) as early:
        early.sendall(b"hello")
        talk, _ = place.accept()
        with talk:
            assert talk.recv(5) == b"hello"


def test_a_port_that_is_taken_is_refused_with_a_sentence() -> None:
    with listen("The server", "127.0.0.1", 0) as place:
        port = place.getsockname()[1]
        with pytest.raises(BusyError, match=rf"^The server cannot listen on 127\.0\.0\.1 port {port}: .*\.$"):
            listen("The server", "127.0.0.1", port)
