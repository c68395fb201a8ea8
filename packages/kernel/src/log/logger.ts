import { isatty } from "node:tty";
import {
  type Bindings,
  type ChildLoggerOptions,
  type Logger as PinoLogger,
  type LoggerOptions as PinoOptions,
  pino,
} from "pino";
import { type Clock, systemClock } from "../clock/clock.ts";
import type { Env } from "../config/setting-types.ts";
import type { OutageLog } from "./outage-log.ts";
import { plainError } from "./plain-error.ts";
import { type JsonRecord, mayHoldSecret, redact } from "./redact.ts";
import { textLine } from "./text-line.ts";

export const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export const LOG_FORMATS = ["text", "json"] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

/** `.child({ logger: "name" })` gives a part of the program its own name in the lines. */
export type Logger = PinoLogger;

export interface LogDestination {
  readonly write: (line: string) => unknown;
  readonly isTTY?: boolean;
}

export interface LoggerOptions {
  readonly level: LogLevel;
  readonly format: LogFormat;
  /** @default standard error */
  readonly destination?: LogDestination;
  /** The name in the lines of the root logger. @default "main" */
  readonly name?: string;
  /** @default the system's clock */
  readonly clock?: Clock;
  /**
   * Says in few lines what every failing request would say in one of its own. @default every line
   * is written
   */
  readonly outage?: OutageLog;
  /** Asked only for NO_COLOR. @default the process's environment */
  readonly env?: Env;
}

export function createLogger(options: LoggerOptions): Logger {
  const { level, format, name = "main", clock = systemClock, env = process.env, outage } = options;
  const destination = options.destination ?? standardError();
  const hasColour = destination.isTTY === true && !env["NO_COLOR"];
  const render = format === "json" ? jsonLine : (line: string) => textOf(line, hasColour);
  const stream = {
    write(line: string): void {
      destination.write(render(line));
    },
  };
  const names = new WeakMap<Logger, string>();
  const root = pino(
    {
      level,
      base: null,
      messageKey: "message",
      timestamp: () => `,"timestamp":"${clock.now()}"`,
      serializers: { err: plainError, error: plainError },
      ...(outage !== undefined && { hooks: { logMethod: leavingOut(outage) } }),
      formatters: { level: (label) => ({ level: label }), log: keepOwnKeys },
      mixin: (_fields, _level, logger) => ({ logger: names.get(logger) ?? name }),
    },
    stream,
  );
  return nameChildren(root, names);
}

type LogMethod = NonNullable<NonNullable<PinoOptions["hooks"]>["logMethod"]>;

/** At level debug each line is still there. */
const leavingOut = (outage: OutageLog): LogMethod =>
  function leaveOut(args, method) {
    const [first] = args as unknown[];
    const { err, error } = (first ?? {}) as { readonly err?: unknown; readonly error?: unknown };
    const isCovered = outage.covers(first instanceof Error ? first : (err ?? error));
    if (!isCovered || this.isLevelEnabled("debug")) method.apply(this, args);
  };

type BindChild = (this: Logger, bindings: Bindings, options?: unknown) => unknown;

/**
 * A child's name replaces its parent's. Left among the bindings, both would stand in the line under
 * one key.
 */
function nameChildren(root: Logger, names: WeakMap<Logger, string>): Logger {
  // The types of pino's children fit each other or not by the order in which files are checked.
  // oxlint-disable-next-line typescript/unbound-method -- called below with the logger it belongs to
  const bindChild = root.child as unknown as BindChild;
  root.child = function child<Levels extends string = never>(
    this: Logger,
    bindings: Bindings,
    options?: ChildLoggerOptions<Levels>,
  ): PinoLogger<Levels> {
    const { logger = names.get(this), ...others } = bindings;
    const made = bindChild.call(this, keepOwnKeys(others), options) as PinoLogger<Levels>;
    if (logger !== undefined) names.set(made as unknown as Logger, String(logger));
    return made;
  };
  return root;
}

/**
 * Written at once, so that the last words before a crash are not lost; a closed pipe is no reason
 * to die.
 */
function standardError(): LogDestination {
  const stream = pino.destination({ dest: 2, sync: true });
  return { write: (line) => stream.write(line), isTTY: isatty(2) };
}

/** A field may not pass itself off as the level or the time of the line. */
function keepOwnKeys(fields: JsonRecord): JsonRecord {
  if (!("level" in fields || "timestamp" in fields)) return fields;
  const { level, timestamp, ...rest } = fields;
  return { ...rest, field_level: level, field_timestamp: timestamp };
}

// Secrets are taken out of the finished line and not of the objects on their way in: bindings of
// children, serialized errors and the message then all pass the same place, whoever logged them.

function jsonLine(line: string): string {
  return mayHoldSecret(line) ? `${JSON.stringify(redact(JSON.parse(line)))}\n` : line;
}

function textOf(line: string, hasColour: boolean): string {
  const record: JsonRecord = JSON.parse(line);
  return textLine(mayHoldSecret(line) ? redact(record) : record, hasColour);
}
