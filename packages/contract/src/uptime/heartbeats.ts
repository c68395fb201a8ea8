import { Type } from "typebox";
import { Model } from "../schema/index.ts";

export const HeartbeatToken = Type.Object({ token: Type.String({ maxLength: 64 }) });
export const HeartbeatAnswer = Model({ ok: Type.Boolean() }, { $id: "HeartbeatAnswer" });
