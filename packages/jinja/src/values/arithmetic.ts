import { TemplateError } from "../template-error.ts";
import { addTimeValues } from "../times/time-arithmetic.ts";
import { charactersOf, isText, List, SafeText, Tuple, Undefined, type Value } from "./kinds.ts";
import { escapeHtml } from "./markup.ts";
import type { Meter } from "./meter.ts";
import { bitLengthOf, isNumeric, isSmall, plainNumber, wholeIn } from "./numbers.ts";
import { typeName } from "./type-names.ts";

export type BinaryOperator = "+" | "-" | "*" | "/" | "//" | "%" | "**";
type Operands = readonly [bigint, bigint];

export function calculate(
  meter: Meter,
  operator: BinaryOperator,
  left: Value,
  right: Value,
): Value {
  for (const value of [left, right])
    if (value instanceof Undefined) throw new TemplateError(`${value.what} is undefined`);
  if (isNumeric(left) && isNumeric(right))
    return calculateNumbers(meter, operator, plainNumber(left), plainNumber(right));
  const result =
    operator === "+"
      ? added(meter, left, right)
      : operator === "*"
        ? repeated(meter, left, right)
        : null;
  if (result !== null) return result;
  const time = addTimeValues(operator, left, right);
  if (time !== null) return time;
  throw new TemplateError(
    `'${operator}' is not supported between ${typeName(left)} and ${typeName(right)}`,
  );
}

function added(meter: Meter, left: Value, right: Value): Value | null {
  if (isText(left) && isText(right)) {
    if (left instanceof SafeText || right instanceof SafeText)
      return new SafeText(spent(meter, htmlOf(left) + htmlOf(right)));
    return spent(meter, charactersOf(left) + charactersOf(right));
  }
  for (const kind of [List, Tuple])
    if (left instanceof kind && right instanceof kind) {
      meter.spendItems(left.items.length + right.items.length);
      return new kind([...left.items, ...right.items]);
    }
  return null;
}

const htmlOf = (value: Value): string =>
  value instanceof SafeText ? value.text : escapeHtml(isText(value) ? charactersOf(value) : "");

function spent(meter: Meter, text: string): string {
  meter.spendText(text.length);
  return text;
}

function repeated(meter: Meter, left: Value, right: Value): Value | null {
  const [some, times] = wholeIn(right) === null ? [right, wholeIn(left)] : [left, wholeIn(right)];
  if (times === null) return null;
  const count = times < 0n ? 0 : Number(times);
  if (isText(some)) {
    const text = charactersOf(some);
    meter.spendText(text.length * count);
    const result = text.repeat(text === "" ? 0 : count);
    return some instanceof SafeText ? new SafeText(result) : result;
  }
  if (!(some instanceof List || some instanceof Tuple)) return null;
  const { items } = some;
  meter.spendItems(items.length * count);
  const many = items.length === 0 ? [] : Array.from({ length: count }, () => items).flat();
  return some instanceof List ? new List(many) : new Tuple(many);
}

function calculateNumbers(
  meter: Meter,
  operator: BinaryOperator,
  left: bigint | number,
  right: bigint | number,
): bigint | number {
  if (typeof left === "bigint" && typeof right === "bigint") {
    if (operator === "**" && right < 0n) return power(toFloat(left), toFloat(right));
    spendLong(meter, operator, [left, right]);
    if (operator === "/") return divideWhole(left, right);
    return calculateWhole(meter, operator, [left, right]);
  }
  return calculateFloats(operator, toFloat(left), toFloat(right));
}

export function toFloat(value: bigint | number): number {
  const number = Number(value);
  if (typeof value === "bigint" && !Number.isFinite(number))
    throw new TemplateError("a whole number is too large for a number with a fraction");
  return number;
}

/** Powers are as long as what comes of them, which is told where they are worked out. */
function spendLong(meter: Meter, operator: BinaryOperator, [left, right]: Operands): void {
  if (operator === "**" || (isSmall(left) && isSmall(right))) return;
  const [one, other] = [bitLengthOf(left), bitLengthOf(right)];
  if (operator === "*") meter.spendBits(one + other);
  else if (operator === "+" || operator === "-") meter.spend((one + other) / 256);
  else meter.spendBits(Math.max(one, other));
}

function calculateWhole(meter: Meter, operator: BinaryOperator, [left, right]: Operands): bigint {
  switch (operator) {
    case "+":
      return left + right;
    case "-":
      return left - right;
    case "*":
      return left * right;
    case "**":
      if (left !== 0n && left !== 1n && left !== -1n)
        meter.spendBits(bitLengthOf(left) * Number(right));
      else if (left === -1n) return right % 2n === 0n ? 1n : -1n;
      else return right === 0n ? 1n : left;
      return left ** right;
    case "//":
    case "/":
      return (left - floorMod(left, right)) / right;
    case "%":
      return floorMod(left, right);
  }
}

/** With the sign of the divisor, as Python has it. */
function floorMod(left: bigint, right: bigint): bigint {
  if (right === 0n) throw divisionByZero();
  const rest = left % right;
  return rest !== 0n && rest < 0n !== right < 0n ? rest + right : rest;
}

const divisionByZero = (): TemplateError => new TemplateError("division by zero");

const SAFE = BigInt(Number.MAX_SAFE_INTEGER);

/** Always a number with a fraction, the closest one there is. */
function divideWhole(left: bigint, right: bigint): number {
  if (right === 0n) throw divisionByZero();
  const [top, bottom] = [left < 0n ? -left : left, right < 0n ? -right : right];
  const sign = left < 0n === right < 0n ? 1 : -1;
  if (top <= SAFE && bottom <= SAFE) return (sign * Number(top)) / Number(bottom);
  // As many bits as the result keeps and some more; the last of them tells of all that follow.
  const shift = Math.max(1, 71 + bitLengthOf(bottom) - bitLengthOf(top));
  const scaled = top << BigInt(shift);
  const quotient = (scaled / bottom) | (scaled % bottom === 0n ? 0n : 1n);
  // In two steps: a power of two beyond the largest number would be no number.
  const first = Math.min(shift, 1000);
  const result = Number(quotient) / 2 ** first / 2 ** (shift - first);
  if (!Number.isFinite(result)) throw new TemplateError("the result of a division is too large");
  return sign * result;
}

function calculateFloats(operator: BinaryOperator, left: number, right: number): number {
  switch (operator) {
    case "+":
      return left + right;
    case "-":
      return left - right;
    case "*":
      return left * right;
    case "/":
      if (right === 0) throw divisionByZero();
      return left / right;
    case "//":
      if (right === 0) throw divisionByZero();
      return Math.floor((left - floatMod(left, right)) / right + 0.5);
    case "%":
      return floatMod(left, right);
    case "**":
      return power(left, right);
  }
}

function floatMod(left: number, right: number): number {
  if (right === 0) throw divisionByZero();
  const rest = left % right;
  if (rest === 0) return right < 0 ? -0 : 0;
  return rest < 0 !== right < 0 ? rest + right : rest;
}

function power(left: number, right: number): number {
  if (left === 0 && right < 0) throw new TemplateError("0.0 cannot be raised to a negative power");
  if (left === 1) return 1;
  const result = left ** right;
  if (Number.isNaN(result) && !Number.isNaN(left) && !Number.isNaN(right))
    throw new TemplateError("there are no complex numbers here");
  if (!Number.isFinite(result) && Number.isFinite(left) && Number.isFinite(right))
    throw new TemplateError("the result of a power is too large");
  return result;
}

export function negated(value: Value, operator: "-" | "+"): Value {
  if (value instanceof Undefined) throw new TemplateError(`${value.what} is undefined`);
  if (isNumeric(value)) {
    const number = plainNumber(value);
    return operator === "-" ? -number : number;
  }
  const time = addTimeValues("*", value, operator === "-" ? -1n : 1n);
  if (time !== null) return time;
  throw new TemplateError(`bad operand type for '${operator}': ${typeName(value)}`);
}
