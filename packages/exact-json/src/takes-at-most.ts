const MAX_BYTES_PER_UNIT = 3;

/**
 * Whether a text takes no more than so many bytes of UTF-8; most are too short to need counting.
 */
export function takesAtMost(text: string, bytes: number): boolean {
  return text.length * MAX_BYTES_PER_UNIT <= bytes || Buffer.byteLength(text) <= bytes;
}
