// Clients that create, update and delete variables as fast as they are answered, each with names of
// its own, whose content it therefore knows, and some that all of them fight over.
import { setTimeout as sleep } from "node:timers/promises";
import { type HttpAnswer, type HttpClient, httpClient } from "./http-client.ts";
import { type Ledger, type LedgerVerb, variableStateOf } from "./ledger.ts";
import type { Random } from "./random.ts";

export interface LoadOptions {
  readonly url: string;
  readonly ledger: Ledger;
  readonly random: Random;
  readonly clients: number;
}

export interface LoadCounts {
  acknowledged: number;
  /** Answered 404 or 409 because somebody else was quicker. */
  refused: number;
  /** Answered 503. */
  unavailable: number;
  /** Connections that broke before an answer came; the client ends with it. */
  lost: number;
}

export interface Load {
  readonly counts: Readonly<LoadCounts>;
  /** What no client should ever see. */
  readonly problems: readonly string[];
  /** The answers of 503, to look at. */
  readonly unavailable: readonly HttpAnswer[];
  /** Lets requests under way be answered. */
  readonly stop: () => Promise<void>;
  /** Resolves when every client has lost its connection, or after `stop`. */
  readonly ended: Promise<void>;
}

const OWN_NAMES = 8;
const SHARED_NAMES = Array.from({ length: 4 }, (_, index) => `shared-${index}`);
const SHARED_SHARE = 0.2;
const COLLISION_SHARE = 0.1;
const RETRY_MS = 10;
const LONGEST_TEXT = 300;

/** Makes every value unlike any other, so that each can be traced to the write it came from. */
let serial = 0;

interface Shared extends LoadOptions {
  readonly client: HttpClient;
  readonly counts: LoadCounts;
  readonly problems: string[];
  readonly unavailable: HttpAnswer[];
}

export function startVariableLoad(options: LoadOptions): Load {
  const client = httpClient(options.url);
  const counts = { acknowledged: 0, refused: 0, unavailable: 0, lost: 0 };
  const shared: Shared = { ...options, client, counts, problems: [], unavailable: [] };
  let isStopped = false;

  const run = async (index: number): Promise<void> => {
    const own = Array.from({ length: OWN_NAMES }, (_, n) => `client-${index}-${n}`);
    while (!isStopped) {
      const isShared = options.random.chance(SHARED_SHARE);
      const step = isShared
        ? await writeShared(shared, options.random.pick(SHARED_NAMES))
        : await writeOwn(shared, own, options.random.pick(own));
      if (step === "lost") return;
      if (step === "unavailable") await sleep(RETRY_MS);
    }
  };
  const ended = Promise.all(Array.from({ length: options.clients }, (_, n) => run(n))).then(() => {
    client[Symbol.dispose]();
  });
  return {
    counts,
    problems: shared.problems,
    unavailable: shared.unavailable,
    ended,
    async stop() {
      isStopped = true;
      await ended;
    },
  };
}

type Step = "done" | "refused" | "unavailable" | "lost";

async function writeShared(shared: Shared, name: string): Promise<Step> {
  return write(shared, name, shared.random.pick(["create", "update", "delete"]));
}

/** Only the owner writes here, so the owner knows what is there and is never refused. */
async function writeOwn(shared: Shared, own: readonly string[], name: string): Promise<Step> {
  const { ledger, random, problems } = shared;
  const [state, ...others] = ledger.possibleStates(name);
  if (others.length > 0) return readOwn(shared, name);
  const taken = own.find((other) => other !== name && !ledger.possibleStates(other).has(null));
  if (state !== null && taken !== undefined && random.chance(COLLISION_SHARE))
    return collide(shared, name, taken);
  const verb = state === null ? "create" : random.chance(0.7) ? "update" : "delete";
  const step = await write(shared, name, verb);
  if (step === "refused") problems.push(`${verb} of ${name} was refused while it held ${state}`);
  return step;
}

/**
 * A change that is refused half-way: the content would do, the name is taken. Nothing of it may
 * stay.
 */
async function collide(shared: Shared, name: string, taken: string): Promise<Step> {
  const changes = { name: taken, ...aContent(shared.random) };
  const address = `/api/variables/name/${name}`;
  const answer = await shared.client.send("PATCH", address, changes).catch(() => null);
  if (answer === null) return lose(shared);
  if (answer.status === 503) return postpone(shared, answer);
  if (answer.status === 409) shared.counts.refused += 1;
  else shared.problems.push(`${name} was given the name ${taken}: ${answer.status} ${answer.text}`);
  return "done";
}

async function readOwn(shared: Shared, name: string): Promise<Step> {
  const { client, ledger, problems } = shared;
  const answer = await client.get(`/api/variables/name/${name}`).catch(() => null);
  if (answer === null) return lose(shared);
  if (answer.status === 503) return postpone(shared, answer);
  if (answer.status !== 200 && answer.status !== 404) {
    problems.push(`Reading ${name} was answered ${answer.status}: ${answer.text}`);
    return "done";
  }
  const state =
    answer.status === 200 ? variableStateOf(answer.json<{ value: 0; tags: 0 }>()) : null;
  if (!ledger.possibleStates(name).has(state)) problems.push(`${name} was read as ${state}`);
  ledger.observe(name, state);
  return "done";
}

async function write(shared: Shared, name: string, verb: LedgerVerb): Promise<Step> {
  const { ledger, counts, problems } = shared;
  const content = aContent(shared.random);
  const outcome = verb === "delete" ? null : variableStateOf(content);
  const open = ledger.begin({ name, verb, outcome });
  const answer = await request(shared.client, { name, verb, content }).catch(() => null);
  if (answer === null) return lose(shared);
  switch (answer.status) {
    case 201:
    case 204:
      ledger.acknowledge(open);
      counts.acknowledged += 1;
      return "done";
    case 404:
    case 409:
      ledger.refuse(open);
      counts.refused += 1;
      return "refused";
    case 503:
      ledger.leaveOpen(open);
      return postpone(shared, answer);
    default:
      ledger.leaveOpen(open);
      problems.push(`${verb} of ${name} was answered ${answer.status}: ${answer.text}`);
      return "done";
  }
}

function lose({ counts }: Shared): Step {
  counts.lost += 1;
  return "lost";
}

function postpone({ counts, unavailable }: Shared, answer: HttpAnswer): Step {
  counts.unavailable += 1;
  unavailable.push(answer);
  return "unavailable";
}

interface Content {
  readonly value: { readonly serial: number; readonly text: string };
  readonly tags: readonly string[];
}

function aContent(random: Random): Content {
  serial += 1;
  const text = "x".repeat(random.integer(0, LONGEST_TEXT));
  const tags = ["a", "b", "c"].slice(0, random.integer(0, 3));
  return { value: { serial, text }, tags };
}

interface Request {
  readonly name: string;
  readonly verb: LedgerVerb;
  readonly content: Content;
}

function request(client: HttpClient, { name, verb, content }: Request): Promise<HttpAnswer> {
  const address = `/api/variables/name/${name}`;
  switch (verb) {
    case "create":
      return client.send("POST", "/api/variables/", { name, ...content });
    case "update":
      return client.send("PATCH", address, content);
    case "delete":
      return client.send("DELETE", address);
  }
}
