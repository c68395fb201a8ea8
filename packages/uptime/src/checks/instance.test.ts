import { startReceiver } from "@orchestrator/outbound/testing";
import { describe, expect, test } from "vitest";
import { probe } from "../testing/probe.ts";
import { instanceUrl } from "./instance.ts";
import type { ConfigOf } from "./registry.ts";

const INFO = {
  version: "2.41.1",
  revision: "abc123",
  buildTime: "2026-09-01T21:36:21.000",
  serverDate: "2026-11-15T09:00:00.000+0000",
  systemId: "x",
};
const instance = (more: Omit<ConfigOf<"instance">, "type"> = {}): ConfigOf<"instance"> => ({
  type: "instance",
  username: "ada",
  password: "s3cret-word",
  ...more,
});
const json = (body: unknown, status = 200) =>
  startReceiver((_, response) => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });

describe("an instance", () => {
  test("is asked with user and password and tells its version", async () => {
    await using server = await json(INFO);
    const outcome = await probe(`${server.url}/base/`, [instance()]);
    expect(outcome).toMatchObject({
      status: "up",
      message: "instance: 2.41.1",
      authFailed: false,
      details: {
        instance: {
          version: "2.41.1",
          revision: "abc123",
          build_time: "2026-09-01T21:36:21.000",
          server_date: "2026-11-15T09:00:00.000+0000",
          status_code: 200,
        },
      },
    });
    expect(server.requests[0]).toMatchObject({
      method: "GET",
      path: "/base/api/system/info",
      headers: {
        authorization: `Basic ${Buffer.from("ada:s3cret-word").toString("base64")}`,
        accept: "application/json",
      },
    });
  });

  test.each([401, 403])("that refuses the user by %i is down, and asked once", async (code) => {
    await using server = await json({ message: "Unauthorized s3cret-word" }, code);
    const outcome = await probe(server.url, [instance({ retries: 3 })]);
    expect(outcome).toMatchObject({
      status: "down",
      message: `instance: authentication failed (${code})`,
      details: { instance: { status_code: code, error: `authentication failed (${code})` } },
      authFailed: true,
    });
    expect(server.requests).toHaveLength(1);
    expect(JSON.stringify(outcome)).not.toContain("s3cret-word");
  });

  test.each([
    [404, "degraded", "instance: 404 Not Found"],
    [500, "degraded", "instance: 500 Internal Server Error"],
    [204, "degraded", "instance: 204 No Content"],
  ])("that answers %i is %s", async (code, status, message) => {
    await using server = await json({}, code);
    expect(await probe(server.url, [instance()])).toMatchObject({ status, message });
  });

  test.each([
    ["<!doctype html><title>Login</title>", "the answer is a web page"],
    ["pong", "the answer is not JSON"],
    ["{}", "the answer has no version"],
    ['{"version":""}', "the answer has no version"],
    ['{"version":{"a":1}}', "the answer has no version"],
    ["null", "the answer has no version"],
    ['["version"]', "the answer has no version"],
  ])("that answers %s is down", async (body, text) => {
    await using server = await startReceiver((_, response) => void response.end(body));
    expect(await probe(server.url, [instance()])).toMatchObject({
      status: "down",
      message: `instance: ${text}`,
      details: { instance: { error: text } },
    });
  });

  test("tells no more of a version than a line", async () => {
    await using server = await json({ version: `1\n; http: 200 OK ${"x".repeat(5000)}` });
    const { message } = await probe(server.url, [instance()]);
    expect(message).toMatch(/^instance: 1 , http: 200 OK x+…$/);
    expect(message.length).toBeLessThan(200);
  });

  test("that redirects within its origin is followed there, and to no other", async () => {
    await using other = await json(INFO);
    await using server = await startReceiver(({ path }, response) => {
      if (path.startsWith("/inner")) response.end(JSON.stringify(INFO));
      else if (path.startsWith("/out")) response.writeHead(302, { location: other.url }).end();
      else response.writeHead(302, { location: "/inner/info" }).end();
    });
    expect((await probe(server.url, [instance()])).status).toBe("up");
    expect(server.requests[1]?.headers["authorization"]).toBeDefined();
    expect(await probe(server.url, [instance({ path: "/out" })])).toMatchObject({
      status: "degraded",
      message: "instance: 302 Found",
    });
    expect(other.requests).toHaveLength(0);
  });

  test.each([
    ["https://a.example", "https://a.example/api/system/info"],
    ["https://a.example/", "https://a.example/api/system/info"],
    ["https://a.example/base/?x=1#/home", "https://a.example/base/api/system/info"],
    ["https://a.example/base/login", "https://a.example/base/api/system/info"],
    ["https://a.example/base/login.html", "https://a.example/base/api/system/info"],
    ["https://a.example/base/app-web-start/index.html", "https://a.example/base/api/system/info"],
    ["https://a.example/logins", "https://a.example/logins/api/system/info"],
  ])("at %s is asked at %s", (base, url) => {
    expect(instanceUrl(base, "/api/system/info")).toBe(url);
    expect(instanceUrl(base, "/x?fields=version")).toMatch(/\/x\?fields=version$/);
  });
});
