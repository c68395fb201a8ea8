// A terminal in which the commands of the documentation are typed.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import type { ServerEnv } from "./server-process.ts";

export interface ShellResult {
  readonly code: number | null;
  /** Standard output and standard error, in the order in which they were written. */
  readonly output: string;
}

/** The folder and the environment that a command leaves behind are those of the next one. */
const REPORT = `code=$?; { printf '%s\\0' "$PWD"; env -0; } >&3; exit $code`;

interface Background {
  readonly child: ChildProcess;
  readonly signal: NodeJS.Signals;
}

export class GuideShell implements AsyncDisposable {
  readonly #background: Background[] = [];
  #env: ServerEnv;
  #folder: string;

  constructor(folder: string, env: ServerEnv) {
    this.#folder = folder;
    this.#env = env;
  }

  get folder(): string {
    return this.#folder;
  }

  /** Runs a command to its end; one that ends with `&` goes on in the background. */
  async type(line: string): Promise<ShellResult> {
    if (line.endsWith("&")) {
      this.start(line.slice(0, -1));
      return { code: 0, output: "" };
    }
    const child = spawn("bash", ["-c", `exec 2>&1\n${line}\n${REPORT}`], {
      cwd: this.#folder,
      env: { ...this.#env },
      stdio: ["ignore", "pipe", "ignore", "pipe"],
    });
    const output = collect(child.stdout as Readable);
    const report = collect(child.stdio[3] as Readable);
    const [code] = (await once(child, "close")) as [number | null];
    const [folder, ...variables] = report().split("\0").slice(0, -1);
    if (folder !== undefined) {
      this.#folder = folder;
      this.#env = Object.fromEntries(variables.map(split));
    }
    return { code, output: output() };
  }

  /** Starts a command that `signal` ends in the end; the function returns its output so far. */
  start(line: string, signal: NodeJS.Signals = "SIGKILL"): () => string {
    const child = spawn("bash", ["-c", `exec 2>&1; exec ${line}`], {
      cwd: this.#folder,
      env: { ...this.#env },
      stdio: ["ignore", "pipe", "ignore"],
    });
    this.#background.push({ child, signal });
    return collect(child.stdout);
  }

  async [Symbol.asyncDispose]() {
    for (const { child, signal } of this.#background.toReversed()) {
      child.kill(signal);
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    }
  }
}

function split(variable: string): [string, string] {
  const end = variable.indexOf("=");
  return [variable.slice(0, end), variable.slice(end + 1)];
}

function collect(stream: Readable): () => string {
  let text = "";
  stream.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  return () => text;
}
