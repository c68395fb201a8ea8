import { type Keyring, sealedKeyId } from "@orchestrator/kernel/secrets";
import type { MonitorConfigRow } from "../db/tables/monitors.table.ts";
import type { PipelineSecrets } from "./pipeline-secrets.rules.ts";

type Sealed = Pick<MonitorConfigRow, "secrets" | "sealed_with">;

/** The place a monitor's secrets are sealed for. They open nowhere else. */
export const secretsPlace = (id: string): string => `monitors/${id}/secrets`;

export function sealSecrets(keyring: Keyring, id: string, secrets: PipelineSecrets): Sealed {
  if (Object.keys(secrets).length === 0) return { secrets: null, sealed_with: null };
  const sealed = keyring.seal(JSON.stringify(secrets), secretsPlace(id));
  return { secrets: sealed, sealed_with: sealedKeyId(sealed) };
}

/** Throws a `KeyringError` when the key is not there. */
export function openSecrets(
  keyring: Keyring,
  { id, secrets }: Pick<MonitorConfigRow, "id" | "secrets">,
): PipelineSecrets {
  if (secrets === null) return {};
  return JSON.parse(keyring.open(secrets, secretsPlace(id))) as PipelineSecrets;
}
