const MAX_SHOWN = 120;

/** Text that others chose, on one line, without secrets and not without end. */
export function printableLine(
  text: string,
  hide: (text: string) => string,
  max = MAX_SHOWN,
): string {
  const line = hide(text)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();
  return line.length > max ? `${line.slice(0, max - 1)}…` : line;
}
