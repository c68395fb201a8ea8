// JSON as Python writes it: in order, with blanks behind commas and colons, and no letters but
// those of ASCII; or plain, as models write theirs.

import { floatText } from "../exact-decimal.ts";
import { TemplateError } from "../template-error.ts";
import { DateTime, SECOND_MICROS, TimeSpan, timeValueOf } from "../times/time-kinds.ts";
import { isoText, timeValueText } from "../times/time-text.ts";
import { compare } from "../values/comparing.ts";
import {
  charactersOf,
  Dict,
  isSequence,
  isText,
  ObjectValue,
  Undefined,
  type Value,
} from "../values/kinds.ts";
import type { Meter } from "../values/meter.ts";
import { isNumeric } from "../values/numbers.ts";
import { printNested } from "../values/printing.ts";
import { typeName } from "../values/type-names.ts";

const MAX_INDENT = 100;
const MAX_DEPTH = 200;

export class TemplateJsonWriter {
  readonly #meter: Meter;
  readonly #indent: number | null;
  readonly #isPlain: boolean;
  #text = "";

  constructor(
    meter: Meter,
    { indent, isPlain = false }: { readonly indent: number | null; readonly isPlain?: boolean },
  ) {
    this.#meter = meter;
    this.#isPlain = isPlain;
    this.#indent = indent === null ? null : Math.min(Math.max(indent, 0), MAX_INDENT);
  }

  write(value: Value): string {
    this.#write(value, 0);
    return this.#text;
  }

  #add(text: string): void {
    this.#text += text;
    this.#meter.spend(1);
    this.#meter.spend(text.length / 32);
  }

  #write(value: Value, depth: number): void {
    if (depth > MAX_DEPTH) throw new TemplateError(`values are nested more than ${MAX_DEPTH} deep`);
    if (isSequence(value)) {
      this.#members(
        "[]",
        depth,
        value.items.map((item) => () => this.#write(item, depth + 1)),
      );
    } else if (value instanceof Dict) {
      const entries = this.#isPlain ? value.entries() : sortedEntries(value);
      const colon = this.#isPlain && this.#indent === null ? ":" : ": ";
      const members = entries.map(([key, member]) => () => {
        this.#add(`${this.#quoted(keyText(key))}${colon}`);
        this.#write(member, depth + 1);
      });
      this.#members("{}", depth, members);
    } else if (value instanceof ObjectValue) {
      const data = value.data();
      if (data === undefined) throw new TemplateError(`a ${typeName(value)} is no JSON`);
      this.#write(data, depth);
    } else if (isText(value)) this.#add(this.#quoted(charactersOf(value)));
    else this.#add(scalar(value));
  }

  #quoted(text: string): string {
    return this.#isPlain ? JSON.stringify(text) : quoted(text);
  }

  #members(brackets: string, depth: number, members: readonly (() => void)[]): void {
    const [opening, closing] = [brackets.slice(0, 1), brackets.slice(1)];
    this.#add(opening);
    members.forEach((write, place) => {
      if (place > 0) this.#add(this.#indent === null && !this.#isPlain ? ", " : ",");
      this.#newLine(depth + 1);
      write();
    });
    if (members.length > 0) this.#newLine(depth);
    this.#add(closing);
  }

  #newLine(depth: number): void {
    if (this.#indent !== null) this.#add(`\n${" ".repeat(this.#indent * depth)}`);
  }
}

function sortedEntries(dict: Dict): (readonly [Value, Value])[] {
  return dict.entries().toSorted(([one], [other]) => compare(one, other) ?? 0);
}

function keyText(key: Value): string {
  if (isText(key)) return charactersOf(key);
  if (key === null || isNumeric(key)) return scalar(key);
  throw new TemplateError(`a ${typeName(key)} is no key in JSON`);
}

function scalar(value: Value): string {
  if (isText(value)) return quoted(charactersOf(value));
  if (value === null || value instanceof Undefined) return "null";
  if (typeof value === "boolean") return String(value);
  if (typeof value === "number" && !Number.isFinite(value))
    return Number.isNaN(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity";
  if (typeof value === "number") return floatText(value);
  if (typeof value === "bigint") return printNested(value);
  const time = timeValueOf(value);
  if (time instanceof TimeSpan) return floatText(Number(time.micros) / Number(SECOND_MICROS));
  if (time instanceof DateTime) return quoted(isoText(time).replace(/\+00:00$/, "Z"));
  if (time !== null) return quoted(timeValueText(time));
  throw new TemplateError(`a ${typeName(value)} is no JSON`);
}

const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;

const quoted = (text: string): string => JSON.stringify(text).replace(/[^ -~]/g, escaped);

/** As it can stand within a web page. */
export const htmlSafe = (json: string): string => json.replace(/[<>&']/g, escaped);
