import { openKeyring } from "@orchestrator/kernel/secrets";
import { expect, test } from "vitest";
import { resealSecrets } from "../../reseal-secrets.ts";
import { describeEachApi, PLANTED_SECRET } from "../../testing.ts";
import { openSecret } from "./sealed-secret.ts";
import { findWebhookRow } from "./webhooks.store.ts";

const OLD = "07".repeat(32);
const NEW = "08".repeat(32);
const keys = (secretKey: string) => openKeyring({ folder: "", secretKey });

describeEachApi("the secrets of webhooks", (open) => {
  test("are sealed, and come under a new key, after which the old one is not needed", async () => {
    await using api = await open();
    const given = { event: "e", resource: { "orchestrator.resource.id": "x" } };
    const signed = { name: "signed", ...given, secret: PLANTED_SECRET };
    const { body } = await api.post("/webhooks/", signed);
    await api.post("/webhooks/", { name: "open", ...given });
    const { id } = body as { id: string };
    const secret = async () => {
      const [workspace = ""] = (
        await api.ctx.db.exclusively((session) =>
          session.rows<{ workspace_id: string }>("select workspace_id from webhooks"),
        )
      ).map((row) => row.workspace_id);
      return (await findWebhookRow(api.ctx.db.in(workspace), id))?.secret ?? "";
    };
    const before = await secret();
    expect(before).not.toContain(PLANTED_SECRET);
    const both = { ...api.ctx, keyring: keys(`${NEW},${OLD}`) };
    expect(await resealSecrets(both)).toEqual({ resealed: 1, problems: [] });
    expect(openSecret(keys(NEW), id, await secret())).toBe(PLANTED_SECRET);
    expect(await resealSecrets({ ...api.ctx, keyring: keys(NEW) })).toMatchObject({ resealed: 0 });
  });

  test("that no key opens are told, and stay", async () => {
    await using api = await open();
    const given = { event: "e", resource: { "orchestrator.resource.id": "x" } };
    await api.post("/webhooks/", { name: "signed", ...given, secret: PLANTED_SECRET });
    const result = await resealSecrets({ ...api.ctx, keyring: keys(NEW) });
    expect(result).toMatchObject({ resealed: 0, problems: [{ reason: "unknown_key" }] });
  });
});
