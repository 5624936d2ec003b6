import { currentSession } from '../service/session.ts'
import { CopyButton } from './copy-button.tsx'
import { serviceOptions, shellWord } from './shell-word.ts'

/** Commands that act on this service, with the options that name it in place of `here`, and the one that signs in. */
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
