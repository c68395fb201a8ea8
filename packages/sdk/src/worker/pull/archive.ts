// `archive`: a zip or tar.gz from a web address or a bucket. Each content is unpacked once.

import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { JsonObject } from "@orchestrator/contract";
import { placeOf, type RemoteValues } from "../../results/block-storage.ts";
import { signedHeaders } from "../../results/s3-signature.ts";
import { addressOf } from "../../results/s3-storage.ts";
import { nowMs } from "../../time.ts";
import { JobError } from "../runner.ts";
import type { PullContext, PullStep, StepSettings } from "./pull-context.ts";
import { unpackTarGz } from "./unpack-tar.ts";
import { unpackZip } from "./unpack-zip.ts";
import { archiveError, MAX_BYTES, Unpacking } from "./unpacking.ts";

const SHA256 = /^[0-9a-f]{64}$/;
const S3_ADDRESS = /^s3:\/\/([^/]+)\/(.+)$/;

export const archive: PullStep = async (settings, context) => {
  const digest = settings.text("sha256")?.toLowerCase() ?? null;
  if (digest !== null && !SHA256.test(digest)) throw settings.problem("needs 64 digits of sha256");
  const strip = settings.wholeNumber("strip_components");
  const keyOf = (hash: string): string => `archive-${hash}-${strip}${context.preparation.key}`;
  const source = sourceOf(settings, context);
  const found = await context.cache.withScratch(async (scratch) => {
    const path = join(scratch, "archive");
    const make = async (folder: string): Promise<void> => {
      await unpack(path, new Unpacking(folder, strip));
      await context.preparation.perform({ directory: folder });
    };
    const obtain = (hash: string) => context.cache.obtain(keyOf(hash), make, context.signal);
    if (digest !== null && (await context.cache.has(keyOf(digest)))) return obtain(digest);
    const hash = await download(source, path, context.signal);
    if (digest !== null && hash !== digest)
      throw archiveError(`${source.title} has the SHA-256 digest ${hash}, and not ${digest}`);
    return obtain(hash);
  });
  context.say(`${source.title} in ${found.folder}`);
  return { folder: found.folder, values: { directory: found.folder }, release: found.release };
};

interface ArchiveSource {
  /** Without query and credentials: signed addresses have secrets there. */
  readonly title: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

function sourceOf(settings: StepSettings, { redaction }: PullContext): ArchiveSource {
  const bucket = settings.text("bucket");
  const given =
    bucket === null ? settings.needText("url") : `s3://${bucket}/${settings.needText("key")}`;
  const [, name, key] = S3_ADDRESS.exec(given) ?? [];
  if (name !== undefined && key !== undefined)
    return bucketSource(settings, { name, key, redaction });
  const url = URL.canParse(given) ? new URL(given) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw settings.problem("needs a url that begins with https://, http:// or s3://");
  const { token, username } = settings.credentials();
  const secrets = [token ?? "", decodeURIComponent(url.password), ...url.searchParams.values()];
  redaction.add(secrets);
  const title = `${url.origin}${url.pathname}`;
  const user = username ?? decodeURIComponent(url.username);
  const password = token ?? decodeURIComponent(url.password);
  url.username = "";
  url.password = "";
  if (password === "") return { title, url, headers: {} };
  const basic = Buffer.from(`${user}:${password}`).toString("base64");
  redaction.add(basic);
  const authorization = user === "" ? `Bearer ${password}` : `Basic ${basic}`;
  return { title, url, headers: { authorization } };
}

function bucketSource(
  settings: StepSettings,
  {
    name,
    key,
    redaction,
  }: { readonly name: string; readonly key: string } & Pick<PullContext, "redaction">,
): ArchiveSource {
  const block = settings.object("credentials");
  redaction.add(secretsOf(block));
  const place = placeOf(
    "of the pull step",
    { basepath: `s3://${name}`, ...remoteValues(block) },
    process.env,
  );
  const url = addressOf(place, key);
  const { region, credentials } = place;
  const body = new Uint8Array();
  const headers = signedHeaders({ method: "GET", url, body, region, credentials, nowMs: nowMs() });
  return { title: `s3://${name}/${key}`, url, headers };
}

/** Blocks for a bucket and for the credentials of its owner name the same things differently. */
function remoteValues(block: JsonObject): Pick<RemoteValues, "settings"> {
  const { settings } = block as { readonly settings?: RemoteValues["settings"] };
  if (settings != null) return { settings };
  const text = (...keys: string[]): string | undefined =>
    keys.map((key) => block[key]).find((value) => typeof value === "string");
  const [id, secret, token, endpoint_url, region] = [
    text("key", "aws_access_key_id"),
    text("secret", "aws_secret_access_key"),
    text("token", "aws_session_token"),
    text("endpoint_url"),
    text("region", "region_name"),
  ];
  return {
    settings: {
      ...(id !== undefined && { key: id }),
      ...(secret !== undefined && { secret }),
      ...(token !== undefined && { token }),
      ...(endpoint_url !== undefined && { endpoint_url }),
      ...(region !== undefined && { client_kwargs: { region_name: region } }),
    },
  };
}

const SECRETS = /secret|token|password/;

function secretsOf(block: JsonObject): string[] {
  return Object.entries(block).flatMap(([key, value]) => {
    if (typeof value === "string") return SECRETS.test(key) ? [value] : [];
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? secretsOf(value as JsonObject) : [];
  });
}

/** Answers with the digest of what was loaded. */
async function download(
  { title, url, headers }: ArchiveSource,
  path: string,
  signal: AbortSignal,
): Promise<string> {
  const answer = await fetch(url, { headers, signal }).catch((error: unknown) => {
    signal.throwIfAborted();
    const { cause } = error as Error;
    const reason = cause instanceof Error ? cause.message : (error as Error).message;
    throw new JobError(`${title} cannot be loaded: ${reason}`);
  });
  if (!answer.ok || answer.body === null)
    throw new JobError(`${title} cannot be loaded: the server answered ${answer.status}`);
  const hash = createHash("sha256");
  let length = 0;
  await pipeline(
    Readable.fromWeb(answer.body as Parameters<typeof Readable.fromWeb>[0]),
    async function* counted(source: AsyncIterable<Buffer>) {
      for await (const chunk of source) {
        length += chunk.length;
        if (length > MAX_BYTES) throw archiveError(`it has more than ${MAX_BYTES} bytes`);
        hash.update(chunk);
        yield chunk;
      }
    },
    createWriteStream(path),
    { signal },
  );
  return hash.digest("hex");
}

const GZIP = 0x1f8b;
const ZIP = 0x504b;

async function unpack(path: string, unpacking: Unpacking): Promise<void> {
  const file = await open(path);
  const start = Buffer.alloc(2);
  try {
    await file.read(start, 0, 2, 0);
  } finally {
    await file.close();
  }
  const kind = start.readUInt16BE(0);
  if (kind !== GZIP && kind !== ZIP) throw archiveError("it is neither zip nor tar.gz");
  try {
    await (kind === GZIP ? unpackTarGz(path, unpacking) : unpackZip(path, unpacking));
    await unpacking.finish();
  } catch (error) {
    throw error instanceof JobError ? error : archiveError((error as Error).message);
  }
}
