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
});
