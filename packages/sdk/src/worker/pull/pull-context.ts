import type { JsonObject, JsonValue } from "@orchestrator/contract";
import { JobError } from "../runner.ts";
import type { CodeCache } from "./code-cache.ts";
import type { Redaction } from "./redaction.ts";

/** What a step of a run has and needs. */
export interface PullContext {
  /** The folder as the steps so far have left it; null: none yet. */
  readonly folder: string | null;
  readonly cache: CodeCache;
  readonly preparation: Preparation;
  readonly redaction: Redaction;
  readonly env: Readonly<Record<string, string>>;
  /** Ends what a step does. */
  readonly signal: AbortSignal;
  /** Is given each line that a step prints. */
  readonly say: (text: string) => void;
}

/** The steps behind the one that makes a folder, as far as they depend on nothing else. */
export interface Preparation {
  /** Empty where there are none; a part of the folder's key. */
  readonly key: string;
  /** Performs them in the folder `directory`, before it is used by any run. */
  readonly perform: (values: JsonObject & { readonly directory: string }) => Promise<void>;
}

/** What a step gives to the next ones, such as `directory` and `stdout`. */
export interface StepOutput {
  readonly folder: string | null;
  readonly values: JsonObject;
  /** Gives a cached folder back when the run has ended. */
  readonly release?: () => void;
}

export type PullStep = (settings: StepSettings, context: PullContext) => Promise<StepOutput>;

/** The settings of a step, of which each is read as what it has to be. */
export class StepSettings {
  readonly #name: string;
  readonly #given: JsonObject;

  constructor(name: string, given: JsonObject) {
    this.#name = name;
    this.#given = given;
  }

  text(key: string): string | null {
    const value = this.#given[key] ?? null;
    if (value === null || value === "") return null;
    if (typeof value === "string") return value;
    throw this.problem(`${key} must be a text`);
  }

  needText(key: string): string {
    const value = this.text(key);
    if (value === null) throw this.problem(`needs ${key}`);
    return value;
  }

  flag(key: string): boolean {
    const value = this.#given[key] ?? false;
    if (typeof value === "boolean") return value;
    throw this.problem(`${key} must be true or false`);
  }

  wholeNumber(key: string): number {
    const value = this.#given[key] ?? 0;
    if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value;
    throw this.problem(`${key} must be a whole number`);
  }

  object(key: string): JsonObject {
    const value: JsonValue = this.#given[key] ?? null;
    if (value === null) return {};
    if (typeof value === "object" && !Array.isArray(value)) return value as JsonObject;
    throw this.problem(`${key} must hold names and values`);
  }

  /** A block, or the one secret that it consists of. */
  credentials(): Credentials {
    const given: JsonValue = this.#given["credentials"] ?? null;
    const token = this.text("access_token");
    if (typeof given === "string") return { token: given, username: null };
    const found = this.object("credentials");
    const read = (...keys: string[]): string | null => {
      const value = keys.map((key) => found[key]).find((each) => typeof each === "string" && each);
      return typeof value === "string" ? value : null;
    };
    return { token: token ?? read("token", "password", "value"), username: read("username") };
  }

  problem(text: string): JobError {
    return new JobError(`The pull step ${this.#name} ${text}`);
  }
}

export interface Credentials {
  readonly token: string | null;
  readonly username: string | null;
}
