import { expect, test } from "vitest";
import { openStatusPages } from "../../testing/status-pages.ts";
import { parseWellFormedXml } from "../../testing/well-formed.ts";
import { describeEachUptimeApi } from "../../testing.ts";

const UNKNOWN_ID = "0b0e7ee2-8a3c-4fd3-9f0e-3f0a7d3a1c55";
const ALL = ["bars", "uptime", "latency", "incidents", "maintenance"];

describeEachUptimeApi("badges", (open) => {
  test("tell status, uptime and latency of a monitor on a published page", async () => {
    await using p = await openStatusPages(open);
    const id = await p.monitor("Shop", { tags: ["prod"] });
    const groups = [{ name: "All", tags: ["prod"] }];
    const page = { slug: "shop", title: "The shop", published: true, show: ALL, groups };
    await p.create("/status-pages", page);
    const said = async (file: string) => {
      const answer = await p.visit(`/uptime/badges/${id}/${file}`);
      expect(answer.status).toBe(200);
      expect(answer.headers.get("content-type")).toBe("image/svg+xml; charset=utf-8");
      expect(answer.headers.get("cache-control")).toBe("public, max-age=60");
      expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
      return parseWellFormedXml(await answer.text()).attributes["aria-label"];
    };
    expect(await said("status.svg")).toBe("status: unknown");
    expect(await said("uptime.svg")).toBe("uptime 30d: unknown");
    expect(await said("latency.svg")).toBe("latency: unknown");
    await p.see(id, "up", { elapsed_ms: 120 });
    await p.see(id, "down");
    expect(await said("status.svg")).toBe("status: down");
    expect(await said("status.svg?label=Web%20%26%20%3Cshop%3E")).toBe("Web & <shop>: down");
    expect(await said("status.svg?label=")).toBe("down");
    const short = await p.look(`/uptime/api/badge/${id}.svg`);
    expect(parseWellFormedXml(await short.text()).attributes["aria-label"]).toBe("status: down");
    expect(await said("uptime.svg?range=24h")).toBe("uptime 24h: 60 %");
    expect(await said("latency.svg")).toBe("latency: 120 ms");
  });

  test("have colours that fit, or those that are asked for", async () => {
    await using p = await openStatusPages(open);
    const id = await p.monitor("Shop");
    const groups = [{ name: "All", monitors: [{ id }] }];
    await p.create("/status-pages", { slug: "shop", title: "S", published: true, groups });
    await p.see(id, "up");
    const path = `/uptime/badges/${id}/status.svg`;
    const plain = await (await p.visit(path)).text();
    expect(plain).toContain('fill="#1f8a4c"');
    const own = await (await p.visit(`${path}?color=abc&label_color=000000`)).text();
    expect(own).toContain('fill="#abc"');
    expect(own).toContain('fill="#000000"');
    for (const wrong of ["color=red", 'color="/><script>', "label_color=12345", "range=1y"])
      expect((await p.look(`${path}?${wrong}`)).status).toBe(422);
    expect((await p.look(`${path}?label=${"a".repeat(61)}`)).status).toBe(422);
  });

  test("tell nothing that no page does, and not even whether there is a monitor", async () => {
    await using p = await openStatusPages(open);
    const id = await p.monitor("Shop");
    const groups = [{ name: "All", monitors: [{ id }] }];
    const missing = await p.look(`/uptime/badges/${UNKNOWN_ID}/status.svg`);
    expect(missing.status).toBe(404);
    const answer = async (file: string) => {
      const { status, headers, body } = await p
        .look(`/uptime/badges/${id}/${file}`)
        .then(async (found) => ({
          status: found.status,
          headers: found.headers.get("cache-control"),
          body: await found.text(),
        }));
      return { status, headers, body };
    };
    const nothing = {
      status: 404,
      headers: missing.headers.get("cache-control"),
      body: await missing.text(),
    };
    expect(await answer("status.svg")).toEqual(nothing);
    const page = await p.create("/status-pages", { slug: "shop", title: "S", show: [], groups });
    expect(await answer("status.svg")).toEqual(nothing);
    await p.api.put(`/status-pages/${page.id}`, { published: true });
    expect(await answer("status.svg")).toMatchObject({ status: 200 });
    expect(await answer("uptime.svg")).toEqual(nothing);
    expect(await answer("latency.svg")).toEqual(nothing);
    await p.api.put(`/status-pages/${page.id}`, { show: ["uptime"] });
    expect(await answer("uptime.svg")).toMatchObject({ status: 200 });
    expect(await answer("latency.svg")).toEqual(nothing);
    await p.api.put(`/status-pages/${page.id}`, { published: false });
    expect(await answer("status.svg")).toEqual(nothing);
    expect((await p.look("/uptime/badges/none/status.svg")).status).toBe(404);
    expect((await p.look(`/uptime/api/badge/${UNKNOWN_ID}.svg`)).status).toBe(404);
    expect((await p.look("/uptime/api/badge/none.svg")).status).toBe(404);
    expect((await p.look(`/uptime/badges/${id}/other.svg`)).status).toBe(404);
  });
});
