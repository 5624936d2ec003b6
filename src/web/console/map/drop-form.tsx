import { type Signal, useSignal } from '@preact/signals'
import { perform } from '../service/perform.ts'
import { Commands } from '../shell/commands.tsx'
import { Outcome, Problem } from '../shell/problem.tsx'
import { useAttempt } from '../shell/use-attempt.ts'
import { useSearch } from '../shell/use-search.ts'
import { titleOf } from '../vatom/found.ts'
import { droppable, lookedThrough, pause } from './on-map.ts'
import type { Place } from './view.ts'

interface DropFormProps {
  readonly user: string
  readonly place: Signal<Place | undefined>
  /** The vAtoms are loaded again when it changes. */
  readonly turn: Signal<number>
  /** Called when one was dropped. */
  readonly dropped: () => void
}

/** Drops a vAtom of a user at a place, which is chosen on the map or given in degrees. */
export function DropForm({ user, place, turn, dropped }: DropFormProps) {
  const { result, problem } = useSearch(pause, () => {
    void turn.value
    return () => droppable(user)
  })
  const chosen = useSignal<string | undefined>(undefined)
  const drop = useAttempt()
  const mine = result.value ?? []
  const dropping = mine.find(({ found }) => found.id === chosen.value) ?? mine[0]
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (!dropping || !(event.currentTarget instanceof HTMLFormElement)) return
    const given = new FormData(event.currentTarget)
    const [lat, lon] = [Number(given.get('lat')), Number(given.get('lon'))]
    void drop.attempt(async () => {
      const { found, action } = dropping
      await perform(user, action, found.id, { 'geo.pos': { lat, lon } })
      dropped()
      return `Dropped: ${titleOf(found)}`
    })
  }
  return (
    <form class="action drop" aria-label="Drop a vAtom" onSubmit={submit}>
      <h3>Drop a vAtom</h3>
      {result.value && mine.length === 0 ? (
        <>
          <p class="muted">
            This user has no vAtom to drop: one of a template with the action Drop, among the newest {lookedThrough}{' '}
            outside of folders. Such an action in a file:
          </p>
          <pre>{'name: TEMPLATE::Action::Drop\nreactor: blockv://v1/Drop'}</pre>
          <Commands lines={({ vatom, here }) => [`${vatom} action register drop.yaml ${here}`]} />
        </>
      ) : (
        <>
          <label>
            <span>vAtom</span>
            <select
              value={dropping?.found.id}
              onChange={({ currentTarget }) => {
                chosen.value = currentTarget.value
              }}
            >
              {mine.map(({ found }) => (
                <option key={found.id} value={found.id}>
                  {titleOf(found)} {found.id.slice(0, 8)}
                </option>
              ))}
            </select>
          </label>
          <div class="coordinates">
            <Degrees name="lat" label="Degrees north" most={90} place={place.value} />
            <Degrees name="lon" label="Degrees east" most={180} place={place.value} />
          </div>
          <button type="submit" disabled={drop.isBusy.value || !dropping}>
            Drop it there
          </button>
        </>
      )}
      <Outcome of={drop} />
      {problem.value !== undefined && <Problem>{problem.value}</Problem>}
    </form>
  )
}

interface DegreesProps {
  readonly name: 'lat' | 'lon'
  readonly label: string
  readonly most: number
  readonly place: Place | undefined
}

const Degrees = ({ name, label, most, place }: DegreesProps) => (
  <label>
    <span>{label}</span>
    <input
      name={name}
      type="number"
      step="any"
      min={-most}
      max={most}
      required
      defaultValue={place?.[name].toFixed(5)}
      key={place?.[name]}
    />
  </label>
)
