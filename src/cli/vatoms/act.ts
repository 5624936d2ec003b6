import type { Client } from '../../client/client.ts'
import { at, isObject } from '../../contract/schema/path.ts'
import type { Context } from '../context.ts'
import { Would, would } from '../dry-run/would.ts'
import { exit, Failure, usage } from '../failure/failure.ts'
import { type Hint, hinted, seeList } from '../failure/hinted.ts'
import { assigned, typed } from '../io/option-values.ts'
import { styled } from '../io/text.ts'
import { soleValue, sourceOf } from '../kinds/load-checked.ts'
import { checkInputs } from './action-inputs.ts'

export interface ActOptions {
  readonly field?: readonly string[]
  readonly data?: string
  readonly anyInput?: boolean
}

/** Performs an action on a vAtom; what it puts out is printed. */
export async function act(action: string, id: string, options: ActOptions, context: Context): Promise<void> {
  const inputs = await inputsOf(options, context)
  if (!options.anyInput) checkInputs(action, inputs)
  await context.announce()
  const { client, place } = await context.connect()
  const body = { ...inputs, 'this.id': id }
  const performed = hinted(client.performAction({ action, body }), {
    unhandledAction: offered(client, id),
    unknownVatom: seeList('inventory'),
  })
  const payload = await would(`perform ${action} on ${id} on ${place}`, performed, 'updated').catch(
    (error: unknown) => {
      if (error instanceof Would) checkPerformed(action, error.answer)
      throw error
    },
  )
  checkPerformed(action, payload)
  const { output } = payload.main
  context.output.note(styled`${action} was performed on ${id} on ${place}`)
  context.output.result(payload, () => (output === '{}' ? [] : [output]))
}

/** An action may fail in an answer that is a success. */
function checkPerformed(action: string, answer: unknown): void {
  const error = at(answer, 'main', 'error')
  if (error === undefined) return
  throw new Failure('action_failed', exit.refused, `${action} failed: ${at(error, 'Msg')} (code ${at(error, 'Code')})`)
}

async function inputsOf({ field = [], data }: ActOptions, context: Context): Promise<Record<string, unknown>> {
  const fields = assigned([{ flag: '-d', texts: field, read: jsonOr }], '--data')
  const inputs = { ...(data !== undefined && (await dataIn(data, context))), ...fields }
  if (Object.hasOwn(inputs, 'this.id'))
    throw usage('this.id cannot be an input', "give the vAtom's id after the action")
  return inputs
}

async function dataIn(file: string, context: Context): Promise<Record<string, unknown>> {
  const { loadValue } = await import('../../documents/load/load-one.ts')
  const options = { ...sourceOf(context), noun: 'file of inputs', issues: notObject, is: isObject }
  return await soleValue(await loadValue(file, options), context)
}

const notObject = (value: unknown) =>
  isObject(value)
    ? []
    : [{ path: [], rule: 'input', severity: 'error', message: 'inputs must be an object', spec: '4' } as const]

/** JSON that is a list or an object, else what the text looks like. */
function jsonOr(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return typed(text)
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The actions that the vAtom's template has. */
const offered =
  (client: Client, id: string): Hint =>
  async () => {
    const { nameList } = await import('../../contract/schema/suggest.ts')
    const names = await namesOf(client, id).catch(() => [])
    return names.length > 0 ? `its actions: ${nameList(names)}` : 'see them: vatom action list TEMPLATE'
  }

async function namesOf(client: Client, id: string): Promise<string[]> {
  const type = (await client.getVatom({ id }))['vAtom::vAtomType']
  const actions = await client.listTemplateActions({ template: String(type.template) })
  return actions.map(({ name }) => name.slice(name.indexOf('::Action::') + '::Action::'.length))
}
