/** Why nothing was sent, or no answer came. */
export type OutboundErrorCode =
  /** The destination must not be called. */
  | "refused"
  /** What is asked for cannot be sent at all. */
  | "invalid"
  | "unreachable"
  | "timeout"
  | "insecure"
  /** The other side does not speak as it should, or hung up. */
  | "broken"
  | "stopped";

/** Its message names no address and holds nothing that was sent, so that it can be shown and kept. */
export class OutboundError extends Error {
  override readonly name = "OutboundError";
  readonly code: OutboundErrorCode;

  constructor(code: OutboundErrorCode, message: string) {
    super(message);
    this.code = code;
  }

  /** Whether another attempt could end otherwise. */
  get isLasting(): boolean {
    return this.code === "refused" || this.code === "invalid";
  }
}

/** What the signal of an attempt was aborted for. */
export function abortedBy(signal: AbortSignal): OutboundError {
  const isTimeout = (signal.reason as { readonly name?: string } | null)?.name === "TimeoutError";
  return isTimeout
    ? new OutboundError("timeout", "There was no answer in time")
    : new OutboundError("stopped", "It was interrupted because the server stops");
}

/** An error of a socket: its code says enough, its message may hold addresses. */
export function socketError(error: unknown): OutboundError {
  if (error instanceof OutboundError) return error;
  const code = (error as { readonly code?: unknown } | null)?.code;
  const name = typeof code === "string" && /^[A-Z0-9_]{1,64}$/.test(code) ? code : "unknown";
  if (/^(?:ERR_(?:TLS|SSL)|CERT_|UNABLE_TO|SELF_SIGNED|DEPTH_ZERO|EPROTO)/.test(name))
    return new OutboundError("insecure", `The encrypted connection was not accepted (${name})`);
  if (/^(?:ENOTFOUND|EAI_)/.test(name))
    return new OutboundError("unreachable", `The name of the host cannot be resolved (${name})`);
  if (/^(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ETIMEDOUT)$/.test(name))
    return new OutboundError("unreachable", `The host cannot be reached (${name})`);
  return new OutboundError("broken", `The connection broke (${name})`);
}
