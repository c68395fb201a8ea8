import { type Clock, parseMicros, systemClock } from "@orchestrator/kernel/pure";
import { countSealedValues, type Keyring, KeyringError } from "@orchestrator/kernel/secrets";
import type { ProgramSettings } from "./settings.ts";
import { withDatabase } from "./with-database.ts";

/** What was sealed before the newest key was there is in the database by then, or will never be. */
const SETTLED_AFTER_SECONDS = 60;

export interface RetiredKeys {
  /** The ids of the keys that nothing needs any more. */
  readonly unused: readonly string[];
  /** False where the keys come from a setting, out of which somebody else has to take them. */
  readonly areRemoved: boolean;
}

/**
 * Removes every key but the active one, once nothing is sealed with them; else says how many values
 * still are, and changes nothing.
 */
export function retireSealingKeys(
  settings: ProgramSettings,
  clock: Clock = systemClock,
): Promise<RetiredKeys> {
  return withDatabase(settings, async ({ db, keyring }) => {
    const unused = keyring.entries().filter(({ isActive }) => !isActive);
    assertSettled(keyring, clock);
    assertUnused(keyring.activeKeyId(), await countSealedValues(db));
    const isSetting = settings.secrets.key !== null;
    if (!isSetting && unused.length > 0) keyring.dropUnused([]);
    return { unused: unused.map(({ id }) => id), areRemoved: !isSetting };
  });
}

function assertUnused(active: string, counts: ReadonlyMap<string, number>): void {
  const others = [...counts].filter(([id]) => id !== active);
  if (others.length === 0) return;
  const texts = others.map(([id, count]) => `${count} with key ${id}`);
  throw new KeyringError(
    "keys_in_use",
    `Values are still sealed with older keys: ${texts.join(", ")}. A server that runs seals them anew within a minute; without one, run "orchestrator server reseal-secrets". No key was removed.`,
  );
}

/** A server may have sealed something with the key before and be about to write it down. */
function assertSettled(keyring: Keyring, clock: Clock): void {
  const created = keyring.entries().find(({ isActive }) => isActive)?.created ?? null;
  if (created === null || keyring.entries().length === 1) return;
  const seconds = (clock.nowMicros() - parseMicros(created)) / 1e6;
  if (seconds >= SETTLED_AFTER_SECONDS) return;
  throw new KeyringError(
    "keys_in_use",
    `The newest key was made less than ${SETTLED_AFTER_SECONDS} seconds ago, and the one before it may still be at work: try again in a minute. No key was removed.`,
  );
}
