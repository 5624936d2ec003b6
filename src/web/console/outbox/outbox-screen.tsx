import { local } from '../service/local.ts'
import { currentSession } from '../service/session.ts'
import { CopyButton } from '../shell/copy-button.tsx'
import { Loaded, LoadedHeading, useLoading } from '../shell/loaded.tsx'
import { Empty } from '../shell/problem.tsx'
import { RecordsTable } from '../shell/records-table.tsx'
import { serviceOptions } from '../shell/shell-word.ts'
import { timeText } from '../shell/time-text.ts'

/** A message that would be sent to a user. */
interface Message {
  readonly to: string
  readonly token_type: string
  readonly kind: string
  readonly code: string
  readonly when: string
}

const shownAtOnce = 500

/** Newest first. */
const loadMessages = async () => (await local<Message[]>('GET', `/__vatom/outbox?limit=${shownAtOnce}`)).reverse()

/** The codes and pins that users would receive. */
export function OutboxScreen() {
  const loading = useLoading(loadMessages)
  return (
    <div class="page">
      <LoadedHeading title="Outbox" loading={loading} />
      <p class="muted">Codes and one-time pins that would be sent to users. This service sends nothing.</p>
      <Loaded loading={loading}>
        {(messages) =>
          messages.length === 0 ? (
            <Empty title="No messages yet">
              <p>A code appears here when a user registers, adds an address or resets a password:</p>
              <RegisterCommand />
            </Empty>
          ) : (
            <RecordsTable
              label="Messages"
              records={messages}
              keyOf={({ to, when, kind, code }) => `${to} ${when} ${kind} ${code}`}
              columns={[
                ['To', ({ to }) => to],
                [
                  'Code',
                  ({ code }) => (
                    <span class="copied">
                      <code>{code}</code>
                      <CopyButton label="Copy" text={() => code} />
                    </span>
                  ),
                ],
                ['What', ({ kind }) => kind.replaceAll('_', ' ')],
                ['Time in UTC', ({ when }) => <time dateTime={when}>{timeText(when)}</time>],
              ]}
            />
          )
        }
      </Loaded>
    </div>
  )
}

/** A command that makes a user; it needs nobody who is signed in. */
function RegisterCommand() {
  const here = serviceOptions(location.origin, currentSession().app_id)
  const command = `vatom user register --email ada@example.com ${here}`
  return (
    <>
      <pre>{command}</pre>
      <CopyButton label="Copy" text={() => command} />
    </>
  )
}
