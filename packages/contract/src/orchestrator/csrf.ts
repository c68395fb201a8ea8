import { type Static, Type } from "typebox";
import { Model, Timestamp, Uuid } from "../schema/index.ts";

export const CsrfToken = Model(
  {
    id: Uuid(),
    created: Timestamp(),
    updated: Timestamp(),
    client: Type.String(),
    token: Type.String(),
    expiration: Timestamp(),
  },
  { $id: "CsrfToken" },
);
export type CsrfToken = Static<typeof CsrfToken>;
