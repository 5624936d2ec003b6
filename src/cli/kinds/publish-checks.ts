import type { Client } from '../../client/client.ts'
import type { Catalog, Member } from '../../contract/rules/catalog.ts'
import { catalogIssues } from '../../contract/rules/catalog-rules.ts'
import type { Issue } from '../../contract/schema/issues.ts'
import { printPath } from '../../contract/schema/path.ts'
import type { KindName } from '../../contract/values.ts'
import { facesOf } from './requests.ts'

type Document = Readonly<Record<string, unknown>>

/** A stored record, as a member of a catalog that is checked. */
export const storedMember = (kind: KindName, name: string, template: string, value: Document): Member => ({
  kind,
  name,
  template,
  value,
  place: () => `${name} on the service`,
})

/** The faces of a template, as documents. */
export async function storedFaces(client: Client, template: string): Promise<Member[]> {
  const faces = await facesOf(client, template)
  return faces.map(({ id, properties }) => storedMember('face', id, template, { ...properties, template }))
}

/**
 * The issues of records that are checked against each other; an issue of a face names it. Faces that are alike were
 * registered by others, and are no reason against publishing.
 */
export function relatedIssues(members: readonly Member[]): Pick<Issue, 'severity' | 'message' | 'path'>[] {
  const catalog = catalogOf(members)
  return members.flatMap((member) =>
    catalogIssues(member, catalog).map(({ rule, severity, message, path }) => ({
      severity: rule === 'face-twice' ? 'warning' : severity,
      path,
      message: member.kind === 'face' ? `face ${member.name}: ${printPath(path)}: ${message}` : message,
    })),
  )
}

function catalogOf(members: readonly Member[]): Catalog {
  const template = (name: unknown) => members.find((one) => one.kind === 'template' && one.name === name)
  return {
    template,
    faultyTemplate: (name) => {
      const member = template(name)
      return member && { member, errors: [] }
    },
    of: (template, kind) => members.filter((one) => one.kind === kind && one.template === template),
    names: (kind) => new Set(members.filter((one) => one.kind === kind).map(({ name }) => name)),
    ifWhole: [],
    isDescribed: false,
  }
}
