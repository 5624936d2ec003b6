import type { Client } from '../../../client/client.ts'
import { action as actionKind } from '../../../contract/kinds/action.ts'
import { standardActions } from '../../../contract/kinds/standard-actions.ts'
import { policyActions } from '../../../contract/rules/policy-actions.ts'
import { at } from '../../../contract/schema/path.ts'
import { nameList, nearestAddress, suggest } from '../../../contract/schema/suggest.ts'
import { actionInfix, knownReactors, platformScheme, shortName, vatomTypeKey } from '../../../contract/values.ts'
import type { Section } from '../../../contract/vatom/complete.ts'
import type { Hint } from '../../failure/hinted.ts'
import { shellWord } from '../../io/text.ts'
import { allRecords, handlersOf } from '../../kinds/requests.ts'
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
    if (names.includes(action))
      return (await isOwn(client, template)) ? carrierHint(client, name, template).catch(() => generalHint) : theirs
    const actions = names.length === 0 ? 'its template has no actions' : `its actions: ${nameList(names)}`
    const meant = suggest(action, names)
    if (meant !== undefined) return `did you mean ${meant}? ${actions}`
    if (action.toLowerCase() === 'trash') return `${actions}; to trash it: vatom trash ${shellWord(id)}`
    // Also where its template is published: actions of it can still be added.
    return (await isOwn(client, template)) ? `${actions}; to add this one: ${registration(name, action)}` : actions
  }

function registration(name: string, action: string): string {
  const reactor = standardActions.find((one) => one.name.toLowerCase() === action.toLowerCase())?.reactor
  return `vatom action register --name ${shellWord(name)} --reactor ${reactor ?? 'REACTOR'} --wait`
}

/** What to do about an action that only its publisher can read and correct. */
const theirs = 'the publisher of its template has to correct that'

/**
 * What to do about the first action that nothing carries out: the one that was performed, or one of its policy whose
 * failure ends it.
 */
async function carrierHint(client: Client, name: string, template: string): Promise<string> {
  const records = await allRecords(client, actionKind, { template })
  const actions = new Map(records.map((record) => [actionKind.nameOf(record), record]))
  const handled = new Set((await handlersOf(client)).map(({ reactor }) => reactor))
  for (const one of [name, ...endingIt(actions.get(name))]) {
    const record = actions.get(one)
    if (record === undefined) return absentHint(name, one, [...actions.keys()])
    const reactor = String(at(record, 'properties', 'reactor'))
    if (!knownReactors.includes(reactor) && !handled.has(reactor)) return reactorHint(one, reactor)
  }
  return generalHint
}

/** What to do where nothing that the service lists is missing. */
const generalHint = 'what services carry out: vatom help reactors; to see the handlers: vatom action handler list'

/** The actions of a policy whose failure ends an action, in the order in which they are run. */
function endingIt(record: Section | undefined): string[] {
  const ends = (stage: unknown) => at(record, 'properties', `abort_on_${stage}_error`) === true
  return policyActions(record && actionKind.documentOf(record)).flatMap(({ path, full }) =>
    ends(path[1]) ? [full] : [],
  )
}

/** What to do about an action that a policy names and that does not exist. */
function absentHint(namer: string, absent: string, names: readonly string[]): string {
  const meant = suggest(absent, names)
  const asked = meant === undefined ? '' : `did you mean ${shortName(meant)}? `
  return `${asked}the policy of ${namer} names it: correct that, or add the action: ${registration(absent, shortName(absent))}`
}

/** The correction of a misspelled reactor, else how to register a handler. */
function reactorHint(name: string, reactor: string): string {
  if (!reactor.startsWith(platformScheme))
    return `see the handlers: vatom action handler list; to register one: vatom action handler register --reactor ${shellWord(reactor)} --url URL`
  const meant = nearestAddress(reactor, knownReactors)
  return `${meant === undefined ? 'see the reactors: vatom help reactors; ' : `did you mean ${meant}? `}correct it: vatom action update ${shellWord(name)} --reactor ${meant ?? 'REACTOR'}`
}

async function namesOf(client: Client, template: string): Promise<string[]> {
  const actions = await client.listTemplateActions({ template })
  return actions.map(({ name }) => shortName(name))
}

export const templateOf = async (client: Client, id: string): Promise<string> =>
  String((await client.getVatom({ id }))[vatomTypeKey].template)
