import type { MaintenanceWindow } from "@orchestrator/contract";
import { expect, test } from "vitest";
import { draftOfWindow, maintenanceWindowOf } from "./window-draft.ts";

const WINDOW: MaintenanceWindow = {
  id: "",
  name: "Move",
  description: null,
  monitor_ids: [],
  tags: [],
  all_monitors: true,
  starts_at: "2026-11-15T09:00:30.250000Z",
  ends_at: "2026-11-15T10:59:59Z",
  schedule: null,
  timezone: "UTC",
  duration: null,
  enabled: true,
  created_at: "",
  updated_at: "",
  active: false,
  current: null,
  next: null,
};

test("times that nobody changed stay as they are, to the microsecond", () => {
  const draft = { ...draftOfWindow(WINDOW), name: "Moved" };
  const { name, starts_at, ends_at } = maintenanceWindowOf(draft, WINDOW);
  expect({ name, starts_at, ends_at }).toEqual({
    name: "Moved",
    starts_at: WINDOW.starts_at,
    ends_at: WINDOW.ends_at,
  });
});

test("a time that was changed is the viewer's, and the other stays as it is", () => {
  const draft = { ...draftOfWindow(WINDOW), endsAt: "2026-11-15T12:30" };
  expect(maintenanceWindowOf(draft, WINDOW)).toMatchObject({
    starts_at: WINDOW.starts_at,
    ends_at: new Date("2026-11-15T12:30").toISOString(),
  });
});
