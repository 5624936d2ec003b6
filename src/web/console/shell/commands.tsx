import { currentSession } from '../service/session.ts'
import { CopyButton } from './copy-button.tsx'
import { serviceOptions, shellWord } from './shell-word.ts'

/** Commands to type that act on this service, each where `here` stands in it, and how to sign in to it before. */
export function Commands({ lines }: { readonly lines: (here: string) => readonly string[] }) {
  const { app_id, publisher } = currentSession()
  const here = serviceOptions(location.origin, app_id)
  const text = lines(here).join('\n')
  return (
    <>
      <pre>{text}</pre>
      <div>
        <CopyButton label="Copy" text={() => text} />
      </div>
      <p>Without a session of this service, sign in first:</p>
      <pre>{`vatom login ${here} --email ${shellWord(publisher.email)}`}</pre>
    </>
  )
}
