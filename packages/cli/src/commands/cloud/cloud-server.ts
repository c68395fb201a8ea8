// What a server with accounts is asked about itself. It is not part of the client, as only such
// servers answer it.

import type { MyWorkspace } from "@orchestrator/contract";
import type { Command } from "commander";
import { clientLibrary } from "../../io/client-library.ts";
import { suggestion } from "../../output/alike.ts";
import { UsageError } from "../../output/fail.ts";

export interface CloudServer {
  /** The API above all workspaces. */
  readonly url: string;
  readonly key: string | undefined;
  /** The workspace in use; null where the address names none. */
  readonly workspaceId: string | null;
}

const WORKSPACE = /\/accounts\/[\da-f-]{36}\/workspaces\/([\da-f-]{36})\/?$/i;
const UNAUTHORIZED = 401;
const NOT_THERE = 404;

export function serverOf(command: Command): CloudServer {
  const { settings } = clientLibrary().resolveConfig({ profile: profileOf(command) });
  const url = settings.ORCHESTRATOR_API_URL.value;
  const [, workspaceId = null] = WORKSPACE.exec(url) ?? [];
  return { url: baseOf(url), key: settings.ORCHESTRATOR_API_KEY?.value, workspaceId };
}

export const baseOf = (url: string): string => url.replace(WORKSPACE, "").replace(/\/+$/, "");

interface CloudRequest {
  readonly method?: string;
  readonly body?: unknown;
}

/** Whom to ask, with a key or in a session. */
export interface CloudAccess {
  readonly url: string;
  readonly key?: string | undefined;
  readonly cookie?: string;
}

export async function cloudGet<T>(
  server: CloudAccess,
  path: string,
  request: CloudRequest = {},
): Promise<T> {
  if (server.key === undefined && server.cookie === undefined)
    throw new UsageError("Nobody is logged in: `orchestrator cloud login` asks for a key");
  const text = await (await cloudSend(server, path, request)).text();
  return (text === "" ? null : JSON.parse(text)) as T;
}

/** The answer, if it is none that refuses. */
export async function cloudSend(
  { url, key, cookie }: CloudAccess,
  path: string,
  { method = "GET", body }: CloudRequest = {},
): Promise<Response> {
  const target = url + path;
  const answer = await fetch(target, {
    method,
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(cookie === undefined ? {} : { cookie }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch((error: unknown) => {
    throw new (clientLibrary().ConnectionError)(
      { method, url: target },
      { cause: error, isUnsent: true },
    );
  });
  if (answer.ok) return answer;
  throw new UsageError(refusal(answer.status, await answer.text(), { url, key }));
}

function refusal(status: number, text: string, { url, key }: CloudAccess): string {
  if (status === UNAUTHORIZED && key !== undefined) return `${url} does not accept the key`;
  const detail = detailOf(text);
  if (status === NOT_THERE && detail === "Not Found")
    return `${url} has no accounts: start the server with ORCHESTRATOR_SERVER_AUTH_MODE=accounts`;
  return detail;
}

function detailOf(text: string): string {
  try {
    return (JSON.parse(text) as { readonly detail: string }).detail;
  } catch {
    return text;
  }
}

export const listKeyWorkspaces = (server: CloudAccess): Promise<readonly MyWorkspace[]> =>
  cloudGet(server, "/me/workspaces");

export const fullHandle = ({ account_handle, workspace_handle }: MyWorkspace): string =>
  `${account_handle}/${workspace_handle}`;

/** By `account/workspace`, by the workspace alone, or the only one there is. */
export function chosenWorkspace(
  all: readonly MyWorkspace[],
  name: string | undefined,
): MyWorkspace {
  const names = all.map(fullHandle);
  const fitting =
    name === undefined
      ? all
      : all.filter((each) => fullHandle(each) === name || each.workspace_handle === name);
  const [one, ...others] = fitting;
  if (one !== undefined && others.length === 0) return one;
  if (name === undefined)
    throw new UsageError(`Choose a workspace with --workspace: ${names.join(", ") || "none"}`);
  throw new UsageError(
    `There is no workspace ${name}.${suggestion(name, names) || ` There are ${names.join(", ")}.`}`,
  );
}

/** Lets the profile in use speak to the workspace; returns the name of the profile. */
export function useWorkspace(
  command: Command,
  { url, key }: Pick<CloudServer, "url" | "key">,
  { account_id, workspace_id }: MyWorkspace,
): string {
  const name = clientLibrary().resolveConfig({ profile: profileOf(command) }).profile;
  const stored = clientLibrary().readProfiles();
  const settings = {
    ...stored.profiles[name],
    ORCHESTRATOR_API_URL: `${url}/accounts/${account_id}/workspaces/${workspace_id}`,
    ...(key === undefined ? {} : { ORCHESTRATOR_API_KEY: key }),
  };
  clientLibrary().writeProfiles({ ...stored, profiles: { ...stored.profiles, [name]: settings } });
  return name;
}

export const profileOf = (command: Command): string | undefined =>
  command.optsWithGlobals<{ readonly profile?: string }>().profile;
