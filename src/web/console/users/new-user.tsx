import { type MadePerson, makePerson } from '../service/people.ts'
import { Outcome } from '../shell/problem.tsx'
import { useAttempt } from '../shell/use-attempt.ts'

/** Makes a user; `made` is called if the screen is still shown then. */
export function NewUser({ made }: { readonly made: (person: MadePerson) => void }) {
  const work = useAttempt()
  const make = (event: SubmitEvent) => {
    event.preventDefault()
    if (!(event.currentTarget instanceof HTMLFormElement)) return
    const form = new FormData(event.currentTarget)
    const email = String(form.get('email') ?? '')
    const screen = location.hash
    void work.attempt(async () => {
      const person = await makePerson({ email, is_merchant: form.has('merchant') })
      if (location.hash === screen) made(person)
    })
  }
  return (
    <>
      <form class="tools" aria-label="New user" onSubmit={make}>
        <label class="check">
          E-mail
          <input name="email" type="email" placeholder="one of example.com" spellcheck={false} />
        </label>
        <label class="check">
          <input name="merchant" type="checkbox" />
          Merchant, who redeems
        </label>
        <button type="submit" class="primary" disabled={work.isBusy.value}>
          Make a user
        </button>
      </form>
      <Outcome of={work} />
    </>
  )
}
