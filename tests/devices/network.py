"""A virtual reader on another computer: a server, pyserial's own, between its port and the network."""

import select
import socket
import threading
from contextlib import contextmanager

import serial
import serial.rfc2217


class _Settable(serial.Serial):
    """A pseudo-terminal as the port of a server: it has no modem lines."""

    cts = dsr = cd = property(lambda self: True)
    ri = property(lambda self: False)

    def _update_dtr_state(self):
        pass

    def _update_rts_state(self):
        pass


@contextmanager
def served(world, *, rfc2217):
    """The address of a server that passes bytes between the network and *world*, as it is or by RFC 2217; and the port
    that it serves."""
    with socket.create_server(("127.0.0.1", 0)) as server, _Settable(str(world.link), 115200, timeout=0) as port:
        over, end = socket.socketpair()

        def serve():
            with server.accept()[0] as peer:
                manager = serial.rfc2217.PortManager(port, _Writes(peer)) if rfc2217 else None
                while end not in (ready := select.select([peer, port, end], [], [])[0]):
                    if peer in ready:
                        received = peer.recv(4096)
                        if not received:
                            return
                        port.write(b"".join(manager.filter(received)) if manager else received)
                    if port in ready:
                        received = port.read(4096)
                        peer.sendall(b"".join(manager.escape(received)) if manager else received)

        serving = threading.Thread(target=serve)
        serving.start()
        try:
            yield f"127.0.0.1:{server.getsockname()[1]}", port
        finally:
            over.close()
            serving.join()
            end.close()


class _Writes:
    def __init__(self, peer):
        self.write = peer.sendall
