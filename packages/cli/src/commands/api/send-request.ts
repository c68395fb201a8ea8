// One request as it was written, without what the client does for others: no repetition, no reading
// of the answer.

import type { JsonValue } from "@orchestrator/contract";
import { writeJson } from "@orchestrator/exact-json";
import { clientLibrary } from "../../io/client-library.ts";

export interface RawApiRequest {
  readonly method: string;
  readonly path: string;
  readonly body: JsonValue | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly service: "orchestrator" | "uptime";
  readonly profile: string | undefined;
}

export interface RawAnswer {
  readonly status: number;
  readonly statusText: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly text: string;
}

const FORBIDDEN = 403;

export async function sendRawRequest(request: RawApiRequest): Promise<RawAnswer> {
  const { url, headers } = serverOf(request);
  const target = addressOf(url, request.path);
  const send = (more: Readonly<Record<string, string>>) =>
    ask(target, { ...request, headers: { ...headers, ...more, ...request.headers } });
  const answer = await send({});
  if (answer.status !== FORBIDDEN || !answer.text.includes("CSRF")) return answer;
  return send(await csrfHeaders(url, headers));
}

function serverOf({ service, profile }: RawApiRequest): {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
} {
  const { settings } = clientLibrary().resolveConfig({ profile });
  const key = settings.ORCHESTRATOR_API_KEY?.value;
  if (service === "orchestrator") {
    const authString = settings.ORCHESTRATOR_API_AUTH_STRING?.value;
    return {
      url: settings.ORCHESTRATOR_API_URL.value,
      headers: bearer(key) ?? basic(authString) ?? {},
    };
  }
  const password = settings.UPTIME_PASSWORD?.value;
  const login = password && `${settings.UPTIME_USERNAME?.value ?? "admin"}:${password}`;
  // A server with accounts takes the same keys for both services.
  return { url: settings.UPTIME_API_URL.value, headers: basic(login) ?? bearer(key) ?? {} };
}

type Headers = Readonly<Record<string, string>>;

const bearer = (key: string | undefined): Headers | null =>
  key === undefined ? null : { authorization: `Bearer ${key}` };

const basic = (text: string | undefined): Headers | null =>
  text === undefined ? null : { authorization: `Basic ${Buffer.from(text).toString("base64")}` };

function addressOf(url: string, path: string): string {
  return `${url.replace(/\/+$/, "")}/${path.replace(/^\/+/, "")}`;
}

async function ask(
  url: string,
  { method, body, headers }: Pick<RawApiRequest, "method" | "body" | "headers">,
): Promise<RawAnswer> {
  const sent = body === undefined ? {} : { body: writeJson(body) };
  const type: Readonly<Record<string, string>> =
    body === undefined ? {} : { "content-type": "application/json" };
  try {
    const response = await fetch(url, {
      method,
      headers: { accept: "application/json", ...type, ...headers },
      ...sent,
    });
    const { status, statusText } = response;
    return { status, statusText, headers: [...response.headers], text: await response.text() };
  } catch (error) {
    throw new (clientLibrary().ConnectionError)({ method, url }, { cause: error, isUnsent: true });
  }
}

async function csrfHeaders(
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const client = crypto.randomUUID();
  const asked = { method: "GET", body: undefined, headers };
  const { text } = await ask(addressOf(url, `/csrf-token?client=${client}`), asked);
  const { token } = JSON.parse(text) as { readonly token: string };
  return {
    "orchestrator-csrf-token": token,
    "orchestrator-csrf-client": client,
    "prefect-csrf-token": token,
    "prefect-csrf-client": client,
  };
}
