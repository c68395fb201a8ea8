// Connections to other machines: the address that was checked is the one that is called.

import { connect as connectSocket, isIP, type Socket } from "node:net";
import {
  connect as connectTls,
  createSecureContext,
  type SecureContext,
  type TLSSocket,
} from "node:tls";
import { isSameMachine } from "./closed-destination.ts";
import { type HostResolver, systemResolver } from "./host-resolver.ts";
import { abortedBy, OutboundError, socketError } from "./outbound-error.ts";
import { type Destination, type OutboundPolicy, refusalOf } from "./outbound-policy.ts";

export interface Connecting {
  readonly policy: OutboundPolicy;
  /** Ends the attempt, wherever it is. */
  readonly signal: AbortSignal;
  /** Finds the addresses of a name; the operating system unless another is given. */
  readonly resolve?: HostResolver | undefined;
  /** Told once the addresses are known. */
  readonly onResolved?: () => void;
}

/** A host with many addresses is tried at so many of them. */
const MAX_ADDRESSES = 4;
/** An address that says nothing for so long is left for the next one; the last is waited for. */
const SILENT_ADDRESS_MS = 2000;

export async function openConnection(
  destination: Destination,
  connecting: Connecting,
): Promise<Socket> {
  const { signal } = connecting;
  if (signal.aborted) throw abortedBy(signal);
  const addresses = await permittedAddresses(destination, connecting);
  connecting.onResolved?.();
  let failure: unknown = null;
  for (let i = 0; i < addresses.length; i += 1) {
    const host = addresses[i] as string;
    const isLast = i === addresses.length - 1;
    try {
      return await connectTo({ host, port: destination.port }, signal, isLast);
    } catch (error) {
      if (signal.aborted) throw abortedBy(signal);
      failure = error;
    }
  }
  throw socketError(failure);
}

export interface Securing {
  /** What the certificate must be for. */
  readonly host: string;
  /** Whether a certificate that is not valid ends the connection. */
  readonly verify: boolean;
  readonly signal: AbortSignal;
  /** Whom to trust; the well-known authorities unless others are given. */
  readonly context?: SecureContext;
}

/** The same connection, encrypted. */
export function secured(
  socket: Socket,
  { host, verify, signal, context }: Securing,
): Promise<TLSSocket> {
  const name = isIP(host) === 0 ? { servername: host } : { host };
  // Its errors come through the connection around it as well.
  socket.on("error", () => {});
  return new Promise((resolve, reject) => {
    const secureContext = context ?? wellKnown();
    const tls = connectTls({ ...name, secureContext, socket, rejectUnauthorized: verify });
    whenReady(tls, "secureConnect", { signal, resolve: () => resolve(tls), reject });
  });
}

let shared: SecureContext | null = null;

/** To read the list of authorities for each connection costs more than the connection. */
function wellKnown(): SecureContext {
  shared ??= createSecureContext({ minVersion: "TLSv1.2" });
  return shared;
}

async function permittedAddresses(
  { host, port }: Destination,
  connecting: Connecting,
): Promise<readonly string[]> {
  const { policy } = connecting;
  const found = isIP(host) === 0 ? await addressesOf(host, connecting) : [host];
  const isNear = policy.closed?.some((service) => service.port === port) ?? false;
  const closed = isNear ? await closedAddresses(port, connecting) : [];
  let refusal: string | null = null;
  const permitted = found.filter((address) => {
    const reason = isSameMachine(address, closed)
      ? "It leads to a service that must not be called"
      : refusalOf({ host, address }, policy);
    refusal ??= reason;
    return reason === null;
  });
  if (permitted.length === 0)
    throw new OutboundError("refused", refusal ?? "The host has no address");
  return permitted.slice(0, MAX_ADDRESSES);
}

async function addressesOf(host: string, connecting: Connecting): Promise<readonly string[]> {
  const { signal, resolve = systemResolver } = connecting;
  if (signal.aborted) throw abortedBy(signal);
  return isIP(host) === 0 ? resolve(host, signal) : [host];
}

/** Where the closed services at a port are. */
async function closedAddresses(port: number, connecting: Connecting): Promise<readonly string[]> {
  const closed = (connecting.policy.closed ?? []).filter((service) => service.port === port);
  const found = await Promise.all(closed.map(({ host }) => addressesOf(host, connecting)));
  return found.flat();
}

function connectTo(
  { host, port }: Destination,
  signal: AbortSignal,
  isLast: boolean,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connectSocket({ host, port });
    if (!isLast) {
      socket.setTimeout(SILENT_ADDRESS_MS);
      socket.once("timeout", () => {
        socket.destroy(Object.assign(new Error("silent"), { code: "ETIMEDOUT" }));
      });
    }
    const ready = (): void => {
      if (!isLast) socket.setTimeout(0).removeAllListeners("timeout");
      resolve(socket);
    };
    whenReady(socket, "connect", { signal, resolve: ready, reject });
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
