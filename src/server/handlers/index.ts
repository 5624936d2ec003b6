import { registerFace } from './face/registerFace.ts'
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
import { getVariation } from './variation/getVariation.ts'
import { updateVariation } from './variation/updateVariation.ts'
import { discover } from './vatom/discover.ts'
import { emit } from './vatom/emit.ts'

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
}
