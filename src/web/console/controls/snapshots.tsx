import { useSignal } from '@preact/signals'
import { snapshotName, snapshotNameRule } from '../../../contract/values.ts'
import { local } from '../service/local.ts'
import { Loaded, useLoading } from '../shell/loaded.tsx'
import { Problem, sentenceOf } from '../shell/problem.tsx'
import { RecordsTable } from '../shell/records-table.tsx'

interface Snapshot {
  readonly name: string
  readonly when_saved: string
}

const path = (name: string) => `/__vatom/snapshots/${encodeURIComponent(name)}`

/** Copies of the data of a temporary service, and its return to the start. */
export function Snapshots() {
  const loading = useLoading(() => local<Snapshot[]>('GET', '/__vatom/snapshots'))
  const said = useSignal<string | undefined>(undefined)
  const problem = useSignal<string | undefined>(undefined)
  const attempt = (work: Promise<unknown>, done: string) => {
    said.value = undefined
    problem.value = undefined
    work.then(
      () => {
        said.value = done
        loading.reload()
      },
      (error: unknown) => {
        problem.value = sentenceOf(error)
      },
    )
  }
  const save = (event: SubmitEvent) => {
    event.preventDefault()
    if (!(event.currentTarget instanceof HTMLFormElement)) return
    const name = String(new FormData(event.currentTarget).get('name'))
    if (snapshotName.test(name)) attempt(local('PUT', path(name)), `Saved as ${name}.`)
    else problem.value = snapshotNameRule
  }
  const load = (name: string) => {
    if (confirm(`Replace all data by ${name}?`))
      attempt(local('PUT', '/__vatom/data', { snapshot: name }), `The data is that of ${name}.`)
  }
  const reset = () => {
    if (confirm('Return to the state at the start? All data that came since is deleted.'))
      attempt(local('POST', '/__vatom/reset'), 'The service is as it was at its start.')
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
      {said.value !== undefined && <p role="status">{said.value}</p>}
      {problem.value !== undefined && <Problem>{problem.value}</Problem>}
      <Loaded loading={loading}>
        {(snapshots) =>
          snapshots.length > 0 && (
            <RecordsTable
              label="Snapshots"
              records={snapshots}
              keyOf={({ name }) => name}
              columns={[
                ['Snapshot', ({ name }) => name],
                ['Saved', ({ when_saved }) => when_saved],
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
