// What people see of blocks, in a real browser.
import { describe, expect, test } from "vitest";
import { hasBrowser } from "./open-page.ts";
import { sharedFilled } from "./shared-place.ts";

interface Listed {
  readonly name: string;
  readonly data: object;
}

describe.skipIf(!hasBrowser)("a person at the blocks", () => {
  const place = sharedFilled();

  test("is shown their names, and no value of theirs has left the server for that", async () => {
    await using watched = await place.open("/settings");
    const { page } = watched;
    const answered = page.waitForResponse((one) => one.url().endsWith("/block_documents/filter"));
    await page.getByRole("link", { name: "Blocks", exact: true }).click();
    const blocks = (await (await answered).json()) as Listed[];
    await page.getByRole("link", { name: blocks[0]?.name ?? "", exact: true }).waitFor();
    expect(blocks.length).toBeGreaterThan(0);
    for (const { data } of blocks) expect(data).toEqual({});
  });

  test("changes one value, and the numbers beside it keep their digits", async () => {
    const ask = async (path: string, body?: string): Promise<string> => {
      const headers = { "content-type": "application/json" };
      const init = body === undefined ? {} : { method: "POST", headers, body };
      return (await fetch(`${place.server.url}/api${path}`, init)).text();
    };
    const made = (text: string) => JSON.parse(text) as { readonly id: string };
    const type = made(await ask("/block_types/", '{"name":"Till","slug":"till"}'));
    const properties = { shop: { type: "string" }, more: { type: "object" } };
    const fields = JSON.stringify({ type: "object", block_type_slug: "till", properties });
    await ask("/block_schemas/", `{"block_type_id":"${type.id}","fields":${fields}}`);
    const more = '{"number":12345678901234567890,"share":1.0}';
    const data = `{"shop":"north","more":${more}}`;
    const sent = `{"name":"first","block_type_id":"${type.id}","data":${data}}`;
    const { id } = made(await ask("/block_documents/", sent));
    await using watched = await place.open(`/blocks/${id}`);
    const { page, complaints } = watched;
    await page.getByLabel("shop").fill("south");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Saved").waitFor();
    const stored = await ask(`/block_documents/${id}`);
    expect(stored).toContain('"shop":"south"');
    expect(stored).toContain(more);
    expect(complaints).toEqual([]);
  });
});
