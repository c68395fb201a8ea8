// Connections to other machines: the address that was checked is the one that is called.

import { lookup } from "node:dns/promises";
import { connect as connectSocket, isIP, type Socket } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { abortedBy, OutboundError, socketError } from "./outbound-error.ts";
import { type OutboundPolicy, refusalOf } from "./outbound-policy.ts";

export interface Destination {
  /** A name or an address, without brackets. */
  readonly host: string;
  readonly port: number;
}

export interface Connecting {
  readonly policy: OutboundPolicy;
  /** Ends the attempt, wherever it is. */
  readonly signal: AbortSignal;
}

/** A host with many addresses is tried at so many of them. */
const MAX_ADDRESSES = 4;

export async function openConnection(
  { host, port }: Destination,
  { policy, signal }: Connecting,
): Promise<Socket> {
  const addresses = await permittedAddresses(host, { policy, signal });
  let failure: unknown = null;
  for (const address of addresses) {
    try {
      return await connectTo({ host: address, port }, signal);
    } catch (error) {
      if (signal.aborted) throw abortedBy(signal);
      failure = error;
    }
  }
  throw socketError(failure);
}

/** The same connection, encrypted. The name is what the certificate must be for. */
export function secured(
  socket: Socket,
  {
    host,
    verify,
    signal,
  }: { readonly host: string; readonly verify: boolean; readonly signal: AbortSignal },
): Promise<TLSSocket> {
  const name = isIP(host) === 0 ? { servername: host } : { host };
  // Its errors come through the connection around it as well.
  socket.on("error", () => {});
  return new Promise((resolve, reject) => {
    const tls = connectTls({ ...name, socket, rejectUnauthorized: verify, minVersion: "TLSv1.2" });
    whenReady(tls, "secureConnect", { signal, resolve: () => resolve(tls), reject });
  });
}

async function permittedAddresses(
  host: string,
  { policy, signal }: Connecting,
): Promise<readonly string[]> {
  const found = await resolve(host, signal);
  let refusal: string | null = null;
  const permitted = found.filter((address) => {
    const reason = refusalOf({ host, address }, policy);
    refusal ??= reason;
    return reason === null;
  });
  if (permitted.length === 0)
    throw new OutboundError("refused", refusal ?? "The host has no address");
  return permitted.slice(0, MAX_ADDRESSES);
}

async function resolve(host: string, signal: AbortSignal): Promise<string[]> {
  if (signal.aborted) throw abortedBy(signal);
  if (isIP(host) !== 0) return [host];
  let stop: (() => void) | null = null;
  // A question to the system's resolver cannot be taken back, only left alone.
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(abortedBy(signal));
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    const found = await Promise.race([lookup(host, { all: true, verbatim: true }), aborted]);
    return found.map(({ address }) => address);
  } catch (error) {
    throw socketError(error);
  } finally {
    if (stop !== null) signal.removeEventListener("abort", stop);
  }
}

function connectTo({ host, port }: Destination, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connectSocket({ host, port });
    whenReady(socket, "connect", { signal, resolve: () => resolve(socket), reject });
  });
}

interface Settling {
  readonly signal: AbortSignal;
  readonly resolve: () => void;
  readonly reject: (error: OutboundError) => void;
}

function whenReady(socket: Socket, event: string, { signal, resolve, reject }: Settling): void {
  const settle = (then: () => void): void => {
    signal.removeEventListener("abort", abort);
    socket.off(event, ready);
    socket.off("error", fail);
    socket.off("close", close);
    then();
  };
  const ready = (): void => settle(resolve);
  const give = (error: OutboundError): void =>
    settle(() => {
      // Whatever it still says is of no interest, but must not be an unheard error.
      socket.on("error", () => {});
      socket.destroy();
      reject(error);
    });
  const fail = (error: unknown): void => give(socketError(error));
  const close = (): void => give(new OutboundError("broken", "The other side hung up"));
  const abort = (): void => give(abortedBy(signal));
  socket.once(event, ready);
  socket.once("error", fail);
  socket.once("close", close);
  if (signal.aborted) abort();
  else signal.addEventListener("abort", abort, { once: true });
}
