import { clean } from "./clean.ts";
import { dim } from "./style.ts";

/**
 * A last line that changes in place while others are printed above it; only where people watch a
 * terminal.
 */
export interface LiveLine {
  readonly set: (text: string) => void;
  /** Prints above it. */
  readonly print: (text: string) => void;
  readonly end: () => void;
  readonly isShown: boolean;
}

const CLEAR = "\r\u001b[2K";

export function liveLine(): LiveLine {
  const isShown = process.stdout.isTTY === true && process.stderr.isTTY === true;
  let current = "";
  const draw = (text: string): void => {
    if (!isShown) return;
    const room = Math.max(1, (process.stderr.columns || 80) - 1);
    process.stderr.write(
      CLEAR + (text === "" ? "" : dim(Array.from(clean(text)).slice(0, room).join(""))),
    );
  };
  return {
    isShown,
    set(text) {
      current = text;
      draw(text);
    },
    print(text) {
      draw("");
      process.stdout.write(`${clean(text)}\n`);
      draw(current);
    },
    end() {
      current = "";
      draw("");
    },
  };
}
