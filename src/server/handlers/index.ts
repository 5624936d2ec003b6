import { deleteAction } from './action/deleteAction.ts'
import { deleteActionHandler } from './action/deleteActionHandler.ts'
import { getAction } from './action/getAction.ts'
import { listActionChanges } from './action/listActionChanges.ts'
import { listActionHandlers } from './action/listActionHandlers.ts'
import { listActions } from './action/listActions.ts'
import { listTemplateActions } from './action/listTemplateActions.ts'
import { registerAction } from './action/registerAction.ts'
import { registerActionHandler } from './action/registerActionHandler.ts'
import { updateAction } from './action/updateAction.ts'
import { myThreadMessages } from './activity/myThreadMessages.ts'
import { myThreads } from './activity/myThreads.ts'
import { sendMessage } from './activity/sendMessage.ts'
import { deleteAsset } from './asset/deleteAsset.ts'
import { listAssets } from './asset/listAssets.ts'
import { uploadAssets } from './asset/uploadAssets.ts'
import { deleteFace } from './face/deleteFace.ts'
import { listFaceChanges } from './face/listFaceChanges.ts'
import { listFaces } from './face/listFaces.ts'
import { registerFace } from './face/registerFace.ts'
import { updateFace } from './face/updateFace.ts'
import { getAppVersion } from './general/getAppVersion.ts'
import type { Handlers } from './handlers.ts'
import { createTemplate } from './template/createTemplate.ts'
import { deleteTemplate } from './template/deleteTemplate.ts'
import { getTemplate } from './template/getTemplate.ts'
import { listTemplates } from './template/listTemplates.ts'
import { updateTemplate } from './template/updateTemplate.ts'
import { addUserToken } from './user/addUserToken.ts'
import { createGuest } from './user/createGuest.ts'
import { deleteUser } from './user/deleteUser.ts'
import { deleteUserToken } from './user/deleteUserToken.ts'
import { getAssetProviders } from './user/getAssetProviders.ts'
import { getProfile } from './user/getProfile.ts'
import { getUser } from './user/getUser.ts'
import { listAccounts } from './user/listAccounts.ts'
import { listUserTokens } from './user/listUserTokens.ts'
import { login } from './user/login.ts'
import { logout } from './user/logout.ts'
import { refreshAccessToken } from './user/refreshAccessToken.ts'
import { registerUser } from './user/registerUser.ts'
import { resetPassword } from './user/resetPassword.ts'
import { resetPasswordById } from './user/resetPasswordById.ts'
import { resetVerificationCode } from './user/resetVerificationCode.ts'
import { setDefaultUserToken } from './user/setDefaultUserToken.ts'
import { setPushNotification } from './user/setPushNotification.ts'
import { updateProfile } from './user/updateProfile.ts'
import { uploadAvatar } from './user/uploadAvatar.ts'
import { verifyUserToken } from './user/verifyUserToken.ts'
import { createVariation } from './variation/createVariation.ts'
import { deleteVariation } from './variation/deleteVariation.ts'
import { getVariation } from './variation/getVariation.ts'
import { listVariations } from './variation/listVariations.ts'
import { updateVariation } from './variation/updateVariation.ts'
import { discover } from './vatom/discover.ts'
import { emit } from './vatom/emit.ts'
import { geoDiscover } from './vatom/geoDiscover.ts'
import { geoDiscoverGroups } from './vatom/geoDiscoverGroups.ts'
import { getInventory } from './vatom/getInventory.ts'
import { getInventoryHash } from './vatom/getInventoryHash.ts'
import { getInventoryIndex } from './vatom/getInventoryIndex.ts'
import { getVatom } from './vatom/getVatom.ts'
import { getVatoms } from './vatom/getVatoms.ts'
import { performAction } from './vatom/performAction.ts'
import { requestRedemption } from './vatom/requestRedemption.ts'
import { trashVatom } from './vatom/trashVatom.ts'
import { updateVatoms } from './vatom/updateVatoms.ts'

/** The handler of every operation. */
export const handlers: Handlers = {
  registerUser,
  login,
  logout,
  refreshAccessToken,
  getProfile,
  updateProfile,
  addUserToken,
  createGuest,
  deleteUser,
  deleteUserToken,
  getAssetProviders,
  getUser,
  listUserTokens,
  resetPassword,
  resetPasswordById,
  resetVerificationCode,
  setDefaultUserToken,
  uploadAvatar,
  verifyUserToken,
  discover,
  registerFace,
  listTemplates,
  createTemplate,
  getTemplate,
  updateTemplate,
  deleteTemplate,
  createVariation,
  getVariation,
  updateVariation,
  emit,
  listFaces,
  updateFace,
  deleteFace,
  registerAction,
  listActions,
  getAction,
  updateAction,
  deleteAction,
  registerActionHandler,
  listActionHandlers,
  deleteActionHandler,
  listTemplateActions,
  uploadAssets,
  listAssets,
  deleteAsset,
  listVariations,
  deleteVariation,
  getVatom,
  getVatoms,
  getInventory,
  getInventoryHash,
  getInventoryIndex,
  geoDiscover,
  geoDiscoverGroups,
  trashVatom,
  listFaceChanges,
  listActionChanges,
  updateVatoms,
  performAction,
  myThreads,
  myThreadMessages,
  sendMessage,
  requestRedemption,
  listAccounts,
  setPushNotification,
  getAppVersion,
}
