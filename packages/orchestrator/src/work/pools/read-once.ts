/** At least as many texts are known, and at most twice as many. */
const MOST_KNOWN = 500;

/**
 * Reads a text as `read` does, and again only when it was not asked for in a long time; what was
 * read must not be changed.
 */
export function readOnce<T>(read: (text: string) => T): (text: string) => T {
  let known = new Map<string, T>();
  let older = new Map<string, T>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const value = older.get(text) ?? read(text);
    // To forget the older half together is cheaper than to keep in mind what was asked for when.
    if (known.size >= MOST_KNOWN) [known, older] = [new Map(), known];
    known.set(text, value);
    return value;
  };
}
