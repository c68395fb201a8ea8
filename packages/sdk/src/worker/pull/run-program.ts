// A program that a pull step runs: its output is bounded, and it ends with the run.

import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { forEachLine } from "../lines.ts";
import { signalGroup } from "../process-group.ts";
import { endOutput } from "../process-job.ts";
import { JobError } from "../runner.ts";
import type { PullContext } from "./pull-context.ts";

const MAX_OUTPUT = 65_536;
const TAIL_LENGTH = 2000;

interface Program {
  /** How people call it. */
  readonly title: string;
  /** Free of secrets: everyone on the machine can read them. */
  readonly words: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly isShown?: boolean;
}

export interface ProgramOutput {
  readonly stdout: string;
  readonly stderr: string;
}

/** Throws where the program fails, with its last lines, in which secrets are hidden. */
export async function runProgram(
  { title, words: [program, ...words], cwd, env = {}, input = "", isShown = false }: Program,
  { redaction, signal, say }: Pick<PullContext, "redaction" | "signal" | "say">,
): Promise<ProgramOutput> {
  signal.throwIfAborted();
  const child = spawn(program, words, {
    cwd,
    env: { ...process.env, ...env },
    detached: true,
    stdio: "pipe",
  });
  const kill = (): void => {
    if (child.pid !== undefined) signalGroup(child.pid, "SIGKILL");
  };
  signal.addEventListener("abort", kill, { once: true });
  const texts = { stdout: "", stderr: "" };
  const read = (stream: "stdout" | "stderr"): Promise<void> =>
    forEachLine(child[stream] as Readable, (line) => {
      if (texts[stream].length < MAX_OUTPUT) texts[stream] += `${line}\n`;
      if (isShown) say(redaction.apply(line));
    });
  try {
    // A program that reads nothing closes the pipe.
    child.stdin?.on("error", () => {});
    child.stdin?.end(input);
    const output = Promise.all([read("stdout"), read("stderr")]);
    const [code] = (await once(child, "exit")) as [number | null];
    // What it started ends with it, and what left its group may hold the pipes.
    kill();
    await endOutput(child, output);
    signal.throwIfAborted();
    if (code === 0) return { stdout: texts.stdout.trimEnd(), stderr: texts.stderr.trimEnd() };
    const tail = redaction
      .apply(texts.stderr || texts.stdout)
      .trimEnd()
      .slice(-TAIL_LENGTH);
    throw new JobError(`${redaction.apply(title)} ended with ${code ?? "a signal"}:\n${tail}`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT")
      throw new JobError(`${title} needs the program ${program}, and the folder ${cwd}`);
    throw error;
  } finally {
    signal.removeEventListener("abort", kill);
    kill();
  }
}
