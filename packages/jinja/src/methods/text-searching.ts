// Where something is in a text.

import { TemplateError } from "../template-error.ts";
import { bindArguments, textArgument, wholeArgument } from "../values/arguments.ts";
import { Tuple, type Value } from "../values/kinds.ts";
import { lengthOf, pointIndex, slicePoints } from "../values/points.ts";
import { spendSearch } from "../values/spending.ts";
import type { Method, Methods } from "./method.ts";

interface Part {
  readonly text: string;
  /** How many characters stand before it. */
  readonly start: number;
}

/** The part of a text that is searched, in characters; null where there is none. */
function partOf(text: string, from: Value | undefined, to: Value | undefined): Part | null {
  if ((from ?? null) === null && (to ?? null) === null) return { text, start: 0 };
  const length = lengthOf(text);
  const place = (given: Value | undefined, fallback: number): number => {
    const at = wholeArgument(given ?? undefined, fallback);
    return at < 0 ? Math.max(0, at + length) : at;
  };
  const [start, end] = [
    place(from ?? undefined, 0),
    Math.min(place(to ?? undefined, length), length),
  ];
  return start > end ? null : { text: slicePoints(text, start, end), start };
}

function found([text, args, { meter }]: Parameters<Method<string>>, fromEnd: boolean): bigint {
  const [wanted, from, to] = bindArguments(args, ["sub", "start?", "end?"]);
  const sought = textArgument(wanted, "");
  const part = partOf(text, from, to);
  if (part === null) return -1n;
  spendSearch(meter, part.text, sought);
  const at = fromEnd ? part.text.lastIndexOf(sought) : part.text.indexOf(sought);
  return BigInt(at === -1 ? -1 : pointIndex(part.text, at) + part.start);
}

const find =
  (fromEnd: boolean): Method<string> =>
  (...given) =>
    found(given, fromEnd);

const index =
  (fromEnd: boolean): Method<string> =>
  (...given) => {
    const at = found(given, fromEnd);
    if (at === -1n) throw new TemplateError("the text does not hold that one");
    return at;
  };

const count: Method<string> = (text, args, { meter }) => {
  const [wanted, from, to] = bindArguments(args, ["sub", "start?", "end?"]);
  const sought = textArgument(wanted, "");
  const part = partOf(text, from, to);
  if (part === null) return 0n;
  if (sought === "") return BigInt(lengthOf(part.text) + 1);
  spendSearch(meter, part.text, sought);
  return BigInt(part.text.split(sought).length - 1);
};

const side =
  (isThere: (text: string, sought: string) => boolean): Method<string> =>
  (text, args) => {
    const [wanted, from, to] = bindArguments(args, ["prefix", "start?", "end?"]);
    const sought = wanted instanceof Tuple ? wanted.items : [wanted];
    const part = partOf(text, from, to);
    return part !== null && sought.some((each) => isThere(part.text, textArgument(each, "")));
  };

export const SEARCH_METHODS: Methods<string> = {
  find: find(false),
  rfind: find(true),
  index: index(false),
  rindex: index(true),
  count,
  startswith: side((text, sought) => text.startsWith(sought)),
  endswith: side((text, sought) => text.endsWith(sought)),
};
