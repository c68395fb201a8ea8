const MOST = 64;

/** A handle that fits a name: lower-case letters, digits and dashes between them. */
export function handleOf(name: string): string {
  return name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, MOST)
    .replaceAll(/^-+|-+$/g, "");
}
