import { deleteAction } from './action/deleteAction.ts'
import { deleteActionHandler } from './action/deleteActionHandler.ts'
import { getAction } from './action/getAction.ts'
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
import { listFaces } from './face/listFaces.ts'
import { registerFace } from './face/registerFace.ts'
import { updateFace } from './face/updateFace.ts'
import type { Handlers } from './handlers.ts'
import { createTemplate } from './template/createTemplate.ts'
import { deleteTemplate } from './template/deleteTemplate.ts'
import { getTemplate } from './template/getTemplate.ts'
import { listTemplates } from './template/listTemplates.ts'
import { updateTemplate } from './template/updateTemplate.ts'
import { getProfile } from './user/getProfile.ts'
import { login } from './user/login.ts'
import { logout } from './user/logout.ts'
import { refreshAccessToken } from './user/refreshAccessToken.ts'
import { registerUser } from './user/registerUser.ts'
import { updateProfile } from './user/updateProfile.ts'
import { createVariation } from './variation/createVariation.ts'
import { deleteVariation } from './variation/deleteVariation.ts'
import { getVariation } from './variation/getVariation.ts'
import { listVariations } from './variation/listVariations.ts'
import { updateVariation } from './variation/updateVariation.ts'
import { discover } from './vatom/discover.ts'
import { emit } from './vatom/emit.ts'
import { getVatom } from './vatom/getVatom.ts'
import { performAction } from './vatom/performAction.ts'
import { updateVatoms } from './vatom/updateVatoms.ts'

/** The handler of every operation. */
export const handlers: Handlers = {
  registerUser,
  login,
  logout,
  refreshAccessToken,
  getProfile,
  updateProfile,
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
  updateVatoms,
  performAction,
  myThreads,
  myThreadMessages,
  sendMessage,
}
