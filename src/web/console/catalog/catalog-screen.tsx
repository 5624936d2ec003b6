import { useSignal } from '@preact/signals'
import { plural } from '../../../contract/schema/wording.ts'
import { withoutPublisher } from '../../names.ts'
import { people, usePeople } from '../service/people.ts'
import { catalogChanges } from '../service/requests.ts'
import { Commands } from '../shell/commands.tsx'
import { FilterBox } from '../shell/filter-box.tsx'
import { Loaded, useLoading } from '../shell/loaded.tsx'
import { namePage } from '../shell/page-title.ts'
import { Empty } from '../shell/problem.tsx'
import { route } from '../shell/route.ts'
import { linkAs, seer, WhoSees } from '../vatom/who-sees.tsx'
import { type ListedTemplate, loadTemplates } from './catalog.ts'
import { Comparison } from './comparison.tsx'
import { TemplatePage } from './template-page.tsx'

/** The templates of a publisher, and one of them with all that belongs to it. */
export function CatalogScreen() {
  const [, name] = route.value.words
  return name === undefined ? <CatalogPage /> : <TemplatePage key={name} name={name} />
}

function CatalogPage() {
  const filter = useSignal('')
  const reloads = useSignal(0)
  const user = seer()
  namePage('Catalog')
  return (
    <div class="page">
      <div class="tools">
        <h2>Catalog</h2>
        <WhoPublishes user={user} />
        <FilterBox
          label="Filter: a part of the name"
          value={filter.value}
          set={(text) => {
            filter.value = text
          }}
        />
        <button
          type="button"
          onClick={() => {
            reloads.value++
            catalogChanges.value++
          }}
        >
          Reload
        </button>
      </div>
      <TemplateList key={user} user={user} text={filter.value} reloads={reloads.value} />
    </div>
  )
}

/** Chooses the publisher whose catalog is shown, where there are several. */
function WhoPublishes({ user }: { readonly user: string }) {
  usePeople()
  const publishers = people.value?.filter(({ is_admin }) => is_admin) ?? []
  if (new Set(publishers.map(({ pub_fqdn }) => pub_fqdn)).size < 2) return null
  const choose = (id: string) => location.assign(linkAs(id, 'catalog'))
  return <WhoSees label="As" user={user} among={publishers} choose={choose} />
}

interface TemplateListProps {
  readonly user: string
  /** Only those with this in their name are listed. */
  readonly text: string
  /** How often they were to be loaded again. */
  readonly reloads: number
}

function TemplateList({ user, text, reloads }: TemplateListProps) {
  const loading = useLoading(() => loadTemplates(user), String(reloads))
  return (
    <>
      {loading.problem.value === undefined && <Comparison user={user} />}
      <Loaded loading={loading}>{(templates) => <Templates all={templates} text={text} user={user} />}</Loaded>
    </>
  )
}

interface TemplatesProps {
  readonly user: string
  readonly all: readonly ListedTemplate[]
  readonly text: string
}

function Templates({ all, text, user }: TemplatesProps) {
  const shown = all.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()))
  if (all.length === 0)
    return (
      <Empty title="No templates yet">
        <p>Write a catalog, and apply it to this service:</p>
        <Commands user={user} lines={({ vatom, here }) => ['vatom init shop', `${vatom} apply shop ${here}`]} />
      </Empty>
    )
  return (
    <>
      <p class="count">{plural(shown.length, 'template')}</p>
      <ul class="people templates">
        {shown.map(({ name, isDraft }) => (
          <li key={name}>
            <a href={linkAs(user, 'catalog', name)}>
              <span class="who">
                <span class="publisher">{name.slice(0, name.length - withoutPublisher(name).length)}</span>
                <wbr />
                {withoutPublisher(name)}
              </span>
              <span class="owned">{isDraft ? 'draft' : 'published'}</span>
            </a>
          </li>
        ))}
      </ul>
    </>
  )
}
