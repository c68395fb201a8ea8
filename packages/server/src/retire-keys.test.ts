import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@orchestrator/kernel/pure";
import { afterEach, expect, test } from "vitest";
import { resealAllSecrets } from "./reseal-secrets.ts";
import { retireSealingKeys } from "./retire-keys.ts";
import { rotateSealingKey } from "./rotate-key.ts";
import { type ProgramSettings, programSettings } from "./settings.ts";
import { startServerProcess } from "./start-server.ts";

const home = mkdtempSync(join(tmpdir(), "retire-keys-"));
afterEach(() => rmSync(home, { recursive: true, force: true }));

const later = {
  ...systemClock,
  nowMicros: () => systemClock.nowMicros() + 61_000_000,
};

function keyIds(): string[] {
  const file = readFileSync(join(home, "secrets", "keys.json"), "utf8");
  return (JSON.parse(file) as { readonly keys: { readonly id: string }[] }).keys.map(
    ({ id }) => id,
  );
}

async function ask<T>(
  settings: ProgramSettings,
  work: (send: (path: string, body?: unknown) => Promise<Record<string, unknown>>) => Promise<T>,
): Promise<T> {
  const server = await startServerProcess(settings);
  try {
    return await work(async (path, body) => {
      const answer = await fetch(`${server.url}/api${path}`, {
        method: body === undefined ? "GET" : "POST",
        headers: { "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return (await answer.json()) as Record<string, unknown>;
    });
  } finally {
    await server.stop();
  }
}

test("older keys go when nothing is sealed with them any more", async () => {
  const env = {
    ORCHESTRATOR_HOME: home,
    ORCHESTRATOR_SERVER_PORT: "0",
    ORCHESTRATOR_SERVER_SERVICES: "orchestrator",
    ORCHESTRATOR_LOG_LEVEL: "silent",
  };
  const settings = programSettings.read({ env });
  const id = await ask(settings, async (send) => {
    const { id: block_type_id } = await send("/block_types/slug/secret");
    const document = { name: "one", block_type_id, data: { value: "sealed" } };
    return String((await send("/block_documents/", document))["id"]);
  });
  const [first = ""] = keyIds();
  expect(await retireSealingKeys(settings)).toEqual({ unused: [], areRemoved: true });

  const second = await rotateSealingKey(settings);
  await expect(retireSealingKeys(settings)).rejects.toThrow("less than 60 seconds ago");
  await expect(retireSealingKeys(settings, later)).rejects.toThrow(`1 with key ${first}`);
  expect(keyIds()).toEqual([first, second]);

  expect(await resealAllSecrets(settings)).toMatchObject({ resealed: 1 });
  expect(await retireSealingKeys(settings, later)).toEqual({ unused: [first], areRemoved: true });
  expect(keyIds()).toEqual([second]);
  const shown = await ask(settings, (send) => send(`/block_documents/${id}?include_secrets=true`));
  expect(shown).toMatchObject({ data: { value: "sealed" } });
});
