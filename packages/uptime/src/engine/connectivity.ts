// Whether this server's own network works: a target that cannot be reached says nothing when
// nothing can be.

import { connect } from "node:net";
import { networkInterfaces } from "node:os";

const PATIENCE_MS = 3000;
const REMEMBERED_MS = 5000;

type Networks = typeof networkInterfaces;

/**
 * Asks reference targets, all at once; the answer is good for some seconds, so that a thousand
 * failures ask once. Where none are named, nobody is asked: the network is gone when this machine
 * has no address but its own, which no outage of a target can bring about.
 */
export class Connectivity {
  readonly #targets: readonly string[];
  readonly #networks: Networks;
  #answer: Promise<boolean> | null = null;
  #askedAtMs = 0;

  constructor(targets: readonly string[], networks: Networks = networkInterfaces) {
    this.#targets = targets;
    this.#networks = networks;
  }

  /** Whether a target that could not be reached is to blame for it. */
  isUp(host: string): Promise<boolean> {
    if (this.#targets.length === 0) return Promise.resolve(isOwn(host) || this.#hasAddress());
    const now = performance.now();
    if (this.#answer === null || now - this.#askedAtMs > REMEMBERED_MS) {
      this.#askedAtMs = now;
      this.#answer = Promise.any(this.#targets.map(reach)).then(
        () => true,
        () => false,
      );
    }
    return this.#answer;
  }

  #hasAddress(): boolean {
    const all = Object.values(this.#networks()).flatMap((addresses) => addresses ?? []);
    return all.some(({ internal, address }) => !internal && !LINK_LOCAL.test(address));
  }
}

/** What a machine gives itself when nobody else does. */
const LINK_LOCAL = /^(?:169\.254\.|fe[89ab])/i;

/** Whether it is this machine: that can be reached without any network. */
const isOwn = (host: string): boolean =>
  /^(?:(?:.*\.)?localhost|127\.[\d.]+|\[::1\])(?::\d+)?$/i.test(host);

function reach(target: string): Promise<void> {
  const end = target.lastIndexOf(":");
  const host = target.slice(0, end).replace(/^\[|\]$/g, "");
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port: Number(target.slice(end + 1)), timeout: PATIENCE_MS });
    socket.once("connect", () => {
      socket.destroy();
      resolve();
    });
    socket.once("timeout", () => socket.destroy(new Error("No answer")));
    socket.once("error", reject);
  });
}
