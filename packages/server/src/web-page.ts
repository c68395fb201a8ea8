// The web UI: files that were built before, read once and kept, because there are few of them.

import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { type HttpApp, takesGzip } from "@orchestrator/kernel/http";
import type { Clock } from "@orchestrator/kernel/pure";
import type { AuthMode } from "@orchestrator/kernel/scope";

const BUILT = fileURLToPath(new URL("../../web/dist/", import.meta.url));
const TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};
/** Names change with what is in the files. */
const FOR_EVER = "public, max-age=31536000, immutable";
/** Nothing from anywhere else; styles may also stand in the page, where charts put them. */
const POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: https:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'";
/** What answers for itself where it does not know a path. */
const SERVICES = /^\/(?:api|uptime|metrics)(?:[/?]|$)/;

class Asset {
  readonly type: string;
  readonly plain: Buffer;
  #zipped: Buffer | undefined;

  constructor(name: string, plain: Buffer) {
    this.type = TYPES[extname(name)] ?? "application/octet-stream";
    this.plain = plain;
  }

  /**
   * Compressed for the first browser that asks, because all of them together took a tenth of every
   * start.
   */
  get zipped(): Buffer {
    this.#zipped ??= gzipSync(this.plain);
    return this.#zipped;
  }
}

/** How the page learns who may call and what there is to see, before it has asked anything. */
const MODE = '<meta name="auth-mode" content="open"';
const NAMES = '<meta name="services" content="orchestrator uptime"';
/**
 * By the clock that says when events came: what came before is in whatever the page asks for, but
 * for task runs, which are stored later.
 */
const SERVED = '<meta name="served-at" content=""';

interface WebPageOptions {
  readonly authMode: AuthMode;
  readonly services: readonly string[];
  readonly clock: Clock;
  readonly folder?: string;
}

/** Answers false where the page has not been built. */
export function serveWebPage(
  app: HttpApp,
  { authMode, services, clock, folder = BUILT }: WebPageOptions,
): boolean {
  const page = readPage(folder)
    ?.replace(MODE, MODE.replace("open", authMode))
    .replace(NAMES, NAMES.replace("orchestrator uptime", services.join(" ")));
  if (page === undefined) return false;
  const assets = readAssets(join(folder, "assets"));
  app.get<{ Params: { name: string } }>("/assets/:name", async (request, reply) => {
    const asset = assets.get(request.params.name);
    if (asset === undefined) return reply.callNotFound();
    const zips = takesGzip(request.headers);
    reply.type(asset.type).headers({
      "cache-control": FOR_EVER,
      vary: "Accept-Encoding",
    });
    if (zips) reply.header("content-encoding", "gzip");
    return reply.send(zips ? asset.zipped : asset.plain);
  });
  // The page finds out for itself which of its places was meant.
  app.get("/*", async (request, reply) => {
    if (SERVICES.test(request.url)) return reply.callNotFound();
    return reply
      .type("text/html; charset=utf-8")
      .headers({
        "cache-control": "no-cache",
        "content-security-policy": POLICY,
        "referrer-policy": "same-origin",
      })
      .send(page.replace(SERVED, SERVED.replace('""', `"${clock.now()}"`)));
  });
  return true;
}

function readPage(folder: string): string | undefined {
  try {
    return readFileSync(join(folder, "index.html"), "utf8");
  } catch {
    return undefined; // not built
  }
}

function readAssets(folder: string): Map<string, Asset> {
  const names = readdirSync(folder);
  return new Map(names.map((name) => [name, new Asset(name, readFileSync(join(folder, name)))]));
}
