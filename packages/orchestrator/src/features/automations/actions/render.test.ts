import { expect, test } from "vitest";
import { aBlock, anAutomation, deliveries, happen } from "../../../testing/deliveries.ts";
import { describeEachApi } from "../../../testing.ts";

describeEachApi("a template", (open) => {
  test("sees all that is stored of its automation, and none of what its event is not about", async () => {
    await using api = await open();
    const block = await aBlock(api, "slack-webhook", { url: "https://hooks.example.com/x" });
    await anAutomation(api, {
      type: "send-notification",
      block_document_id: block,
      subject:
        "{{ automation.enabled }} {{ automation.actions|length }} {{ firing.trigger.threshold }} {{ flow_run }} [{{ flow_run.name }}] {{ automation.created.year }}",
      body: "",
    });
    await happen(api, {});
    expect(await deliveries(api)).toMatchObject([{ subject: "True 1 1 None [] 2026" }]);
  });
});
