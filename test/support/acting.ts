import { standardActions } from '../../src/contract/kinds/standard-actions.ts'
import type { Service } from '../../src/server/service.ts'
import { type Answer, type Caller, made } from './service.ts'

export const folderType = 'vAtom::vAtomType::FolderContainerType'
export const packageType = 'vAtom::vAtomType::PackageContainerType'
/** The user to whom goes what nobody has. */
export const nobody = '00000000-0000-0000-0000-000000000000'

/** Performs an action on a vAtom. */
export const perform = (caller: Caller, action: string, id: unknown, input: object = {}): Promise<Answer> =>
  caller.call('POST', `/v1/user/vatom/action/${action}`, { body: { 'this.id': id, ...input } })

/** What an action that succeeded puts out. */
export function outputOf({ status, text, payload }: Answer) {
  if (status !== 200) throw new Error(text)
  return JSON.parse(payload.main.output)
}

/** Registers an action that is waited for; by its name alone, a standard one. */
export async function action(caller: Caller, template: string, name: string, fields: object = {}): Promise<void> {
  const reactor = standardActions.find((one) => one.name === name)?.reactor
  const body = { name: `${template}::Action::${name}`, reactor, wait: true, ...fields }
  await made(caller, ['POST', '/v1/publisher/action', body])
}

export const read = (caller: Caller, id: string): Promise<Answer> => caller.call('GET', `/v1/vatoms/${id}`)

/** A vAtom as somebody who may see it does, and its built-in properties. */
export async function seen(caller: Caller, id: string) {
  const { status, text, payload } = await read(caller, id)
  if (status !== 200) throw new Error(text)
  return { ...payload, type: payload['vAtom::vAtomType'] }
}

/** Ids of the vAtoms that a user has. */
export async function owned(caller: Caller): Promise<string[]> {
  const scope = { key: 'vAtom::vAtomType.owner', value: '$currentuser' }
  const { payload } = await caller.call('POST', '/v1/vatom/discover', { body: { scope } })
  return payload.results.map(({ id }: { id: string }) => id).sort()
}

/** Makes a user a merchant, or activated. */
export async function grant(service: Service, { id }: Caller, rights: object): Promise<void> {
  const { baseUrl } = await service.listen({ host: '127.0.0.1', port: 0 })
  const answer = await fetch(`${baseUrl}/__vatom/users/${id}`, { method: 'PATCH', body: JSON.stringify(rights) })
  if (answer.status !== 200) throw new Error(await answer.text())
}
