// Where the entries of an archive may go: below one folder, and nowhere else.

import { createWriteStream } from "node:fs";
import { chmod, mkdir, realpath, symlink } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { JobError } from "../runner.ts";

const MAX_ENTRIES = 100_000;
export const MAX_BYTES = 2 * 1024 ** 3;
const MAX_NAME = 4096;
const EXECUTABLE = 0o100;

/** An archive that must not, or cannot, be unpacked. */
export const archiveError = (problem: string): JobError =>
  new JobError(`The archive cannot be unpacked: ${problem}`);

export class Unpacking {
  readonly #folder: string;
  readonly #strip: number;
  readonly #links: { readonly path: string; readonly target: string }[] = [];
  #entries = 0;
  #bytes = 0;

  constructor(folder: string, strip: number) {
    this.#folder = folder;
    this.#strip = strip;
  }

  async addFolder(name: string): Promise<void> {
    const path = this.#pathOf(name);
    if (path !== null) await mkdir(path, { recursive: true });
  }

  async addFile(name: string, mode: number, content: Readable): Promise<void> {
    const path = this.#pathOf(name);
    if (path === null) {
      for await (const chunk of content) this.#count(chunk as Buffer);
      return;
    }
    await mkdir(dirname(path), { recursive: true });
    const count = (chunk: Buffer): void => this.#count(chunk);
    await pipeline(
      content,
      async function* counted(source: AsyncIterable<Buffer>) {
        for await (const chunk of source) {
          count(chunk);
          yield chunk;
        }
      },
      // A second entry of the name would write through what the first one is.
      createWriteStream(path, { flags: "wx" }),
    );
    if ((mode & EXECUTABLE) !== 0) await chmod(path, 0o755);
  }

  /** Made when all files are there, so that none is written through a link. */
  addLink(name: string, target: string): void {
    const path = this.#pathOf(name);
    if (path === null) return;
    // Upward only at the beginning: behind a name, `..` may leave what another link leads to.
    const parts = target.split("/").filter((part) => part !== "" && part !== ".");
    const ups = parts.filter((part) => part === "..").length;
    const isUpFirst = parts.slice(0, ups).every((part) => part === "..");
    const isPlain = target !== "" && !target.startsWith("/") && isUpFirst;
    const depth = path.slice(this.#folder.length + 1).split("/").length - 1;
    if (!isPlain || ups > depth) throw archiveError(`the link ${name} leads out of it`);
    this.#links.push({ path, target });
  }

  async finish(): Promise<void> {
    const root = await realpath(this.#folder);
    for (const { path, target } of this.#links) {
      const folder = dirname(path);
      await mkdir(folder, { recursive: true });
      // Below another link, `..` would start elsewhere than at the depth that was checked.
      if ((await realpath(folder)) !== join(root, relative(this.#folder, folder)))
        throw archiveError(`the name of the link ${basename(path)} leads through another link`);
      await symlink(target, path);
    }
  }

  #count({ length }: Buffer): void {
    this.#bytes += length;
    if (this.#bytes > MAX_BYTES) throw archiveError(`it holds more than ${MAX_BYTES} bytes`);
  }

  /** Null for what is above the folders that are stripped. */
  #pathOf(name: string): string | null {
    this.#entries += 1;
    if (this.#entries > MAX_ENTRIES) throw archiveError(`it has more than ${MAX_ENTRIES} entries`);
    const isAbsolute = name.startsWith("/") || /^[a-z]:/i.test(name);
    const parts = name.split("/").filter((part) => part !== "" && part !== ".");
    if (isAbsolute || /[\\\0]/.test(name) || parts.includes("..") || name.length > MAX_NAME)
      throw archiveError(`the name ${JSON.stringify(name.slice(0, 200))} leads out of it`);
    const left = parts.slice(this.#strip);
    return left.length === 0 ? null : join(this.#folder, ...left);
  }
}
