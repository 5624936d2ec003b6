import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { plural } from '../../../contract/schema/wording.ts'
import { loadPeople, makePerson, mostPeople, type Person, people } from '../service/people.ts'
import { FilterBox } from '../shell/filter-box.tsx'
import { Empty, Outcome } from '../shell/problem.tsx'
import { linkTo } from '../shell/route.ts'
import { useAttempt } from '../shell/use-attempt.ts'

/** All users, with what they may do and how much they own. */
export function UserList() {
  const filter = useSignal('')
  const work = useAttempt()
  const reload = () => void work.attempt(loadPeople)
  useEffect(reload, [])
  const make = (event: SubmitEvent) => {
    event.preventDefault()
    if (!(event.currentTarget instanceof HTMLFormElement)) return
    const form = new FormData(event.currentTarget)
    const email = String(form.get('email') ?? '')
    void work.attempt(async () => {
      location.hash = linkTo('users', await makePerson({ email, is_merchant: form.has('merchant') }))
    })
  }
  const all = people.value
  const words = filter.value.toLowerCase()
  const shown = (all ?? []).filter((person) => textOf(person).toLowerCase().includes(words))
  document.title = 'Users - vatom console'
  return (
    <div class="page">
      <div class="tools">
        <FilterBox
          label="Filter: address, name or publisher"
          value={filter.value}
          set={(text) => {
            filter.value = text
          }}
        />
        <button type="button" onClick={reload}>
          Reload
        </button>
      </div>
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
      {all && (
        <p class="count">
          {all.length === mostPeople ? `the first ${mostPeople} users` : plural(shown.length, 'user')}
        </p>
      )}
      {all && shown.length === 0 && (
        <Empty title="No user like this">
          <p>Shorten the filter, or make a user.</p>
        </Empty>
      )}
      {shown.length > 0 && (
        <ul class="people">
          {shown.map((person) => (
            <li key={person.id}>
              <a href={linkTo('users', person.id)}>
                <span class="who">{person.token || person.name || person.id}</span>
                <span class="muted">{person.token && person.name}</span>
                <span class="rights">
                  {rightsOf(person).map((right) => (
                    <span key={right} class="tag">
                      {right}
                    </span>
                  ))}
                </span>
                <span class="owned">{plural(person.vatoms, 'vAtom')}</span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

const textOf = ({ token, name, pub_fqdn, id }: Person) => `${token} ${name} ${pub_fqdn} ${id}`

const rightsOf = ({ is_admin, pub_fqdn, is_merchant, activated }: Person): string[] => [
  ...(is_admin ? [`publisher ${pub_fqdn}`] : []),
  ...(is_merchant ? ['merchant'] : []),
  ...(activated ? [] : ['not activated']),
]
