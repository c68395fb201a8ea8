import type { StatusPage } from "@orchestrator/contract";
import { manualClock } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { describeEachUptimeApi, type UptimeApi } from "../testing.ts";

const UNKNOWN_ID = "0b0e7ee2-8a3c-4fd3-9f0e-3f0a7d3a1c55";
const PAGE = { slug: "shop", title: "The shop" };

async function createPage(api: UptimeApi, body: object = PAGE): Promise<StatusPage> {
  const answer = await api.post("/status-pages", body);
  expect(answer).toMatchObject({ status: 201 });
  return answer.body as StatusPage;
}

async function createMonitor(api: UptimeApi, name: string): Promise<string> {
  const { body } = await api.post("/monitors", { name, url: "a.example.com" });
  return (body as { readonly id: string }).id;
}

const eventsOf = async (api: UptimeApi): Promise<string[]> =>
  (await api.events()).flatMap(({ event }) =>
    event.startsWith("orchestrator.status-page.") ? [event.split(".").at(-1) ?? ""] : [],
  );

describeEachUptimeApi("status pages", (open) => {
  test("are made with a slug and a title, not published, and tell all but latency", async () => {
    const clock = manualClock("2026-11-15T09:00:00Z");
    await using api = await open({ clock });
    const answer = await api.post("/status-pages", PAGE);
    const { id } = answer.body as StatusPage;
    expect(answer).toMatchObject({
      status: 201,
      headers: { location: `/uptime/api/status-pages/${id}` },
      body: {
        ...PAGE,
        description: null,
        theme: "auto",
        published: false,
        show: ["bars", "uptime", "incidents", "maintenance"],
        groups: [],
        created_at: clock.now(),
        updated_at: clock.now(),
      },
    });
    expect(await api.get(`/status-pages/${id}`)).toMatchObject({ status: 200, body: answer.body });
    expect((await api.get("/status-pages")).body).toEqual([answer.body]);
    expect((await api.get("/status-pages?limit=1&offset=1")).body).toEqual([]);
  });

  test("keep groups in order, with monitors under names of their own and by tags", async () => {
    await using api = await open();
    const [web, mail] = [await createMonitor(api, "web-1"), await createMonitor(api, "mail")];
    const page = await createPage(api, {
      ...PAGE,
      show: ["latency", "bars", "latency"],
      groups: [
        { name: " Web ", monitors: [{ id: web, name: " Website " }, { id: mail }, { id: mail }] },
        { name: "Rest", tags: ["prod", " prod ", "eu"] },
      ],
    });
    expect(page.show).toEqual(["bars", "latency"]);
    expect(page.groups).toEqual([
      {
        name: "Web",
        monitors: [
          { id: web, name: "Website" },
          { id: mail, name: null },
        ],
        tags: [],
      },
      { name: "Rest", monitors: [], tags: ["prod", "eu"] },
    ]);
    // What was read can be sent back, also when a monitor is gone by then.
    expect((await api.delete(`/monitors/${mail}`)).status).toBe(204);
    const { title: _title, ...changes } = { ...page, description: "hello" };
    const { id, created_at: _created, updated_at: _updated, ...sent } = changes;
    expect(await api.put(`/status-pages/${id}`, sent)).toMatchObject({
      status: 200,
      body: { description: "hello", groups: page.groups },
    });
  });

  test("change by any subset of their fields, and tell of each change once", async () => {
    const clock = manualClock("2026-11-15T09:00:00Z");
    await using api = await open({ clock });
    const { id } = await createPage(api, { ...PAGE, description: "about" });
    clock.advanceMs(1000);
    const path = `/status-pages/${id}`;
    expect((await api.patch(path, { title: null, theme: "dark" })).body).toMatchObject({
      title: PAGE.title,
      theme: "dark",
      description: "about",
      updated_at: clock.now(),
    });
    expect((await api.put(path, { published: true })).body).toMatchObject({ published: true });
    expect((await api.put(path, { published: true })).body).toMatchObject({ published: true });
    expect((await api.put(path, { description: null })).body).toMatchObject({ description: null });
    expect((await api.put(path, { published: false, slug: "store" })).body).toMatchObject({
      published: false,
      slug: "store",
    });
    expect((await api.delete(path)).status).toBe(204);
    expect((await api.get(path)).status).toBe(404);
    expect(await eventsOf(api)).toEqual([
      "Created",
      "Updated",
      "Published",
      "Updated",
      "Updated",
      "Unpublished",
      "Deleted",
    ]);
    const told = (await api.events()).find(({ event }) => event.endsWith("status-page.Published"));
    expect(told).toMatchObject({
      resource: {
        "orchestrator.resource.id": `orchestrator.status-page.${id}`,
        "orchestrator.resource.name": PAGE.title,
        "orchestrator.status-page.slug": PAGE.slug,
      },
      payload: { slug: PAGE.slug, title: PAGE.title, published: true },
    });
  });

  test("have a slug of their own each", async () => {
    await using api = await open();
    await createPage(api);
    const other = await createPage(api, { ...PAGE, slug: "other" });
    expect((await api.post("/status-pages", PAGE)).status).toBe(409);
    expect((await api.put(`/status-pages/${other.id}`, { slug: "shop" })).status).toBe(409);
    expect((await api.get(`/status-pages/${other.id}`)).body).toMatchObject({ slug: "other" });
  });

  test("are refused with what is wrong, and nothing of them is kept", async () => {
    await using api = await open();
    for (const wrong of [
      { slug: "Shop" },
      { slug: "-shop" },
      { slug: "a/b" },
      { slug: "" },
      { slug: "a".repeat(61) },
      { title: "   " },
      { theme: "pink" },
      { show: ["url"] },
      { colour: "red" },
      { groups: [{ name: "  " }] },
      { groups: [{ name: "a", monitors: [{ id: UNKNOWN_ID }] }] },
      { groups: [{ name: "a", monitors: [{ id: "none" }] }] },
      { groups: Array.from({ length: 51 }, () => ({ name: "a" })) },
    ])
      expect(await api.post("/status-pages", { ...PAGE, ...wrong })).toMatchObject({ status: 422 });
    expect((await api.get("/status-pages")).body).toEqual([]);
  });

  test("are looked after only by those who are logged in", async () => {
    await using api = await open();
    const { id } = await createPage(api, { ...PAGE, published: true });
    for (const [method, path] of [
      ["GET", "/status-pages"],
      ["GET", `/status-pages/${id}`],
      ["DELETE", `/status-pages/${id}`],
      ["GET", `/status-pages/${id}/reports`],
    ] as const)
      expect((await api.request(method, path, { isAnonymous: true })).status).toBe(401);
  });

  test("that are unknown are not found", async () => {
    await using api = await open();
    for (const path of [`/status-pages/${UNKNOWN_ID}`, "/status-pages/none"]) {
      expect((await api.get(path)).status).toBe(404);
      expect((await api.put(path, {})).status).toBe(404);
      expect((await api.delete(path)).status).toBe(404);
    }
  });
});
