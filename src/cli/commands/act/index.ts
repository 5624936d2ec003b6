import { Command, Option } from 'commander'
import type { Client } from '../../../client/client.ts'
import { isUuid } from '../../../contract/api/user-token-formats.ts'
import type { Warning } from '../../../contract/api/warnings.ts'
import { finalActions, standardActions } from '../../../contract/kinds/standard-actions.ts'
import { type OfferedAction, unreadAction } from '../../../contract/rules/offered-actions.ts'
import { at, isObject } from '../../../contract/schema/path.ts'
import { actionInfix } from '../../../contract/values.ts'
import type { Context } from '../../context.ts'
import { dryRunOption } from '../../dry-run/option.ts'
import { Would, would } from '../../dry-run/would.ts'
import { exit, Failure, usage } from '../../failure/failure.ts'
import { type Hint, hinted, seeList } from '../../failure/hinted.ts'
import { collected } from '../../io/option-values.ts'
import { shellWord, styled } from '../../io/text.ts'
import { printWarnings } from '../../io/warnings.ts'
import type { YesOption } from '../../kinds/confirmations.ts'
import { type FieldOptions, givenFields } from '../../vatoms/given-fields.ts'
import { idHelp, vatomId } from '../../vatoms/vatom-id.ts'
import { reading } from './acted-on.ts'
import { askBeforeFinal } from './ask-before-final.ts'
import { checkByName, checkInputs, exampleOf, position, textInputs, withPoint, withWholeIds } from './inputs.ts'
import { isOwn } from './own-template.ts'
import { permitHint, redeemableHint } from './permit-hint.ts'
import { templateOf, unhandledHint } from './unhandled-hint.ts'
import { verifyHint } from './verify-hint.ts'
import { contentsAlong, contentsAlongAfter, laterOutcome, newVatom, whereabouts } from './whereabouts.ts'

/** The beginning of an id. */
const idStart = /^[\da-f-]+$/i

interface ActOptions extends FieldOptions, YesOption {
  readonly anyInput?: boolean
}

export const command = (context: Context): Command =>
  new Command('act')
    .description('Perform an action on a vAtom, and print its output.')
    .argument('<action>', 'name of the action without its template, such as Transfer')
    .argument('<id>', idHelp)
    .addOption(
      new Option(
        '-d, --field <key=value>',
        'set an input of the action to a text, true, false, null, a number or JSON, which a text in quotes is, too; may be given again',
      ).argParser(collected),
    )
    .option('--data <file>', 'take inputs from a YAML or JSON file, or - for standard input; -d overrides it')
    .option('--any-input', 'do not check the inputs against those of the standard action that it is')
    .option('--yes', `do not ask on a terminal before what is final: ${finalActions.join(', ')}, whatever it is called`)
    .addOption(dryRunOption())
    .addHelpText(
      'after',
      `
Examples:
  vatom act Transfer ID -d new.owner.email=ada@example.com
  vatom act Drop ID -d geo.pos=47.37,8.54
  vatom act Update ID -d private.colour=red -d private.points=12
  echo '{"vatom.ids": ["A", "B"]}' | vatom act Combine ID --data -

Inputs of the standard actions: Transfer and Clone need one of new.owner.email,
new.owner.phone_number and new.owner.id, and Redeem can take one. Drop needs
geo.pos: degrees north and east, or an object with lat and lon. Combine needs
child.id or vatom.ids. Update takes private.NAME.

Which standard action it is goes by its reactor, whatever it is called.

A vAtom has only the actions of its template: vatom action list TEMPLATE. To add
one, register it with its reactor (all reactors: vatom help reactors):
  vatom action register --name '$publisher::Tea::v1::Action::Update' \\
    --reactor blockv://custom/privateproperties --wait`,
    )
    .action((action: string, id: string, options: ActOptions) => act(action, id, options, context))

async function act(action: string, vatom: string, options: ActOptions, context: Context): Promise<void> {
  if (vatom === '-')
    throw usage(
      'An action is performed on one vAtom, so - cannot stand for ids on standard input',
      `run it for each: while read -r id; do vatom act ${shellWord(action)} "$id"; done`,
    )
  const written = await inputsOf(options, context)
  const standard = standardActions.find(({ name }) => name.toLowerCase() === vatom.toLowerCase())?.name
  if (isUuid(action) || (idStart.test(action) && standard !== undefined))
    throw usage(
      'The action comes before the vAtom',
      `run: vatom act ${shellWord(standard ?? vatom)} ${shellWord(action)}`,
    )
  const read = reading(action, vatom, context)
  if (!options.anyInput) await checkByName(action, written, read)
  const given = options.anyInput ? written : await withPoint(action, written, read)
  await context.announce()
  const { client, place } = await context.connect()
  const asked = !options.yes && context.prompt.canAsk() ? await read() : undefined
  if (asked && !options.anyInput) checkInputs(asked.action, given)
  const id = asked?.id ?? (await vatomId(vatom, client))
  const inputs = options.anyInput ? given : await withWholeIds(given, client)
  const body = { ...inputs, 'this.id': id }
  // Where its record is not read, an action is what it is called.
  const known = asked?.action.standard?.name ?? action
  const along = (await contentsAlong(known, id, context)) || (await newVatom(known, id, context))
  const offered = () =>
    read().then(
      (found) => found.action,
      () => unreadAction(action),
    )
  const hints = hintsOf({ action, id, inputs, offered }, client)
  const told = asked ? await hinted(askBeforeFinal({ ...asked, body, along }, context), hints) : []
  const performed = hinted(client.performAction({ action, body }), hints)
  const payload = await would(`perform ${action} on ${id} on ${place}${along}`, performed, 'updated').catch(
    (error: unknown) => {
      if (error instanceof Would) checkPerformed(action, error.answer)
      throw error
    },
  )
  checkPerformed(action, payload)
  const { output } = payload.main
  const warnings = context.warnings.take()
  const isNew = ({ message }: Warning) => !told.some((one) => one.message === message)
  printWarnings(warnings.filter(isNew), context.output)
  context.output.note(
    warnings.some(({ code }) => code === 'not-waited-for')
      ? styled`${action} was accepted for ${id} on ${place}${along}; ${context.output.hint(laterOutcome(known, id))}`
      : styled`${action} was performed on ${id} on ${place}${along || (await contentsAlongAfter(known, id, context))}${await whereabouts({ action: known, id, inputs, printed: output }, context)}`,
  )
  context.output.result(payload, () => (output === '{}' ? [] : [output]))
}

/** An action that the service may refuse. */
interface Refusable {
  readonly action: string
  readonly id: string
  readonly inputs: Readonly<Record<string, unknown>>
  /** What the action is, as far as it can be read. */
  readonly offered: () => Promise<OfferedAction>
}

const hintsOf = ({ action, id, inputs, offered }: Refusable, client: Client) => ({
  unhandledAction: unhandledHint(client, id, action),
  unknownVatom: seeList('inventory'),
  notActivated: verifyHint(client),
  notRedeemable: redeemableHint(client, id),
  notMerchant: `${askMerchant}; where vatom serve runs, to make a user one: vatom api PATCH __vatom/users/ID -F is_merchant=true`,
  vatomUnavailable: permitHint(client, id, offered),
  ...(inputs[position] !== undefined && { invalid: positionHint(inputs[position]) }),
  alreadyDropped: `pick it up first: vatom act Pickup ${id}`,
  ...(inputs['new.owner.id'] === undefined
    ? { unknownRecipient: guestHint({ action, id, inputs, offered }, client) }
    : addressHint(inputs['new.owner.id'])),
})

/** Where an address stands in the place of a user's id. */
function addressHint(given: unknown) {
  const [sign] = /@|^\+/.exec(String(given)) ?? []
  if (sign === undefined) return {}
  const input = `new.owner.${sign === '@' ? 'email' : 'phone_number'}`
  return { unknownRecipient: `an address is given as ${input}: -d ${input}=${shellWord(String(given))}` }
}

/** Throws the error of an action that failed, which the service reports with status 200. */
function checkPerformed(action: string, answer: unknown): void {
  const error = at(answer, 'main', 'error')
  if (error === undefined) return
  throw new Failure('action_failed', exit.refused, `${action} failed: ${at(error, 'Msg')} (code ${at(error, 'Code')})`)
}

async function inputsOf(options: ActOptions, context: Context): Promise<Record<string, unknown>> {
  const inputs = await givenFields(options, { noun: 'file of inputs', texts: textInputs }, context)
  if (Object.hasOwn(inputs, 'this.id'))
    throw usage('this.id cannot be an input', "give the vAtom's id after the action")
  return inputs
}

/** What a position lacks; nothing for one whose numbers are wrong, as the error says which. */
const positionHint =
  (given: unknown): Hint =>
  async () => {
    const example = exampleOf([position])
    if (!isObject(given)) return `write it as an object: ${example}`
    const names = Object.keys(given)
    const known = names.map((name) => name.toLowerCase())
    if (known.includes('lat') && known.includes('lon')) return undefined
    return `it needs lat and lon, and has ${names.join(' and ') || 'nothing'}: ${example}`
  }

const askMerchant = 'give the address of a merchant, or none: then the vAtom goes to the platform'

/** Names the commands that make a user of the recipient, and, for the publisher, those by which the action makes guests. */
const guestHint =
  ({ action, id, inputs, offered }: Refusable, client: Client): Hint =>
  async () => {
    if ((await offered()).standard?.name === 'Redeem') return askMerchant
    const email = inputs['new.owner.email']
    const address =
      email === undefined
        ? `--phone ${shellWord(String(inputs['new.owner.phone_number']))}`
        : `--email ${shellWord(String(email))}`
    const registering = `to register them: vatom user register ${address}`
    const template = await templateOf(client, id).catch(() => undefined)
    if (template === undefined || !(await isOwn(client, template))) return registering
    const name = `${template}${actionInfix}${action}`
    return `${registering}; to make them a guest, write auto_create_non_existing_recipient: true into the config of the action in its file, or get it: vatom action get ${shellWord(name)} --yaml > action.yaml; send it: vatom action update action.yaml`
  }
