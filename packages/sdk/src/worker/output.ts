// What a job prints: kept with its run, shown where the worker runs, and its last lines remembered
// for when it fails.

import { stripVTControlCharacters } from "node:util";
import type { FlowRun } from "@orchestrator/contract";
import { newId } from "../ids.ts";
import { LINE_MARKER } from "../logging/marked-lines.ts";
import type { ReportSession } from "../report/session.ts";
import { storableText } from "../report/storable-text.ts";
import { nextMicros, timestampOf } from "../time.ts";
import type { OnLine, OutputStream } from "./runner.ts";

const LEVELS = { stdout: 20, stderr: 30 } as const;
/**
 * A job that never stops printing must not fill the disk; its last lines are remembered all the
 * same.
 */
const MAX_KEPT_LENGTH = 100_000_000;
const TAIL_LINES = 20;
const TAIL_LENGTH = 2000;

export interface JobOutput {
  readonly onLine: OnLine;
  /** The last that it printed to stderr, or to stdout if it said nothing there. */
  readonly tail: () => string;
}

export function jobOutput(
  session: ReportSession,
  run: FlowRun,
  show: ((text: string) => void) | null,
): JobOutput {
  const tails: Record<"stdout" | "stderr", string[]> = { stdout: [], stderr: [] };
  let length = 0;
  const keep = (stream: OutputStream, message: string): void =>
    session.logs.push({
      id: newId(),
      name: `orchestrator.job.${stream}`,
      level: LEVELS[stream],
      message,
      timestamp: timestampOf(nextMicros()),
      flow_run_id: run.id,
      task_run_id: null,
    });
  return {
    onLine(stream, printed) {
      const isKept = printed.startsWith(LINE_MARKER);
      const text = isKept ? printed.slice(LINE_MARKER.length) : printed;
      show?.(text);
      const message = storableText(stripVTControlCharacters(text));
      if (message.trim() === "") return;
      const tail = tails[stream];
      tail.push(message);
      if (tail.length > TAIL_LINES) tail.shift();
      if (isKept || length > MAX_KEPT_LENGTH) return;
      length += message.length;
      keep(stream, message);
      if (length > MAX_KEPT_LENGTH) keep("stderr", "What the job prints from here on is not kept");
    },
    tail() {
      const lines = tails.stderr.length > 0 ? tails.stderr : tails.stdout;
      const text = lines.join("\n");
      return text.length > TAIL_LENGTH ? `…${text.slice(-TAIL_LENGTH)}` : text;
    },
  };
}
