import { expect, test } from "vitest";
import { ActionFailed } from "./action-failed.ts";
import { boundedContext } from "./context-weight.rules.ts";

const event = (payload: object) => ({ id: "e", resource: { name: "shop" }, payload });
const contextOf = (about: object) => ({
  event: about,
  events: [about],
  firing: { triggering_event: about },
});
const LARGE = event({ values: Array.from({ length: 30_000 }, (_, index) => index) });

test("what is small enough is given whole", () => {
  const context = contextOf(event({ code: 7 }));
  expect(boundedContext(context, "{{ event.payload.code }}")).toBe(context);
});

test("a large payload is left out where no template names it", () => {
  expect(boundedContext(contextOf(LARGE), "{{ event.resource.name }}")).toEqual(
    contextOf({ id: "e", resource: { name: "shop" } }),
  );
});

test.each(["{{ event.payload.code }}", "{{ event|tojson }}"])(
  "a large payload that is asked for by %s is refused",
  (text) => {
    expect(() => boundedContext(contextOf(LARGE), text)).toThrow(ActionFailed);
  },
);

test("labels that are too much by themselves are refused", () => {
  const resource = { text: "x".repeat(1_200_000) };
  const context = contextOf({ ...event({}), resource });
  expect(() => boundedContext(context, "{{ event.resource.name }}")).toThrow(/more in the event/);
});
