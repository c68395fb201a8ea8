import { AppError, type Clock, type ErrorCode, isAppError } from "@orchestrator/kernel/pure";
import {
  allowsAnonymous,
  type Gate,
  namedWorkspace,
  openScope,
  type Scope,
} from "@orchestrator/kernel/scope";
import type { Database } from "@orchestrator/kernel/storage";
import type { FastifyRequest } from "fastify";
import { findAccountOf } from "../access/access.store.ts";
import { AccessChanges } from "../access/access-changes.ts";
import { callerOfService } from "../access/acting-services.ts";
import { accountsChallenge, type Credential, credentialOf } from "../access/credentials.ts";
import { type KeyAccess, KeyCache } from "../access/key-cache.ts";
import type { LimitSettings } from "../access/limit-settings.ts";
import { type AccessRight, mayDo, rightFor } from "../access/permissions.rules.ts";
import { RateLimits } from "../access/rate-limits.ts";
import { type SessionAccess, SessionCache } from "../access/session-cache.ts";
import { hashSessionToken, sessionCookie } from "../access/session-token.rules.ts";
import { accountingOf } from "../usage/accounting.ts";
import { quotasOfOperation } from "../usage/quotas.rules.ts";

declare module "fastify" {
  interface FastifyRequest {
    /**
     * What the credentials of the request open; set once it is known who asks, also when they are
     * refused.
     */
    access: KeyAccess;
  }
}

/**
 * Lets in whoever has a key or a session, into the workspaces it is good for, for what its role may
 * do.
 */
export interface AccountsGate extends Gate {
  readonly keys: KeyCache;
  /** Writes down what was used when. */
  readonly flushUses: () => Promise<void>;
  /** Lets go of open sockets whose credentials are no longer good. */
  readonly recheck: () => Promise<void>;
  /**
   * Who asks, without a workspace: one for each account that the credentials are good for, the
   * oldest first.
   */
  readonly identify: (request: FastifyRequest) => Promise<readonly KeyAccess[]>;
  /** The same for the token of a session. */
  readonly identifySession: (token: string) => Promise<readonly KeyAccess[]>;
}

export interface GateParts {
  readonly db: Database;
  readonly clock: Clock;
  /** How long a session lasts that nobody uses. */
  readonly sessionIdleMs: number;
  readonly limits: LimitSettings;
}

/** What a credential opens. */
interface Opened {
  readonly accesses: readonly KeyAccess[];
  readonly session: SessionAccess | null;
}

export function createAccountsGate(parts: GateParts): AccountsGate {
  const changes = new AccessChanges(parts.db);
  const keys = new KeyCache(parts, changes);
  const sessions = new SessionCache({ ...parts, keys, idleMs: parts.sessionIdleMs }, changes);
  const limits = new RateLimits(parts.limits);
  const quotas = accountingOf(parts.db)?.quotas;
  const entries = new WeakMap<FastifyRequest, Credential>();
  const watched = new Set<() => Promise<void>>();
  const recheck = async (): Promise<void> => {
    await Promise.all([...watched].map((look) => look()));
  };
  changes.onChange(() => void recheck());

  const open = ({ isSession, hash }: Credential): Opened | null | Promise<Opened | null> => {
    const found = isSession ? sessions.find(hash) : keys.find(hash);
    return found instanceof Promise ? found.then(opened) : opened(found);
  };

  const use = (found: Opened | null): readonly KeyAccess[] => {
    const good = found?.accesses.filter((access) => !keys.isExpired(access)) ?? [];
    const [first] = good;
    if (found === null || first === undefined) throw unauthorized();
    if (found.session !== null) sessions.noteUse(found.session);
    keys.noteUse(first);
    return good;
  };

  const useFor = (request: FastifyRequest, found: Opened | null): readonly KeyAccess[] => {
    const [known] = found?.accesses ?? [];
    if (known === undefined) throw limits.refusal(request, unauthorized());
    // Also of one that is then refused: the audit log tells of it.
    request.access = known;
    limits.charge(request, known);
    return use(found);
  };

  /**
   * What a socket will send is not known yet, so it is asked for room when it comes, and while it
   * stays.
   */
  const roomFor = ({ method, routeOptions }: FastifyRequest, workspaceId: string) =>
    quotas?.problem(workspaceId, quotasOfOperation(method, routeOptions.url ?? "")) ?? null;

  const enteredWith = (request: FastifyRequest, accesses: readonly KeyAccess[]): Scope => {
    const scope = scopeOf(request, accesses);
    if (request.raw.headers.upgrade === undefined) return scope;
    const problem = roomFor(request, scope.workspaceId);
    if (problem !== null) throw problem;
    return scope;
  };

  const enterWith = (request: FastifyRequest, token: string | null): Scope | Promise<Scope> => {
    const credential = credentialOf(request, token);
    if (credential === null) throw limits.refusal(request, unauthorized());
    // Only a socket outlives its request.
    if (request.raw.headers.upgrade !== undefined) entries.set(request, credential);
    const found = open(credential);
    return found instanceof Promise
      ? found.then((later) => enteredWith(request, useFor(request, later)))
      : enteredWith(request, useFor(request, found));
  };

  const pass = async (request: FastifyRequest): Promise<Scope> => {
    const named = namedWorkspace(request.raw);
    const nobody = openScope(request.id);
    if (named === null) return nobody;
    const accountId = await findAccountOf(parts.db, named.workspaceId);
    if (accountId !== named.accountId) throw notFound();
    return { ...nobody, workspaceId: named.workspaceId };
  };

  return {
    mode: "accounts",
    keys,
    recheck,
    async flushUses() {
      await keys.flushUses();
      await sessions.flushUses();
    },
    enter: (request) => (allowsAnonymous(request) ? pass(request) : enterWith(request, null)),
    hasSession: (request) => sessionCookie.read(request) !== null,
    pass,
    async admit(request, token) {
      try {
        return await enterWith(request, token);
      } catch (error) {
        if (isAppError(error) && FINAL.has(error.code)) return null;
        throw error;
      }
    },
    async identify(request) {
      const credential = credentialOf(request, null);
      return useFor(request, credential === null ? null : await open(credential));
    },
    async identifySession(token) {
      return use(await open({ isSession: true, hash: hashSessionToken(token) }));
    },
    watch(request, end) {
      const credential = entries.get(request);
      if (credential === undefined) return () => {};
      const look = async (): Promise<void> => {
        const isGood = await Promise.resolve(open(credential)).then(
          (found) =>
            canStay(keys, request, found) && roomFor(request, request.scope.workspaceId) === null,
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
    actAs: callerOfService,
    async placeOf(workspaceId) {
      const accountId = await findAccountOf(parts.db, workspaceId);
      return accountId === null ? "" : `/accounts/${accountId}/workspaces/${workspaceId}`;
    },
    challenge: accountsChallenge,
  };
}

function opened(found: KeyAccess | SessionAccess | null): Opened | null {
  if (found === null) return null;
  if ("accesses" in found) return { accesses: found.accesses, session: found };
  return { accesses: [found], session: null };
}

function scopeOf(request: FastifyRequest, accesses: readonly KeyAccess[]): Scope {
  const named = namedWorkspace(request.raw);
  const access = named === null ? accesses[0] : accessTo(accesses, named.accountId);
  // Whether there is such a workspace is nobody's business but its own.
  if (access === undefined) throw notFound();
  request.access = access;
  const workspaceId = named?.workspaceId ?? access.workspaceIds[0];
  if (workspaceId === undefined)
    throw new AppError("forbidden", "The key is good for no workspace");
  if (!access.workspaceIds.includes(workspaceId)) throw notFound();
  assertRight(access, rightOf(request));
  const { kind, id } = access.actor;
  const isKeptFromSecrets = !mayDo(access.role, "run");
  const isKeptFromChanges = !mayDo(access.role, "write");
  const caller = { kind, id, isKeptFromSecrets, isKeptFromChanges };
  return { workspaceId, caller, credentialId: credentialIdOf(access), requestId: request.id };
}

/** Sessions of one user share what the user may have: signing in once more makes it no more. */
export const credentialIdOf = ({ keyId, actor }: KeyAccess): string => keyId ?? actor.id;

/**
 * What asking again does not change. All else is over soon, and a socket that it ends comes back.
 */
const FINAL: ReadonlySet<ErrorCode> = new Set(["unauthorized", "forbidden", "not_found"]);

export const accessTo = (
  accesses: readonly KeyAccess[],
  accountId: string,
): KeyAccess | undefined => accesses.find((access) => access.accountId === accountId);

/** Throws `forbidden` where the key does not go that far. */
export function assertRight({ role, isWhole, workspaceIds }: KeyAccess, right: AccessRight): void {
  if (!mayDo(role, right)) throw new AppError("forbidden", `The role ${role} may not do this`);
  if (!isWhole && ABOVE_WORKSPACES.has(right))
    throw new AppError("forbidden", "A key for some workspaces only does not manage the account");
  if (right === "operate" && !workspaceIds.includes(openScope("").workspaceId))
    throw new AppError("forbidden", "This is for owners of the first account");
}

const ABOVE_WORKSPACES: ReadonlySet<AccessRight> = new Set(["manage", "own", "operate"]);

function canStay(keys: KeyCache, request: FastifyRequest, found: Opened | null): boolean {
  const { workspaceId } = request.scope;
  const access = found?.accesses.find(({ workspaceIds }) => workspaceIds.includes(workspaceId));
  if (access === undefined || keys.isExpired(access)) return false;
  return mayDo(access.role, rightOf(request));
}

/** By method and route; there are only so many of them. */
const rights = new Map<string, AccessRight>();

export function rightOf({ method, routeOptions }: FastifyRequest): AccessRight {
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
  new AppError("unauthorized", "The API key or the session is missing or not accepted");

const notFound = (): AppError => new AppError("not_found", "Not Found");
