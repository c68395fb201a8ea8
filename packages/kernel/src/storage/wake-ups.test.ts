import { expect, test } from "vitest";
import { createLogger } from "../log/logger.ts";
import { createWakeUps } from "./wake-ups.ts";

const silent = createLogger({ level: "silent", format: "json" });

function listen(log = silent) {
  const nudges = createWakeUps(log);
  const heard: string[] = [];
  const on = (topic: string, name: string) => nudges.on(topic, () => heard.push(name));
  return { nudges, heard, on };
}

test("calls the listeners of the topic and no others", () => {
  const { nudges, heard, on } = listen();
  on("a", "first");
  on("a", "second");
  on("b", "other");
  nudges.fire("a");
  nudges.fire("nobody's");
  expect(heard).toEqual(["first", "second"]);
});

test("calls the listeners of all topics when calls may have been missed", () => {
  const { nudges, heard, on } = listen();
  on("a", "first");
  on("b", "second");
  nudges.fireAll();
  expect(heard).toEqual(["first", "second"]);
});

test("calls no listener after it left, and still calls those who came later", () => {
  const { nudges, heard, on } = listen();
  const leave = on("a", "gone");
  leave();
  on("a", "stays");
  leave();
  nudges.fire("a");
  nudges.fireAll();
  expect(heard).toEqual(["stays", "stays"]);
});

test("takes one function that listens twice for two listeners", () => {
  const { nudges } = listen();
  let calls = 0;
  const listener = () => {
    calls += 1;
  };
  const leave = nudges.on("a", listener);
  nudges.on("a", listener);
  leave();
  nudges.fire("a");
  expect(calls).toBe(1);
});

test("logs the mistake of a listener and calls the others", () => {
  const lines: string[] = [];
  const log = createLogger({
    level: "error",
    format: "json",
    destination: { write: (line) => lines.push(line) },
  });
  const { nudges, heard, on } = listen(log);
  nudges.on("a", () => {
    throw new Error("a mistake");
  });
  on("a", "second");
  nudges.fire("a");
  expect(heard).toEqual(["second"]);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain("a mistake");
});
