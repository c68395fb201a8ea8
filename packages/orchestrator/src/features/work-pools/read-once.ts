/** More texts are not known at once. */
const MOST_KNOWN = 1000;

/** Reads a text as `read` does, but the same text again only once it is forgotten; what was read must not be changed. */
export function readOnce<T>(read: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const [oldest] = known.keys();
    if (known.size >= MOST_KNOWN && oldest !== undefined) known.delete(oldest);
    const value = read(text);
    known.set(text, value);
    return value;
  };
}
