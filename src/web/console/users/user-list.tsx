import { useSignal } from '@preact/signals'
import { plural } from '../../../contract/schema/wording.ts'
import { countPeople, type Person, peoplePage } from '../service/people.ts'
import { FilterBox } from '../shell/filter-box.tsx'
import { namePage } from '../shell/page-title.ts'
import { PagedTable, pageSize } from '../shell/paged-table.tsx'
import { Empty, Problem } from '../shell/problem.tsx'
import type { Column } from '../shell/records-table.tsx'
import { linkTo } from '../shell/route.ts'
import { useNarrow } from '../shell/use-narrow.ts'
import { useSearch } from '../shell/use-search.ts'
import { NewUser } from './new-user.tsx'

/** Milliseconds after which a person has stopped writing. */
const pause = 200

/** All users, with what they may do and how much they own. */
export function UserList() {
  const filter = useSignal('')
  const reloads = useSignal(0)
  const isNarrow = useNarrow()
  const { result, problem } = useSearch(pause, () => {
    const [search, reload] = [filter.value, reloads.value]
    return async () => ({ search, key: `${reload} ${search}`, total: await countPeople(search) })
  })
  const found = result.value
  namePage('Users')
  return (
    <div class="page filled">
      <div class="tools">
        <h2>Users</h2>
        <FilterBox
          label="Search: address, name, id or publisher"
          value={filter.value}
          set={(text) => {
            filter.value = text
          }}
        />
        <button
          type="button"
          onClick={() => {
            reloads.value++
          }}
        >
          Reload
        </button>
      </div>
      <NewUser
        made={({ user }) => {
          location.hash = linkTo('users', user.id)
        }}
      />
      {problem.value !== undefined && <Problem>{problem.value}</Problem>}
      {found && (
        <p class="count" role="status">
          {plural(found.total, 'user')}
        </p>
      )}
      {found?.total === 0 && (
        <Empty title="No user like this">
          <p>Shorten the search, or make a user.</p>
        </Empty>
      )}
      {found && found.total > 0 && (
        <PagedTable
          key={found.key}
          label="Users"
          layout="people-rows"
          total={found.total}
          load={(page) => peoplePage({ search: found.search, limit: pageSize, page })}
          columns={columns}
          rowHeight={isNarrow.value ? 64 : 44}
        />
      )}
    </div>
  )
}

const columns: readonly Column<Person>[] = [
  [
    'User',
    ({ id, token, name }) => (
      <a class="who" href={linkTo('users', id)}>
        {token || name || id}
      </a>
    ),
  ],
  ['Name', ({ token, name }) => token && name],
  [
    'May',
    (person) =>
      rightsOf(person).map((right) => (
        <span key={right} class="tag">
          {right}
        </span>
      )),
  ],
  ['Owns', ({ vatoms }) => plural(vatoms, 'vAtom')],
]

const rightsOf = ({ is_admin, pub_fqdn, is_merchant, activated }: Person): string[] => [
  ...(is_admin ? [`publisher ${pub_fqdn}`] : []),
  ...(is_merchant ? ['merchant'] : []),
  ...(activated ? [] : ['not activated']),
]
