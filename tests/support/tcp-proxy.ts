// A wire between two programs that can go silent without breaking, as a lost network does.
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface TcpProxy extends AsyncDisposable {
  readonly port: number;
  /** From now on nothing arrives in either direction, and nothing is refused. */
  readonly freeze: () => void;
  /** Delivers what was held up and goes on. */
  readonly thaw: () => void;
}

export async function startTcpProxy(targetPort: () => number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let isFrozen = false;

  const join = (from: Socket, to: Socket): void => {
    sockets.add(from);
    from.on("data", (chunk) => to.write(chunk));
    from.on("end", () => to.end());
    from.on("error", () => to.destroy());
    from.on("close", () => {
      sockets.delete(from);
      to.destroy();
    });
    if (isFrozen) from.pause(); // listening for data has set it going
  };
  const server = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect({ port: targetPort(), host: "127.0.0.1", allowHalfOpen: true });
    join(near, far);
    join(far, near);
  });
  const listening = once(server, "listening");
  server.listen(0, "127.0.0.1");
  await listening;

  return {
    port: (server.address() as AddressInfo).port,
    freeze() {
      isFrozen = true;
      for (const socket of sockets) socket.pause();
    },
    thaw() {
      isFrozen = false;
      for (const socket of sockets) socket.resume();
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      const closed = once(server, "close");
      server.close();
      await closed;
    },
  };
}
