/** A text of others, cut and without what a database or a terminal would choke on. */
export function tidy(text: string, most: number): string {
  const plain = text.replace(/\p{Cc}+/gu, " ").trim();
  return cut(plain, most);
}

/** At most so many characters, the last of them a sign that there were more. */
export function cut(text: string, most: number): string {
  const whole = withoutLoneSurrogates(text);
  if (whole.length <= most) return whole;
  return `${whole.slice(0, most - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** Without halves of characters, which nothing can encode. */
export const withoutLoneSurrogates = (text: string): string => text.replace(/\p{Cs}/gu, "\ufffd");

/** At most so many bytes of UTF-8. */
export function cutBytes(text: string, most: number): string {
  if (Buffer.byteLength(text) <= most) return cut(text, text.length);
  const kept = new TextDecoder().decode(Buffer.from(text).subarray(0, most - 3));
  return `${kept.replace(/\ufffd+$/, "")}…`;
}
