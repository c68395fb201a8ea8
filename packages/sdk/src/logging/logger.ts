import { format } from "node:util";
import { newId } from "../ids.ts";
import { storableText } from "../report/storable-text.ts";
import { findScope, type RunScope } from "../scope/context.ts";
import { readSettings } from "../settings.ts";
import { nextMicros, timeOfDay, timestampOf } from "../time.ts";
import { withLineMarkers } from "./marked-lines.ts";

export const LOG_LEVELS = { debug: 10, info: 20, warn: 30, error: 40, critical: 50 } as const;
export type LogLevel = keyof typeof LOG_LEVELS;

type Write = (...parts: readonly unknown[]) => void;

/**
 * Writes lines that are printed here and kept with the run. Parts are joined as `console.log` does.
 */
export type Logger = Readonly<Record<LogLevel, Write>>;

const LABELS: Readonly<Record<LogLevel, string>> = {
  debug: "DEBUG",
  info: "INFO",
  warn: "WARNING",
  error: "ERROR",
  critical: "CRITICAL",
};
const MAX_MESSAGE = 1_000_000;

/**
 * A logger for the run that the calling code is part of; outside of one, lines are only printed.
 */
export function getLogger(name?: string): Logger {
  return createLogger(name, () => findScope());
}

/** A logger for a certain place, wherever it is called from. */
export function scopeLogger(scope: RunScope | null): Logger {
  return createLogger(undefined, () => scope);
}

function createLogger(name: string | undefined, scopeNow: () => RunScope | null): Logger {
  const at =
    (level: LogLevel): Write =>
    (...parts) => {
      const scope = scopeNow();
      const settings = scope?.flow?.settings ?? readSettings();
      if (LOG_LEVELS[level] < settings.logLevel) return;
      const message = format(...parts);
      const source = name ?? sourceOf(scope);
      if (settings.isLogPrinted) {
        const who = scope?.taskRun?.name ?? scope?.flowRun?.name;
        const label = who === undefined ? source : `${source} '${who}'`;
        const line = `${timeOfDay()} | ${LABELS[level].padEnd(7)} | ${label} - ${message}`;
        process.stderr.write(`${isShipped(scope) ? withLineMarkers(line) : line}\n`);
      }
      shipLine(scope, { name: source, level: LOG_LEVELS[level], message });
    };
  return {
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    critical: at("critical"),
  };
}

function sourceOf(scope: RunScope | null): string {
  if (scope?.taskRun != null) return "orchestrator.task_runs";
  return scope?.flowRun == null ? "orchestrator" : "orchestrator.flow_runs";
}

interface Line {
  readonly name: string;
  readonly level: number;
  readonly message: string;
}

/** Whether lines of the scope go to the server from here. */
export function isShipped(scope: RunScope | null): boolean {
  return scope?.flow?.session != null && scope.flowRun !== null;
}

/** Hands a line to whoever brings it to the server, if it belongs to a run that one is told of. */
export function shipLine(scope: RunScope | null, { name, level, message }: Line): void {
  if (scope?.flow?.session == null || scope.flowRun === null) return;
  scope.flow.session.logs.push({
    id: newId(),
    name,
    level,
    message: storableText(
      message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE - 1)}…` : message,
    ),
    timestamp: timestampOf(nextMicros()),
    flow_run_id: scope.flowRun.id,
    task_run_id: scope.taskRun?.id ?? null,
  });
}
