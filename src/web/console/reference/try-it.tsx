import { useSignal } from '@preact/signals'
import type { WireResponse } from '../../../contract/api/wire.ts'
import type { JsonSchema } from '../../../contract/derived/components.ts'
import { parseJson } from '../../../contract/unknown-values.ts'
import { asCurl, asVatomApi } from '../requests/commands.ts'
import { tokenFor } from '../service/acting.ts'
import { apiAs } from '../service/api.ts'
import { currentSession } from '../service/session.ts'
import { Check } from '../shell/check.tsx'
import { CopyButton } from '../shell/copy-button.tsx'
import { Outcome } from '../shell/problem.tsx'
import { indented, ScrolledText } from '../shell/scrolled-text.tsx'
import { TokenNote } from '../shell/token-note.tsx'
import { useAttempt } from '../shell/use-attempt.ts'
import { WhoSees } from '../vatom/who-sees.tsx'
import { exampleValue } from './example-value.ts'
import type { ListedOperation, Parameter } from './reference.ts'

interface TryItProps {
  readonly operation: ListedOperation
  readonly root: JsonSchema
}

/** Sends an operation as a user, and shows what is answered. */
export function TryIt({ operation, root }: TryItProps) {
  const { method, parameters, body, fileField, takesDryRun } = operation
  const { publisher, app_id } = currentSession()
  const user = useSignal(publisher.id)
  const values = useSignal<Readonly<Record<string, string>>>({})
  const text = useSignal(body ? JSON.stringify(exampleValue(body, root), null, 2) : '')
  const isDryRun = useSignal(false)
  const answer = useSignal<(WireResponse & { readonly milliseconds: number }) | undefined>(undefined)
  const sending = useAttempt()
  const path = pathWith(operation, values.value)
  const request = { method, path, ...(body && method !== 'GET' && { body: text.value }) }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (!(event.currentTarget instanceof HTMLFormElement)) return
    const files = fileField === undefined ? undefined : filesIn(event.currentTarget, fileField)
    answer.value = undefined
    void sending.attempt(async () => {
      if (request.body !== undefined && parseJson(request.body) === undefined) throw new Error('The body is not JSON.')
      const api = apiAs(user.value, app_id)
      const since = performance.now()
      const send = isDryRun.value ? api.dryRun : api.raw
      const answered = files ? await api.upload(path, files) : await send(request)
      answer.value = { ...answered, milliseconds: Math.round(performance.now() - since) }
    })
  }
  const place = async () => ({ origin: location.origin, appId: app_id, token: await tokenFor(user.value) })
  const copied = {
    method,
    path,
    dry_run: isDryRun.value,
    ...(request.body !== undefined && { sent: { text: request.body } }),
  }
  return (
    <form class="action try" aria-label="Try it" onSubmit={submit}>
      <div class="tools">
        <h3>Try it</h3>
        <WhoSees
          label="As"
          user={user.value}
          choose={(id) => {
            user.value = id
          }}
        />
      </div>
      {parameters.map((parameter) => (
        <ParameterField
          key={parameter.name}
          parameter={parameter}
          set={(value) => {
            values.value = { ...values.value, [parameter.name]: value }
          }}
        />
      ))}
      {fileField !== undefined && (
        <label>
          <span>{fileField}</span>
          <input type="file" name={fileField} multiple required />
        </label>
      )}
      {body && (
        <label>
          <span>Body</span>
          <textarea
            rows={Math.min(16, text.value.split('\n').length + 1)}
            spellcheck={false}
            value={text.value}
            onInput={({ currentTarget }) => {
              text.value = currentTarget.value
            }}
          />
        </label>
      )}
      <div class="tools">
        <button type="submit" class="primary" disabled={sending.isBusy.value}>
          Send
        </button>
        {takesDryRun && (
          <Check
            label="Dry run: nothing is stored"
            checked={isDryRun.value}
            set={(to) => {
              isDryRun.value = to
            }}
          />
        )}
        {fileField === undefined && (
          <>
            <CopyButton label="Copy as curl" text={async () => asCurl(copied, await place())} />
            <CopyButton label="Copy as vatom api" text={async () => asVatomApi(copied, await place())} />
          </>
        )}
      </div>
      {fileField === undefined && <TokenNote user={user.value} />}
      <Outcome of={sending} />
      {answer.value && <Answer answer={answer.value} />}
    </form>
  )
}

interface ParameterFieldProps {
  readonly parameter: Parameter
  readonly set: (value: string) => void
}

const ParameterField = ({ parameter: { name, isRequired, description }, set }: ParameterFieldProps) => (
  <label>
    <span>
      <code>{name}</code> {!isRequired && '(may be empty)'} {description}
    </span>
    <input required={isRequired} spellcheck={false} onInput={({ currentTarget }) => set(currentTarget.value)} />
  </label>
)

const Answer = ({ answer }: { readonly answer: WireResponse & { readonly milliseconds: number } }) => {
  const { status, milliseconds, body } = answer
  return (
    <div class="answer" role="status">
      <p>
        <span class={status >= 400 ? 'status refused' : 'status'}>{status}</span>{' '}
        <span class="muted">{milliseconds} ms</span>
      </p>
      <ScrolledText text={indented(body)} />
    </div>
  )
}

/** The path of an operation with these values; empty ones of the query are left out. */
function pathWith({ path, parameters }: ListedOperation, values: Readonly<Record<string, string>>): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (whole, name) =>
    values[name] ? encodeURIComponent(values[name]) : whole,
  )
  const query = new URLSearchParams(
    parameters.flatMap(({ name, place }) => (place === 'query' && values[name] ? [[name, values[name]]] : [])),
  )
  return query.size > 0 ? `${filled}?${query}` : filled
}

/** The files of a form, in the field that an operation reads. */
function filesIn(form: HTMLFormElement, field: string): FormData {
  const sent = new FormData()
  for (const file of new FormData(form).getAll(field)) sent.append(field, file)
  return sent
}
