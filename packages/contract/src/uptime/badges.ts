import { type Static, Type } from "typebox";
import { NamedParameters, StringEnum } from "../schema/index.ts";

export const BADGE_RANGES = ["24h", "7d", "30d", "90d"] as const;

const Colour = (description: string) =>
  Type.String({
    pattern: "^(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$",
    maxLength: 6,
    description: `${description}: three or six hexadecimal digits`,
  });

const look = {
  label: Type.Optional(
    Type.String({ maxLength: 60, description: "The left half; what is shown when left out" }),
  ),
  label_color: Type.Optional(Colour("The colour of the left half")),
  color: Type.Optional(Colour("The colour of the right half, in place of one that fits")),
};

export const BadgeQuery = NamedParameters({
  ...look,
  range: StringEnum(BADGE_RANGES, {
    default: "30d",
    description: "The time that `uptime.svg` is about",
  }),
});
export type BadgeQuery = Static<typeof BadgeQuery>;
