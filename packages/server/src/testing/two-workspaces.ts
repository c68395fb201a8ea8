// Two workspaces with something of every kind in each: one that is looked at, and one that somebody
// asks from.
import type { DocumentedOperation } from "./documented-operations.ts";
import type { ServerAccount, ServerResponse } from "./guarded-server.ts";
import { type Home, type Planted, pathIn, plant, requestIn } from "./planted-workspace.ts";
import { valueOf } from "./references.ts";
import { storedRows, UUID } from "./stored-rows.ts";
import {
  operationName,
  type SentRequest,
  type StrangePlace,
  strangePlaces,
  validRequest,
} from "./strange-requests.ts";
import { anotherAccount, anotherWorkspace, createKeyOf } from "./tenants.ts";

const MARK = "planted-only-there";
const OWN = "at-home";

export interface Scene {
  readonly server: ServerAccount;
  /** What the asker's workspace has in common with the other. */
  readonly asker: "another account" | "the same account";
  readonly there: Home;
  readonly strange: Planted;
  readonly home: Home;
  readonly own: Planted;
  /** Ids of what is there and not at home. */
  readonly strangeIds: ReadonlySet<string>;
  /** What the asker has sent of it: an answer may repeat that. */
  readonly sent: Set<string>;
  /**
   * How each place answers to what does not exist; where another asker found that out it is not
   * asked again.
   */
  readonly refusals: Map<string, string>;
}

/**
 * Places are tried in turns, so that what one leaves behind is not taken for a fault of another.
 */
export type ProbeRound = "ids" | "reads" | "renames" | "uses" | "makes" | "queues";

/**
 * One workspace that is looked at, by somebody of another account and by somebody of another
 * workspace of its own.
 */
export async function setScenes(server: ServerAccount): Promise<Scene[]> {
  const there = await anotherWorkspace(server, "there");
  const strange = await plantWithAccount(server, there, MARK);
  const far = await anotherAccount(server);
  const near = await firstWorkspace(server);
  const askers = [
    { asker: "another account", home: far, own: await plantWithAccount(server, far, OWN) },
    {
      asker: "the same account",
      home: near,
      own: { ...strange, ...(await plant(server, near, OWN)) },
    },
  ] as const;
  const rows = await storedRows(server.databaseUrl, there.workspaceId);
  const ids = [...JSON.stringify([rows, strange]).matchAll(UUID)].map(([id]) => id);
  const refusals = new Map<string, string>();
  const scenes: Scene[] = [];
  for (const { home, own, asker } of askers) {
    const known = JSON.stringify([await storedRows(server.databaseUrl, home.workspaceId), own]);
    const strangeIds = new Set(ids.filter((id) => !known.includes(id)));
    const sent = new Set<string>();
    scenes.push({ server, asker, there, strange, home, own, strangeIds, sent, refusals });
  }
  return scenes;
}

/** As an owner who may go no further than this workspace. */
async function firstWorkspace(server: ServerAccount): Promise<Home> {
  const key = await createKeyOf(server, { workspace_ids: [server.workspaceId], role: "owner" });
  return { key, accountId: server.accountId, workspaceId: server.workspaceId };
}

async function plantWithAccount(server: ServerAccount, home: Home, mark: string): Promise<Planted> {
  const ask = requestIn(server, home);
  const service = { name: `${mark}-service`, role: "runner" };
  const made = await ask("POST", `/api/accounts/${home.accountId}/service_accounts`, service);
  const me = (await ask("GET", "/api/me")).body as Readonly<Record<string, string>>;
  const planted = await plant(server, home, mark);
  const audit = await ask("POST", `/api/accounts/${home.accountId}/audit/filter`, { limit: 1 });
  return {
    ...planted,
    "service-account": (made.body as { readonly id: string }).id,
    "api-key": me["api_key_id"] ?? "",
    user: me["id"] ?? "",
    "audit-cursor": (audit.body as { readonly next_cursor: string }).next_cursor,
  };
}

/**
 * When a place is tried: what is renamed is named otherwise before others make something of the
 * name.
 */
function turnOf(
  { method, path }: DocumentedOperation,
  { isKept, kind, label }: StrangePlace,
): ProbeRound {
  if (!isKept) return "reads";
  // Whoever chooses an id has something under it from then on.
  if (label === "id" && method === "POST") return "makes";
  if (!/\.|^tag$/.test(kind)) return "ids";
  // A queue that is not there is made by whoever wants to stand in it.
  if (label.endsWith("work_queue_name")) return "queues";
  if (method !== "POST") return "renames";
  const isMade = /(?:^|\.)(?:name|slug|key|tags?)$/.test(label) && !USES.test(path);
  return isMade ? "makes" : "uses";
}

/** Finds things by their name, without making any. */
const USES = /heartbeat|increment|decrement|import/;

/** What is wrong with an operation in the places whose turn it is. */
export async function wrongIn(
  scene: Scene,
  operation: DocumentedOperation,
  turn: ProbeRound,
): Promise<string[]> {
  const wrong = turn === "reads" ? await wrongBelow(scene, operation) : [];
  for (const place of placesOf(scene, operation))
    if (turnOf(operation, place) === turn) wrong.push(...(await wrongAt(scene, operation, place)));
  return wrong;
}

const places = new WeakMap<Scene, Map<DocumentedOperation, readonly StrangePlace[]>>();

/** Found once for all turns. */
function placesOf(scene: Scene, operation: DocumentedOperation): readonly StrangePlace[] {
  const known = places.get(scene) ?? new Map<DocumentedOperation, readonly StrangePlace[]>();
  places.set(scene, known);
  const found = known.get(operation) ?? strangePlaces(operation, scene.own);
  known.set(operation, found);
  return found;
}

/** The address of the other workspace itself. */
async function wrongBelow(scene: Scene, operation: DocumentedOperation): Promise<string[]> {
  const valid = validRequest(operation, scene.own);
  const path = pathIn(scene.there, valid.path);
  if (path === valid.path) return [];
  const { status } = await ask(scene, { ...valid, path });
  return status === 404 ? [] : [`${operationName(operation)} below the other workspace: ${status}`];
}

async function wrongAt(
  scene: Scene,
  operation: DocumentedOperation,
  place: StrangePlace,
): Promise<string[]> {
  const value = valueOf(place.kind, scene.strange);
  // Both are of one account.
  if (value === scene.own[place.kind]) return [];
  const wrong: string[] = [];
  const first = place.isNarrowing ? null : await refusalAt(scene, operation, place);
  scene.sent.add(value);
  const answer = await ask(scene, place.requestWith(value));
  const outcome = outcomeOf(answer, value);
  const isTwin = async () => outcome === (await outcomeFor(scene, place, madeUp(value)));
  if (first !== null && outcome !== first && !(await isTwin()))
    wrong.push(`${outcome}, and ${first} for what does not exist`);
  if (turnOf(operation, place) === "renames") await outcomeFor(scene, place, madeUp(value));
  if (answer.status >= 500) wrong.push(String(answer.status));
  const shown = strangeTokens(scene, JSON.stringify([answer.body, [...answer.headers]]));
  if (shown.length > 0) wrong.push(`shows ${shown.join(", ")}`);
  if (place.isNarrowing && answer.status < 300 && !isEmpty(answer.body))
    wrong.push(`finds ${JSON.stringify(answer.body).slice(0, 200)}`);
  return wrong.map(
    (what) => `${operationName(operation)} with ${place.label} of another workspace: ${what}`,
  );
}

/** How the place answers to what does not exist. */
async function refusalAt(
  scene: Scene,
  operation: DocumentedOperation,
  place: StrangePlace,
): Promise<string> {
  const name = `${operationName(operation)} ${place.label}`;
  const known = scene.refusals.get(name);
  // What was renamed is not there to be renamed again: those are answered by what was asked before.
  if (known !== undefined && turnOf(operation, place) !== "renames") return known;
  const value = madeUp(valueOf(place.kind, scene.strange));
  const found = await outcomeFor(scene, place, value);
  scene.refusals.set(name, found);
  return found;
}

/** The operation, done to the asker's own things. */
export const requestOwn = (scene: Scene, operation: DocumentedOperation): Promise<ServerResponse> =>
  ask(scene, validRequest(operation, scene.own));

function ask(
  { server, home }: Scene,
  { method, path, body }: SentRequest,
): Promise<ServerResponse> {
  return server.call(method, path, { key: home.key, ...(body === undefined ? {} : { body }) });
}

let count = 0;

/** Of the same shape, and nobody's. */
function madeUp(value: string): string {
  count += 1;
  return value.replaceAll(MARK, `nobody-${count}`).replaceAll(UUID, () => crypto.randomUUID());
}

const outcomeFor = async (scene: Scene, place: StrangePlace, value: string): Promise<string> =>
  outcomeOf(await ask(scene, place.requestWith(value)), value);

/** What tells two answers apart, but for what differs anyway. */
function outcomeOf({ status, body }: ServerResponse, value: string): string {
  if (status < 400) return String(status);
  const text = JSON.stringify(body).replaceAll(value, "…").replaceAll(UUID, "…");
  return `${status} ${text.replaceAll(/[\w-]*-own\b|\d+/g, "…")}`;
}

/** What is of the other workspace and was never sent by the asker. */
export function strangeTokens({ strangeIds, sent }: Scene, text = ""): string[] {
  const ids = [...text.matchAll(UUID)].map(([id]) => id).filter((id) => strangeIds.has(id));
  const names = [...text.matchAll(new RegExp(`${MARK}[\\w-]*`, "g"))].map(([name]) => name);
  const known = [...sent].join(" ");
  return [...ids, ...names].filter((token) => !known.includes(token));
}

function isEmpty(body: unknown): boolean {
  if (typeof body === "number") return body === 0;
  if (Array.isArray(body)) return body.length === 0;
  const { results = [], count: found = 0 } = body as { results?: unknown[]; count?: number };
  return results.length === 0 && found === 0;
}
