import type { Role } from "@orchestrator/contract";
import { type Clock, parseMicros } from "@orchestrator/kernel/pure";
import type { Database } from "@orchestrator/kernel/storage";
import { type FoundKey, findKeyByHash, listWorkspaceIds, recordKeyUse } from "./access.store.ts";
import type { AccessChanges } from "./access-changes.ts";
import { CredentialCache } from "./credential-cache.ts";
import { PendingKeyUses } from "./pending-key-uses.ts";
import { lesserRole } from "./permissions.rules.ts";

/** What a key opens, or a session in one account. */
export interface KeyAccess {
  /** The key that was sent, or that the session was begun with. */
  readonly keyId: string | null;
  readonly sessionId: string | null;
  readonly accountId: string;
  readonly actor: { readonly kind: "user" | "service"; readonly id: string; readonly name: string };
  readonly role: Role;
  /** Oldest first. */
  readonly workspaceIds: readonly string[];
  /** Whether it is good for every workspace of the account, also for those to come. */
  readonly isWhole: boolean;
  /** When the key ends. A session lasts as long as it is used. */
  readonly expiresMicros: number;
  /** How often the key may ask; null where it says nothing, 0 for any number. */
  readonly requestsPerMinute: number | null;
}

/** Keys that were looked up. */
export class KeyCache {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #known: CredentialCache<KeyAccess>;
  readonly #uses: PendingKeyUses;

  constructor(
    { db, clock }: { readonly db: Database; readonly clock: Clock },
    changes: AccessChanges,
  ) {
    this.#db = db;
    this.#clock = clock;
    this.#known = new CredentialCache(changes, (hash) => this.#lookUp(hash));
    this.#uses = new PendingKeyUses(db, recordKeyUse);
  }

  /** Null where there is no such key. Answers at once for one that is known. */
  find(hash: string): KeyAccess | null | Promise<KeyAccess | null> {
    return this.#known.find(hash);
  }

  isExpired({ expiresMicros }: KeyAccess): boolean {
    return expiresMicros <= this.#clock.nowMicros();
  }

  noteUse({ keyId }: KeyAccess): void {
    if (keyId !== null) this.#uses.note(keyId, this.#clock.nowMicros());
  }

  /** Writes down when keys were last used. */
  flushUses(): Promise<void> {
    return this.#uses.flush();
  }

  async #lookUp(hash: string): Promise<KeyAccess | null> {
    const found = await findKeyByHash(this.#db, hash);
    return found === null ? null : this.#accessOf(found);
  }

  async #accessOf(key: FoundKey): Promise<KeyAccess | null> {
    const actor = actorOf(key);
    if (actor === null) return null;
    const all = await listWorkspaceIds(this.#db, key.account_id);
    const only = key.workspace_ids === null ? null : (JSON.parse(key.workspace_ids) as string[]);
    return {
      keyId: key.id,
      sessionId: null,
      accountId: key.account_id,
      actor: actor.who,
      role: lesserRole(key.role, actor.role),
      workspaceIds: only === null ? all : all.filter((id) => only.includes(id)),
      isWhole: only === null,
      expiresMicros: key.expires === null ? Number.POSITIVE_INFINITY : parseMicros(key.expires),
      requestsPerMinute: key.requests_per_minute,
    };
  }
}

function actorOf(key: FoundKey): { who: KeyAccess["actor"]; role: Role } | null {
  if (key.user_id !== null && key.member_role !== null)
    return {
      who: { kind: "user", id: key.user_id, name: key.user_name ?? "" },
      role: key.member_role,
    };
  if (key.service_account_id !== null && key.service_role !== null)
    return {
      who: { kind: "service", id: key.service_account_id, name: key.service_name ?? "" },
      role: key.service_role,
    };
  // Somebody who is no longer a member.
  return null;
}
