import { useSignal } from '@preact/signals'
import type { JsonSchema } from '../../../contract/derived/components.ts'
import { entriesOf, resolved, typeOf, valuesOf, variantsOf } from '../../../contract/derived/schema-variants.ts'
import { isObject } from '../../../contract/schema/path.ts'

interface FieldsProps {
  readonly schema: JsonSchema
  /** What references of the schema point into. */
  readonly root: JsonSchema
}

/** The fields of a schema; those within a field are made when it is opened. */
export function SchemaFields({ schema, root }: FieldsProps) {
  const variants = variantsOf(schema, root)
  const fields = fieldsOf(variants, root)
  if (fields.length === 0) return <p class="muted">{typeOf(variants)}</p>
  return (
    <ul class="schema">
      {fields.map((field) => (
        <Field key={field.name} field={field} root={root} />
      ))}
    </ul>
  )
}

interface SchemaField {
  readonly name: string
  readonly isRequired: boolean
  readonly schema: JsonSchema
}

function Field({
  field: { name, isRequired, schema },
  root,
}: {
  readonly field: SchemaField
  readonly root: JsonSchema
}) {
  const isOpen = useSignal(false)
  const variants = variantsOf(schema, root)
  const hasFields = fieldsOf(variants, root).length > 0
  const about = (
    <>
      <code>{name}</code> <span class="muted">{typeOf(variants)}</span>{' '}
      {isRequired && <span class="tag">required</span>}
      <About schema={resolved(schema, root)} variants={variants} />
    </>
  )
  return (
    <li>
      {hasFields ? (
        <details
          onToggle={({ currentTarget }) => {
            isOpen.value = currentTarget.open
          }}
        >
          <summary>{about}</summary>
          {isOpen.value && <SchemaFields schema={schema} root={root} />}
        </details>
      ) : (
        about
      )}
    </li>
  )
}

/** What a value means, and which ones it may have. */
function About({ schema, variants }: { readonly schema: JsonSchema; readonly variants: readonly JsonSchema[] }) {
  const { values, open } = valuesOf(variants)
  return (
    <>
      {schema.description !== undefined && <span class="about muted">{schema.description}</span>}
      {values.length > 0 && (
        <span class="about muted">
          {open ? 'such as' : values.length === 1 ? 'always' : 'one of'}{' '}
          {values.map((value) => (value === '' ? '""' : String(value))).join(', ')}
        </span>
      )}
    </>
  )
}

/** The fields of objects, and of the objects in lists; `any name` stands for fields that may have any name. */
function fieldsOf(variants: readonly JsonSchema[], root: JsonSchema): SchemaField[] {
  const objects = variants.flatMap((variant) => [variant, ...entriesOf(variant, root)])
  const found = new Map<string, SchemaField>()
  for (const { properties = {}, required = [], additionalProperties: any } of objects) {
    for (const [name, schema] of Object.entries(properties))
      found.set(name, { name, schema, isRequired: required.includes(name) })
    if (isObject(any) && Object.keys(any).length > 0)
      found.set('any name', { name: 'any name', schema: any, isRequired: false })
  }
  return [...found.values()]
}
