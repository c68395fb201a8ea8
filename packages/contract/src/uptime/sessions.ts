import { type Static, Type } from "typebox";
import { Model, NamedParameters, Nullable, Timestamp } from "../schema/index.ts";

const MAX_USERNAME = 255;
const MAX_PASSWORD = 1000;

export const LoginRequest = NamedParameters(
  {
    username: Type.String({ minLength: 1, maxLength: MAX_USERNAME }),
    password: Type.Unsafe<string>({
      type: "string",
      minLength: 1,
      maxLength: MAX_PASSWORD,
      secret: true,
    }),
  },
  { $id: "LoginRequest", description: "As JSON or as a form" },
);
export type LoginRequest = Static<typeof LoginRequest>;

export const LoginSession = Model(
  {
    username: Type.String(),
    expires_at: Nullable(Timestamp(), {
      description: "When the session ends unless it is used; null for a caller without one",
    }),
  },
  { $id: "LoginSession" },
);
export type LoginSession = Static<typeof LoginSession>;
