import type { MessageReader, ServerSocket, SocketRouteOptions } from "@orchestrator/kernel/http";

/** Who may come in is up to the gate of the API. */
export const API_SOCKET: SocketRouteOptions = { protocols: ["orchestrator", "prefect"] };

/**
 * A listener has nothing more to say, but what it says anyway must not stand in the way of its
 * pings.
 */
export async function ignoreRest(socket: ServerSocket): Promise<void> {
  while ((await socket.receive()) !== null);
}

/**
 * What a peer wants, said in its first message. Null when it says nothing in time, or something
 * else: then it has been let go with this code.
 */
export async function receiveWish<T>(
  socket: ServerSocket,
  reader: MessageReader<T>,
  { code, missing }: { readonly code: number; readonly missing: string },
): Promise<T | null> {
  const first = await socket.receiveFirst(code, missing);
  if (first === null) return null;
  const reading = reader.read(first);
  if ("value" in reading) return reading.value;
  socket.close(code, reading.problem);
  return null;
}
