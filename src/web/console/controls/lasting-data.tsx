import { copyOfFile } from '../../../contract/lasting-data.ts'
import { currentSession } from '../service/session.ts'

/** How data that lasts is copied and reset, which this page does not. */
export function LastingData() {
  return (
    <section aria-label="Data">
      <h3>Data</h3>
      <p class="muted">
        {currentSession().data === 'local' ? <OfLocal /> : <OfFile />} With <code>vatom serve --memory</code>, this page
        copies and resets the data.
      </p>
    </section>
  )
}

const OfLocal = () => (
  <>
    The data of this service lasts: it is copied and reset by commands alone,{' '}
    <code>vatom snapshot save NAME --context local</code> and <code>vatom reset --context local</code>.
  </>
)

const OfFile = () => (
  <>
    The data of this service lasts, in the file of <code>--db FILE</code>. To copy or reset it, {copyOfFile}.{' '}
    <code>vatom snapshot save NAME</code> and <code>vatom reset</code> are for other data, that of the{' '}
    <code>local</code> context.
  </>
)
