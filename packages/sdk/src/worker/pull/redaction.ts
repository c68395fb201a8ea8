// Secrets that a pull step uses are never shown: not in a log, and not in an error.

import type { JsonValue } from "@orchestrator/contract";

const SHOWN = "***";
/** Shorter texts are words of ordinary output. */
const MIN_LENGTH = 4;
const USER_INFO = /([a-z][a-z\d+.-]*:\/\/)[^/\s@]+@/gi;

export class Redaction {
  /** The longest first: one may be a part of another. */
  #secrets: string[] = [];

  /** Hides every text in a value, also in the forms in which requests carry it. */
  add(value: JsonValue | undefined): void {
    for (const text of textsIn(value ?? null)) {
      const forms = [
        text,
        encodeURIComponent(text),
        ...text.split("\n").map((line) => line.trim()),
      ];
      this.#secrets.push(...forms.filter((form) => form.length >= MIN_LENGTH));
    }
    this.#secrets = [...new Set(this.#secrets)].toSorted((a, b) => b.length - a.length);
  }

  apply(text: string): string {
    let shown = text.replaceAll(USER_INFO, `$1${SHOWN}@`);
    for (const secret of this.#secrets) shown = shown.replaceAll(secret, SHOWN);
    return shown;
  }
}

const OWN_SECRETS = ["ORCHESTRATOR_API_KEY", "ORCHESTRATOR_API_AUTH_STRING"];

/** What a job has in its environment to speak to the server. */
export const environmentSecrets = (env: Readonly<Record<string, string>>): string[] =>
  OWN_SECRETS.flatMap((name) => env[name] ?? []);

function textsIn(value: JsonValue): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap((each) => textsIn(each as JsonValue));
}
