import type { FastifyRequest } from "fastify";
import type { ApiInstance } from "../http/mount-api.ts";
import { CLOSE } from "./close-codes.ts";
import { type Admit, admitPeer } from "./handshake.ts";
import type { ServerSocket } from "./peer-socket.ts";

export interface SocketRouteOptions {
  /**
   * Sub-protocols under which a peer says who it is before anything else. Without one of them it
   * need not.
   */
  readonly protocols: readonly string[];
  /** Whether a ping is answered only when all that was received before it has been dealt with. */
  readonly confirmsByPong?: boolean;
}

/**
 * An address that is spoken to by websocket. `serve` resolves when there is nothing more to do for
 * the peer.
 */
export function socketRoute(
  api: ApiInstance,
  path: string,
  options: SocketRouteOptions,
  serve: (socket: ServerSocket, request: FastifyRequest) => Promise<void>,
): void {
  const { protocols, confirmsByPong = false } = options;
  const config = { socketProtocols: protocols };
  api.get(path, { exposeHeadRoute: false, config, schema: { hide: true } }, (request, reply) => {
    api.webSockets.open(request, reply, {
      protocols,
      confirmsByPong,
      serve: async (socket, protocol) => {
        // Older and hosted clients speak no sub-protocol and say who they are in a header.
        const mayStay = protocol === "" || (await admitPeer(socket, admission(api, request)));
        if (!mayStay) return;
        const release = api.socketGate?.watch(request, () =>
          socket.close(CLOSE.refused, "The credentials are no longer accepted"),
        );
        try {
          await serve(socket, request);
        } finally {
          release?.();
        }
      },
    });
  });
}

/** Whoever is let in by its token has the scope of the token. */
function admission({ socketGate }: ApiInstance, request: FastifyRequest): Admit {
  if (socketGate === null) return () => true;
  return async (token) => {
    const scope = await socketGate.admit(request, token);
    if (scope !== null) request.scope = scope;
    return scope !== null;
  };
}
