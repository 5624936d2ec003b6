import { signal } from '@preact/signals'
import { type MadePerson, type Person, seededPeople } from '../service/people.ts'
import { currentSession } from '../service/session.ts'
import { CopyButton } from '../shell/copy-button.tsx'
import { Loaded, useLoading } from '../shell/loaded.tsx'
import { RecordsTable } from '../shell/records-table.tsx'
import { linkTo } from '../shell/route.ts'
import { shellWord } from '../shell/shell-word.ts'
import { NewUser } from '../users/new-user.tsx'

/** The users that were made here, the newest first. */
const made = signal<readonly MadePerson[]>([])

/** The users that the service was started with, and users for tests, with what apps and commands sign in with. */
export function TestUsers() {
  const loading = useLoading(seededPeople)
  return (
    <section aria-label="Users">
      <h3>Users</h3>
      <Loaded loading={loading}>
        {(seeded) => (
          <RecordsTable
            label="Seeded users"
            records={seeded}
            keyOf={({ id }) => id}
            columns={[
              ['Open as', ({ id, token }) => <OpenAs id={id} name={token || id} />],
              ['Seeded for', ({ pub_fqdn }) => pub_fqdn],
            ]}
          />
        )}
      </Loaded>
      <NewUser
        made={(person) => {
          made.value = [person, ...made.value]
        }}
      />
      {made.value.length > 0 && (
        <RecordsTable
          label="Users made here"
          records={made.value}
          keyOf={({ user }) => user.id}
          columns={[
            ['Open as', ({ user, token }) => <OpenAs id={user.id} name={token} />],
            ['Password', ({ password }) => <code>{password}</code>],
            [
              'For commands',
              (person) => <CopyButton label="Copy the environment" text={() => environmentOf(person)} />,
            ],
          ]}
        />
      )}
      <p class="muted">
        The environment has the address of this service and a session of the user: commands after it act as they do.
      </p>
    </section>
  )
}

const OpenAs = ({ id, name }: { readonly id: Person['id']; readonly name: string }) => (
  <a href={linkTo('users', id)}>{name}</a>
)

/** Variables with which `vatom` acts as a user. */
const environmentOf = ({ refresh_token }: MadePerson): string =>
  Object.entries({
    VATOM_BASE_URL: location.origin,
    VATOM_APP_ID: currentSession().app_id,
    VATOM_REFRESH_TOKEN: refresh_token,
  })
    .map(([name, value]) => `export ${name}=${shellWord(value)}`)
    .join('\n')
