import { useSignal } from '@preact/signals'
import { isUuid } from '../../../contract/api/user-token-formats.ts'
import { inputExamples, recipientIn } from '../../../contract/kinds/standard-actions.ts'
import type { OfferedAction } from '../../../contract/rules/offered-actions.ts'
import { isObject } from '../../../contract/schema/path.ts'
import { parseJson } from '../../../contract/unknown-values.ts'
import { nameOf, people } from '../service/people.ts'
import { isConfirmed } from '../shell/confirmed.ts'
import { Outcome } from '../shell/problem.tsx'
import { linkTo } from '../shell/route.ts'
import { useAttempt } from '../shell/use-attempt.ts'
import { fieldsOf, type InputField, typedValue } from './inputs.ts'
import type { WatchedVatom } from './watched-vatom.ts'

interface ActionFormProps {
  readonly action: OfferedAction
  /** Of the vAtom. */
  readonly title: string
  readonly vatom: WatchedVatom
}

/** An action as a form: the inputs of standard actions by their keys, those of others as JSON. */
export function ActionForm({ action: { name, standard, isFinal }, title, vatom }: ActionFormProps) {
  const fields = standard && fieldsOf(standard)
  const doing = useAttempt()
  /** Asks about what is final, unless the service would refuse it: then throws its error. */
  const isMeant = async (inputs: Inputs) => {
    const warnings = await vatom.predict(name, inputs)
    const question = `${name} ${title}${recipientText(inputs)}? It cannot be taken back.`
    return isConfirmed([question, ...warnings.map(({ message }) => message)].join('\n\n'))
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (!(event.currentTarget instanceof HTMLFormElement)) return
    const form = new FormData(event.currentTarget)
    void doing.attempt(async () => {
      const inputs = fields ? inputsIn(form, fields) : jsonIn(form)
      if (isFinal && !(await isMeant(inputs))) return
      const output = await vatom.act(name, inputs)
      return output === '{}' || output === '' ? 'Done.' : `Done: ${output}`
    })
  }
  return (
    <form class="action" aria-label={name} onSubmit={submit}>
      <h3>{name}</h3>
      {fields?.map((field, index) => (
        <Field key={field.keys.join()} field={field} name={`input${index}`} />
      ))}
      {!fields && (
        <label>
          <span>Inputs as JSON</span>
          <textarea name="json" rows={3} spellcheck={false} defaultValue="{}" />
        </label>
      )}
      <button type="submit" disabled={doing.isBusy.value}>
        {name}
      </button>
      <Outcome of={doing} />
    </form>
  )
}

type Inputs = Readonly<Record<string, unknown>>

/** Whom a vAtom goes to: ` to ada@example.com`. */
function recipientText(inputs: Inputs): string {
  const recipient = recipientIn(inputs)
  if (recipient === undefined) return ''
  const text = String(recipient)
  return ` to ${isUuid(text) ? nameOf(text) : text}`
}

interface FieldProps {
  readonly field: InputField
  readonly name: string
}

function Field({ field: { keys, isRequired }, name }: FieldProps) {
  const key = useSignal(keys[0] ?? '')
  const list = key.value === 'new.owner.email' ? 'addresses' : key.value === 'new.owner.id' ? 'user-ids' : undefined
  return (
    <div class="input">
      {keys.length === 1 ? (
        <input type="hidden" name={`${name}-key`} value={key.value} />
      ) : (
        <select
          name={`${name}-key`}
          aria-label="Input"
          value={key.value}
          onChange={({ currentTarget }) => {
            key.value = currentTarget.value
          }}
        >
          {keys.map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </select>
      )}
      <label>
        <span>{isRequired ? key.value : `${key.value} (may be empty)`}</span>
        <input
          name={name}
          list={list}
          placeholder={inputExamples[key.value] ?? ''}
          required={isRequired}
          spellcheck={false}
        />
      </label>
      {key.value.startsWith('new.owner.') && people.value?.length === 1 && (
        <p class="muted">
          There is no other user yet. To make one: <a href={linkTo('users')}>Users</a>
        </p>
      )}
    </div>
  )
}

/** The users as choices of inputs that name one. */
export const Choices = () => (
  <>
    <datalist id="addresses">
      {people.value
        ?.filter(({ token }) => token.includes('@'))
        .map(({ id, token }) => (
          <option key={id} value={token} />
        ))}
    </datalist>
    <datalist id="user-ids">
      {people.value?.map(({ id, token }) => (
        <option key={id} value={id}>
          {token}
        </option>
      ))}
    </datalist>
  </>
)

function inputsIn(form: FormData, fields: readonly InputField[]): Inputs {
  const given = fields.map((_, index) => [
    String(form.get(`input${index}-key`)),
    String(form.get(`input${index}`) ?? ''),
  ])
  return Object.fromEntries(given.flatMap(([key = '', text = '']) => (text === '' ? [] : [[key, typedValue(text)]])))
}

function jsonIn(form: FormData): Inputs {
  const value = parseJson(String(form.get('json') || '{}'))
  if (!isObject(value)) throw new Error('Write an object in JSON, such as {"key": "value"}.')
  return value
}
