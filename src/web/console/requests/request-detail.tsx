import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { errorCatalogue } from '../../../contract/api/errors.ts'
import type { ConsoleRequest, KeptBody, KeptPart } from '../../../contract/console.ts'
import { at, listAt } from '../../../contract/schema/path.ts'
import { plural } from '../../../contract/schema/wording.ts'
import { parseJson } from '../../../contract/unknown-values.ts'
import { isOwnPath } from '../../own-address.ts'
import { tokenFor } from '../service/acting.ts'
import { currentSession } from '../service/session.ts'
import { isConfirmed } from '../shell/confirmed.ts'
import { CopyButton } from '../shell/copy-button.tsx'
import { Facts } from '../shell/facts.tsx'
import { Problem, sentenceOf } from '../shell/problem.tsx'
import { linkTo } from '../shell/route.ts'
import { indented, ScrolledText } from '../shell/scrolled-text.tsx'
import { timeText } from '../shell/time-text.ts'
import { TokenNote } from '../shell/token-note.tsx'
import { asCurl, asVatomApi } from './commands.ts'
import { divided, isRefused, readablePath } from './filter.ts'
import type { operationsNear } from './near-operations.ts'

interface DetailProps {
  readonly request: ConsoleRequest
  readonly close: () => void
}

/** A request with its bodies, and what can be done with it. */
export function RequestDetail({ request, close }: DetailProps) {
  const { method, status, sent, parts, answered } = request
  const [path] = divided(request.path)
  const isPath = isOwnPath(request.path, location.origin)
  return (
    <section class="detail" aria-label={`${method} ${path}`}>
      <div class="tools">
        <h2>
          <span class={isRefused(request) ? 'status refused' : 'status'}>{status ?? 'dropped'}</span> {method}{' '}
          <code>{readablePath(path)}</code>
        </h2>
        <button type="button" onClick={close}>
          Close
        </button>
      </div>
      <RequestFacts request={request} />
      {isRefused(request) && <Remedy request={request} />}
      <div class="tools">
        <Replay request={request} />
        {isPath && <Copies request={request} />}
      </div>
      {isPath && <CopyNote user={request.user} />}
      {parts ? <Parts parts={parts} /> : <Body title="Sent" body={sent} none={notKept('sent')} />}
      <Body title="Answered" body={answered} none={notKept('answered')} />
    </section>
  )
}

/** Buttons that copy a request as commands; without a token only for curl, as `vatom` acts as who is signed in. */
function Copies({ request }: { readonly request: ConsoleRequest }) {
  const { user, parts } = request
  const place = { origin: location.origin, appId: currentSession().app_id }
  if (user === undefined) return <CopyButton label="Copy as curl" text={() => asCurl(request, place)} />
  const signed = async () => ({ ...place, token: await tokenFor(user) })
  return (
    <>
      <CopyButton label="Copy as curl" text={async () => asCurl(request, await signed())} />
      {!parts && <CopyButton label="Copy as vatom api" text={async () => asVatomApi(request, await signed())} />}
    </>
  )
}

/** What a command that is copied is sent as. */
const CopyNote = ({ user }: Pick<ConsoleRequest, 'user'>) =>
  user === undefined ? (
    <p class="muted">What is copied has no access token: the service knows no user who sent it.</p>
  ) : (
    <TokenNote user={user} />
  )

const RequestFacts = ({ request }: { readonly request: ConsoleRequest }) => {
  const { publisher } = currentSession()
  const facts = {
    operation: request.operation ? <a href={linkTo('api', request.operation)}>{request.operation}</a> : 'none',
    by: request.user === publisher.id ? publisher.email : (request.user ?? 'nobody who is signed in'),
    time: `${request.milliseconds} ms, at ${timeText(request.when)} UTC`,
    'request id': request.request_id,
    ...(request.injected && { scenario: 'was applied' }),
    ...(request.dry_run && { 'dry run': 'nothing was stored' }),
    ...(request.console && { from: 'this console' }),
  }
  const [, query = ''] = divided(request.path)
  const parameters = query === '' ? [] : query.split('&')
  return <Facts facts={[...parameters.map((one) => ['query', readablePath(one)] as const), ...Object.entries(facts)]} />
}

/** Why a request was refused, and what would have been right. */
function Remedy({ request: { answered, operation, path } }: { readonly request: ConsoleRequest }) {
  const answer = parseJson(answered?.text ?? '')
  const issues = listAt(answer, 'issues')
  return (
    <section class="remedy" aria-label="What would have been right">
      <h3>{headlineOf(at(answer, 'message'), issues.length)}</h3>
      {issues.length > 1 && (
        <ul>
          {issues.map((issue, index) => (
            <li key={`${index} ${at(issue, 'path')}`}>
              <Issue path={String(at(issue, 'path') || 'the body')} message={String(at(issue, 'message'))} />
            </li>
          ))}
        </ul>
      )}
      {at(answer, 'error') === errorCatalogue.appId.code && (
        <p>
          The right header for this service: <code>App-Id: {currentSession().app_id}</code>
        </p>
      )}
      {operation !== undefined && <RightRequest operation={operation} />}
      {at(answer, 'error') === errorCatalogue.unknownPath.code && <NearOperations path={divided(path)[0]} />}
    </section>
  )
}

/** What an operation does, how it is requested, and by whom. */
function RightRequest({ operation }: { readonly operation: string }) {
  const says = useSignal<string | undefined>(undefined)
  useEffect(() => {
    void import('../service/api.ts').then(({ audienceOf, operationNamed }) => {
      const row = operationNamed(operation)
      if (row) says.value = `${row.summary}: ${row.method} ${row.path}, for ${audienceOf(operation)}.`
    })
  }, [operation])
  return says.value === undefined ? null : <p>{says.value}</p>
}

/** The operations whose path is nearest to one that has none. */
function NearOperations({ path }: { readonly path: string }) {
  const near = useSignal<ReturnType<typeof operationsNear> | undefined>(undefined)
  useEffect(() => {
    void import('./near-operations.ts').then((loaded) => {
      near.value = loaded.operationsNear(path)
    })
  }, [path])
  if (near.value === undefined) return null
  if (near.value.length === 0)
    return (
      <p>
        No path of the API is near it: <a href={linkTo('api')}>all operations</a>
      </p>
    )
  return (
    <>
      <p>Nearest to it:</p>
      <ul>
        {near.value.map(({ name, request }) => (
          <li key={name}>
            <a href={linkTo('api', name)}>{request}</a>
          </li>
        ))}
      </ul>
    </>
  )
}

/** The message of a refusal is its first issue: it is not repeated above a list of all. */
function headlineOf(message: unknown, issues: number): string {
  if (issues > 1) return `${issues} things are wrong with what was sent`
  return typeof message === 'string' ? message : 'The request was refused'
}

/** A place of the body, and what is wrong there. Many messages name the place themselves. */
const Issue = ({ path, message }: { readonly path: string; readonly message: string }) =>
  message.includes(path) ? (
    message
  ) : (
    <>
      <code>{path}</code> {message}
    </>
  )

/** Sends a request again, as the user who sent it, or without a token where none is known. */
function Replay({ request }: { readonly request: ConsoleRequest }) {
  const { method, path, sent, user, dry_run: isDry } = request
  const said = useSignal<{ readonly text: string; readonly isProblem?: true } | undefined>(undefined)
  const why = hindrance(request)
  const replay = async () => {
    try {
      const [{ apiAs, apiAsNobody }, { isFinal }] = await Promise.all([
        import('../service/api.ts'),
        import('./final-request.ts'),
      ])
      const question = `Send ${method} ${divided(path)[0]} again? It cannot be taken back.`
      if ((await isFinal(request)) && !isConfirmed(question)) return
      said.value = { text: 'Sending' }
      const { app_id } = currentSession()
      const { raw, dryRun } = user === undefined ? apiAsNobody(app_id) : apiAs(user, app_id)
      const { status } = await (isDry ? dryRun : raw)({ method, path, ...(sent && { body: sent.text }) })
      said.value = { text: `Sent again${isDry ? ' as a dry run' : ''}: ${status}` }
    } catch (error) {
      said.value = { text: sentenceOf(error), isProblem: true }
    }
  }
  return (
    <>
      <button type="button" class="primary" onClick={() => void replay()} disabled={why !== undefined}>
        Send again
      </button>
      {why !== undefined && <span class="muted">{why}</span>}
      {said.value &&
        (said.value.isProblem ? (
          <Problem>{said.value.text}</Problem>
        ) : (
          <span class="muted" role="status">
            {said.value.text}
          </span>
        ))}
    </>
  )
}

/** Methods that are sent without a body. */
const bodiless: readonly string[] = ['GET', 'HEAD', 'DELETE']

/** Why a request cannot be sent again as it was. */
function hindrance({ method, path, sent, parts }: ConsoleRequest): string | undefined {
  if (!isOwnPath(path, location.origin)) return 'It was not sent for a path: it cannot be sent again from here.'
  if (parts) return 'Its files are not kept: it cannot be sent again from here.'
  if (sent === undefined && !bodiless.includes(method)) return 'No body of it is kept: it cannot be sent as it was.'
  if (sent?.redacted) return 'Its secrets are struck out: copy it, and fill them in.'
  return sent?.shortened ? 'Its body is too long to be kept whole.' : undefined
}

const notKept = (what: 'sent' | 'answered') =>
  `No body is kept: none was ${what}, or it was no text, or was dropped for later ones.`

interface BodyProps {
  readonly title: string
  readonly body: KeptBody | undefined
  readonly none: string
}

function Body({ title, body, none }: BodyProps) {
  return (
    <section class="body">
      <h3>{title}</h3>
      {body ? <BodyText body={body} /> : <p class="muted">{none}</p>}
    </section>
  )
}

const BodyText = ({ body: { text, redacted, shortened } }: { readonly body: KeptBody }) => (
  <>
    <ScrolledText text={indented(text)} />
    {redacted && <p class="muted">Secrets are struck out.</p>}
    {shortened && <p class="muted">Its end is not kept.</p>}
  </>
)

/** The parts of an upload, as far as it was read. */
const Parts = ({ parts }: { readonly parts: readonly KeptPart[] }) => (
  <section class="body parts" aria-label="Sent parts">
    <h3>Sent, in {plural(parts.length, 'part')}</h3>
    <ul>
      {parts.map(({ field, file, type, size, body }, index) => (
        <li key={`${index} ${field}`}>
          <p>
            <code>{field}</code> {file !== undefined && <strong>{file}</strong>}{' '}
            <span class="muted">
              {type}, {plural(size, 'byte')}
              {file === undefined && body?.shortened && ' or more'}
            </span>
          </p>
          {body && <BodyText body={body} />}
        </li>
      ))}
    </ul>
  </section>
)
