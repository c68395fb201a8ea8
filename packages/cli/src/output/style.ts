/** Colour is for people at a terminal who did not say no. */
export const hasColour = (stream: { readonly isTTY?: boolean } = process.stdout): boolean =>
  stream.isTTY === true && !process.env["NO_COLOR"] && process.env["TERM"] !== "dumb";

const code = (open: number, close: number) => (text: string) =>
  hasColour() ? `\u001b[${open}m${text}\u001b[${close}m` : text;

export const bold = code(1, 22);
export const dim = code(2, 22);
export const red = code(31, 39);
export const green = code(32, 39);
export const yellow = code(33, 39);
const blue = code(34, 39);
const magenta = code(35, 39);

const STATE_STYLES: Readonly<Record<string, (text: string) => string>> = {
  COMPLETED: green,
  READY: green,
  ONLINE: green,
  up: green,
  FAILED: red,
  CRASHED: red,
  down: red,
  RUNNING: blue,
  PENDING: magenta,
  SCHEDULED: yellow,
  degraded: yellow,
};

/** A state by its name, in the colour of its type. */
export const stateText = (
  type: string | null | undefined,
  name: string | null = type ?? null,
): string => (STATE_STYLES[type ?? ""] ?? dim)(name ?? "no state");
