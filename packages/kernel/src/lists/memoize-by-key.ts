/** What is found out of a definition, once: definitions are constants. */
export function memoizeByKey<K extends object, V>(find: (key: K) => V): (key: K) => V {
  const known = new WeakMap<K, V>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const fresh = find(key);
    known.set(key, fresh);
    return fresh;
  };
}
