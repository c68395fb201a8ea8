import type { Role } from "@orchestrator/contract";
import { type Clock, parseMicros } from "@orchestrator/kernel/pure";
import type { Database } from "@orchestrator/kernel/storage";
import type { AccessChanges } from "./access-changes.ts";
import { CredentialCache } from "./credential-cache.ts";
import type { KeyAccess, KeyCache } from "./key-cache.ts";
import { PendingKeyUses } from "./pending-key-uses.ts";
import {
  type FoundBrowserSession,
  type FoundMembership,
  findSessionByHash,
  listMemberships,
  recordSessionUse,
} from "./session-access.store.ts";

/** What a session opens. */
export interface SessionAccess {
  readonly id: string;
  /** One for each account that it is good for, the oldest first: at least one. */
  readonly accesses: readonly KeyAccess[];
  lastUsedMicros: number;
  writtenMicros: number;
  readonly endsMicros: number;
}

export interface SessionParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly keys: KeyCache;
  /** How long a session lasts that nobody uses. */
  readonly idleMs: number;
}

/**
 * The use of a session is written down when at least this part of its idle time is gone, not with
 * every request.
 */
const WRITE_AFTER = 1 / 24;
const WRITE_AFTER_MICROS = 60_000_000;

/** Sessions that were looked up. */
export class SessionCache {
  readonly #parts: SessionParts;
  readonly #idleMicros: number;
  readonly #writeAfter: number;
  readonly #known: CredentialCache<SessionAccess>;
  readonly #uses: PendingKeyUses;

  constructor(parts: SessionParts, changes: AccessChanges) {
    this.#parts = parts;
    this.#idleMicros = parts.idleMs * 1000;
    this.#writeAfter = Math.min(this.#idleMicros * WRITE_AFTER, WRITE_AFTER_MICROS);
    this.#known = new CredentialCache(changes, (hash) => this.#lookUp(hash));
    this.#uses = new PendingKeyUses(parts.db, recordSessionUse);
  }

  /** Null where there is no such session, or it is over. Answers at once for one that is known. */
  find(hash: string): SessionAccess | null | Promise<SessionAccess | null> {
    const found = this.#known.find(hash);
    if (found instanceof Promise) return found.then((session) => this.#current(hash, session));
    return this.#current(hash, found);
  }

  noteUse(session: SessionAccess): void {
    const now = this.#parts.clock.nowMicros();
    session.lastUsedMicros = now;
    if (now - session.writtenMicros < this.#writeAfter) return;
    session.writtenMicros = now;
    this.#uses.note(session.id, now);
  }

  /** Writes down when sessions were last used. */
  flushUses(): Promise<void> {
    return this.#uses.flush();
  }

  /** What is over here may have been used on another replica meanwhile. */
  #current(
    hash: string,
    session: SessionAccess | null,
  ): SessionAccess | null | Promise<SessionAccess | null> {
    if (session === null || !this.#isOver(session)) return session;
    this.#known.forget(hash);
    return this.#lookUp(hash);
  }

  #isOver({ lastUsedMicros, endsMicros }: SessionAccess): boolean {
    return Math.min(lastUsedMicros + this.#idleMicros, endsMicros) <= this.#parts.clock.nowMicros();
  }

  async #lookUp(hash: string): Promise<SessionAccess | null> {
    const found = await findSessionByHash(this.#parts.db, hash);
    if (found === null) return null;
    const accesses = await this.#accessesOf(found);
    if (accesses.length === 0) return null;
    const lastUsedMicros = parseMicros(found.last_used);
    const session: SessionAccess = {
      id: found.id,
      accesses,
      lastUsedMicros,
      writtenMicros: lastUsedMicros,
      endsMicros: parseMicros(found.ends),
    };
    return this.#isOver(session) ? null : session;
  }

  async #accessesOf(session: FoundBrowserSession): Promise<readonly KeyAccess[]> {
    if (session.key_hash !== null) {
      const access = await this.#parts.keys.find(session.key_hash);
      return access === null ? [] : [{ ...access, sessionId: session.id }];
    }
    if (session.user_id === null) return [];
    return membershipAccesses(session, await listMemberships(this.#parts.db, session.user_id));
  }
}

function membershipAccesses(
  { id, user_id, user_name }: FoundBrowserSession,
  memberships: readonly FoundMembership[],
): KeyAccess[] {
  const actor = { kind: "user" as const, id: user_id ?? "", name: user_name ?? "" };
  const accounts = new Map<string, { readonly role: Role; readonly workspaceIds: string[] }>();
  for (const { account_id, role, workspace_id } of memberships) {
    const account = accounts.get(account_id) ?? { role, workspaceIds: [] };
    if (workspace_id !== null) account.workspaceIds.push(workspace_id);
    accounts.set(account_id, account);
  }
  return [...accounts].map(([accountId, { role, workspaceIds }]) => ({
    keyId: null,
    sessionId: id,
    accountId,
    actor,
    role,
    workspaceIds,
    isWhole: true,
    expiresMicros: Number.POSITIVE_INFINITY,
    requestsPerMinute: null,
  }));
}
