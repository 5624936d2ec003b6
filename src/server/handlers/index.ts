import { ApiError } from '../../contract/errors.ts'
import type { Handlers } from './handlers.ts'
import { createTemplate } from './template/createTemplate.ts'
import { getProfile } from './user/getProfile.ts'

const soon = () => {
  throw new ApiError('internal')
}

/** The handler of every operation. */
export const handlers: Handlers = {
  registerUser: soon,
  login: soon,
  logout: soon,
  refreshAccessToken: soon,
  getProfile,
  updateProfile: soon,
  discover: soon,
  registerFace: soon,
  listTemplates: soon,
  createTemplate,
  getTemplate: soon,
  updateTemplate: soon,
  deleteTemplate: soon,
  createVariation: soon,
  getVariation: soon,
  updateVariation: soon,
  emit: soon,
}
