import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import type { networkInterfaces } from "node:os";
import { expect, test } from "vitest";
import { Connectivity } from "./connectivity.ts";

type Networks = ReturnType<typeof networkInterfaces>;

const address = (text: string, internal: boolean) => [{ address: text, internal }];
const networks = (...all: ReturnType<typeof address>[]) =>
  Object.fromEntries(all.map((each, i) => [`net${i}`, each])) as unknown as Networks;

const LOOPBACK = address("127.0.0.1", true);
const ALONE = networks(LOOPBACK, address("fe80::1", false), address("169.254.3.4", false));
const CONNECTED = networks(LOOPBACK, address("192.0.2.17", false));

test("a machine with an address has a network, whatever becomes of its targets", async () => {
  const connectivity = new Connectivity([], () => CONNECTED);
  expect(await connectivity.isUp("shop.example.com")).toBe(true);
});

test("a machine that has no address but its own has none", async () => {
  const connectivity = new Connectivity([], () => ALONE);
  expect(await connectivity.isUp("shop.example.com")).toBe(false);
  expect(await connectivity.isUp("192.0.2.1:8080")).toBe(false);
});

test.each(["localhost", "localhost:8080", "127.0.0.1:80", "[::1]:80", "shop.localhost"])(
  "%s is reached without any network",
  async (host) => {
    expect(await new Connectivity([], () => ALONE).isUp(host)).toBe(true);
  },
);

test("where targets are named, they say whether there is a network", async () => {
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const works = new Connectivity([`127.0.0.1:${port}`], () => ALONE);
  expect(await works.isUp("shop.example.com")).toBe(true);
  await new Promise<void>((resolve) => server.close(() => resolve()));
  const gone = new Connectivity([`127.0.0.1:${port}`], () => CONNECTED);
  expect(await gone.isUp("shop.example.com")).toBe(false);
});
