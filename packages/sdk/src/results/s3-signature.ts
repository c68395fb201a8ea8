// Who asks, proven to an S3-compatible store: signature version 4, over the headers and the hash of
// what is sent.

import { createHash, createHmac } from "node:crypto";
import { timestampOf } from "../time.ts";

export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Of credentials that end. */
  readonly sessionToken?: string | undefined;
}

export interface S3Request {
  readonly method: string;
  readonly url: URL;
  readonly body: Uint8Array;
  readonly region: string;
  readonly credentials: S3Credentials;
  readonly nowMs: number;
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>>;
}

const ALGORITHM = "AWS4-HMAC-SHA256";

const sha256 = (data: Uint8Array | string): string =>
  createHash("sha256").update(data).digest("hex");
const hmac = (key: Uint8Array | string, text: string): Buffer =>
  createHmac("sha256", key).update(text).digest();

/** As the store writes it when it checks the signature; of a path each part by itself. */
export const encodePart = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** The headers of a request with its signature. The address must have no query. */
export function signedHeaders(request: S3Request): Record<string, string> {
  const { method, url, body, region, credentials, nowMs, headers: more = {} } = request;
  const time = timestampOf(nowMs * 1000).replaceAll(/[-:]|\.\d+/g, "");
  const day = time.slice(0, 8);
  const headers: Record<string, string> = {
    ...more,
    host: url.host,
    "x-amz-content-sha256": sha256(body),
    "x-amz-date": time,
    ...(credentials.sessionToken !== undefined && {
      "x-amz-security-token": credentials.sessionToken,
    }),
  };
  const names = Object.keys(headers).toSorted((a, b) => (a < b ? -1 : 1));
  const canonical = [
    method,
    url.pathname,
    "",
    ...names.map((name) => `${name}:${headers[name]}`),
    "",
    names.join(";"),
    sha256(body),
  ].join("\n");
  const scope = `${day}/${region}/s3/aws4_request`;
  const key = [day, region, "s3", "aws4_request"].reduce<Uint8Array | string>(
    hmac,
    `AWS4${credentials.secretAccessKey}`,
  );
  const signature = hmac(key, [ALGORITHM, time, scope, sha256(canonical)].join("\n"));
  const { host: _host, ...sent } = headers; // fetch says it itself
  return {
    ...sent,
    authorization: `${ALGORITHM} Credential=${credentials.accessKeyId}/${scope}, SignedHeaders=${names.join(";")}, Signature=${signature.toString("hex")}`,
  };
}
