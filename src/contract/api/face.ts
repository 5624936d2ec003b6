import { FaceDocument, FaceListQuery, FaceRecord, FaceUpdate } from '../kinds/face-schemas.ts'
import { limits } from '../limits.ts'
import { listOf } from '../schema/lazy-schema.ts'
import { OwnerQuery, ofOwner } from './catalog-label.ts'
import { ownRecord, type Rows } from './endpoint.ts'

/** Operations on the faces of templates. */
export const faceRows = {
  registerFace: {
    method: 'POST',
    path: '/v1/publisher/face',
    auth: 'publisher',
    spec: '4.5',
    summary: 'Register a face',
    body: FaceDocument,
    unlessThere: true,
    errors: ['foreignRecord', 'invalid', 'missingReference', 'nameTaken'],
    details: [
      `a template has at most ${limits.faces} faces, with ${limits.design / 1024} KiB of JSON together`,
      'with If-None-Match: *, a face is refused (9004) if another face has the same view mode, platform and quality',
    ],
  },
  listFaces: {
    method: 'GET',
    path: '/v1/publisher/face',
    auth: 'publisher',
    spec: '2.6',
    summary: 'List the faces of a template',
    query: FaceListQuery,
    payload: listOf(FaceRecord),
    errors: ['foreignRecord', 'invalid', 'missingReference'],
    assumed: 'the path and the query; the list is in order of registration',
  },
  updateFace: {
    method: 'PATCH',
    path: '/v1/publisher/face/:id',
    auth: 'publisher',
    spec: '2.6',
    summary: 'Change a face',
    query: OwnerQuery,
    body: FaceUpdate,
    errors: [...ownRecord, 'invalid', 'missingReference', 'otherCatalog'],
    assumed:
      'the path; each field that is sent replaces the stored field as a whole, except constraints, which are replaced one by one',
    details: [ofOwner],
  },
  deleteFace: {
    method: 'DELETE',
    path: '/v1/publisher/face/:id',
    auth: 'publisher',
    spec: '2.6',
    summary: 'Remove a face',
    query: OwnerQuery,
    errors: [...ownRecord, 'invalid', 'otherCatalog'],
    assumed: 'the path',
    details: [ofOwner],
  },
} as const satisfies Rows
