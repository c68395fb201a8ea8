// The lines of one run among those that its process prints: they end with a mark on each stream.

import type { OnLine, OutputStream } from "./runner.ts";

export class RunOutput {
  /** Resolves when both streams have come to the mark. */
  readonly ended: Promise<void>;
  readonly #onLine: OnLine;
  readonly #endMark: string;
  readonly #open = new Set<OutputStream>(["stdout", "stderr"]);
  /** The mark begins with a line break, so that an empty line may or may not be one of the run. */
  readonly #blank = new Set<OutputStream>();
  #onEnded: () => void = () => {};

  constructor(onLine: OnLine, endMark: string) {
    this.#onLine = onLine;
    this.#endMark = endMark;
    this.ended = new Promise((resolve) => {
      this.#onEnded = resolve;
    });
  }

  get isEnded(): boolean {
    return this.#open.size === 0;
  }

  take(stream: OutputStream, text: string): void {
    if (text === this.#endMark) {
      this.#open.delete(stream);
      if (this.isEnded) this.#onEnded();
      return;
    }
    if (this.#blank.delete(stream)) this.#onLine(stream, "");
    if (text === "") this.#blank.add(stream);
    else this.#onLine(stream, text);
  }
}
