import type { Client } from '../../client/client.ts'
import type { Kind } from '../../contract/values.ts'
import type { Section } from '../../contract/vatom/complete.ts'

/** What can be written of a kind's records; documents and changed fields were found valid, and are parsed once more. */
export interface Writes {
  readonly create: (client: Client, document: Section) => Promise<{ readonly success_message: string }>
  /** Changes the record of a name, or a face of an id. */
  readonly update: (client: Client, key: string, body: Section) => Promise<unknown>
  readonly remove: (client: Client, key: string) => Promise<unknown>
}

/** Each kind's writes; a schema is loaded when it is needed. */
export const writes: Readonly<Record<Kind, Writes>> = {
  template: {
    create: async (client, document) => {
      const { TemplateDocument } = await import('../../contract/kinds/template-schemas.ts')
      return client.createTemplate({ body: TemplateDocument().parse(document) })
    },
    update: async (client, name, body) => {
      const { TemplateUpdate } = await import('../../contract/kinds/template-schemas.ts')
      return client.updateTemplate({ name, body: TemplateUpdate().parse(body) })
    },
    remove: (client, name) => client.deleteTemplate({ name }),
  },
  variation: {
    create: async (client, document) => {
      const { VariationDocument } = await import('../../contract/kinds/variation-schemas.ts')
      return client.createVariation({ body: VariationDocument().parse(document) })
    },
    update: async (client, name, body) => {
      const { VariationUpdate } = await import('../../contract/kinds/variation-schemas.ts')
      return client.updateVariation({ name, body: VariationUpdate().parse(body) })
    },
    remove: (client, name) => client.deleteVariation({ name }),
  },
  action: {
    create: async (client, document) => {
      const { ActionDocument } = await import('../../contract/kinds/action-schemas.ts')
      return client.registerAction({ body: ActionDocument().parse(document) })
    },
    update: async (client, name, body) => {
      const { ActionUpdate } = await import('../../contract/kinds/action-schemas.ts')
      return client.updateAction({ name, body: ActionUpdate().parse(body) })
    },
    remove: (client, name) => client.deleteAction({ name }),
  },
  face: {
    create: async (client, document) => {
      const { FaceDocument } = await import('../../contract/kinds/face-schemas.ts')
      return client.registerFace({ body: FaceDocument().parse(document), unlessThere: true })
    },
    update: async (client, id, body) => {
      const { FaceUpdate } = await import('../../contract/kinds/face-schemas.ts')
      return client.updateFace({ id, body: FaceUpdate().parse(body) })
    },
    remove: (client, id) => client.deleteFace({ id }),
  },
}
