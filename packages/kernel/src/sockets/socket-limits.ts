/** Bounds on what one peer, and all of them together, can take from the server. */
export interface SocketLimits {
  /** The longest message taken; a longer one ends the connection. */
  readonly messageBytes: number;
  /** The same for a peer that has not said yet who it is. */
  readonly strangerBytes: number;
  /** Reading pauses while this much has arrived that nobody has looked at. */
  readonly unreadBytes: number;
  readonly unreadMessages: number;
  /** A peer that lets more than this pile up on its way out reads too slowly and is let go. */
  readonly unsentBytes: number;
  /** For the peer to say who it is and what it wants. */
  readonly handshakeMs: number;
  /**
   * A peer is asked for a sign of life this often, and let go when it gave none since it was last
   * asked.
   */
  readonly pingMs: number;
  /**
   * For the peer to answer the end of the connection; a slow reader hears of it behind all that
   * waits for it.
   */
  readonly closeMs: number;
  /** For what was received to be dealt with when the server stops. */
  readonly stopMs: number;
  readonly sockets: number;
  /** From one address, which may stand for many peers behind a proxy. */
  readonly socketsPerAddress: number;
  /**
   * What is held for all peers together: unfinished, unread and unsent. Above it nobody is let in,
   * and those for whom most is held are let go.
   */
  readonly heldBytes: number;
}

export const DEFAULT_SOCKET_LIMITS: SocketLimits = {
  messageBytes: 4 * 1024 * 1024,
  strangerBytes: 64 * 1024,
  unreadBytes: 1024 * 1024,
  unreadMessages: 1000,
  unsentBytes: 8 * 1024 * 1024,
  handshakeMs: 15_000,
  pingMs: 20_000,
  closeMs: 15_000,
  stopMs: 5000,
  sockets: 5000,
  socketsPerAddress: 1000,
  heldBytes: 256 * 1024 * 1024,
};
