"""Listening sockets for the servers."""

import socket

from bitduel.core.errors import BitduelError


class BusyError(BitduelError):
    """An address that cannot be listened on."""

    status = 1


def listen(server: str, host: str, port: int) -> socket.socket:
    """Return a listening socket; raise BusyError where the address is taken or not of this machine.

    It listens at once, so that a client who connects before the server is ready waits and is not refused.
    """
    try:
        family, kind, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, kind)
        try:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(address)
            listener.listen()
            listener.set_inheritable(True)
        except BaseException:
            listener.close()
            raise
    except OSError as error:
        raise BusyError(f"{server} cannot listen on {host} port {port}: {error.strerror}.") from None
    return listener
