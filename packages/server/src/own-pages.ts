/** Where web pages come from that may use the server: those that are listed, and those that people are told to open. */
export function ownPages(
  listed: "*" | readonly string[],
  addresses: readonly (string | null)[],
): "*" | readonly string[] {
  if (listed === "*") return listed;
  const told = addresses.flatMap((address) => (address === null ? [] : new URL(address).origin));
  return [...listed, ...told];
}
