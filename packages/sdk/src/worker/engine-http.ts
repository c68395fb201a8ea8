// Plain HTTP to an engine: over a socket file, or over TCP with a token and a certificate of its
// own.

import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest, type RequestOptions } from "node:https";
import { JobError } from "./runner.ts";

export interface EngineAddress {
  /** Such as `https://10.0.0.1:443`; for a socket file only its path counts. */
  readonly url: string;
  readonly socketPath?: string;
  readonly token?: string;
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

export interface EngineRequest {
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

const MAX_REFUSAL = 2000;
const NOT_THERE = 404;
const TOO_MANY = 429;
const ITS_OWN_FAULT = 500;

/** The engine understood and refused. */
class EngineError extends JobError {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The answer as it arrives; throws what the engine said when it refuses. */
export async function openEngine(
  address: EngineAddress,
  { method, path, body, signal }: EngineRequest,
): Promise<IncomingMessage> {
  const { protocol, hostname, port, pathname } = new URL(address.url);
  const text = body === undefined ? null : JSON.stringify(body);
  const options: RequestOptions = {
    method,
    path: `${pathname.replace(/\/$/, "")}${path}`,
    headers: {
      ...(text !== null && {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(text),
      }),
      ...(address.token !== undefined && { authorization: `Bearer ${address.token}` }),
    },
    ...(address.socketPath === undefined
      ? { host: hostname.replace(/^\[|\]$/g, ""), port }
      : { socketPath: address.socketPath }),
    ...(address.ca !== undefined && { ca: address.ca }),
    ...(address.cert !== undefined && { cert: address.cert }),
    ...(address.key !== undefined && { key: address.key }),
    ...(signal !== undefined && { signal }),
  };
  const send = protocol === "https:" ? httpsRequest : httpRequest;
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = send(options, resolve);
    request.once("error", reject);
    request.end(text ?? undefined);
  }).catch((error: NodeJS.ErrnoException) => {
    const where = address.socketPath ?? address.url;
    throw new JobError(`The engine at ${where} does not answer: ${error.code ?? error.message}`);
  });
  const status = answer.statusCode ?? 0;
  if (status >= 300) throw new EngineError(status, await refusalIn(answer));
  return answer;
}

export async function callEngine<Answer>(
  address: EngineAddress,
  request: EngineRequest,
): Promise<Answer> {
  const text = await textOf(await openEngine(address, request));
  return (text === "" ? null : JSON.parse(text)) as Answer;
}

export const isNotThere = (error: unknown): boolean =>
  error instanceof EngineError && error.status === NOT_THERE;

/** Whether the engine would say the same when it is asked again. */
export const isEngineRefusal = (error: unknown): boolean =>
  error instanceof EngineError && error.status < ITS_OWN_FAULT && error.status !== TOO_MANY;

/** False for what is not there. */
export function unlessNotThere(error: unknown): false {
  if (!isNotThere(error)) throw error;
  return false;
}

/** What is gone already is as good as deleted. */
export async function deleteFromEngine(address: EngineAddress, path: string): Promise<void> {
  await callEngine(address, { method: "DELETE", path }).catch((error: unknown) => {
    if (!isNotThere(error)) throw error;
  });
}

async function textOf(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

async function refusalIn(answer: IncomingMessage): Promise<string> {
  const text = await textOf(answer);
  try {
    const { message } = JSON.parse(text) as { readonly message?: unknown };
    if (typeof message === "string") return message;
  } catch {
    // It said so in plain text.
  }
  return text.slice(0, MAX_REFUSAL) || `The engine refused with ${answer.statusCode}`;
}
