import { TemplateError } from "../template-error.ts";

const ESCAPE =
  /\\(?:\n|[\\'"abfnrtv]|x(?<two>[0-9a-fA-F]{2})|u(?<four>[0-9a-fA-F]{4})|U(?<eight>[0-9a-fA-F]{8})|(?<octal>[0-7]{1,3})|(?<broken>[xuUN]))/g;

const SIGNS: Readonly<Record<string, string>> = {
  "\n": "",
  "\\": "\\",
  "'": "'",
  '"': '"',
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

/** What stands between the quotes of a text, as Python reads it. */
export function readStringLiteral(inner: string, line: number): string {
  if (!inner.includes("\\")) return inner;
  return inner.replace(ESCAPE, (found, ...rest) => {
    const groups = rest.at(-1) as Readonly<Record<string, string | undefined>>;
    const { two, four, eight, octal, broken } = groups;
    if (broken !== undefined) throw new TemplateError(`a text ends within ${found}`, line);
    const digits = two ?? four ?? eight;
    if (octal !== undefined) return String.fromCodePoint(Number.parseInt(octal, 8));
    if (digits === undefined) return SIGNS[found.slice(1)] ?? found;
    const code = Number.parseInt(digits, 16);
    if (code > 0x10ffff) throw new TemplateError(`${found} is no character`, line);
    return String.fromCodePoint(code);
  });
}
