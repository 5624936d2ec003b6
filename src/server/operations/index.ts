import type { Operation } from '../../contract/api/table.ts'
import type { Handlers, Scope } from './handler.ts'

const sessionFile = () => import('./session.ts')
const userFile = () => import('./user.ts')
const userTokenFile = () => import('./user-token.ts')
const appFile = () => import('./app.ts')
const templateFile = () => import('./template.ts')
const variationFile = () => import('./variation.ts')
const faceFile = () => import('./face.ts')
const actionFile = () => import('./action.ts')
const actionHandlerFile = () => import('./action-handler.ts')
const assetFile = () => import('./asset.ts')
const vatomFile = () => import('./vatom.ts')
const inventoryFile = () => import('./inventory.ts')
const discoverFile = () => import('./discover.ts')
const activityFile = () => import('./activity.ts')

/** Which file each operation is in; a file is loaded when one of its operations is first called. */
const files: { readonly [K in Operation]: () => Promise<Pick<Handlers, K>> } = {
  login: sessionFile,
  logout: sessionFile,
  refreshAccessToken: sessionFile,
  registerUser: userFile,
  createGuest: userFile,
  getProfile: userFile,
  updateProfile: userFile,
  uploadAvatar: userFile,
  deleteUser: userFile,
  getUser: userFile,
  listUserTokens: userTokenFile,
  addUserToken: userTokenFile,
  verifyUserToken: userTokenFile,
  resetVerificationCode: userTokenFile,
  setDefaultUserToken: userTokenFile,
  deleteUserToken: userTokenFile,
  resetPassword: userTokenFile,
  resetPasswordById: userTokenFile,
  getAssetProviders: appFile,
  listAccounts: appFile,
  setPushNotification: appFile,
  getAppVersion: appFile,
  createTemplate: templateFile,
  getTemplate: templateFile,
  listTemplates: templateFile,
  updateTemplate: templateFile,
  deleteTemplate: templateFile,
  createVariation: variationFile,
  getVariation: variationFile,
  listVariations: variationFile,
  updateVariation: variationFile,
  deleteVariation: variationFile,
  registerFace: faceFile,
  listFaces: faceFile,
  listFaceChanges: faceFile,
  updateFace: faceFile,
  deleteFace: faceFile,
  registerAction: actionFile,
  getAction: actionFile,
  listActions: actionFile,
  listActionChanges: actionFile,
  listTemplateActions: actionFile,
  updateAction: actionFile,
  deleteAction: actionFile,
  registerActionHandler: actionHandlerFile,
  listActionHandlers: actionHandlerFile,
  deleteActionHandler: actionHandlerFile,
  uploadAssets: assetFile,
  listAssets: assetFile,
  deleteAsset: assetFile,
  emit: vatomFile,
  getVatom: vatomFile,
  getVatoms: vatomFile,
  updateVatoms: vatomFile,
  trashVatom: vatomFile,
  performAction: vatomFile,
  requestRedemption: vatomFile,
  getInventory: inventoryFile,
  getInventoryIndex: inventoryFile,
  getInventoryHash: inventoryFile,
  discover: discoverFile,
  geoDiscover: discoverFile,
  geoDiscoverGroups: discoverFile,
  myThreads: activityFile,
  myThreadMessages: activityFile,
  sendMessage: activityFile,
}

/** An operation for callers that do not know which: the row's `auth` decides what its scope must have, its schemas the input. */
export type AnyHandler = (scope: Scope, input: object) => unknown

const loaded = new Map<Operation, AnyHandler>()

/** What carries out an operation; a promise of it where its file is not loaded yet. */
export const handlerOf = (operation: Operation): AnyHandler | Promise<AnyHandler> =>
  loaded.get(operation) ?? load(operation)

async function load<K extends Operation>(operation: K): Promise<AnyHandler> {
  const { [operation]: handler } = await files[operation]()
  loaded.set(operation, handler as AnyHandler)
  return handler as AnyHandler
}
