const BASIC = /^basic +([A-Za-z0-9+/_-]+=*) *$/i;
const BEARER = /^bearer +([\x21-\x7e]+) *$/i;

/** What Basic credentials say, as `user:password`. */
export function basicText(header = ""): string | null {
  const [, encoded] = BASIC.exec(header) ?? [];
  return encoded === undefined ? null : Buffer.from(encoded, "base64").toString("utf8");
}

export function bearerToken(header = ""): string | null {
  return BEARER.exec(header)?.[1] ?? null;
}
