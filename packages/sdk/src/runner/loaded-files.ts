// The files that a flow has loaded: a runner is replaced when one of them changes.

import { statSync } from "node:fs";
import { Session } from "node:inspector";
import * as nodeModule from "node:module";
import { fileURLToPath } from "node:url";
import type { LoadedFile } from "./messages.ts";

/** A changed package changes the lock file of its folder, which the worker watches instead. */
const INSTALLED = "/node_modules/";

interface LoadHooks {
  readonly load: (url: string, context: object, next: NextLoad) => unknown;
}
type NextLoad = (url: string, context: object) => unknown;
type RegisterHooks = (hooks: LoadHooks) => void;

/** Newer versions of Node only. */
const registerHooks = (nodeModule as { readonly registerHooks?: RegisterHooks }).registerHooks;

export class LoadedFiles {
  /** The folder of this SDK. */
  readonly #excluded: string;
  readonly #known = new Set<string>();
  #fresh: string[] = [];
  readonly #hasHooks: boolean;

  constructor(excluded: string) {
    this.#excluded = excluded;
    this.#hasHooks = registerHooks !== undefined;
    registerHooks?.({
      load: (url, context, next) => {
        this.#note(url);
        return next(url, context);
      },
    });
  }

  /**
   * Those since the last time. An older Node asks its debugger, which takes milliseconds;
   * `isThorough` says whether that is worth it.
   */
  take({ isThorough }: { readonly isThorough: boolean }): LoadedFile[] {
    if (!this.#hasHooks && isThorough) for (const url of parsedScripts()) this.#note(url);
    const fresh = this.#fresh;
    this.#fresh = [];
    return fresh.flatMap((path) => {
      const found = statSync(path, { throwIfNoEntry: false });
      return [{ path, changedMs: found?.ctimeMs ?? 0 }];
    });
  }

  #note(url: string): void {
    if (!url.startsWith("file:") || this.#known.has(url)) return;
    this.#known.add(url);
    const path = fileURLToPath(url.replace(/[?#].*$/, ""));
    const isForeign = path.includes(INSTALLED) || path.startsWith(this.#excluded);
    if (!isForeign) this.#fresh.push(path);
  }
}

/** The debugger names every script that was loaded when it is turned on. */
function parsedScripts(): ReadonlySet<string> {
  const urls = new Set<string>();
  const session = new Session();
  session.connect();
  session.on("Debugger.scriptParsed", ({ params }) => urls.add(params.url));
  session.post("Debugger.enable");
  session.post("Debugger.disable");
  session.disconnect();
  return urls;
}
