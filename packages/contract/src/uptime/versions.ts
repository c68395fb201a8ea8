import { type Static, Type } from "typebox";
import { Model, NamedParameters, Nullable, Timestamp } from "../schema/index.ts";
import { ListLimit } from "./list-limit.ts";

export const InstanceVersion = Model(
  {
    check: Type.String({ description: "`instance`; a second check of the type is `instance#2`" }),
    version: Type.String(),
    revision: Nullable(Type.String()),
    build_time: Nullable(Type.String({ description: "As the target writes it" })),
    from: Timestamp({ description: "The first result with it" }),
    until: Nullable(Timestamp(), {
      description: "The first result with another; null for the one that was seen last",
    }),
  },
  { $id: "InstanceVersion" },
);
export type InstanceVersion = Static<typeof InstanceVersion>;

export const VersionList = NamedParameters({
  limit: ListLimit(1000, 100),
});
export type VersionList = Static<typeof VersionList>;
