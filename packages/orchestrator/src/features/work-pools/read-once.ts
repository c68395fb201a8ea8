/** More texts are not known at once. */
const MOST_KNOWN = 1000;

/** Reads a text as `read` does, and again only when it was not asked for in a long time; what was read must not be changed. */
export function readOnce<T>(read: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const value = known.get(text) ?? read(text);
    // What was asked for last is behind all others.
    known.delete(text);
    known.set(text, value);
    const [oldest] = known.keys();
    if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest);
    return value;
  };
}
