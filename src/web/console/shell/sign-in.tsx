import { beginSession, knownAppId } from '../service/session.ts'
import { Outcome } from './problem.tsx'
import { serviceOptions } from './shell-word.ts'
import { useAttempt } from './use-attempt.ts'

/** Asks for a link of `vatom console`, or for the e-mail address and the password of the publisher. */
export function SignIn() {
  const entry = useAttempt()
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (!(event.currentTarget instanceof HTMLFormElement)) return
    const given = new FormData(event.currentTarget)
    void entry.attempt(() => beginSession(String(given.get('email')), String(given.get('password'))))
  }
  return (
    <main class="sign-in">
      <h1>vatom console</h1>
      <p>
        This browser is not signed in. A link can be used once, and ends with its service. For a new one, on the machine
        of the service:
      </p>
      <pre>{`vatom console ${serviceOptions(location.origin, knownAppId())}`}</pre>
      <p>Or sign in as the publisher that the service was started with:</p>
      <form onSubmit={submit}>
        <label>
          E-mail address
          <input name="email" type="email" autocomplete="username" required />
        </label>
        <label>
          Password
          <input name="password" type="password" autocomplete="current-password" required />
        </label>
        <Outcome of={entry} />
        <button type="submit" class="primary" disabled={entry.isBusy.value}>
          Sign in
        </button>
      </form>
    </main>
  )
}
