// A store that speaks S3 as far as results need it, and lets in only who signs his requests.
import { createHash, createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

export const STORE_KEY = "an-access-key";
export const STORE_SECRET = "a-secret/with+signs";

export interface ObjectStore extends AsyncDisposable {
  readonly url: string;
  readonly objects: ReadonlyMap<string, Buffer>;
  /** The next requests are answered with this status. */
  readonly refuse: (status: number, times: number) => void;
  readonly asked: () => number;
}

export async function startObjectStore(bucket: string): Promise<ObjectStore> {
  const objects = new Map<string, Buffer>();
  const refusals: number[] = [];
  let asked = 0;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    asked += 1;
    const body = await bodyOf(request);
    const refusal = refusals.shift() ?? refusalOf(request, body, bucket);
    const path = decodeURIComponent(request.url ?? "").slice(bucket.length + 2);
    const say = (status: number, content: Buffer | string = ""): void => {
      response.writeHead(status).end(content);
    };
    if (refusal !== null) return say(refusal, `<Error><Code>No${refusal}</Code></Error>`);
    if (request.method === "PUT") {
      objects.set(path, body);
      return say(200);
    }
    const found = objects.get(path);
    if (request.method === "DELETE") {
      objects.delete(path);
      return say(204);
    }
    return found === undefined
      ? say(404, "<Error><Code>NoSuchKey</Code></Error>")
      : say(200, found);
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    objects,
    refuse: (status, times) => void refusals.push(...Array.from({ length: times }, () => status)),
    asked: () => asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

const hash = (data: Buffer | string): string => createHash("sha256").update(data).digest("hex");

/** 403 for who is not who he says he is, 404 for another bucket, null for whoever may. */
function refusalOf(request: IncomingMessage, body: Buffer, bucket: string): number | null {
  const { method = "", url = "", headers } = request;
  const { groups } =
    /^AWS4-HMAC-SHA256 Credential=(?<key>[^/]+)\/(?<scope>(?<day>\d{8})\/(?<region>[^/]+)\/s3\/aws4_request), SignedHeaders=(?<names>\S+), Signature=(?<signature>[\da-f]{64})$/.exec(
      headers.authorization ?? "",
    ) ?? {};
  if (groups === undefined || groups["key"] !== STORE_KEY) return 403;
  const { scope = "", day = "", region = "", names = "", signature } = groups;
  if (headers["x-amz-content-sha256"] !== hash(body)) return 403;
  const lines = names.split(";").map((name) => `${name}:${String(headers[name])}\n`);
  const wanted = hash(`${method}\n${url}\n\n${lines.join("")}\n${names}\n${hash(body)}`);
  let key = Buffer.from(`AWS4${STORE_SECRET}`);
  for (const part of [day, region, "s3", "aws4_request"])
    key = createHmac("sha256", key).update(part).digest();
  const text = `AWS4-HMAC-SHA256\n${String(headers["x-amz-date"])}\n${scope}\n${wanted}`;
  if (createHmac("sha256", key).update(text).digest("hex") !== signature) return 403;
  return url.startsWith(`/${bucket}/`) ? null : 404;
}
