// Code that was pulled: one folder a version in the home folder, shared by workers of that home.

import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdir, readdir, readlink, rm, rmdir, stat, symlink, utimes } from "node:fs/promises";
import { join } from "node:path";
import { makePrivateFolder } from "@orchestrator/client/settings";
import { type Alarm, nowMs, runAfter } from "../../time.ts";

const MAX_ENTRIES = 50;
/** Another worker marks what it uses as used every few minutes. */
const IN_USE_MS = 30 * 60_000;
const MARK_MS = 10 * 60_000;
/** A link to the folder of a version that has been made whole. */
const READY = "ready";
/** An archive that is being loaded; what a lost worker left is removed after a day. */
const MAKING = ".making-";
const ABANDONED_MS = 86_400_000;

export interface CachedCode {
  readonly folder: string;
  /** The run has ended. */
  readonly release: () => void;
}

export class CodeCache {
  readonly #folder: string;
  readonly #making = new Map<string, Promise<void>>();
  readonly #users = new Map<string, number>();
  #marking: Alarm | null = null;

  constructor(home: string) {
    this.#folder = makePrivateFolder(home, "code");
  }

  /** The folder of a version; `make` fills an empty one where there is none yet, once. */
  async obtain(
    key: string,
    make: (folder: string) => Promise<void>,
    signal?: AbortSignal,
  ): Promise<CachedCode> {
    const place = join(this.#folder, key);
    let folder: string | null;
    this.#use(place, 1);
    try {
      for (;;) {
        folder = await readyFolder(place);
        if (folder !== null) break;
        const underWay = this.#making.get(key);
        if (underWay === undefined) {
          const made = this.#make(place, make).finally(() => this.#making.delete(key));
          this.#making.set(key, made);
          await made;
        } else {
          // Another run may be cancelled while it makes the folder.
          await endOrAbort(underWay, signal);
        }
      }
      await mark(place);
      await this.#clean();
    } catch (error) {
      this.#use(place, -1);
      throw error;
    }
    let isReleased = false;
    const release = (): void => {
      if (isReleased) return;
      isReleased = true;
      this.#use(place, -1);
    };
    return { folder, release };
  }

  async has(key: string): Promise<boolean> {
    return (await readyFolder(join(this.#folder, key))) !== null;
  }

  /** For what is not a version yet, such as an archive; removed after `work`. */
  async withScratch<T>(work: (folder: string) => Promise<T>): Promise<T> {
    const scratch = join(this.#folder, `${MAKING}${randomUUID()}`);
    await mkdir(scratch, { recursive: true });
    try {
      return await work(scratch);
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
  }

  /**
   * Made where it stays, as installed packages may name their folder. The link to it is made last:
   * a crash leaves none, and of two workers the first one wins.
   */
  async #make(place: string, make: (folder: string) => Promise<void>): Promise<void> {
    await removeAbandoned(place);
    const name = randomUUID();
    const folder = join(place, name);
    await mkdir(folder, { recursive: true });
    try {
      await make(folder);
      await symlink(name, join(place, READY));
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      if ((error as NodeJS.ErrnoException).code === "EEXIST" && (await readyFolder(place)) !== null)
        return;
      await rmdir(place).catch(() => {}); // Another worker may be making it.
      throw error;
    }
  }

  #use(folder: string, change: 1 | -1): void {
    const users = (this.#users.get(folder) ?? 0) + change;
    if (users > 0) this.#users.set(folder, users);
    else this.#users.delete(folder);
    if (this.#users.size === 0) {
      this.#marking?.cancel();
      this.#marking = null;
    } else this.#marking ??= this.#markLater();
  }

  #markLater(): Alarm {
    return runAfter(MARK_MS, () => {
      for (const folder of this.#users.keys()) void mark(folder);
      this.#marking = this.#markLater();
    });
  }

  /** Removes what was used longest ago, beyond the most entries. */
  async #clean(): Promise<void> {
    const names = await readdir(this.#folder);
    const found = await Promise.all(
      names.map(async (name) => {
        const path = join(this.#folder, name);
        return { name, path, used: (await stat(path).catch(() => null))?.mtimeMs ?? nowMs() };
      }),
    );
    const now = nowMs();
    const isMaking = ({ name }: { readonly name: string }): boolean => name.startsWith(MAKING);
    const abandoned = found.filter((each) => isMaking(each) && now - each.used > ABANDONED_MS);
    const surplus = found
      .filter((each) => !isMaking(each))
      .toSorted((a, b) => b.used - a.used)
      .slice(MAX_ENTRIES)
      .filter(({ path, used }) => now - used > IN_USE_MS && !this.#users.has(path));
    for (const { path } of [...abandoned, ...surplus])
      await rm(path, { recursive: true, force: true }).catch(() => {});
  }
}

async function endOrAbort(work: Promise<void>, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  const ended = new AbortController();
  const aborted = signal && once(signal, "abort", { signal: ended.signal });
  await Promise.race([work, ...(aborted ? [aborted] : [])]).catch(() => {});
  ended.abort();
  signal?.throwIfAborted();
}

/** Null where none has been made whole. */
async function readyFolder(place: string): Promise<string | null> {
  const name = await readlink(join(place, READY)).catch(() => null);
  return name === null ? null : join(place, name);
}

/** What lost workers were making of a version that is not ready. */
async function removeAbandoned(place: string): Promise<void> {
  for (const name of await readdir(place).catch(() => [])) {
    const path = join(place, name);
    const begunMs = (await stat(path).catch(() => null))?.mtimeMs ?? nowMs();
    if (name !== READY && nowMs() - begunMs > ABANDONED_MS)
      await rm(path, { recursive: true, force: true });
  }
}

/** Its time says when it was last used. */
async function mark(folder: string): Promise<void> {
  const now = nowMs() / 1000;
  await utimes(folder, now, now).catch(() => {});
}
