/** Bounds on what one peer can take from the server. */
export interface SocketLimits {
  /** The longest message taken; a longer one ends the connection. */
  readonly messageBytes: number;
  /** Reading pauses while this much has arrived that nobody has looked at. */
  readonly unreadBytes: number;
  readonly unreadMessages: number;
  /** A peer that lets more than this pile up on its way out reads too slowly and is let go. */
  readonly unsentBytes: number;
  /** For the peer to say who it is and what it wants. */
  readonly handshakeMs: number;
  /** A peer is asked for a sign of life this often, and let go when it gave none since it was last asked. */
  readonly pingMs: number;
  /** For the peer to answer the end of the connection. */
  readonly closeMs: number;
  /** For what was received to be dealt with when the server stops. */
  readonly stopMs: number;
  readonly sockets: number;
}

export const DEFAULT_SOCKET_LIMITS: SocketLimits = {
  messageBytes: 2 * 1024 * 1024,
  unreadBytes: 1024 * 1024,
  unreadMessages: 1000,
  unsentBytes: 8 * 1024 * 1024,
  handshakeMs: 15_000,
  pingMs: 20_000,
  closeMs: 3000,
  stopMs: 5000,
  sockets: 10_000,
};
