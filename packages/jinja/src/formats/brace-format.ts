// `"{} and {name:>5}".format(...)`

import { TemplateError } from "../template-error.ts";
import type { Arguments, Value } from "../values/kinds.ts";
import { printNested, printValue } from "../values/printing.ts";
import { placeOrName } from "../values/reading-numbers.ts";
import type { RenderRun } from "../values/run.ts";
import { spendWhole } from "../values/spending.ts";
import { formatValue } from "./format-spec.ts";

const MAX_DEPTH = 2;

export function formatBraces(run: RenderRun, text: string, args: Arguments): string {
  const result = new BraceFormat(run, args).fill(text, 0);
  run.meter.spendText(result.length);
  return result;
}

class BraceFormat {
  readonly #run: RenderRun;
  readonly #args: Arguments;
  /**
   * Fields without a name take one after the other; those with numbers may not stand beside them.
   */
  #next = 0;
  #isNumbered: boolean | null = null;

  constructor(run: RenderRun, args: Arguments) {
    this.#run = run;
    this.#args = args;
  }

  fill(text: string, depth: number): string {
    if (depth > MAX_DEPTH) throw new TemplateError("places of texts are nested too deep");
    let result = "";
    for (let at = 0; at < text.length; ) {
      const sign = text.charAt(at);
      const isDouble = (sign === "{" || sign === "}") && text.charAt(at + 1) === sign;
      if (isDouble || (sign !== "{" && sign !== "}")) {
        result += sign;
        at += isDouble ? 2 : 1;
        continue;
      }
      if (sign === "}") throw new TemplateError("a single '}' is in the text to be formatted");
      const end = closingBrace(text, at);
      result += this.#field(text.slice(at + 1, end), depth);
      at = end + 1;
    }
    return result;
  }

  #field(field: string, depth: number): string {
    const [, path = "", conversion, spec = ""] =
      /^([^!:]*)(?:!([^:]*))?(?::(.*))?$/s.exec(field) ?? [];
    const value = this.#lookUp(path);
    spendWhole(this.#run.meter, value);
    const filledSpec = spec.includes("{") ? this.fill(spec, depth + 1) : spec;
    return formatValue(this.#run.meter, converted(value, conversion), filledSpec);
  }

  #lookUp(path: string): Value {
    const head = /^[^.[]*/.exec(path)?.[0] ?? "";
    let value = this.#argument(head);
    const rest = path.slice(head.length);
    const steps = /\.([^.[]+)|\[([^\]]+)\]/gy;
    let at = 0;
    for (const step of rest.matchAll(steps)) {
      const [found, name, key = ""] = step;
      at += found.length;
      if (name !== undefined) value = this.#run.memberOf(value, name);
      else value = this.#run.itemOf(value, placeOrName(key));
    }
    if (at !== rest.length) throw new TemplateError(`'${path.slice(0, 50)}' names no value`);
    return value;
  }

  #argument(head: string): Value {
    if (head !== "" && !/^\d+$/.test(head)) {
      const value = this.#args.named.get(head);
      if (value === undefined) throw new TemplateError(`there is no value named '${head}'`);
      return value;
    }
    const isNumbered = head !== "";
    if (this.#isNumbered !== null && this.#isNumbered !== isNumbered)
      throw new TemplateError("places with and without numbers are in one text");
    this.#isNumbered = isNumbered;
    const place = isNumbered ? Number(head) : this.#next++;
    const value = this.#args.positional[place];
    if (value === undefined) throw new TemplateError(`there is no value for place ${place}`);
    return value;
  }
}

function closingBrace(text: string, start: number): number {
  let open = 0;
  for (let at = start; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (sign === "{") open += 1;
    if (sign === "}") open -= 1;
    if (open === 0) return at;
  }
  throw new TemplateError("a single '{' is in the text to be formatted");
}

function converted(value: Value, conversion: string | undefined): Value {
  if (conversion === undefined) return value;
  if (conversion === "s") return printValue(value);
  if (conversion === "r" || conversion === "a") return printNested(value);
  throw new TemplateError(`'!${conversion.slice(0, 10)}' is no way to convert a value`);
}
