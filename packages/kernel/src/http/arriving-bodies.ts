// Bodies that are still coming. They hold no place among the requests in flight, or senders that
// never finish would take all places, and each address may have a part of them, so that it leaves
// the rest to others.

/** An address may always have a few, however small the bounds are. */
const FEW = 8;

interface Sender {
  requests: number;
  bytes: number;
}

export interface ArrivingBody {
  /** Counts bytes that have arrived; false where the address holds too much of all. */
  readonly add: (bytes: number) => boolean;
  /** The body is complete, or nothing more of it is awaited. */
  readonly end: () => void;
}

export class ArrivingBodies {
  readonly #senders = new Map<string, Sender>();
  readonly #mostRequests: number;
  readonly #mostOfOne: number;
  readonly #mostBytesOfOne: number;
  #requests = 0;

  constructor(requests: number, bytes: number) {
    this.#mostRequests = Math.max(FEW, requests);
    this.#mostOfOne = Math.max(FEW, Math.floor(requests / 4));
    this.#mostBytesOfOne = bytes / 2;
  }

  hasRoom(address: string): boolean {
    const ofOne = this.#senders.get(address)?.requests ?? 0;
    return ofOne < this.#mostOfOne && this.#requests < this.#mostRequests;
  }

  begin(address: string): ArrivingBody {
    const sender = this.#senders.get(address) ?? { requests: 0, bytes: 0 };
    this.#senders.set(address, sender);
    sender.requests += 1;
    this.#requests += 1;
    let own = 0;
    let isOver = false;
    return {
      add: (bytes) => {
        if (isOver) return true;
        own += bytes;
        sender.bytes += bytes;
        // One alone is always taken.
        return sender.bytes === own || sender.bytes <= this.#mostBytesOfOne;
      },
      end: () => {
        if (isOver) return;
        isOver = true;
        sender.bytes -= own;
        sender.requests -= 1;
        this.#requests -= 1;
        if (sender.requests === 0) this.#senders.delete(address);
      },
    };
  }
}
