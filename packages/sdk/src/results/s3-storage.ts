// Results in a store that speaks S3: Amazon's own, MinIO, Ceph, R2 and others.

import { nextDelayMs } from "../report/back-off.ts";
import { nowMs, sleepOrAbort } from "../time.ts";
import type { ResultStorage } from "./result-storage.ts";
import { encodePart, type S3Credentials, signedHeaders } from "./s3-signature.ts";

export interface S3Place {
  readonly bucket: string;
  /** What the names of objects begin with; empty, or ending with a slash. */
  readonly prefix: string;
  /** Where the store is, if it is not Amazon's. */
  readonly endpoint: string | null;
  readonly region: string;
  readonly credentials: S3Credentials;
}

const ATTEMPTS = 4;
const TIMEOUT_MS = 60_000;
const NOT_THERE = 404;
const TOO_MANY = 429;
const SERVER_FAULT = 500;
const NOTHING = new Uint8Array();

/** A whole object is seen by others, or none: the store sees to that. */
export function s3Storage(place: S3Place): ResultStorage {
  return {
    async read(key) {
      const response = await ask(place, { method: "GET", key });
      return response === null ? null : new Uint8Array(await response.arrayBuffer());
    },
    async write(key, bytes) {
      const response = await ask(place, { method: "PUT", key, body: bytes });
      if (response === null) throw new Error(`There is no bucket ${place.bucket}`);
    },
    async remove(key) {
      await ask(place, { method: "DELETE", key });
    },
  };
}

interface ObjectRequest {
  readonly method: "GET" | "PUT" | "DELETE";
  readonly key: string;
  readonly body?: Uint8Array;
}

/** The answer; null where there is no such object. What is only passing is tried again. */
async function ask(place: S3Place, asked: ObjectRequest): Promise<Response | null> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await once(place, asked);
    if (answer instanceof Response && answer.ok) return answer;
    const isRefusal = answer instanceof Response;
    if (isRefusal && answer.status === NOT_THERE) return null;
    const isPassing = !isRefusal || answer.status >= SERVER_FAULT || answer.status === TOO_MANY;
    if (!isPassing || attempt === ATTEMPTS) throw await refusalOf(place, asked, answer);
    await sleepOrAbort(nextDelayMs(attempt));
  }
}

/** The answer, or why there is none. */
async function once(place: S3Place, asked: ObjectRequest): Promise<Response | Error> {
  const { region, credentials } = place;
  const { method, key, body = NOTHING } = asked;
  const url = addressOf(place, key);
  // Signed anew each time: a signature is good for minutes.
  const headers = signedHeaders({ method, url, body, region, credentials, nowMs: nowMs() });
  try {
    return await fetch(url, {
      method,
      headers,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(method === "PUT" && { body: body as Uint8Array<ArrayBuffer> }),
    });
  } catch (error) {
    return error as Error;
  }
}

/** Amazon wants the bucket in the name of the host; others have it in the path. */
export function addressOf({ bucket, prefix, endpoint, region }: S3Place, key: string): URL {
  const object = `${prefix}${key}`.split("/").map(encodePart).join("/");
  const isHostName = endpoint === null && !bucket.includes(".");
  const host = `s3.${region}.amazonaws.com`;
  if (isHostName) return new URL(`https://${bucket}.${host}/${object}`);
  const base = (endpoint ?? `https://${host}`).replace(/\/+$/, "");
  return new URL(`${base}/${encodePart(bucket)}/${object}`);
}

async function refusalOf(
  { bucket, prefix }: S3Place,
  { method, key }: ObjectRequest,
  answer: Response | Error,
): Promise<Error> {
  const what = `${method} s3://${bucket}/${prefix}${key}`;
  if (answer instanceof Error) {
    const { cause } = answer;
    const reason = cause instanceof Error ? cause.message : answer.message;
    return new Error(`${what}: ${reason}`, { cause: answer });
  }
  const text = await answer.text().catch(() => "");
  const [, code = ""] = /<Code>(.*?)<\/Code>/.exec(text) ?? [];
  return new Error(`${what}: the store answered ${answer.status} ${code}`.trimEnd());
}
