import type { Client } from '../../../client/client.ts'
import { action as actionKind } from '../../../contract/kinds/action.ts'
import { standardActions } from '../../../contract/kinds/standard-actions.ts'
import { at, listAt } from '../../../contract/schema/path.ts'
import { nameList, nearestAddress, suggest } from '../../../contract/schema/suggest.ts'
import { actionInfix, knownReactors, platformScheme, vatomTypeKey } from '../../../contract/values.ts'
import type { Hint } from '../../failure/hinted.ts'
import { shellWord } from '../../io/text.ts'
import { readRecord } from '../../kinds/requests.ts'
import { isOwn, publisherOf } from './own-template.ts'

/** What to do where nothing performs an action: it is misspelled, its reactor is, or the reactor has no handler. */
export const unhandledHint =
  (client: Client, id: string, action: string): Hint =>
  async () => {
    const template = await templateOf(client, id).catch(() => undefined)
    if (template === undefined) return (await publisherOf(client)) ? 'see them: vatom action list' : theirs
    const names = await namesOf(client, template).catch(() => undefined)
    if (names === undefined)
      return (await isOwn(client, template)) ? `see them: vatom action list ${shellWord(template)}` : theirs
    const name = `${template}${actionInfix}${action}`
    if (names.includes(action)) return (await isOwn(client, template)) ? reactorHint(client, name) : theirs
    const actions = names.length === 0 ? 'its template has no actions' : `its actions: ${nameList(names)}`
    const meant = suggest(action, names)
    if (meant !== undefined) return `did you mean ${meant}? ${actions}`
    // Also where its template is published: actions of it can still be added.
    return (await isOwn(client, template)) ? `${actions}; to add this one: ${registration(name, action)}` : actions
  }

function registration(name: string, action: string): string {
  const reactor = standardActions.find((one) => one.name.toLowerCase() === action.toLowerCase())?.reactor
  return `vatom action register --name ${shellWord(name)} --reactor ${reactor ?? 'REACTOR'}`
}

/** What to do about an action that only its publisher can read and correct. */
const theirs = 'the publisher of its template has to correct that'

/** The correction of a misspelled reactor, else how to register a handler. */
async function reactorHint(client: Client, name: string): Promise<string> {
  const record = await readRecord(client, actionKind, name).catch(() => undefined)
  const reactor = String(at(record, 'properties', 'reactor') ?? 'REACTOR')
  if (!reactor.startsWith(platformScheme))
    return `see the handlers: vatom action handler list; to register one: vatom action handler register --reactor ${shellWord(reactor)} --url URL`
  const others = ['pre', 'post'].flatMap((stage) => listAt(record, 'properties', 'policy', stage))
  if (knownReactors.includes(reactor) && others.length > 0)
    return `its policy names ${nameList(others.map(String))}: correct it, or register what is missing; see the actions: vatom action list ${shellWord(templateIn(name))}; the handlers: vatom action handler list`
  if (knownReactors.includes(reactor)) return 'what services carry out: vatom help reactors'
  const meant = nearestAddress(reactor, knownReactors)
  return `${meant === undefined ? 'see the reactors: vatom help reactors; ' : `did you mean ${meant}? `}correct it: vatom action update ${shellWord(name)} --reactor ${meant ?? 'REACTOR'}`
}

const templateIn = (action: string): string => action.slice(0, action.indexOf(actionInfix))

async function namesOf(client: Client, template: string): Promise<string[]> {
  const actions = await client.listTemplateActions({ template })
  return actions.map(({ name }) => name.slice(name.indexOf(actionInfix) + actionInfix.length))
}

export const templateOf = async (client: Client, id: string): Promise<string> =>
  String((await client.getVatom({ id }))[vatomTypeKey].template)
