import { signal, useComputed } from '@preact/signals'
import { boolOps, currentUser, filterOps } from '../../../contract/values.ts'
import { apiAs } from '../service/api.ts'
import { currentSession } from '../service/session.ts'
import { Commands } from '../shell/commands.tsx'
import { CopyButton } from '../shell/copy-button.tsx'
import { Problem } from '../shell/problem.tsx'
import { linkTo } from '../shell/route.ts'
import { ScrolledText } from '../shell/scrolled-text.tsx'
import { useSearch } from '../shell/use-search.ts'
import { Face } from '../vatom/face.tsx'
import { type Found, foundIn, titleOf } from '../vatom/found.ts'
import { useSeer, WhoSees } from '../vatom/who-sees.tsx'
import {
  type BoolOp,
  bodyOf,
  bodyOfOne,
  type Condition,
  commandOf,
  completeOf,
  type Draft,
  fields,
  lackOf,
  noDraft,
  opNamed,
  scopeLackOf,
  scopes,
  signs,
} from './query.ts'

/** What a search found; hits of each condition alone by its id. */
interface Result {
  readonly total: number
  readonly found: readonly Found[]
  readonly hits: ReadonlyMap<number, number>
}

/** The vAtoms that are shown of those that are found. */
const shownAtOnce = 50

/** Milliseconds after which a person has stopped writing. */
const pause = 250

/** As it was left: whoever comes back from a vAtom sees the same search. */
const draft = signal<Draft>(noDraft)

/** A search by conditions, with its JSON, its command line, and what it finds. */
export function DiscoverScreen() {
  const { app_id } = currentSession()
  const user = useSeer()
  const change = (changed: Partial<Draft>) => {
    draft.value = { ...draft.value, ...changed }
  }
  const changeOne = (id: number, changed: Partial<Condition>) =>
    change({ conditions: draft.value.conditions.map((one) => (one.id === id ? { ...one, ...changed } : one)) })
  const add = () => {
    const id = 1 + Math.max(0, ...draft.value.conditions.map((one) => one.id))
    const fresh: Condition = { id, field: 'category', op: 'Eq', value: '', join: 'And' }
    change({ conditions: [...draft.value.conditions, fresh] })
  }

  const wanted = useComputed(() => completeOf(draft.value))
  const { result, problem } = useSearch(pause, () => {
    const [complete, as] = [wanted.value, user.value]
    return () => search(complete, as, app_id)
  })
  const { scopeKey, scopeValue, conditions } = draft.value
  const scopeLack = scopeLackOf(draft.value)
  const json = JSON.stringify(bodyOf(wanted.value), null, 2)
  return (
    <div class="page discover">
      <div class="tools heading">
        <h2>Discover</h2>
        <WhoSees
          label="As"
          user={user.value}
          choose={(id) => {
            user.value = id
          }}
        />
      </div>
      <div class="builder">
        <div class="left">
          <section aria-label="Conditions">
            <div class="condition">
              <label>
                Scope
                <select
                  value={scopeKey}
                  onChange={({ currentTarget }) =>
                    change({ scopeKey: currentTarget.value, scopeValue: scopeValue || currentUser })
                  }
                >
                  <option value="">all that the user may see</option>
                  {scopes.map((one) => (
                    <option key={one} value={one}>
                      {one}
                    </option>
                  ))}
                </select>
              </label>
              {scopeKey !== '' && (
                <label>
                  is one of
                  <input
                    value={scopeValue}
                    placeholder="up to 5, with commas between them"
                    onInput={({ currentTarget }) => change({ scopeValue: currentTarget.value })}
                  />
                </label>
              )}
              {scopeLack !== undefined && <span class="lack">{scopeLack}</span>}
            </div>
            {conditions.map((condition, index) => (
              <ConditionRow
                key={condition.id}
                condition={condition}
                isLast={index === conditions.length - 1}
                hits={result.value?.hits.get(condition.id)}
                change={(changed) => changeOne(condition.id, changed)}
                remove={() => change({ conditions: conditions.filter(({ id }) => id !== condition.id) })}
              />
            ))}
            <button type="button" onClick={add}>
              Add a condition
            </button>
            <datalist id="search-fields">
              {[...fields, 'private.'].map((one) => (
                <option key={one} value={one} />
              ))}
            </datalist>
          </section>
          {problem.value !== undefined && <Problem>{problem.value}</Problem>}
          {result.value && problem.value === undefined && (
            <Results result={result.value} user={user.value} hasConditions={wanted.value.conditions.length > 0} />
          )}
        </div>
        <section aria-label="Query">
          <ScrolledText text={json} />
          <Commands user={user.value} label="Copy the command" lines={(words) => [commandOf(wanted.value, words)]}>
            <CopyButton label="Copy the JSON" text={() => json} />
          </Commands>
        </section>
      </div>
    </div>
  )
}

async function search(draft: Draft, user: string, appId: string): Promise<Result> {
  const { client } = apiAs(user, appId)
  const count = async (body: ReturnType<typeof bodyOf>) =>
    Number((await client.discover({ body: { ...body, return: { type: 'count' } } })).count)
  const body = bodyOf(draft)
  const { results, ...designs } = await client.discover({ body: { ...body, limit: shownAtOnce } })
  const total = results.length < shownAtOnce ? results.length : await count(body)
  const found = foundIn({ ...designs, vatoms: results })
  const hits = await Promise.all(
    draft.conditions.map(async (condition) => [condition.id, await count(bodyOfOne(condition))] as const),
  )
  return { total, found, hits: new Map(hits) }
}

interface ConditionRowProps {
  readonly condition: Condition
  readonly isLast: boolean
  /** How many vAtoms fit it alone. */
  readonly hits: number | undefined
  readonly change: (changed: Partial<Condition>) => void
  readonly remove: () => void
}

const ConditionRow = ({ condition, isLast, hits, change, remove }: ConditionRowProps) => {
  const lack = lackOf(condition)
  return (
    <fieldset class="condition">
      <legend>Condition</legend>
      <input
        aria-label="Field"
        list="search-fields"
        value={condition.field}
        onInput={({ currentTarget }) => change({ field: currentTarget.value })}
      />
      <select
        aria-label="Comparison"
        value={condition.op}
        onChange={({ currentTarget }) => change({ op: opNamed(currentTarget.value) })}
      >
        {filterOps.map((op) => (
          <option key={op} value={op}>
            {signs[op]} {op}
          </option>
        ))}
      </select>
      <input
        aria-label="Value"
        value={condition.value}
        placeholder={condition.op === 'Match' ? 'a text; * is any text' : 'a value'}
        onInput={({ currentTarget }) => change({ value: currentTarget.value })}
      />
      {!isLast && (
        <select
          aria-label="Joined to the next by"
          value={condition.join}
          onChange={({ currentTarget }) => change({ join: joinNamed(currentTarget.value) })}
        >
          {boolOps.map((op) => (
            <option key={op} value={op}>
              {op}
            </option>
          ))}
        </select>
      )}
      {lack === undefined ? (
        <span class="muted">{hits === undefined ? '' : `alone: ${hits}`}</span>
      ) : (
        <span class="lack">{lack}</span>
      )}
      <button type="button" onClick={remove}>
        Remove
      </button>
    </fieldset>
  )
}

const joinNamed = (name: string): BoolOp => boolOps.find((op) => op === name) ?? 'And'

interface ResultsProps {
  readonly result: Result
  readonly user: string
  readonly hasConditions: boolean
}

const Results = ({ result: { total, found }, user, hasConditions }: ResultsProps) => (
  <section aria-label="Found">
    <p class="count" role="status">
      {total} found{total > found.length ? `, the newest ${found.length} are shown` : ''}
    </p>
    <ul class="found">
      {found.map((one) => (
        <li key={one.id}>
          <a class="tile" href={linkTo('users', user, 'vatom', one.id)}>
            <span class="icon">
              <Face vatom={one.vatom} faces={one.faces} viewMode="icon" />
            </span>
            <span class="title">{titleOf(one)}</span>
          </a>
        </li>
      ))}
    </ul>
    {total === 0 && (
      <p class="muted">
        {hasConditions
          ? 'Nothing fits. The numbers beside the conditions say how many vAtoms fit each of them alone.'
          : 'This user sees no vAtoms in this scope. Choose another user or scope, or emit some.'}
      </p>
    )}
  </section>
)
