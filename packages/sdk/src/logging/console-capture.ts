// While flows run, what they print is kept with their runs as well. What is printed elsewhere is
// not touched.

import { format } from "node:util";
import { findScope } from "../scope/context.ts";
import { isShipped, LOG_LEVELS, type LogLevel, shipLine } from "./logger.ts";
import { marksLines, withLineMarkers } from "./marked-lines.ts";

const METHODS = {
  log: "info",
  info: "info",
  debug: "debug",
  warn: "warn",
  error: "error",
} as const;
type Method = keyof typeof METHODS;

type Print = (...parts: unknown[]) => void;

let captures = 0;
const originals = new Map<Method, Print>();

/** Begins to capture; the last one that ends it gives the console back as it was. */
export function captureConsole(): () => void {
  captures += 1;
  if (captures === 1) replaceMethods();
  let hasEnded = false;
  return () => {
    if (hasEnded) return;
    hasEnded = true;
    captures -= 1;
    if (captures === 0) restoreMethods();
  };
}

function replaceMethods(): void {
  for (const [method, level] of Object.entries(METHODS) as [Method, LogLevel][]) {
    const original = console[method] as Print;
    originals.set(method, original);
    console[method] = (...parts: unknown[]) => {
      const scope = findScope();
      if (marksLines() && isShipped(scope))
        original.call(console, withLineMarkers(format(...parts)));
      else original.apply(console, parts);
      if (scope?.flow == null || LOG_LEVELS[level] < scope.flow.settings.logLevel) return;
      shipLine(scope, { name: "console", level: LOG_LEVELS[level], message: format(...parts) });
    };
  }
}

function restoreMethods(): void {
  for (const [method, original] of originals) console[method] = original;
  originals.clear();
}
