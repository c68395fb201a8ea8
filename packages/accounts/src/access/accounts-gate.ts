import {
  AppError,
  asksNobody,
  basicText,
  bearerToken,
  browserChallenge,
  type Clock,
  type Database,
  type Gate,
  isAppError,
  namedWorkspace,
  openScope,
  type Scope,
} from "@orchestrator/kernel";
import type { FastifyRequest } from "fastify";
import { findAccountOf } from "./access.store.ts";
import { type KeyAccess, KeyCache } from "./key-cache.ts";
import { hashKey, looksLikeKey } from "./key-text.rules.ts";
import { mayDo, type Right, rightFor } from "./permissions.rules.ts";

/** Lets in whoever has a key, into the workspaces of the key, for what its role may do. */
export interface AccountsGate extends Gate {
  readonly keys: KeyCache;
  /** Lets go of open sockets whose key is no longer good. */
  readonly recheck: () => Promise<void>;
  /** Who asks, without a workspace: for what stands above workspaces. */
  readonly identify: (request: FastifyRequest) => Promise<KeyAccess>;
}

export function createAccountsGate(parts: {
  readonly db: Database;
  readonly clock: Clock;
}): AccountsGate {
  const keys = new KeyCache(parts);
  const entries = new WeakMap<FastifyRequest, string>();
  const watched = new Set<() => Promise<void>>();
  const recheck = async (): Promise<void> => {
    await Promise.all([...watched].map((look) => look()));
  };
  keys.onChange(() => void recheck());

  const enterWith = (request: FastifyRequest, token: string | null): Scope | Promise<Scope> => {
    if (token === null || !looksLikeKey(token)) throw unauthorized();
    const hash = hashKey(token);
    // Only a socket outlives its request.
    if (request.raw.headers.upgrade !== undefined) entries.set(request, hash);
    const found = keys.find(hash);
    return found instanceof Promise
      ? found.then((access) => scopeOf(keys, request, access))
      : scopeOf(keys, request, found);
  };

  const pass = async (request: FastifyRequest): Promise<Scope> => {
    const named = namedWorkspace(request.raw);
    const open = openScope(request.id);
    if (named === null) return open;
    const accountId = await findAccountOf(parts.db, named.workspaceId);
    if (accountId !== named.accountId) throw notFound();
    return { ...open, workspaceId: named.workspaceId };
  };

  return {
    mode: "accounts",
    keys,
    recheck,
    enter: (request) =>
      asksNobody(request) ? pass(request) : enterWith(request, tokenOf(request)),
    pass,
    async admit(request, token) {
      try {
        return await enterWith(request, token ?? tokenOf(request));
      } catch (error) {
        if (isAppError(error)) return null;
        throw error;
      }
    },
    async identify(request) {
      const token = tokenOf(request);
      const access =
        token === null || !looksLikeKey(token) ? null : await keys.find(hashKey(token));
      return known(keys, access);
    },
    watch(request, end) {
      const hash = entries.get(request);
      if (hash === undefined) return () => {};
      const look = async (): Promise<void> => {
        const isGood = await Promise.resolve(keys.find(hash)).then(
          (access) => canStay(keys, request, access),
          // Nothing is known while the database does not answer.
          () => true,
        );
        if (!isGood) end();
      };
      watched.add(look);
      return () => {
        watched.delete(look);
      };
    },
    challenge: browserChallenge,
  };
}

/** A key comes as a bearer token; a browser asks for it in its own dialogue, where it is the password. */
function tokenOf({ headers: { authorization } }: FastifyRequest): string | null {
  const bearer = bearerToken(authorization);
  if (bearer !== null) return bearer;
  const basic = basicText(authorization);
  return basic === null ? null : basic.slice(basic.indexOf(":") + 1);
}

function known(keys: KeyCache, access: KeyAccess | null): KeyAccess {
  if (access === null || keys.isExpired(access)) throw unauthorized();
  keys.noteUse(access);
  return access;
}

function scopeOf(keys: KeyCache, request: FastifyRequest, found: KeyAccess | null): Scope {
  const access = known(keys, found);
  const workspaceId = workspaceOf(request, access);
  assertRight(access, rightOf(request));
  const { kind, id } = access.actor;
  const isKeptFromSecrets = !mayDo(access.role, "run");
  return { workspaceId, caller: { kind, id, isKeptFromSecrets }, requestId: request.id };
}

/** Throws `forbidden` where the key does not go that far. */
export function assertRight({ role, isWhole, workspaceIds }: KeyAccess, right: Right): void {
  if (!mayDo(role, right)) throw new AppError("forbidden", `The role ${role} may not do this`);
  if (!isWhole && ABOVE_WORKSPACES.has(right))
    throw new AppError("forbidden", "A key for some workspaces only does not manage the account");
  if (right === "operate" && !workspaceIds.includes(openScope("").workspaceId))
    throw new AppError("forbidden", "This is for owners of the first account");
}

const ABOVE_WORKSPACES: ReadonlySet<Right> = new Set(["manage", "own", "operate"]);

/** The workspace that the address names; without one, the first that the key is good for. */
function workspaceOf({ raw }: FastifyRequest, { accountId, workspaceIds }: KeyAccess): string {
  const named = namedWorkspace(raw);
  if (named === null) {
    const [first] = workspaceIds;
    if (first === undefined) throw new AppError("forbidden", "The key is good for no workspace");
    return first;
  }
  // Whether there is such a workspace is nobody's business but its own.
  if (named.accountId !== accountId || !workspaceIds.includes(named.workspaceId)) throw notFound();
  return named.workspaceId;
}

function canStay(keys: KeyCache, request: FastifyRequest, access: KeyAccess | null): boolean {
  if (access === null || keys.isExpired(access)) return false;
  const isStillIn = access.workspaceIds.includes(request.scope.workspaceId);
  return isStillIn && mayDo(access.role, rightOf(request));
}

/** By method and route; there are only so many of them. */
const rights = new Map<string, Right>();

export function rightOf({ method, routeOptions }: FastifyRequest): Right {
  const { url = "" } = routeOptions;
  const operation = `${method} ${url}`;
  let right = rights.get(operation);
  if (right === undefined) {
    right = rightFor(method, url);
    rights.set(operation, right);
  }
  return right;
}

const unauthorized = (): AppError =>
  new AppError("unauthorized", "The API key is missing or not accepted");

const notFound = (): AppError => new AppError("not_found", "Not Found");
