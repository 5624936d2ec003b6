import { signal, useComputed, useSignal } from '@preact/signals'
import type { ConsoleRequest } from '../../../contract/console.ts'
import { plural } from '../../../contract/schema/wording.ts'
import { clearRequests, feed, pauseRequests, requests } from '../service/requests.ts'
import { Check } from '../shell/check.tsx'
import { Commands } from '../shell/commands.tsx'
import { FilterBox } from '../shell/filter-box.tsx'
import { Empty } from '../shell/problem.tsx'
import { linkTo, route } from '../shell/route.ts'
import { clockText } from '../shell/time-text.ts'
import { useDetail } from '../shell/use-detail.ts'
import { useNarrow } from '../shell/use-narrow.ts'
import { VirtualList } from '../shell/virtual-list.tsx'
import { type Filter, filtered, isRefused, noFilter, readablePath } from './filter.ts'
import { RequestDetail } from './request-detail.tsx'

/** As it was left: whoever comes back sees the same requests. */
const filter = signal(noFilter)

/** The requests of the service as they come, and one of them in full. */
export function RequestsScreen() {
  const chosen = useSignal<string | undefined>(route.value.query.get('seq') ?? undefined)
  const close = useDetail(chosen)
  const isNarrow = useNarrow()
  const shown = useComputed(() => filtered(requests.value, filter.value))
  const picked = requests.value.find(({ seq }) => String(seq) === chosen.value)
  const set = (changed: Partial<Filter>) => {
    filter.value = { ...filter.value, ...changed }
  }
  return (
    <div class={picked ? 'requests open' : 'requests'}>
      <section class="list-side" aria-label="Requests">
        <div class="tools">
          <h2>Requests</h2>
          <FilterBox
            label="Filter: method, path, operation or status"
            placeholder="Filter: POST templates 4xx"
            value={filter.value.text}
            set={(text) => set({ text })}
          />
          <Check label="Refused only" checked={filter.value.refusedOnly} set={(refusedOnly) => set({ refusedOnly })} />
          <Check label="Those of the console" checked={filter.value.ownToo} set={(ownToo) => set({ ownToo })} />
          <span class="feed" data-state={feed.value} role="status">
            {feed.value === 'lost' ? 'no connection' : feed.value}
          </span>
          <button type="button" onClick={() => pauseRequests(feed.value === 'live')} disabled={feed.value === 'lost'}>
            {feed.value === 'paused' ? 'Go on' : 'Pause'}
          </button>
          <button type="button" onClick={() => void clearRequests()} disabled={requests.value.length === 0}>
            Clear
          </button>
        </div>
        <p class="count">{plural(shown.value.length, 'request')}</p>
        {shown.value.length === 0 ? (
          <NoRequests hasOthers={requests.value.some((request) => filter.value.ownToo || !request.console)} />
        ) : (
          <VirtualList
            label="Requests"
            items={shown.value}
            keyOf={({ seq }) => String(seq)}
            rowHeight={isNarrow.value ? 56 : 36}
            chosen={chosen}
            row={(request) => <Row request={request} />}
          />
        )}
      </section>
      {picked && <RequestDetail key={picked.seq} request={picked} close={close} />}
    </div>
  )
}

const Row = ({ request }: { readonly request: ConsoleRequest }) => {
  const { method, path, operation, status, milliseconds, when, dry_run } = request
  return (
    <div class={isRefused(request) ? 'request refused' : 'request'}>
      <span class="status">{status ?? 'dropped'}</span>
      <span class="method">{method}</span>
      <span class="path">
        {dry_run && <span class="tag">dry run</span>} {readablePath(path)}
      </span>
      <span class="operation">{operation ?? ''}</span>
      <span class="ms">{milliseconds} ms</span>
      <time dateTime={when}>{clockText(when)}</time>
    </div>
  )
}

const NoRequests = ({ hasOthers }: { readonly hasOthers: boolean }) =>
  hasOthers ? (
    <Empty title="No request like this">
      <p>Shorten the filter, or show those that were not refused, and those of the console, too.</p>
    </Empty>
  ) : (
    <Empty title="No requests yet">
      <p>
        Requests that come over the network are listed here, of apps and of commands with <code>--base-url</code>. Those
        of commands on the local context are not: they work on its data in a process of their own. Act on a vAtom of one
        of its <a href={linkTo('users')}>users</a>, or send a request:
      </p>
      <Commands lines={({ vatom, here }) => [`${vatom} api GET v1/user ${here}`]} />
    </Empty>
  )
