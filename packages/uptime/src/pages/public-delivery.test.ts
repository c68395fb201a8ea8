import { expect, test } from "vitest";
import { openStatusPages } from "../testing/status-pages.ts";
import { parseWellFormedXml } from "../testing/well-formed.ts";
import { describeEachUptimeApi } from "../testing.ts";

const PAGE = { slug: "shop", title: "The shop", published: true };
const HTML = "/uptime/status/shop";
const FEED = "/uptime/status/shop/rss.xml";
const DATA = "/uptime/api/status-pages/shop/public";

/** What differs from answer to answer in any case. */
function lasting(answer: Response): [string, string][] {
  return [...answer.headers].filter(([name]) => !["date", "x-request-id"].includes(name));
}

describeEachUptimeApi("what the public gets of status pages", (open) => {
  test("looks the same for a page that is not published and one that never was", async () => {
    await using p = await openStatusPages(open);
    await p.create("/status-pages", { ...PAGE, published: false });
    for (const path of [
      "/uptime/status/x",
      "/uptime/status/x/rss.xml",
      DATA.replace("shop", "x"),
    ]) {
      const never = await p.look(path);
      const hidden = await p.look(path.replace("/x", "/shop"));
      expect(never.status).toBe(404);
      expect(hidden.status).toBe(404);
      expect(lasting(hidden)).toEqual(lasting(never));
      expect(await hidden.text()).toBe((await never.text()).replaceAll("/x", "/shop"));
    }
  });

  test("is there at once when a page is published, and gone at once when it is not", async () => {
    await using p = await openStatusPages(open);
    const page = await p.create("/status-pages", { ...PAGE, published: false });
    for (const published of [false, true, false]) {
      await p.api.put(`/status-pages/${page.id}`, { published });
      for (const path of [HTML, FEED, DATA])
        expect((await p.look(path)).status).toBe(published ? 200 : 404);
    }
  });

  test("is kept for a moment, so that a crowd costs no more than one reader", async () => {
    await using p = await openStatusPages(open);
    const id = await p.monitor("Shop");
    await p.create("/status-pages", { ...PAGE, groups: [{ name: "All", monitors: [{ id }] }] });
    const crowd = await Promise.all(Array.from({ length: 20 }, () => p.look(HTML)));
    expect(new Set(crowd.map((answer) => answer.headers.get("etag"))).size).toBe(1);
    await p.api.put(`/monitors/${id}`, { name: "Store" });
    expect(await (await p.look(HTML)).text()).toContain("Shop");
    p.clock.advanceMs(5000);
    expect(await (await p.look(HTML)).text()).toContain("Store");
  });

  test("is not sent again to those who have it", async () => {
    await using p = await openStatusPages(open);
    await p.create("/status-pages", PAGE);
    for (const path of [HTML, FEED, DATA]) {
      const first = await p.look(path);
      const etag = first.headers.get("etag") ?? "";
      expect(first.headers.get("cache-control")).toBe("public, max-age=10");
      const known = { "if-none-match": `"other", ${etag}` };
      const again = await p.look(path, known);
      expect(again.status).toBe(304);
      expect(again.headers.get("etag")).toBe(etag);
      expect(await again.text()).toBe("");
      expect((await p.look(path, { "if-none-match": '"other"' })).status).toBe(200);
      p.clock.advanceMs(60_000);
    }
  });

  test("is compressed for those who take it, and says so", async () => {
    await using p = await openStatusPages(open);
    await p.create("/status-pages", PAGE);
    const plain = await p.look(HTML, { "accept-encoding": "gzip;q=0" });
    expect(plain.headers.get("content-encoding")).toBeNull();
    const zipped = await p.look(HTML, { "accept-encoding": "br, gzip" });
    expect(zipped.headers.get("content-encoding")).toBe("gzip");
    for (const answer of [plain, zipped])
      expect(answer.headers.get("vary")).toBe("Accept-Encoding");
    expect(await zipped.text()).toBe(await plain.text());
  });

  test("is a page that loads nothing, runs nothing and says so to the browser", async () => {
    await using p = await openStatusPages(open);
    const id = await p.monitor("<script>alert(1)</script>\" onload='x");
    await p.create("/status-pages", {
      ...PAGE,
      title: "A & <b>",
      description: "</style><script>alert(2)</script>",
      groups: [{ name: "<img src=x>", monitors: [{ id }] }],
    });
    await p.see(id, "down");
    const answer = await p.visit(HTML);
    expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
    const policy = answer.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain("unsafe");
    expect(policy).not.toContain("script-src");
    const html = await answer.text();
    expect(html).not.toMatch(/<script|<img|<b>|\son\w+=["']|\sstyle=/);
    expect(html).not.toMatch(/(?:src|href)="(?!#|data:,|\/uptime\/status\/)/);
    expect(html).toContain("A &amp; &lt;b&gt;");
    expect(html).toContain('<html lang="en" class="auto">');
  });

  test("is a feed of RSS 2.0 with every beginning, end and update", async () => {
    await using p = await openStatusPages(open);
    const id = await p.monitor("Shop & <Co>");
    const page = await p.create("/status-pages", {
      ...PAGE,
      title: "A & <b> ]]>",
      groups: [{ name: "All", monitors: [{ id }] }],
    });
    await p.see(id, "down");
    await p.see(id, "up");
    const report = await p.create(`/status-pages/${page.id}/reports`, {
      title: "Prices \u0001 <up>",
      text: "one\ntwo",
    });
    await p.api.post(`/status-pages/${page.id}/reports/${report.id}/updates`, {
      text: "three",
      state: "resolved",
    });
    const answer = await p.visit(FEED);
    expect(answer.headers.get("content-type")).toBe("application/rss+xml; charset=utf-8");
    const xml = parseWellFormedXml(await answer.text());
    expect(xml.name).toBe("rss");
    expect(xml.attributes["version"]).toBe("2.0");
    const [channel] = xml.children;
    const of = (name: string) => channel?.children.filter((child) => child.name === name) ?? [];
    expect(of("title")[0]?.text).toBe("A & <b> ]]>");
    expect(of("link")[0]?.text).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/uptime\/status\/shop$/);
    const items = of("item").map((item) =>
      Object.fromEntries(item.children.map((child) => [child.name, child.text])),
    );
    expect(items.map(({ title }) => title)).toEqual([
      "Resolved: Prices \uFFFD <up>",
      "Investigating: Prices \uFFFD <up>",
      "Shop & <Co> is up again",
      "Shop & <Co> is down",
    ]);
    expect(items.map(({ pubDate }) => pubDate)[3]).toBe("Sun, 15 Nov 2026 09:01:00 +0000");
    expect(items[2]?.["description"]).toBe("The incident is over after 1 min.");
    expect(new Set(items.map(({ guid }) => guid)).size).toBe(4);
    for (const { link } of items) expect(link).toContain("/uptime/status/shop#e-");
  });

  test("has the links of feeds lead where the server is told that it is", async () => {
    await using p = await openStatusPages(open);
    await p.create("/status-pages", PAGE);
    const xml = await (await p.look(FEED)).text();
    expect(xml).toContain("http://127.0.0.1");
    await using api = await open({ settings: { publicUrl: "https://status.example.com/" } });
    await api.post("/status-pages", PAGE);
    const base = (await api.url()).replace(/\/uptime\/api$/, "");
    expect(await (await fetch(base + FEED)).text()).toContain(
      "<link>https://status.example.com/uptime/status/shop</link>",
    );
  });

  test("can be read by any web page", async () => {
    await using p = await openStatusPages(open);
    await p.create("/status-pages", PAGE);
    const answer = await p.look(DATA, { origin: "https://elsewhere.example" });
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
  });
});
