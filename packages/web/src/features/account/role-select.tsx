import type { Role } from "@orchestrator/contract";
import type { ComponentProps, JSX } from "react";
import { hasRole, ROLE_ORDER } from "../../api/rights.ts";
import { Select } from "../../ui/form.tsx";

export const ROLE_WORDS: Readonly<Record<Role, string>> = {
  viewer: "Can view everything except secrets",
  runner: "Can view, and act as workers and runs do",
  developer: "Can change everything in workspaces",
  admin: "Can also manage workspaces, members and keys",
  owner: "Can also change the account itself",
};

/** Nobody gives more than they have. */
export function RoleSelect({
  role,
  most,
  onRole,
  ...rest
}: Omit<ComponentProps<"select">, "value" | "onChange"> & {
  readonly role: Role;
  readonly most: Role;
  readonly onRole: (role: Role) => void;
}): JSX.Element {
  const roles = ROLE_ORDER.filter((one) => hasRole(most, one) || one === role);
  return (
    <Select
      {...rest}
      options={roles.map((one) => [one, one] as const)}
      value={role}
      onValue={onRole}
    />
  );
}
