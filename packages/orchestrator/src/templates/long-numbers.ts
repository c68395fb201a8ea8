// The engine takes whole numbers of 64 bits, and crashes on longer ones: those are texts to it, marked with NUL, which no text
// of a request can hold. The filters that we add to it get no number that is too long for ours.

type Context = Readonly<Record<string, unknown>>;

const LEAST = -(2n ** 63n);
const MOST = 2n ** 64n - 1n;
const MARK = "\0";
/** As JSON has it, and as the engine shows what is not a text. */
const QUOTED_MARK = /"\\(?:u0000|0)(-?\d+)"/g;
const NOT_FOR_FILTERS = "can't be represented as a JavaScript number";

/** Renders with a context in which whole numbers may be longer than our numbers keep. */
export function renderLongNumbers(context: Context, render: (context: Context) => string): string {
  if (!holdsLong(context)) return render(context);
  try {
    const text = render(withLong(context, forEngine));
    return text.replace(QUOTED_MARK, "$1").replaceAll(MARK, "");
  } catch (error) {
    if (!String(error).includes(NOT_FOR_FILTERS)) throw error;
    return render(withLong(context, String));
  }
}

function holdsLong(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return typeof value === "bigint";
  return Object.values(value).some(holdsLong);
}

function withLong<T>(value: T, change: (long: bigint) => unknown): T {
  const changed = (member: unknown): unknown => {
    if (typeof member === "bigint") return change(member);
    if (typeof member !== "object" || member === null) return member;
    if (Array.isArray(member)) return member.map(changed);
    return Object.fromEntries(Object.entries(member).map(([name, each]) => [name, changed(each)]));
  };
  return changed(value) as T;
}

const forEngine = (long: bigint): unknown =>
  long >= LEAST && long <= MOST ? long : `${MARK}${long}`;
