import type { Role } from "@orchestrator/contract";
import { type Clock, type Database, formatMicros, parseMicros } from "@orchestrator/kernel";
import {
  ACCESS_TOPIC,
  type FoundKey,
  findKeyByHash,
  listWorkspaceIds,
  noteKeyUse,
  readRevision,
} from "./access.store.ts";
import { lesserRole } from "./permissions.rules.ts";

/** What a key opens. */
export interface KeyAccess {
  readonly keyId: string;
  readonly accountId: string;
  readonly actor: { readonly kind: "user" | "service"; readonly id: string; readonly name: string };
  readonly role: Role;
  /** Oldest first. */
  readonly workspaceIds: readonly string[];
  /** Whether it is good for every workspace of the account, also for those to come. */
  readonly isWhole: boolean;
  readonly expiresMicros: number;
}

const MAX_KEYS = 10_000;
/** A call about a change can be lost with the connection it comes over; then it is noticed after so long. */
const MAX_AGE_MS = 1000;

/**
 * Keys that were looked up, so that a request costs no query. All of them are forgotten when anything about access has
 * changed: changes are rare, and no list of what depends on what can be wrong.
 */
export class KeyCache {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #known = new Map<string, KeyAccess>();
  readonly #uses = new Map<string, number>();
  readonly #listeners = new Set<() => void>();
  readonly #stopListening: () => void;
  #generation = 0;
  #revision: number | null = null;
  #checkedAt = 0;
  #check: Promise<void> | null = null;

  constructor({ db, clock }: { readonly db: Database; readonly clock: Clock }) {
    this.#db = db;
    this.#clock = clock;
    this.#stopListening = db.nudges.on(ACCESS_TOPIC, () => this.#forget());
  }

  /** Null where there is no such key. Answers at once for one that is known. */
  find(hash: string): KeyAccess | null | Promise<KeyAccess | null> {
    if (!this.#isFresh()) return this.#checkRevision().then(() => this.#look(hash));
    return this.#known.get(hash) ?? this.#look(hash);
  }

  isExpired({ expiresMicros }: KeyAccess): boolean {
    return expiresMicros <= this.#clock.nowMicros();
  }

  noteUse({ keyId }: KeyAccess): void {
    this.#uses.set(keyId, this.#clock.nowMicros());
  }

  /** Writes down when keys were last used. */
  async flushUses(): Promise<void> {
    if (this.#uses.size === 0) return;
    const uses = [...this.#uses].sort(([a], [b]) => (a < b ? -1 : 1));
    this.#uses.clear();
    await this.#db.writeSystem(async (tx) => {
      for (const [id, micros] of uses) await noteKeyUse(tx, { id, at: formatMicros(micros) });
    });
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    this.#stopListening();
  }

  async #look(hash: string): Promise<KeyAccess | null> {
    const known = this.#known.get(hash);
    if (known !== undefined) return known;
    const generation = this.#generation;
    const found = await findKeyByHash(this.#db, hash);
    const access = found === null ? null : await this.#accessOf(found);
    if (access !== null && generation === this.#generation) this.#remember(hash, access);
    return access;
  }

  async #accessOf(key: FoundKey): Promise<KeyAccess | null> {
    const actor = actorOf(key);
    if (actor === null) return null;
    const all = await listWorkspaceIds(this.#db, key.account_id);
    const only = key.workspace_ids === null ? null : (JSON.parse(key.workspace_ids) as string[]);
    return {
      keyId: key.id,
      accountId: key.account_id,
      actor: actor.who,
      role: lesserRole(key.role, actor.role),
      workspaceIds: only === null ? all : all.filter((id) => only.includes(id)),
      isWhole: only === null,
      expiresMicros: key.expires === null ? Number.POSITIVE_INFINITY : parseMicros(key.expires),
    };
  }

  #remember(hash: string, access: KeyAccess): void {
    const [oldest] = this.#known.keys();
    if (this.#known.size >= MAX_KEYS && oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(hash, access);
  }

  #isFresh(): boolean {
    if (this.#db.dialect.tellsEveryChange) return true;
    return performance.now() - this.#checkedAt < MAX_AGE_MS;
  }

  #checkRevision(): Promise<void> {
    this.#check ??= (async () => {
      const asked = performance.now();
      const revision = await readRevision(this.#db);
      if (this.#revision !== null && revision !== this.#revision) this.#forget();
      this.#revision = revision;
      this.#checkedAt = asked;
    })().finally(() => {
      this.#check = null;
    });
    return this.#check;
  }

  #forget(): void {
    this.#generation += 1;
    this.#known.clear();
    for (const listener of this.#listeners) listener();
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
