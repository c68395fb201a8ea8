import { TemplateError } from "../template-error.ts";
import type { Meter } from "../values/meter.ts";

const MAX_OUTPUT = 524_288;

/** What a template or a part of it has printed so far. */
export class Output {
  readonly #parts: string[] = [];
  readonly #meter: Meter;
  #length = 0;

  constructor(meter: Meter) {
    this.#meter = meter;
  }

  write(text: string): void {
    if (text === "") return;
    this.#length += text.length;
    if (this.#length > MAX_OUTPUT)
      throw new TemplateError(`the result is longer than ${MAX_OUTPUT} characters`);
    this.#meter.spendText(text.length);
    this.#parts.push(text);
  }

  get text(): string {
    return this.#parts.join("");
  }
}
