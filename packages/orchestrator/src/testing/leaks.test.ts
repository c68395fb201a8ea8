import { expect, test } from "vitest";
import { describeEachApi, PLANTED_SECRET } from "../testing.ts";

describeEachApi("a test in which a secret is shown", (open) => {
  test("fails, and says where", async () => {
    const api = await open();
    await api.post("/variables/", { name: "open", value: `a ${PLANTED_SECRET}` });
    api.ctx.log.warn({ value: PLANTED_SECRET }, "Logged");
    const failure = api[Symbol.asyncDispose]();
    await expect(failure).rejects.toThrow("POST /api/variables/ (201)");
    await expect(failure).rejects.toThrow("a line of the log");
    await expect(failure).rejects.toThrow(/the table events.*the table variables/);
  });

  test("passes where nobody is shown it", async () => {
    await using api = await open();
    const wrong = [{ secret: PLANTED_SECRET }, { name: 1, secret: [PLANTED_SECRET] }];
    for (const body of wrong)
      expect(await api.post("/webhooks/", body)).toMatchObject({ status: 422 });
  });
});
