import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createNameResolver } from "./name-resolver.ts";
import { parseHosts, parseResolverFile, spelledOut } from "./system-names.ts";
import { startNameServer } from "./testing/name-server.ts";

const NEVER = new AbortController().signal;
const NOWHERE = { hostsFile: "/nowhere", resolverFile: "/nowhere" };

describe("a name", () => {
  test("is asked for at the name servers, in both families of addresses", async () => {
    await using server = await startNameServer((question) =>
      question === "A shop.example" ? ["10.0.0.1", "10.0.0.2"] : ["fd00::1"],
    );
    const resolve = createNameResolver({ ...NOWHERE, servers: [server.address] });
    const found = await resolve("Shop.Example", NEVER);
    expect(found.slice(0, 2)).toEqual(["10.0.0.1", "10.0.0.2"]);
    expect(found.slice(2).every((address) => address === "fd00::1")).toBe(true);
  });

  test("with addresses of one family only is found", async () => {
    await using server = await startNameServer((question) =>
      question.startsWith("AAAA ") ? ["fd00::1"] : [],
    );
    const resolve = createNameResolver({ ...NOWHERE, servers: [server.address] });
    expect(await resolve("six.example", NEVER)).toEqual(["fd00::1"]);
  });

  test("is asked for anew each time", async () => {
    await using server = await startNameServer((question, count) =>
      question.startsWith("A ") ? [`10.0.0.${count}`] : null,
    );
    const resolve = createNameResolver({ ...NOWHERE, servers: [server.address] });
    const first = await resolve("turning.example", NEVER);
    expect(await resolve("turning.example", NEVER)).not.toEqual(first);
  });

  test("in the hosts file is what the hosts file says, and nobody is asked", async () => {
    const folder = mkdtempSync(join(tmpdir(), "names-"));
    const hostsFile = join(folder, "hosts");
    writeFileSync(hostsFile, "fd00::7 Shop.lan\n10.0.0.7 shop.lan shop # 10.0.0.8 other.lan\n");
    await using server = await startNameServer(() => null);
    const resolve = createNameResolver({ ...NOWHERE, hostsFile, servers: [server.address] });
    expect(await resolve("SHOP.lan", NEVER)).toEqual(["10.0.0.7", "fd00::7"]);
    expect(await resolve("shop.lan.", NEVER)).toEqual(["10.0.0.7", "fd00::7"]);
    expect(await resolve("localhost", NEVER)).toEqual(["127.0.0.1", "::1"]);
    expect(await resolve("app.localhost", NEVER)).toEqual(["127.0.0.1", "::1"]);
    expect(server.questions).toEqual([]);
    await expect(resolve("other.lan", NEVER)).rejects.toMatchObject({
      code: "unreachable",
      reason: "ENOTFOUND",
    });
    rmSync(folder, { recursive: true });
  });

  test("without dots is tried with the domains of this machine", async () => {
    const folder = mkdtempSync(join(tmpdir(), "names-"));
    const resolverFile = join(folder, "resolv.conf");
    writeFileSync(resolverFile, "search one.example two.example\noptions timeout:1 ndots:2\n");
    await using server = await startNameServer((question) =>
      question === "A db.two.example" ? ["10.0.0.9"] : null,
    );
    const resolve = createNameResolver({ ...NOWHERE, resolverFile, servers: [server.address] });
    expect(await resolve("db", NEVER)).toEqual(["10.0.0.9"]);
    expect(server.questions).toContain("A db.one.example");
    expect(server.questions).not.toContain("A db");
    rmSync(folder, { recursive: true });
  });

  test("that is none is not asked for", async () => {
    await using server = await startNameServer(() => ["10.0.0.1"]);
    const resolve = createNameResolver({ ...NOWHERE, servers: [server.address] });
    for (const host of ["", "a..b", "a b", `${"a".repeat(64)}.example`, "a.".repeat(200)])
      await expect(resolve(host, NEVER)).rejects.toMatchObject({ code: "invalid" });
    expect(server.questions).toEqual([]);
  });

  test("that nobody answers for is given up when the signal fires", async () => {
    const stop = new AbortController();
    await using server = await startNameServer(() => {
      stop.abort();
      return undefined;
    });
    const resolve = createNameResolver({ ...NOWHERE, servers: [server.address] });
    await expect(resolve("silent.example", stop.signal)).rejects.toMatchObject({ code: "stopped" });
  });
});

describe("the files of the system", () => {
  test("are read for what they say and nothing else", () => {
    expect(parseHosts("# x\n\n10.0.0.1\tA b\nnonsense c\n::1 b\n10.0.0.1 b")).toEqual(
      new Map([
        ["a", ["10.0.0.1"]],
        ["b", ["10.0.0.1", "::1"]],
      ]),
    );
    expect(parseResolverFile("nameserver 1.1.1.1\ndomain old\nsearch a. .b ; c\n")).toEqual({
      search: ["a", "b"],
      dots: 1,
    });
    expect(spelledOut("x", { search: ["a"], dots: 1 })).toEqual(["x.a", "x"]);
    expect(spelledOut("x.y", { search: ["a"], dots: 1 })).toEqual(["x.y", "x.y.a"]);
    expect(spelledOut("x.", { search: ["a"], dots: 1 })).toEqual(["x"]);
  });
});
