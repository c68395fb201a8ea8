import { expect, test } from "vitest";
import { templates } from "./engine.ts";

const RUN = "0198a1b2-0000-7000-8000-00000000abcd";

test.each([
  [
    "{{ flow_run|ui_url }}",
    { flow_run: { ui_url: `/runs/flow-run/${RUN}` } },
    `/runs/flow-run/${RUN}`,
  ],
  [
    "{{ event.resource|ui_resource_events_url }}",
    { event: { resource: { ui_events_url: "/e" } } },
    "/e",
  ],
  ["{{ link|flow_run_id }}", { link: `https://host/runs/flow-run/${RUN}?x` }, RUN],
  ["[{{ nothing|ui_url }}{{ 5|ui_url }}{{ none|flow_run_id }}]", {}, "[]"],
])("%s", (template, context, text) => {
  expect(templates.check(template)).toBeNull();
  expect(templates.render(template, context)).toEqual({ text, problem: null });
});

test("links leave long whole numbers as they are", () => {
  const all = { huge: 2n ** 70n };
  expect(templates.render("{{ all|ui_url }}{{ all.huge }}", { all })).toEqual({
    text: String(2n ** 70n),
    problem: null,
  });
});
