import * as z from 'zod/v4'
import { whenText } from '../schema/issues.ts'
import { lazy, named } from '../schema/lazy-schema.ts'
import { anyObject, recordName } from '../schema/scalars.ts'

/** A state entry. Spec 2.4. */
export const StateEntry = named(
  'StateEntry',
  () =>
    z.strictObject({
      name: z
        .literal('Activated', { error: 'must be "Activated", the only supported state' })
        .describe('Only Activated is supported.'),
      value: z
        .strictObject({
          type: z
            .literal('boolean', { error: 'must be "boolean", the only supported type' })
            .describe('Only boolean is supported.'),
          value: z
            .enum(['true', 'false'], { error: 'must be the string "true" or "false", in quotes' })
            .describe('The string "true" or "false".'),
        })
        .describe('Whether the state is on.'),
      on_state_change: anyObject().optional().describe('Not yet implemented by the platform.'),
    }),
  'A state of the vAtom.',
)

/** Value of a resource entry. Spec 2.4. */
export const ResourceValue = lazy(() =>
  z
    .strictObject(
      {
        resourceValueType: z
          .string()
          .regex(/^ResourceValueType::.+/, { error: 'must look like ResourceValueType::URI' })
          .describe('Kind of the value, for example ResourceValueType::URI.'),
        value: z.string().describe('The value, for example the address of an image.'),
      },
      whenText(
        (text) => `write { resourceValueType: ResourceValueType::URI, value: ${text.length > 80 ? '…' : text} }`,
      ),
    )
    .describe('The value of the resource.'),
)
/** `ResourceType::<Kind>::<Format>`; the list of kinds is open. Spec 2.4. */
export const resourceType = lazy(() =>
  z
    .string()
    .regex(/^ResourceTypes?::[^:]+::[^:]+$/, { error: 'must look like ResourceType::Image::PNG' })
    .meta({
      description: 'ResourceType::<Kind>::<Format>.',
      anyOf: [
        { pattern: '^ResourceType::[^:]+::[^:]+$' },
        { pattern: '^ResourceTypes::', examples: ['ResourceTypes::Image::PNG'], 'x-unlisted': true },
      ],
    }),
)

/** A resource entry. Spec 2.4. */
export const ResourceEntry = named(
  'ResourceEntry',
  () =>
    z.strictObject({
      name: recordName().describe('The name that faces use for it.'),
      resourceType: resourceType(),
      value: ResourceValue(),
    }),
  'A resource that faces refer to by name.',
)
