import { ApiError, errorAt } from '../../contract/api/errors.ts'
import type { Steps } from '../store/slices.ts'
import type { TemplateRow } from '../store/templates.ts'
import type { VatomRow } from '../store/vatoms/vatoms.ts'
import type { ByAnybody, ByPublisher, ByUser } from './caller.ts'

/**
 * A vAtom that the caller may see: their own, or one that everybody may find. Throws `unknownVatom` or `foreignVatom`; for
 * a caller who is not signed in always `unauthorized`. Spec 4.4.
 */
export function visibleVatom(scope: ByAnybody, id: string): VatomRow {
  const vatom = scope.store.vatoms.byId(id)
  if (vatom && maySee(scope, vatom)) return vatom
  if (!scope.user) throw new ApiError('unauthorized')
  throw vatom ? new ApiError('foreignVatom', `the vAtom ${id} is neither yours nor public`) : unknownVatom(id)
}

/** Whether the caller may see a vAtom. */
export const maySee = ({ user }: ByAnybody, vatom: Pick<VatomRow, 'owner' | 'public'>): boolean =>
  vatom.public === 1 || vatom.owner === user?.id

/** A vAtom of the caller's. Throws `unknownVatom` or `foreignVatom`. */
export function ownVatom(scope: ByUser, id: string): VatomRow {
  const vatom = scope.store.vatoms.byId(id)
  if (!vatom) throw unknownVatom(id)
  checkOwner(scope, vatom)
  return vatom
}

/** Refuses callers who do not own a vAtom. */
export function checkOwner({ user }: ByUser, vatom: VatomRow): void {
  if (vatom.owner !== user.id) throw new ApiError('foreignVatom', `the vAtom ${vatom.id} is not yours`)
}

const unknownVatom = (id: string) => new ApiError('unknownVatom', `no vAtom has the id ${id}`)

/** A record that was looked up. Throws `notFound` if there is none; `what` ends its message: `face has the id 7`. */
export function found<R>(record: R | undefined, what: string): R {
  if (record === undefined) throw new ApiError('notFound', `no ${what}`)
  return record
}

/** Refuses a name that does not begin with the publisher's domain name; only clients replace `$publisher`. Spec 2.2. */
export function checkName(scope: ByPublisher, name: string, path: string): void {
  const prefix = `${scope.publisher}::`
  if (name.startsWith(prefix) && name.length > prefix.length) return
  throw errorAt(path, 'foreignName', `the name must begin with ${prefix}`)
}

interface Owned {
  readonly publisher_fqdn: string
  readonly name: string
}

/** Refuses another publisher's record. */
export function checkOwn(scope: ByPublisher, record: Owned): void {
  if (record.publisher_fqdn !== scope.publisher)
    throw new ApiError('foreignRecord', `${record.name} belongs to another publisher`)
}

/** A record of the publisher's; refuses another publisher's. */
export function own<R extends Owned>(scope: ByPublisher, record: R): R {
  checkOwn(scope, record)
  return record
}

/** Whether the caller is an administrator of a record's publisher. */
export const isOwn = ({ user }: Pick<ByUser, 'user'>, record: { readonly publisher_fqdn: string }): boolean =>
  user.is_admin === 1 && user.pub_fqdn === record.publisher_fqdn

interface Readable extends Owned {
  readonly public: number
}

interface Draftable extends Readable {
  readonly unpublished: number
}

/** Whether the caller may read a record: a public one, or one of their publisher's. Spec 2.2. */
export const isReadable = ({ user }: ByAnybody, record: Readable): boolean =>
  record.public === 1 || (user !== undefined && isOwn({ user }, record))

/** A record that the caller may read. Throws `unauthorized` or `foreignRecord`. */
export function readable<R extends Readable>(scope: ByAnybody, record: R): R {
  if (isReadable(scope, record)) return record
  if (!scope.user) throw new ApiError('unauthorized')
  throw new ApiError('foreignRecord', `${record.name} belongs to another publisher`)
}

/** Whether a record is a draft that its publisher alone may know of. */
export const isHidden = (record: Pick<Draftable, 'public' | 'unpublished'>): boolean =>
  record.unpublished === 1 && record.public === 0

/** A record that was looked up; none where the caller may not know of it. */
export const known = <R extends Draftable>(scope: ByAnybody, record: R | undefined): R | undefined =>
  record && (!isHidden(record) || isReadable(scope, record)) ? record : undefined

/** A template that was looked up; who owns a vAtom of it may know of it, too. */
export function* knownToOwner(scope: ByUser, template: TemplateRow | undefined): Steps<TemplateRow | undefined> {
  if (!template || known(scope, template)) return template
  return (yield* scope.store.vatoms.ownsAny(scope.user.id, template.name)) ? template : undefined
}
