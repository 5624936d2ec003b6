import type { ComponentChildren } from 'preact'
import { limits } from '../../../contract/limits.ts'
import { isPublisher, tokenFor } from '../service/acting.ts'
import { nameOf, usePeople } from '../service/people.ts'
import { currentSession } from '../service/session.ts'
import { CopyButton } from './copy-button.tsx'
import { type CommandWords, serviceOptions, shellWord, vatomWith } from './shell-word.ts'

interface CommandsProps {
  readonly lines: (words: CommandWords) => readonly string[]
  /** Whom they act as; the publisher unless given. */
  readonly user?: string
  readonly label?: string
  /** Other buttons. */
  readonly children?: ComponentChildren
}

/** Commands that act on this service as a user, and what they need for that. */
export function Commands({ lines, user = currentSession().publisher.id, label = 'Copy', children }: CommandsProps) {
  const here = serviceOptions(location.origin, currentSession().app_id)
  const text = (token: string | undefined) => lines({ here, vatom: vatomWith(token) }).join('\n')
  return (
    <>
      <pre>{text(isPublisher(user) ? undefined : '…')}</pre>
      <div class="tools">
        {children}
        <CopyButton label={label} text={async () => text(await tokenFor(user))} />
      </div>
      {isPublisher(user) ? <SignInFirst here={here} /> : <TokenNote user={user} />}
    </>
  )
}

const SignInFirst = ({ here }: { readonly here: string }) => (
  <>
    <p>Without a session of this service, sign in first:</p>
    <pre>{`vatom login ${here} --email ${shellWord(currentSession().publisher.email)}`}</pre>
  </>
)

function TokenNote({ user }: { readonly user: string }) {
  usePeople()
  return (
    <p class="muted">
      What is copied acts as {nameOf(user)}: it has an access token of theirs in place of the …, which is valid for{' '}
      {limits.accessTokenSeconds / 60} minutes. Until then, whoever has it can act as they do.
    </p>
  )
}
