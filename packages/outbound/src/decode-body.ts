// The bytes of an answer as text. Whoever sends little that unpacks to a lot gets only the
// beginning of it unpacked.

import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";

export interface DecodedBody {
  readonly text: string;
  /** Whether there was more than this. */
  readonly isCut: boolean;
  /** Why the text is not to be relied on; null when it is. */
  readonly problem: string | null;
}

export interface EncodedBody {
  readonly body: Buffer;
  readonly isCut: boolean;
  readonly headers: Readonly<Record<string, string>>;
}

const UNPACKERS = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

export async function decodeBody(given: EncodedBody, maxBytes: number): Promise<DecodedBody> {
  const encoding = (given.headers["content-encoding"] ?? "identity").trim().toLowerCase();
  const type = given.headers["content-type"];
  if (encoding === "identity" || encoding === "")
    return { text: asText(given.body, type), isCut: given.isCut, problem: null };
  if (!Object.hasOwn(UNPACKERS, encoding))
    return { text: "", isCut: false, problem: "the body is packed in a way that is not known" };
  const unpacked = await unpack(given, UNPACKERS[encoding as keyof typeof UNPACKERS], maxBytes);
  return {
    text: asText(unpacked.bytes, type),
    isCut: given.isCut || unpacked.isCut,
    problem: unpacked.isBroken && !given.isCut ? "the body cannot be unpacked" : null,
  };
}

interface Unpacked {
  readonly bytes: Buffer;
  readonly isCut: boolean;
  readonly isBroken: boolean;
}

function unpack(
  { body }: EncodedBody,
  create: (typeof UNPACKERS)[keyof typeof UNPACKERS],
  maxBytes: number,
): Promise<Unpacked> {
  return new Promise((resolve) => {
    const stream = create();
    const chunks: Buffer[] = [];
    let size = 0;
    const finish = (isCut: boolean, isBroken: boolean): void => {
      stream.destroy();
      resolve({ bytes: Buffer.concat(chunks), isCut, isBroken });
    };
    stream.on("data", (chunk: Buffer) => {
      const rest = maxBytes - size;
      size += chunk.length;
      if (rest > 0) chunks.push(chunk.subarray(0, rest));
      if (size > maxBytes) finish(true, false);
    });
    stream.on("error", () => finish(false, true));
    stream.on("end", () => finish(false, false));
    stream.end(body);
  });
}

function asText(bytes: Buffer, type: string | undefined): string {
  const label = /;\s*charset="?([\w:.-]{1,40})"?/i.exec(type ?? "")?.[1] ?? "utf-8";
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    return bytes.toString("utf8");
  }
}
