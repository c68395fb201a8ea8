// The door to settings: their types, their documents, and what of them may be shown.

export {
  defineSettings,
  type SettingOverride,
  type SettingOverrides,
  type Settings,
  type SettingValues,
} from "./config/define-settings.ts";
export { describeSettings, settingsReference, viewSettings } from "./config/describe-settings.ts";
export { destinations } from "./config/destinations-setting.ts";
export { maskUrl } from "./config/mask.ts";
export { isSecretParameter, mapSecretParameters } from "./config/secret-parameters.ts";
export { listSettings, type Setting, type SettingGroup, setting } from "./config/setting.ts";
export {
  byteSizeBetween,
  choice,
  choices,
  durationBetween,
  type Env,
  flagType,
  folder,
  integer,
  port,
  textType,
  url,
  userHomeFolder,
  webOrigins,
} from "./config/setting-types.ts";
export { SettingsError } from "./config/settings-error.ts";
export { findUnknownSettings } from "./config/unknown-settings.ts";
