import { MASK } from "@orchestrator/kernel/pure";
import type { ServiceHost } from "@orchestrator/kernel/scope";
import {
  type Keyring,
  KeyringError,
  type Resealing,
  resealRows,
} from "@orchestrator/kernel/secrets";
import { mapUrlSecrets } from "./monitor-url.rules.ts";
import {
  findMonitorsSealedOtherwise,
  findUnsealedUrls,
  replaceSealedSecrets,
  replaceUnsealedUrl,
} from "./monitors.store.ts";
import type { PipelineSecrets } from "./pipeline-secrets.rules.ts";
import { openSecrets, sealSecrets, secretsPlace } from "./sealed-secrets.ts";

type Sealing = Pick<ServiceHost, "db" | "keyring">;

const BATCH = 100;
const BEFORE_ALL = "00000000-0000-0000-0000-000000000000";

/**
 * Seals what is secret in the queries of addresses that an earlier version has stored as they were
 * given.
 */
async function sealUrls({ db, keyring }: Sealing, signal?: AbortSignal): Promise<number> {
  let sealed = 0;
  let after = BEFORE_ALL;
  while (!signal?.aborted) {
    const page = await findUnsealedUrls(db, { after, limit: BATCH });
    const last = page.at(-1);
    if (last === undefined) break;
    after = last.id;
    for (const row of page) {
      const opened = openedOrNull(keyring, row);
      // Without its key it stays as it is, and sealing anew tells of it.
      if (opened === null) continue;
      const secrets = { ...opened };
      const url = mapUrlSecrets(row.url, (secret, place) => {
        if (secret !== MASK) secrets[place] = secret;
        return MASK;
      });
      const replaced = {
        id: row.id,
        before: row.url,
        url,
        ...sealSecrets(keyring, row.id, secrets),
      };
      if (await db.writeSystem((tx) => replaceUnsealedUrl(tx, replaced))) sealed += 1;
    }
  }
  return sealed;
}

function openedOrNull(
  keyring: Keyring,
  row: Parameters<typeof openSecrets>[1],
): PipelineSecrets | null {
  try {
    return openSecrets(keyring, row);
  } catch (error) {
    if (error instanceof KeyringError) return null;
    throw error;
  }
}

/** Seals the secrets of monitors that other keys have sealed under the active one. */
export async function resealMonitors(
  { db, keyring }: Sealing,
  signal?: AbortSignal,
): Promise<Resealing> {
  const sealed = await sealUrls({ db, keyring }, signal);
  const rows = {
    find: (page: Parameters<typeof findMonitorsSealedOtherwise>[1]) =>
      findMonitorsSealedOtherwise(db, page),
    place: secretsPlace,
    replace: (row: Parameters<typeof replaceSealedSecrets>[1]) =>
      db.writeSystem((tx) => replaceSealedSecrets(tx, row)),
  };
  const { resealed, problems } = await resealRows(keyring, rows, signal);
  return { resealed: sealed + resealed, problems };
}
