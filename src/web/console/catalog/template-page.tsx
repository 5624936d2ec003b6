import { type Signal, useSignal } from '@preact/signals'
import { withoutPublisher } from '../../names.ts'
import { Commands } from '../shell/commands.tsx'
import { Loaded, LoadedHeading, useLoading } from '../shell/loaded.tsx'
import { namePage } from '../shell/page-title.ts'
import { Empty } from '../shell/problem.tsx'
import { FaceRow } from '../vatom/face-row.tsx'
import { linkAs, seer } from '../vatom/who-sees.tsx'
import { loadTemplate, type ShownTemplate, type ShownVariation } from './catalog.ts'
import { DayPlot } from './day-plot.tsx'

/** A template with its variations, faces and actions. */
export function TemplatePage({ name }: { readonly name: string }) {
  const user = seer()
  const loading = useLoading(() => loadTemplate(name, user), user)
  const chosen = useSignal<string | undefined>(undefined)
  namePage(withoutPublisher(name))
  return (
    <div class="page">
      <nav aria-label="Path" class="path-line">
        <a href={linkAs(user, 'catalog')}>Catalog</a>
        <span aria-current="page">{name}</span>
      </nav>
      <LoadedHeading title={withoutPublisher(name)} loading={loading} />
      <Loaded loading={loading}>{(template) => <Shown template={template} user={user} chosen={chosen} />}</Loaded>
    </div>
  )
}

interface ShownProps {
  readonly template: ShownTemplate
  readonly user: string
  readonly chosen: Signal<string | undefined>
}

function Shown({ template, user, chosen }: ShownProps) {
  const { variations, faces, actions } = template
  const variation = variations.find(({ name }) => name === chosen.value) ?? variations[0]
  return (
    <>
      <p class="rights">
        {marksOf(template).map((mark) => (
          <span key={mark} class="tag">
            {mark}
          </span>
        ))}
      </p>
      <section aria-label="Variations">
        <h3>Variations</h3>
        {variation ? (
          <Variations all={variations} shown={variation} choose={chosen} />
        ) : (
          <Empty title="No variations yet">
            <p>vAtoms are emitted from a variation. For what it has, and to create one from a file:</p>
            <Commands
              user={user}
              lines={({ vatom, here }) => ['vatom explain variation', `${vatom} variation create red.yaml ${here}`]}
            />
          </Empty>
        )}
      </section>
      {variation && <FaceRow vatom={variation.vatom} faces={faces} />}
      <section aria-label="Actions">
        <h3>Actions</h3>
        {actions.length === 0 && (
          <p class="muted">
            Its template has no actions. <code>vatom help reactors</code> lists those that can be registered.
          </p>
        )}
        <ul>
          {actions.map(({ name, reactor }) => (
            <li key={name}>
              {name} <code class="muted">{reactor}</code>
            </li>
          ))}
        </ul>
      </section>
      {variation && <Values variation={variation} />}
    </>
  )
}

const marksOf = ({ isDraft, isPublic, isCloneable }: ShownTemplate): string[] => [
  isDraft ? 'draft' : 'published',
  ...(isPublic ? ['public'] : []),
  ...(isCloneable ? ['cloneable'] : []),
]

interface VariationsProps {
  readonly all: readonly ShownVariation[]
  readonly shown: ShownVariation
  readonly choose: Signal<string | undefined>
}

const Variations = ({ all, shown, choose }: VariationsProps) => (
  <div class="scrolled">
    <table class="numbers">
      <thead>
        <tr>
          <th scope="col">Variation</th>
          <th scope="col">State</th>
          <th scope="col" class="amount">
            Emitted
          </th>
          <th scope="col" class="amount">
            Redeemed
          </th>
          <th scope="col" class="amount">
            Trashed
          </th>
          <th scope="col" class="amount">
            Left
          </th>
          <th scope="col">Clones left</th>
          <th scope="col">By day</th>
        </tr>
      </thead>
      <tbody>
        {all.map((variation) => (
          <tr key={variation.name} class={variation === shown ? 'shown' : ''}>
            <th scope="row">
              <button
                type="button"
                aria-pressed={variation === shown}
                onClick={() => {
                  choose.value = variation.name
                }}
              >
                {variation.name.split('::').at(-1)}
              </button>
            </th>
            <td data-title="State">{variation.isDraft ? 'draft' : 'published'}</td>
            <td class="amount" data-title="Emitted">
              {variation.counts.emitted}
            </td>
            <td class="amount" data-title="Redeemed">
              {variation.counts.redeemed}
            </td>
            <td class="amount" data-title="Trashed">
              {variation.counts.emitted - variation.counts.redeemed - variation.counts.left}
            </td>
            <td class="amount" data-title="Left">
              {variation.counts.left}
            </td>
            <td data-title="Clones left">{variation.clonesLeft}</td>
            <td data-title="By day">
              <DayPlot days={variation.counts.days} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
    <p class="muted">
      Redeemed: by the action Redeem, also where a merchant owns the vAtom now. By day: <span class="key emitted" />{' '}
      emitted, <span class="key redeemed" /> redeemed, and as a line of a scale of its own{' '}
      <span class="key remaining" /> left.
    </p>
  </div>
)

const Values = ({ variation: { values, name } }: { readonly variation: ShownVariation }) => (
  <section aria-label="Values">
    <h3>Values of {name.split('::').at(-1)}</h3>
    <div class="fields">
      <table>
        <tbody>
          {values.map(({ path, text, from }) => (
            <tr key={path}>
              <th scope="row">
                <code>{path}</code>
              </th>
              <td>{text}</td>
              <td class="origin">
                <span class={from === 'variation' ? 'tag' : 'muted'}>{from}</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  </section>
)
