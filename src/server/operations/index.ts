import { deleteAction } from './action/delete-action.ts'
import { deleteActionHandler } from './action/delete-action-handler.ts'
import { getAction } from './action/get-action.ts'
import { listActionChanges } from './action/list-action-changes.ts'
import { listActionHandlers } from './action/list-action-handlers.ts'
import { listActions } from './action/list-actions.ts'
import { listTemplateActions } from './action/list-template-actions.ts'
import { registerAction } from './action/register-action.ts'
import { registerActionHandler } from './action/register-action-handler.ts'
import { updateAction } from './action/update-action.ts'
import { myThreadMessages } from './activity/my-thread-messages.ts'
import { myThreads } from './activity/my-threads.ts'
import { sendMessage } from './activity/send-message.ts'
import { deleteAsset } from './asset/delete-asset.ts'
import { listAssets } from './asset/list-assets.ts'
import { uploadAssets } from './asset/upload-assets.ts'
import { deleteFace } from './face/delete-face.ts'
import { listFaceChanges } from './face/list-face-changes.ts'
import { listFaces } from './face/list-faces.ts'
import { registerFace } from './face/register-face.ts'
import { updateFace } from './face/update-face.ts'
import { getAppVersion } from './general/get-app-version.ts'
import type { Handlers } from './handlers.ts'
import { createTemplate } from './template/create-template.ts'
import { deleteTemplate } from './template/delete-template.ts'
import { getTemplate } from './template/get-template.ts'
import { listTemplates } from './template/list-templates.ts'
import { updateTemplate } from './template/update-template.ts'
import { addUserToken } from './user/add-user-token.ts'
import { createGuest } from './user/create-guest.ts'
import { deleteUser } from './user/delete-user.ts'
import { deleteUserToken } from './user/delete-user-token.ts'
import { getAssetProviders } from './user/get-asset-providers.ts'
import { getProfile } from './user/get-profile.ts'
import { getUser } from './user/get-user.ts'
import { listAccounts } from './user/list-accounts.ts'
import { listUserTokens } from './user/list-user-tokens.ts'
import { login } from './user/login.ts'
import { logout } from './user/logout.ts'
import { refreshAccessToken } from './user/refresh-access-token.ts'
import { registerUser } from './user/register-user.ts'
import { resetPassword } from './user/reset-password.ts'
import { resetPasswordById } from './user/reset-password-by-id.ts'
import { resetVerificationCode } from './user/reset-verification-code.ts'
import { setDefaultUserToken } from './user/set-default-user-token.ts'
import { setPushNotification } from './user/set-push-notification.ts'
import { updateProfile } from './user/update-profile.ts'
import { uploadAvatar } from './user/upload-avatar.ts'
import { verifyUserToken } from './user/verify-user-token.ts'
import { createVariation } from './variation/create-variation.ts'
import { deleteVariation } from './variation/delete-variation.ts'
import { getVariation } from './variation/get-variation.ts'
import { listVariations } from './variation/list-variations.ts'
import { updateVariation } from './variation/update-variation.ts'
import { discover } from './vatom/discover.ts'
import { emit } from './vatom/emit.ts'
import { geoDiscover } from './vatom/geo-discover.ts'
import { geoDiscoverGroups } from './vatom/geo-discover-groups.ts'
import { getInventory } from './vatom/get-inventory.ts'
import { getInventoryHash } from './vatom/get-inventory-hash.ts'
import { getInventoryIndex } from './vatom/get-inventory-index.ts'
import { getVatom } from './vatom/get-vatom.ts'
import { getVatoms } from './vatom/get-vatoms.ts'
import { performAction } from './vatom/perform-action.ts'
import { requestRedemption } from './vatom/request-redemption.ts'
import { trashVatom } from './vatom/trash-vatom.ts'
import { updateVatoms } from './vatom/update-vatoms.ts'

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
