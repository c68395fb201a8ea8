import { describe, expect, test } from "vitest";
import { buttonIn } from "./automation-builder.ts";
import { makeAt } from "./fill.ts";
import { hasBrowser } from "./open-page.ts";
import { sharedFilled } from "./shared-place.ts";

describe.skipIf(!hasBrowser)("a variable", () => {
  const place = sharedFilled();

  test("keeps what a flow wrote into it while a person changed its tags", async () => {
    const variables = `${place.server.url}/api/variables`;
    const { id } = await makeAt(place.server.url)("/variables/", { name: "counted", value: 1 });
    await using watched = await place.open("/variables");
    const { page, complaints } = watched;
    await buttonIn(page, "Edit counted").click();
    await page.getByLabel("Tags").fill("shop");
    const written = await fetch(`${variables}/${id}`, {
      method: "PATCH",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ value: 2 }),
    });
    expect(written.status).toBe(204);
    await buttonIn(page, "Save").click();
    await page.getByText("shop", { exact: true }).waitFor();
    const kept = await (await fetch(`${variables}/${id}`)).json();
    expect(kept).toMatchObject({ value: 2, tags: ["shop"] });
    expect(complaints).toEqual([]);
  });
});
