import { networkInterfaces } from "node:os";
import { addressKind } from "./address-kinds.ts";
import { parseAddress } from "./ip-address.ts";

/**
 * Whether a service at `closed` is also what answers at `address`: the same address, or both on
 * this machine.
 */
export function isSameMachine(address: string, closed: readonly string[]): boolean {
  if (closed.length === 0) return false;
  const target = keyOf(address);
  if (closed.some((other) => keyOf(other) === target)) return true;
  return isHere(address) && closed.some(isHere);
}

function isHere(address: string): boolean {
  if (addressKind(address) === "loopback") return true;
  const key = keyOf(address);
  return Object.values(networkInterfaces()).some((cards) =>
    cards?.some((card) => keyOf(card.address) === key),
  );
}

/** An IPv4 address inside an IPv6 one is the same place. */
function keyOf(text: string): string {
  const address = parseAddress(text);
  if (address === null) return text;
  const isMapped = address.bits === 128 && address.value >> 32n === 0xffffn;
  return `${isMapped ? 32 : address.bits}:${isMapped ? address.value & 0xffff_ffffn : address.value}`;
}
