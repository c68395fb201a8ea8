import type { ServerSocket, SocketRouteOptions } from "@orchestrator/kernel";

/** Anybody may come in, as the server asks nobody who they are. */
export const OPEN_SOCKET: SocketRouteOptions = {
  protocols: ["orchestrator", "prefect"],
  admit: () => () => true,
};

/** A listener has nothing more to say, but what it says anyway must not stand in the way of its pings. */
export async function ignoreRest(socket: ServerSocket): Promise<void> {
  while ((await socket.receive()) !== null);
}
