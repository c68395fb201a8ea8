// The door to the names of the settings and to folders in the data folder, for programs that need
// no client.

export {
  CLIENT_SETTINGS,
  type ClientSettingName,
  isClientSetting,
} from "./node/client-settings.ts";
export { makePrivateFolder } from "./node/private-folder.ts";
