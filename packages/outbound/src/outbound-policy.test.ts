import { describe, expect, test } from "vitest";
import { addressKind } from "./address-kinds.ts";
import { refusalOf } from "./outbound-policy.ts";

describe("an address", () => {
  test.each([
    ["93.184.215.14", "public"],
    ["2606:2800:21f:cb07:6820:80da:af6b:8b2c", "public"],
    ["::ffff:93.184.215.14", "public"],
    ["64:ff9b::5db8:d70e", "public"],
    ["127.0.0.1", "loopback"],
    ["127.255.1.2", "loopback"],
    ["::1", "loopback"],
    ["::ffff:127.0.0.1", "loopback"],
    ["::ffff:7f00:1", "loopback"],
    ["::127.0.0.1", "loopback"],
    ["2002:7f00:1::", "loopback"],
    ["64:ff9b::7f00:1", "loopback"],
    ["10.1.2.3", "private"],
    ["172.16.0.1", "private"],
    ["172.31.255.255", "private"],
    ["172.32.0.1", "public"],
    ["192.168.1.1", "private"],
    ["100.64.0.1", "private"],
    ["fd12:3456::1", "private"],
    ["fec0::1", "private"],
    ["::ffff:10.0.0.1", "private"],
    ["64:ff9b:1::a00:1", "private"],
    ["169.254.169.254", "metadata"],
    ["::ffff:169.254.169.254", "metadata"],
    ["fd00:ec2::254", "metadata"],
    ["100.100.100.200", "metadata"],
    ["168.63.129.16", "metadata"],
    ["::ffff:168.63.129.16", "metadata"],
    ["168.63.129.17", "public"],
    ["fd20:ce::254", "metadata"],
    ["fd00:42::42", "metadata"],
    ["64:ff9b:1::a9fe:a9fe", "metadata"],
    ["64:ff9b:1::7f00:1", "loopback"],
    ["64:ff9b:1:a9fe:a9:fe00::", "reserved"],
    ["169.254.1.1", "link-local"],
    ["fe80::1", "link-local"],
    ["fe80::1%eth0", "link-local"],
    ["224.0.0.1", "multicast"],
    ["ff02::1", "multicast"],
    ["0.0.0.0", "unspecified"],
    ["0.1.2.3", "unspecified"],
    ["::", "unspecified"],
    ["::ffff:0.0.0.0", "unspecified"],
    ["255.255.255.255", "reserved"],
    ["192.0.2.1", "reserved"],
    ["2001:db8::1", "reserved"],
    ["2001:0:1::1", "reserved"],
    ["5f00::1", "reserved"],
    ["localhost", "reserved"],
  ])("%s is %s", (address, kind) => {
    expect(addressKind(address)).toBe(kind);
  });
});

describe("a policy", () => {
  const strict = { allowPrivate: false, allowed: ["chat.lan", "10.1.0.0/16", "fd12::/32"] };
  const lenient = { allowPrivate: true, allowed: ["169.254.0.0/16", "meta.lan"] };

  test.each([
    ["chat.lan", "192.168.0.9"],
    ["CHAT.lan.", "192.168.0.9"],
    ["other.lan", "10.1.200.3"],
    ["other.lan", "fd12:0:1::1"],
    ["example.com", "93.184.215.14"],
  ])("that is strict lets %s at %s pass", (host, address) => {
    expect(refusalOf({ host, address }, strict)).toBeNull();
  });

  test.each([
    ["other.lan", "192.168.0.9"],
    ["other.lan", "10.2.0.1"],
    ["not.chat.lan", "127.0.0.1"],
    ["chat.lan", "169.254.169.254"],
  ])("that is strict refuses %s at %s", (host, address) => {
    expect(refusalOf({ host, address }, strict)).toMatch(/address/);
  });

  test("that allows private addresses never lets metadata and the like pass, whatever is listed", () => {
    const pass = (address: string) => refusalOf({ host: "meta.lan", address }, lenient);
    expect(pass("127.0.0.1")).toBeNull();
    expect(pass("10.0.0.1")).toBeNull();
    expect(pass("169.254.169.254")).toMatch(/metadata/);
    expect(pass("fd00:ec2::254")).toMatch(/metadata/);
    expect(pass("169.254.3.4")).toMatch(/link-local/);
    expect(pass("0.0.0.0")).toMatch(/unspecified/);
    expect(pass("224.0.0.1")).toMatch(/multicast/);
  });

  test("that allows only what is listed refuses everything else, public addresses too", () => {
    const policy = { allowPrivate: true, onlyAllowed: true, allowed: ["a.example", "10.1.0.0/16"] };
    const pass = (host: string, address: string) => refusalOf({ host, address }, policy);
    expect(pass("a.example", "93.184.215.14")).toBeNull();
    expect(pass("b.example", "10.1.2.3")).toBeNull();
    expect(pass("b.example", "93.184.215.14")).toMatch(/not on the list/);
    expect(pass("b.example", "127.0.0.1")).toMatch(/not on the list/);
    expect(pass("a.example", "169.254.169.254")).toMatch(/never called/);
  });
});
