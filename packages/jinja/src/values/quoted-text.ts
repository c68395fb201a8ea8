const ESCAPES: Readonly<Record<string, string>> = {
  "\\": "\\\\",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};
/** What has no picture: control characters, halves of pairs, blanks other than the usual one. */
const UNPRINTABLE = /[\\\p{C}\p{Z}]/gu;

/** A text in quotes as Python shows it. */
export function quotedText(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = text.replace(UNPRINTABLE, escapeOne);
  return quote + (quote === "'" ? escaped.replaceAll("'", "\\'") : escaped) + quote;
}

function escapeOne(sign: string): string {
  if (sign === " ") return sign;
  const code = sign.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  if (code <= 0xff) return ESCAPES[sign] ?? `\\x${hex.padStart(2, "0")}`;
  return code <= 0xffff ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`;
}
