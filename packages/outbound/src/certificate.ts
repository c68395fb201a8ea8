// What a certificate says, and what is wrong with it, in words.

import type { X509Certificate } from "node:crypto";
import { createSecureContext, type SecureContext, type TLSSocket } from "node:tls";

export interface CertificateFacts {
  readonly subject: string;
  readonly issuer: string;
  readonly validFromMicros: number | null;
  readonly validToMicros: number | null;
  /** The names that it is for. */
  readonly names: readonly string[];
  readonly fingerprint: string;
}

export interface TlsFacts {
  readonly protocol: string | null;
  readonly certificate: CertificateFacts | null;
  /** Why the certificate is not valid here; null when it is. */
  readonly problem: { readonly code: string; readonly text: string } | null;
}

const MAX_NAMES = 20;
const MAX_NAME_LENGTH = 255;

export function tlsFacts(socket: TLSSocket): TlsFacts {
  const certificate = socket.getPeerX509Certificate();
  const error = socket.authorizationError as unknown;
  const code = typeof error === "string" ? error : (error as Error | null)?.message;
  return {
    protocol: socket.getProtocol(),
    certificate: certificate === undefined ? null : certificateFacts(certificate),
    problem: socket.authorized
      ? weaknessOf(certificate)
      : // Newer versions of Node refuse weak keys themselves, without a name for that.
        ((code === "UNSPECIFIED" ? weaknessOf(certificate) : null) ?? problemOf(code ?? "unknown")),
  };
}

/** As long as keys must be at least; those of elliptic curves are short and strong. */
const LEAST_RSA_BITS = 2048;

/** Node takes keys that other programs have long refused. */
function weaknessOf(certificate: X509Certificate | undefined): TlsFacts["problem"] {
  const bits = certificate?.publicKey.asymmetricKeyDetails?.modulusLength ?? LEAST_RSA_BITS;
  if (bits >= LEAST_RSA_BITS) return null;
  return { code: "WEAK_KEY", text: `the key of the certificate is too weak (${bits} bits)` };
}

/** A context that trusts these authorities and nobody else. */
export function trusting(authorities: readonly string[]): SecureContext {
  return createSecureContext({ ca: [...authorities], minVersion: "TLSv1.2" });
}

function certificateFacts(certificate: X509Certificate): CertificateFacts {
  return {
    subject: nameOf(certificate.subject),
    issuer: nameOf(certificate.issuer),
    validFromMicros: micros(certificate.validFrom),
    validToMicros: micros(certificate.validTo),
    names: namesOf(certificate.subjectAltName ?? ""),
    fingerprint: certificate.fingerprint256,
  };
}

/** The common name, or the organisation, or the whole of it. */
function nameOf(distinguished: string): string {
  const lines = (distinguished ?? "").split("\n");
  const part = (key: string) => lines.find((line) => line.startsWith(key))?.slice(key.length);
  return plain(part("CN=") ?? part("O=") ?? lines.join(", "));
}

function namesOf(alternatives: string): readonly string[] {
  return alternatives
    .split(", ")
    .flatMap((name) => /^(?:DNS|IP Address):(.+)$/.exec(name)?.[1] ?? [])
    .slice(0, MAX_NAMES)
    .map(plain);
}

/** The other side chose this text: no control characters, and not without end. */
const plain = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, " ").slice(0, MAX_NAME_LENGTH);

function micros(text: string): number | null {
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? null : ms * 1000;
}

const PROBLEMS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: "the certificate has expired",
  CERT_NOT_YET_VALID: "the certificate is not valid yet",
  CERT_REVOKED: "the certificate was revoked",
  CERT_SIGNATURE_FAILURE: "the signature of the certificate is wrong",
  CERT_UNTRUSTED: "the certificate is not trusted",
  DEPTH_ZERO_SELF_SIGNED_CERT: "the certificate is signed by itself",
  ERR_TLS_CERT_ALTNAME_INVALID: "the certificate is for another host",
  HOSTNAME_MISMATCH: "the certificate is for another host",
  INVALID_CA: "the certificate was issued by one that may issue none",
  INVALID_PURPOSE: "the certificate is for another purpose",
  SELF_SIGNED_CERT_IN_CHAIN: "the authority of the certificate is not known",
  UNABLE_TO_GET_ISSUER_CERT: "the authority of the certificate is not known",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "the authority of the certificate is not known",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    "the chain of the certificate is not complete, or its authority not known",
  // Node has no name for these.
  UNSPECIFIED:
    "the certificate was refused: a signature or a key of its chain is too weak, or its issuer may not vouch for it",
};

function problemOf(given: string): TlsFacts["problem"] {
  const code = /^[A-Z0-9_]{1,64}$/.test(given) ? given : "unknown";
  const text = PROBLEMS[code] ?? "the certificate is not valid";
  return { code, text: `${text} (${code})` };
}
