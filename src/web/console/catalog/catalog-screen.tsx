import { useSignal } from '@preact/signals'
import { plural } from '../../../contract/schema/wording.ts'
import { withoutPublisher } from '../../names.ts'
import { catalogChanges } from '../service/requests.ts'
import { Commands } from '../shell/commands.tsx'
import { FilterBox } from '../shell/filter-box.tsx'
import { Loaded, useLoading } from '../shell/loaded.tsx'
import { namePage } from '../shell/page-title.ts'
import { Empty } from '../shell/problem.tsx'
import { linkTo, route } from '../shell/route.ts'
import { type ListedTemplate, loadTemplates } from './catalog.ts'
import { Comparison } from './comparison.tsx'
import { TemplatePage } from './template-page.tsx'

/** The templates of the service, and one of them with all that belongs to it. */
export function CatalogScreen() {
  const [, name] = route.value.words
  return name === undefined ? <TemplateList /> : <TemplatePage key={name} name={name} />
}

function TemplateList() {
  const filter = useSignal('')
  const loading = useLoading(loadTemplates)
  namePage('Catalog')
  return (
    <div class="page">
      <div class="tools">
        <h2>Catalog</h2>
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
            loading.reload()
            catalogChanges.value++
          }}
        >
          Reload
        </button>
      </div>
      {loading.problem.value === undefined && <Comparison />}
      <Loaded loading={loading}>{(templates) => <Templates all={templates} text={filter.value} />}</Loaded>
    </div>
  )
}

interface TemplatesProps {
  readonly all: readonly ListedTemplate[]
  readonly text: string
}

function Templates({ all, text }: TemplatesProps) {
  const shown = all.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()))
  if (all.length === 0)
    return (
      <Empty title="No templates yet">
        <p>Write a catalog, and apply it to this service:</p>
        <Commands lines={(here) => ['vatom init shop', `vatom apply shop ${here}`]} />
      </Empty>
    )
  return (
    <>
      <p class="count">{plural(shown.length, 'template')}</p>
      <ul class="people templates">
        {shown.map(({ name, isDraft }) => (
          <li key={name}>
            <a href={linkTo('catalog', name)}>
              <span class="who">
                <span class="publisher">{name.slice(0, name.length - withoutPublisher(name).length)}</span>
                <wbr />
                {withoutPublisher(name)}
              </span>
              <span class="owned">{isDraft ? 'draft' : 'final'}</span>
            </a>
          </li>
        ))}
      </ul>
    </>
  )
}
