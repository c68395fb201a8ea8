// Code that was pulled: one folder a version in the home folder, shared by workers of that home.

import { randomUUID } from "node:crypto";
import { mkdir, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { makePrivateFolder } from "@orchestrator/client/settings";
import { type Alarm, nowMs, runAfter } from "../../time.ts";

const MAX_ENTRIES = 50;
/** Another worker marks what it uses as used every few minutes. */
const IN_USE_MS = 30 * 60_000;
const MARK_MS = 10 * 60_000;
/** A version that is being made; what a lost worker left is removed after a day. */
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
  async obtain(key: string, make: (folder: string) => Promise<void>): Promise<CachedCode> {
    const folder = join(this.#folder, key);
    this.#use(folder, 1);
    try {
      for (;;) {
        if (await isFolder(folder)) break;
        const underWay = this.#making.get(key);
        if (underWay === undefined) {
          const made = this.#make(folder, make).finally(() => this.#making.delete(key));
          this.#making.set(key, made);
          await made;
        } else {
          // Another run may be cancelled while it makes the folder.
          await underWay.catch(() => {});
        }
      }
      await mark(folder);
      await this.#clean();
    } catch (error) {
      this.#use(folder, -1);
      throw error;
    }
    let isReleased = false;
    const release = (): void => {
      if (isReleased) return;
      isReleased = true;
      this.#use(folder, -1);
    };
    return { folder, release };
  }

  async has(key: string): Promise<boolean> {
    return isFolder(join(this.#folder, key));
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

  /** Made beside its place and moved there whole, so that a crash leaves no half of it. */
  #make(folder: string, make: (folder: string) => Promise<void>): Promise<void> {
    return this.withScratch(async (scratch) => {
      const made = join(scratch, "code");
      await mkdir(made);
      await make(made);
      await rename(made, folder).catch(async (error: unknown) => {
        // Another worker was faster.
        if (!(await isFolder(folder))) throw error;
      });
    });
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

const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => null))?.isDirectory() ?? false;

/** Its time says when it was last used. */
async function mark(folder: string): Promise<void> {
  const now = nowMs() / 1000;
  await utimes(folder, now, now).catch(() => {});
}
