// Whether this server's own network works: a target that cannot be reached says nothing when nothing can be.

import { connect } from "node:net";

const PATIENCE_MS = 3000;
const REMEMBERED_MS = 5000;

/** Asks reference targets, all at once; the answer is good for some seconds, so that a thousand failures ask once. */
export class Connectivity {
  readonly #targets: readonly string[];
  #answer: Promise<boolean> | null = null;
  #askedAtMs = 0;

  constructor(targets: readonly string[]) {
    this.#targets = targets;
  }

  /** True when there is nothing to compare with. */
  isUp(): Promise<boolean> {
    if (this.#targets.length === 0) return Promise.resolve(true);
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
}

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
