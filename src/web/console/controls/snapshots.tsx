import { snapshotName, snapshotNameRule } from '../../../contract/values.ts'
import { local } from '../service/local.ts'
import { isConfirmed } from '../shell/confirmed.ts'
import { Loaded, useLoading } from '../shell/loaded.tsx'
import { Outcome } from '../shell/problem.tsx'
import { RecordsTable } from '../shell/records-table.tsx'
import { timeText } from '../shell/time-text.ts'
import { useAttempt } from '../shell/use-attempt.ts'

interface Snapshot {
  readonly name: string
  readonly when_saved: string
}

const path = (name: string) => `/__vatom/snapshots/${encodeURIComponent(name)}`

/** Copies of the data of a temporary service, and its return to the start. */
export function Snapshots() {
  const loading = useLoading(() => local<Snapshot[]>('GET', '/__vatom/snapshots'))
  const change = useAttempt()
  const attempt = (work: () => Promise<unknown>, done: string) =>
    void change.attempt(async () => {
      await work()
      loading.reload()
      return done
    })
  const save = (event: SubmitEvent) => {
    event.preventDefault()
    if (!(event.currentTarget instanceof HTMLFormElement)) return
    const name = String(new FormData(event.currentTarget).get('name'))
    attempt(async () => {
      if (!snapshotName.test(name)) throw new Error(snapshotNameRule)
      await local('PUT', path(name))
    }, `Saved as ${name}.`)
  }
  const load = (name: string) => {
    if (isConfirmed(`Replace all data by ${name}?`))
      attempt(() => local('PUT', '/__vatom/data', { snapshot: name }), `The data is that of ${name}.`)
  }
  const reset = () => {
    if (isConfirmed('Return to the state at the start? All data that came since is deleted.'))
      attempt(() => local('POST', '/__vatom/reset'), 'The service is as it was at its start.')
  }
  return (
    <section aria-label="Data">
      <h3>Data</h3>
      <form class="tools" onSubmit={save}>
        <label class="check">
          Name
          <input name="name" required placeholder="before-sale" />
        </label>
        <button type="submit">Save a snapshot</button>
        <button type="button" onClick={reset}>
          Return to the start
        </button>
      </form>
      <Outcome of={change} />
      <Loaded loading={loading}>
        {(snapshots) =>
          snapshots.length > 0 && (
            <RecordsTable
              label="Snapshots"
              records={snapshots}
              keyOf={({ name }) => name}
              columns={[
                ['Snapshot', ({ name }) => name],
                ['Saved, in UTC', ({ when_saved }) => timeText(when_saved)],
                [
                  'Replace the data',
                  ({ name }) => (
                    <button type="button" onClick={() => load(name)}>
                      Load {name}
                    </button>
                  ),
                ],
              ]}
            />
          )
        }
      </Loaded>
    </section>
  )
}
