import type { AddressInfo } from "node:net";
import { createServer } from "node:tls";
import { makeAuthority, makeCertificate } from "@orchestrator/outbound/testing";
import { describe, expect, test } from "vitest";
import { probe } from "../testing/probe.ts";
import { httpAnswer, startRawServer } from "../testing/raw-server.ts";

const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS);
const root = makeAuthority("Test Root");
const middle = makeAuthority("Test Middle", { issuer: root });
const authorities = [root.cert];

const serving = (certificate: { readonly cert: string; readonly key: string }) =>
  startRawServer((socket) => socket.end(httpAnswer(200, {}, "hello")), { certificate });
/** The certificate without those of its issuers. */
const alone = (certificate: { readonly cert: string; readonly key: string }) => ({
  key: certificate.key,
  cert: certificate.cert.slice(0, certificate.cert.indexOf("-----END") + 26),
});

const CERTIFICATES = [
  ["that is good", makeCertificate({ issuer: root }), null],
  ["with all of its chain", makeCertificate({ issuer: middle }), null],
  ["with a long key", makeCertificate({ issuer: root, rsaBits: 2048 }), null],
  ["with a key that is too short", makeCertificate({ issuer: root, rsaBits: 1024 }), "WEAK_KEY"],
  [
    "without its chain",
    alone(makeCertificate({ issuer: middle })),
    "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  ],
  ["that has ended", makeCertificate({ issuer: root, to: inDays(-0.5) }), "CERT_HAS_EXPIRED"],
  ["that has not begun", makeCertificate({ issuer: root, from: inDays(1) }), "CERT_NOT_YET_VALID"],
  [
    "for another host",
    makeCertificate({ issuer: root, hosts: ["other.example"] }),
    "ERR_TLS_CERT_ALTNAME_INVALID",
  ],
  ["signed by itself", makeCertificate(), "DEPTH_ZERO_SELF_SIGNED_CERT"],
  [
    "of an unknown authority",
    makeCertificate({ issuer: makeAuthority("Stranger") }),
    "SELF_SIGNED_CERT_IN_CHAIN",
  ],
  [
    "whose issuer may issue none",
    makeCertificate({ issuer: makeCertificate({ name: "No Authority", issuer: root }) }),
    "INVALID_CA|INVALID_PURPOSE",
  ],
  ["for another purpose", makeCertificate({ issuer: root, purpose: "client" }), "INVALID_PURPOSE"],
  [
    "of one who only says to be the authority",
    makeCertificate({ issuer: makeAuthority("Test Root") }),
    "SELF_SIGNED_CERT_IN_CHAIN|CERT_SIGNATURE_FAILURE|UNABLE_TO",
  ],
] as const;

describe("a certificate", () => {
  test.each(CERTIFICATES)(
    "%s is judged by http, instance and tls alike",
    async (_title, certificate, problem) => {
      await using server = await serving(certificate);
      const seen = await probe(server.url, [{ type: "http" }, { type: "tls" }], { authorities });
      const codes = ["http", "tls"].map(
        (type) => (seen.details[type] as { readonly error_code?: string }).error_code ?? null,
      );
      if (problem === null) {
        expect(seen.message).toBe("http: 200 OK; tls: the certificate is valid");
        expect(codes).toEqual([null, null]);
      } else {
        expect(seen.status).toBe("down");
        for (const code of codes) expect(code).toMatch(new RegExp(problem));
        // Nothing was sent to whom we do not know.
        expect(server.heads).toEqual([]);
        const instance = await probe(
          server.url,
          [{ type: "instance", username: "ada", password: "pw12" }],
          { authorities },
        );
        expect(instance).toMatchObject({ status: "down", authFailed: false });
        expect(server.heads).toEqual([]);
      }
      expect(seen.certificate_ends).toMatch(/^20\d\d-/);
      expect(seen.details["http"]).toMatchObject({
        tls: { subject: expect.any(String) as string },
      });
    },
  );

  test("that is not valid is looked past where that is wanted, and told of", async () => {
    await using server = await serving(makeCertificate({ hosts: ["other.example"] }));
    const seen = await probe(server.url, [{ type: "http", verify_tls: false }], { authorities });
    expect(seen).toMatchObject({
      status: "up",
      details: { http: { tls: { problem: expect.stringMatching(/SELF_SIGNED/) as string } } },
    });
  });

  test("is told of: whose it is, by whom, and how long it lasts", async () => {
    await using server = await serving(
      makeCertificate({ name: "shop", issuer: root, to: inDays(10.5) }),
    );
    const seen = await probe(server.url, [{ type: "http" }], { authorities });
    const { timings, tls } = seen.details["http"] as Record<string, Record<string, unknown>>;
    expect(tls).toMatchObject({ subject: "shop", issuer: "Test Root", days_left: 10 });
    expect(tls?.["valid_to"]).toBe(seen.certificate_ends);
    expect(Object.keys(timings ?? {})).toContain("tls");
  });

  test.each([
    ["http", 10, "degraded"],
    ["http", 9, "up"],
    ["tls", 10, "degraded"],
    ["tls", undefined, "degraded"],
    ["tls", 3, "up"],
  ] as const)(
    "that ends soon, by %s with a warning of %s days, is %s",
    async (type, days, status) => {
      await using server = await serving(makeCertificate({ issuer: root, to: inDays(9.5) }));
      const config = { type, ...(days !== undefined && { tls_warn_days: days }) };
      const seen = await probe(server.url, [config], { authorities });
      expect(seen.status).toBe(status);
      if (status === "degraded") expect(seen.message).toMatch(/the certificate ends in 9 days$/);
    },
  );

  test("is looked at under the name that the check asks for", async () => {
    await using server = await serving(makeCertificate({ issuer: root, hosts: ["inner.example"] }));
    const asked = { type: "tls", servername: "inner.example" } as const;
    expect((await probe(server.url, [asked], { authorities })).status).toBe("up");
  });
});

describe("an encrypted connection", () => {
  test("with a server that only speaks what is out of date is down", async () => {
    const old = {
      minVersion: "TLSv1",
      maxVersion: "TLSv1.1",
      ciphers: "DEFAULT@SECLEVEL=0",
    } as const;
    const server = createServer({ ...makeCertificate({ issuer: root }), ...old }, (socket) => {
      socket.end(httpAnswer(200));
    });
    server.on("tlsClientError", () => {});
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const seen = await probe(`https://127.0.0.1:${port}`, [{ type: "http" }, { type: "tls" }], {
      authorities,
    });
    expect(seen.status).toBe("down");
    expect(seen.message).toMatch(
      /http: the encrypted connection was not accepted .*; tls: the enc/,
    );
    await new Promise((resolve) => server.close(resolve));
  });

  test.each([
    [
      "speaks without encryption",
      "HTTP/1.1 400 Bad Request\r\n\r\n",
      /encrypted connection was not accepted/,
    ],
    ["hangs up", "", /hung up|broke/],
  ])("with a server that %s is down", async (_title, text, message) => {
    await using server = await startRawServer((socket) => socket.end(text), { isFirst: true });
    const seen = await probe(server.url.replace("http:", "https:"));
    expect(seen.status).toBe("down");
    expect(seen.message).toMatch(message);
  });
});
