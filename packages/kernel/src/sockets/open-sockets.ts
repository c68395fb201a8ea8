import { AppError } from "../errors/app-error.ts";
import type { PeerSocket } from "./peer-socket.ts";
import type { SocketLimits } from "./socket-limits.ts";

interface Entry {
  readonly address: string;
  /** Resolves when the connection has ended and its handler is done. Never rejects. */
  readonly ended: Promise<void>;
}

const RETRY = { retryAfterSeconds: 5 };
/** All sockets are looked at again when this part of what may be held has been added. */
const SLACK = 1 / 16;

/** The open websockets, and the bounds on all of them together. */
export class OpenSockets {
  readonly #limits: SocketLimits;
  readonly #entries = new Map<PeerSocket, Entry>();
  readonly #perAddress = new Map<string, number>();
  /**
   * At least what is held: what was when the sockets were looked at, and all that has come or gone
   * out since.
   */
  #held = 0;
  #lookAt: number;

  constructor(limits: SocketLimits) {
    this.#limits = limits;
    this.#lookAt = limits.heldBytes;
  }

  get size(): number {
    return this.#entries.size;
  }

  sockets(): Iterable<PeerSocket> {
    return this.#entries.keys();
  }

  /** Resolves when those that are open now have ended. */
  async ended(): Promise<void> {
    await Promise.all([...this.#entries.values()].map(({ ended }) => ended));
  }

  assertRoom(address: string): void {
    const { sockets, socketsPerAddress, heldBytes } = this.#limits;
    if (this.size >= sockets) {
      throw new AppError("unavailable", "Too many websockets are open", RETRY);
    }
    if (this.#count(address) >= socketsPerAddress) {
      throw new AppError("unavailable", "Too many websockets are open from this address", RETRY);
    }
    if (this.#held <= heldBytes) return;
    this.#relieve();
    if (this.#held <= heldBytes) return;
    throw new AppError("unavailable", "Too much is waiting for slow websockets", RETRY);
  }

  add(socket: PeerSocket, entry: Entry): void {
    const { address, ended } = entry;
    this.#entries.set(socket, entry);
    this.#perAddress.set(address, this.#count(address) + 1);
    void ended.then(() => {
      this.#entries.delete(socket);
      const left = this.#count(address) - 1;
      if (left > 0) this.#perAddress.set(address, left);
      else this.#perAddress.delete(address);
    });
  }

  /** So much has come in or is going out. */
  grow(bytes: number): void {
    this.#held += bytes;
    if (this.#held > this.#lookAt) this.#relieve();
  }

  #count(address: string): number {
    return this.#perAddress.get(address) ?? 0;
  }

  /**
   * Measures, and lets go of those for whom most is held while it is too much. What they hold goes
   * a little later.
   */
  #relieve(): void {
    const { heldBytes } = this.#limits;
    const held = [...this.#entries.keys()].map((socket) => ({ socket, bytes: socket.heldBytes }));
    const total = held.reduce((sum, { bytes }) => sum + bytes, 0);
    this.#held = total;
    this.#lookAt = Math.max(heldBytes, total + heldBytes * SLACK);
    if (total <= heldBytes) return;
    held.sort((a, b) => b.bytes - a.bytes);
    let left = total;
    for (const { socket, bytes } of held) {
      if (left <= heldBytes) return;
      left -= bytes;
      socket.giveUp();
    }
  }
}
