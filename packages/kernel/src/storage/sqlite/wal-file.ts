// The write-ahead log as a file: what a commit has written there is safe once the file has been
// synced.
//
// SQLite would sync inside `commit`, on the event loop, and every read would wait for the disk. The
// writer commits with `synchronous=normal` instead, which leaves the sync to us, and this does it
// on a thread of libuv's pool.

import { type FileHandle, open } from "node:fs/promises";
import { dirname } from "node:path";

export class WalFile {
  readonly #file: string;
  #handle: FileHandle | undefined;

  constructor(databaseFile: string) {
    this.#file = `${databaseFile}-wal`;
  }

  /** Resolves when everything committed before the call is on the disk. */
  async sync(): Promise<void> {
    this.#handle ??= await this.#open();
    await this.#handle.datasync();
  }

  async size(): Promise<number> {
    this.#handle ??= await this.#open();
    return (await this.#handle.stat()).size;
  }

  async close(): Promise<void> {
    await this.#handle?.close();
  }

  /** The first commit has made the file; its name must be as safe as what it holds. */
  async #open(): Promise<FileHandle> {
    const handle = await open(this.#file, "r+");
    const folder = await open(dirname(this.#file), "r");
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
    return handle;
  }
}
