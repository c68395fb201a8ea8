import { expect, test } from "vitest";
import { encodePart, signedHeaders } from "./s3-signature.ts";

// The examples that the makers of the signature publish.
const EXAMPLE = {
  region: "us-east-1",
  credentials: {
    accessKeyId: "AKIAIOSFODNN7EXAMPLE",
    secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
  },
  nowMs: Date.UTC(2013, 4, 24),
};
const signatureOf = (headers: Readonly<Record<string, string>>): string | undefined =>
  headers["authorization"]?.split("Signature=")[1];

test("a read is signed as the published example is", () => {
  const headers = signedHeaders({
    ...EXAMPLE,
    method: "GET",
    url: new URL("https://examplebucket.s3.amazonaws.com/test.txt"),
    body: new Uint8Array(),
    headers: { range: "bytes=0-9" },
  });
  expect(signatureOf(headers)).toBe(
    "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
  );
});

test("a write is signed as the published example is", () => {
  const headers = signedHeaders({
    ...EXAMPLE,
    method: "PUT",
    url: new URL(`https://examplebucket.s3.amazonaws.com/${encodePart("test$file.text")}`),
    body: Buffer.from("Welcome to Amazon S3."),
    headers: {
      date: "Fri, 24 May 2013 00:00:00 GMT",
      "x-amz-storage-class": "REDUCED_REDUNDANCY",
    },
  });
  expect(signatureOf(headers)).toBe(
    "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd",
  );
});
