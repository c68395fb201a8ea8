// The door to the names of the settings alone, for who only wants to speak of them.

export {
  CLIENT_SETTINGS,
  type ClientSettingName,
  isClientSetting,
} from "./node/client-settings.ts";
