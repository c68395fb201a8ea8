// Halves of a character stand where a text was cut, NUL where somebody printed bytes.
const REFUSED = /\0|\p{Surrogate}/gu;

/** A text as the server takes it: what it would refuse must not cost a line, or a run its end. */
export function storableText(text: string): string {
  return text.replace(REFUSED, (found) => (found === "\0" ? "" : "\ufffd"));
}
