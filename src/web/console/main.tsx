import { effect } from '@preact/signals'
import { render } from 'preact'
import { followRequests } from './service/requests.ts'
import { loadSession, session } from './service/session.ts'
import { Shell } from './shell/shell.tsx'
import { SignIn } from './shell/sign-in.tsx'
import './shell/theme.ts'
import './shell/visible-texts.ts'

/** What the page is, by who is signed in. */
function Page() {
  const { value } = session
  if (value === 'unknown') return <p class="waiting">Loading</p>
  if (value === 'out') return <SignIn />
  if (value === 'unreachable')
    return (
      <main class="sign-in">
        <h1>vatom console</h1>
        <p role="alert">
          The service does not answer. Start it again with <code>vatom serve</code>, then{' '}
          <button type="button" onClick={() => void loadSession()}>
            try again
          </button>
        </p>
      </main>
    )
  return <Shell />
}

effect(() => {
  if (typeof session.value !== 'string') followRequests()
})
render(<Page />, document.body)
void loadSession()
