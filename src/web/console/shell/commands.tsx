import type { ComponentChildren } from 'preact'
import { tokenFor } from '../service/acting.ts'
import { currentSession } from '../service/session.ts'
import { CopyButton } from './copy-button.tsx'
import { type CommandWords, serviceOptions, vatomWith } from './shell-word.ts'
import { TokenNote } from './token-note.tsx'

interface CommandsProps {
  readonly lines: (words: CommandWords) => readonly string[]
  /** Whom they act as; the publisher unless given. */
  readonly user?: string
  readonly label?: string
  /** Other buttons. */
  readonly children?: ComponentChildren
}

/** Commands that act on this service as a user: with a token of theirs, whoever the command line is signed in as. */
export function Commands({ lines, user = currentSession().publisher.id, label = 'Copy', children }: CommandsProps) {
  const here = serviceOptions(location.origin, currentSession().app_id)
  const text = (token: string) => lines({ here, vatom: vatomWith(token) }).join('\n')
  return (
    <>
      <pre>{text('…')}</pre>
      <div class="tools">
        {children}
        <CopyButton label={label} text={async () => text(await tokenFor(user))} />
      </div>
      <TokenNote user={user} />
    </>
  )
}
