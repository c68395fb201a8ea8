// Certificates of every kind, good and bad, made on the spot.

import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { isIP } from "node:net";

export interface TestCertificate {
  /** PEM, followed by those of the issuers up to the root. */
  readonly cert: string;
  readonly key: string;
  readonly name: string;
  readonly privateKey: KeyObject;
}

export interface CertificateWishes {
  readonly name?: string;
  /** Host names and addresses that it is for. */
  readonly hosts?: readonly string[];
  readonly from?: Date;
  readonly to?: Date;
  /** Who signs it; itself when nobody is named. */
  readonly issuer?: TestCertificate;
  readonly isAuthority?: boolean;
  readonly purpose?: "server" | "client";
  /** The length of its key, which is then RSA; else it is one of an elliptic curve. */
  readonly rsaBits?: number;
}

const DAY_MS = 86_400_000;
const OIDS = {
  commonName: "55 04 03",
  ecdsaWithSha256: "2a 86 48 ce 3d 04 03 02",
  alternativeNames: "55 1d 11",
  basicConstraints: "55 1d 13",
  extendedUsage: "55 1d 25",
  server: "2b 06 01 05 05 07 03 01",
  client: "2b 06 01 05 05 07 03 02",
};

let serial = 1;

export function makeCertificate({
  name = "localhost",
  hosts = ["localhost", "127.0.0.1"],
  from = new Date(Date.now() - DAY_MS),
  to = new Date(Date.now() + 90 * DAY_MS),
  issuer,
  isAuthority = false,
  purpose = "server",
  rsaBits,
}: CertificateWishes = {}): TestCertificate {
  const { privateKey, publicKey } =
    rsaBits === undefined
      ? generateKeyPairSync("ec", { namedCurve: "P-256" })
      : generateKeyPairSync("rsa", { modulusLength: rsaBits });
  const body = sequence(
    tagged(0xa0, integer(2)),
    integer(serial++),
    sequence(oid("ecdsaWithSha256")),
    distinguished(issuer?.name ?? name),
    sequence(time(from), time(to)),
    distinguished(name),
    publicKey.export({ format: "der", type: "spki" }),
    tagged(
      0xa3,
      sequence(
        extension(
          "basicConstraints",
          isAuthority ? sequence(tagged(0x01, Buffer.of(0xff))) : sequence(),
        ),
        extension("alternativeNames", sequence(...hosts.map(alternative))),
        ...(isAuthority ? [] : [extension("extendedUsage", sequence(oid(purpose)))]),
      ),
    ),
  );
  const signature = sign("sha256", body, issuer?.privateKey ?? privateKey);
  const whole = sequence(body, sequence(oid("ecdsaWithSha256")), bits(signature));
  const lines = whole.toString("base64").match(/.{1,64}/g) ?? [];
  const pem = `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
  const key = privateKey.export({ format: "pem", type: "pkcs8" }).toString();
  return { cert: pem + (issuer?.cert ?? ""), key, name, privateKey };
}

export const makeAuthority = (name: string, wishes: CertificateWishes = {}): TestCertificate =>
  makeCertificate({ ...wishes, name, hosts: [], isAuthority: true });

function tagged(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const size = content.length;
  const length =
    size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  return Buffer.concat([Buffer.of(tag, ...length), content]);
}

const sequence = (...parts: readonly Buffer[]): Buffer => tagged(0x30, ...parts);
const integer = (value: number): Buffer => {
  const hex = value.toString(16);
  return tagged(
    0x02,
    Buffer.from(`00${hex.length % 2 === 0 ? hex : `0${hex}`}`, "hex").subarray(
      value > 0x7f ? 0 : 1,
    ),
  );
};
const bits = (content: Buffer): Buffer => tagged(0x03, Buffer.of(0), content);
const oid = (which: keyof typeof OIDS): Buffer =>
  tagged(0x06, Buffer.from(OIDS[which].replaceAll(" ", ""), "hex"));

const distinguished = (name: string): Buffer =>
  sequence(tagged(0x31, sequence(oid("commonName"), tagged(0x0c, Buffer.from(name)))));

const time = (at: Date): Buffer =>
  tagged(0x18, Buffer.from(at.toISOString().replace(/[-:T]|\.\d+/g, "")));

const extension = (which: keyof typeof OIDS, value: Buffer): Buffer =>
  sequence(oid(which), tagged(0x04, value));

const alternative = (host: string): Buffer =>
  isIP(host) === 4
    ? tagged(0x87, Buffer.from(host.split(".").map(Number)))
    : tagged(0x82, Buffer.from(host));
