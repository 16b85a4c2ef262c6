"""A place to be spoken to, for the ways in that wait for others."""

import socket

from bitduel.core.errors import BitduelError


class BusyError(BitduelError):
    """An address that cannot be listened on."""

    status = 1


def listening(who: str, host: str, port: int) -> socket.socket:
    """A socket at the address; BusyError where it is taken or not ours.

    It listens already: who is told of it and comes before the server is ready waits, and is not refused.
    """
    try:
        family, kind, *_, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        found = socket.socket(family, kind)
        try:
            found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            found.bind(place)
            found.listen()
            found.set_inheritable(True)
        except BaseException:
            found.close()
            raise
    except OSError as error:
        raise BusyError(f"{who} cannot listen on {host} port {port}: {error.strerror}.") from None
    return found
