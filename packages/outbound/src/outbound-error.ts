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

/**
 * Its message names no address and holds nothing that was sent, so that it can be shown and kept.
 */
export class OutboundError extends Error {
  override readonly name = "OutboundError";
  readonly code: OutboundErrorCode;
  /** The system's own word for it, such as ECONNREFUSED. */
  readonly reason: string | null;

  constructor(code: OutboundErrorCode, message: string, reason: string | null = null) {
    super(message);
    this.code = code;
    this.reason = reason;
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
    return new OutboundError(
      "insecure",
      `The encrypted connection was not accepted (${name})`,
      name,
    );
  if (/^(?:ENOTFOUND|EAI_)/.test(name))
    return new OutboundError(
      "unreachable",
      `The name of the host cannot be resolved (${name})`,
      name,
    );
  if (/^(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ETIMEDOUT)$/.test(name))
    return new OutboundError("unreachable", `The host cannot be reached (${name})`, name);
  if (name === "HPE_HEADER_OVERFLOW")
    return new OutboundError("broken", "The headers of the answer are too long", name);
  if (name.startsWith("HPE_"))
    return new OutboundError("broken", `The answer is not valid HTTP (${name})`, name);
  return new OutboundError("broken", `The connection broke (${name})`, name);
}
