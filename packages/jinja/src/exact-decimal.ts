// Digits of numbers with a fraction, exact: halves are rounded to the even digit, as Python does.
// JavaScript rounds them up.

const bits = new DataView(new ArrayBuffer(8));

/** A finite number as a whole number times a power of two. */
function partsOf(value: number): { readonly whole: bigint; readonly power: number } {
  bits.setFloat64(0, Math.abs(value));
  const all = bits.getBigUint64(0);
  const exponent = Number(all >> 52n);
  const fraction = all & 0xfffffffffffffn;
  return exponent === 0
    ? { whole: fraction, power: -1074 }
    : { whole: fraction | 0x10000000000000n, power: exponent - 1075 };
}

/** The size of a number times ten to the power of `places`, as a whole number. */
export function scaled(value: number, places: number): bigint {
  const { whole, power } = partsOf(value);
  let [top, bottom] = [whole, 1n];
  if (power >= 0) top <<= BigInt(power);
  else bottom <<= BigInt(-power);
  if (places >= 0) top *= 10n ** BigInt(places);
  else bottom *= 10n ** BigInt(-places);
  return divideToEven(top, bottom);
}

/** Of numbers that are not negative. */
export function divideToEven(top: bigint, bottom: bigint): bigint {
  const quotient = top / bottom;
  const twice = (top % bottom) * 2n;
  const isUp = twice > bottom || (twice === bottom && quotient % 2n === 1n);
  return isUp ? quotient + 1n : quotient;
}

/** With so many digits behind the point, without a sign. */
export function fixedDigits(value: number, places: number): string {
  return withPoint(scaled(value, places), places);
}

function withPoint(digits: bigint, places: number): string {
  const text = digits.toString().padStart(places + 1, "0");
  return places === 0 ? text : `${text.slice(0, -places)}.${text.slice(-places)}`;
}

export interface Exponential {
  /** One digit before the point, the others behind it; no point. */
  readonly digits: string;
  readonly power: number;
}

/** The size of a number with so many digits in all. */
export function exponentialDigits(value: number, count: number): Exponential {
  if (value === 0) return { digits: "0".repeat(count), power: 0 };
  const guess = Number(Math.abs(value).toExponential().split("e")[1] ?? 0);
  const digits = scaled(value, count - 1 - guess).toString();
  // 9.99 with two digits is 10.
  return digits.length > count
    ? { digits: digits.slice(0, count), power: guess + 1 }
    : { digits, power: guess };
}

export const exponentText = (power: number): string =>
  `e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;

/** The shortest text that means the number, as Python writes it. */
export function floatText(value: number): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  const [mantissa = "0", exponent = "0"] = Math.abs(value).toExponential().split("e");
  const digits = mantissa.replace(".", "");
  const power = Number(exponent);
  if (power < -4 || power >= 16) {
    const rest = digits.length > 1 ? `.${digits.slice(1)}` : "";
    return `${sign}${digits.slice(0, 1)}${rest}${exponentText(power)}`;
  }
  if (power < 0) return `${sign}0.${"0".repeat(-power - 1)}${digits}`;
  const whole = digits.slice(0, power + 1).padEnd(power + 1, "0");
  return `${sign}${whole}.${digits.slice(power + 1) || "0"}`;
}
