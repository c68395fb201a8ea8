import type { Role } from "@orchestrator/contract";
import type { ComponentProps, JSX } from "react";
import { ROLES, reaches } from "../../api/rights.ts";
import { Select } from "../../ui/form.tsx";

export const ROLE_WORDS: Readonly<Record<Role, string>> = {
  viewer: "Looks at everything but secrets",
  runner: "Looks, and does what workers and runs do",
  developer: "Changes everything in workspaces",
  admin: "Manages workspaces, members and keys as well",
  owner: "Changes the account itself as well",
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
  const roles = ROLES.filter((one) => reaches(most, one) || one === role);
  return (
    <Select
      {...rest}
      options={roles.map((one) => [one, one] as const)}
      value={role}
      onValue={onRole}
    />
  );
}
