import { type Signal, useComputed, useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { plural } from '../../../contract/schema/wording.ts'
import { Check } from '../shell/check.tsx'
import { Choice } from '../shell/choice.tsx'
import { Commands } from '../shell/commands.tsx'
import { CopyButton } from '../shell/copy-button.tsx'
import { Facts } from '../shell/facts.tsx'
import { FilterBox } from '../shell/filter-box.tsx'
import { Empty } from '../shell/problem.tsx'
import { linkTo } from '../shell/route.ts'
import { ScrolledText } from '../shell/scrolled-text.tsx'
import { clockText, timeText } from '../shell/time-text.ts'
import { useDetail } from '../shell/use-detail.ts'
import { useNarrow } from '../shell/use-narrow.ts'
import { VirtualList } from '../shell/virtual-list.tsx'
import { useSeer, WhoSees } from '../vatom/who-sees.tsx'
import { aboutOf, vatomsOf } from './about.ts'
import { EventRules } from './event-rules.tsx'
import { type Feed, type Message, openFeed } from './feed.ts'

/** The messages that a user receives over the WebSocket of the service, as they come. */
export function EventsScreen() {
  const user = useSeer()
  return <UsersEvents key={user.value} user={user} />
}

/** Whether all of these words are in a message. */
function hasWords({ type, payload }: Message, words: readonly string[]): boolean {
  if (words.length === 0) return true
  const text = `${type} ${JSON.stringify(payload)}`.toLowerCase()
  return words.every((word) => text.includes(word))
}

function UsersEvents({ user }: { readonly user: Signal<string> }) {
  const feed = useMemo(() => openFeed(user.value), [])
  useEffect(() => feed.close, [feed])
  const text = useSignal('')
  const type = useSignal('')
  const chosen = useSignal<string | undefined>(undefined)
  const close = useDetail(chosen)
  const isNarrow = useNarrow()
  const types = useComputed(() => [...new Set(feed.messages.value.map((message) => message.type))].sort())
  const shown = useComputed(() => {
    const words = text.value.toLowerCase().split(/\s+/).filter(Boolean)
    return feed.messages.value
      .filter((one) => (type.value === '' || one.type === type.value) && hasWords(one, words))
      .reverse()
  })
  const picked = feed.messages.value.find(({ seq }) => String(seq) === chosen.value)
  return (
    <div class={picked ? 'requests open' : 'requests'}>
      <section class="list-side" aria-label="Events">
        <div class="tools">
          <h2>Events</h2>
          <WhoSees
            label="As"
            user={user.value}
            choose={(id) => {
              user.value = id
            }}
          />
          <FilterBox
            label="Filter: words of a message"
            value={text.value}
            set={(to) => {
              text.value = to
            }}
          />
          <Choice
            label="Type"
            value={type.value}
            options={[['', 'all'], ...types.value.map((one) => [one, one] as const)]}
            set={(to) => {
              type.value = to
            }}
          />
          <FeedTools feed={feed} />
          <EventRules />
        </div>
        <p class="count">{plural(shown.value.length, 'message')}</p>
        {shown.value.length === 0 ? (
          <NoMessages hasOthers={feed.messages.value.length > 0} />
        ) : (
          <VirtualList
            label="Messages"
            items={shown.value}
            keyOf={({ seq }) => String(seq)}
            rowHeight={isNarrow.value ? 56 : 36}
            chosen={chosen}
            row={(message) => <Row message={message} user={user.value} />}
          />
        )}
      </section>
      {picked && <Detail message={picked} user={user.value} close={close} />}
    </div>
  )
}

function FeedTools({ feed: { state, isPaused, pause, watchMap, clear, messages } }: { readonly feed: Feed }) {
  const isMapWatched = useSignal(false)
  const { isOpen, reason } = state.value
  const shown = isOpen ? (isPaused.value ? 'paused' : 'live') : 'lost'
  return (
    <>
      <Check
        label="Events of the whole map"
        checked={isMapWatched.value}
        set={(to) => {
          isMapWatched.value = to
          watchMap(to)
        }}
      />
      <span class="feed" data-state={shown} role="status">
        {shown === 'lost' ? `no connection${reason && `: ${reason}`}` : shown}
      </span>
      <button type="button" onClick={() => pause(!isPaused.value)}>
        {isPaused.value ? 'Go on' : 'Pause'}
      </button>
      <button type="button" onClick={clear} disabled={messages.value.length === 0}>
        Clear
      </button>
    </>
  )
}

interface MessageProps {
  readonly message: Message
  readonly user: string
}

const Row = ({ message, user }: MessageProps) => (
  <div class="event">
    <span class="method">{message.type}</span>
    <span class="path">{aboutOf(message, user)}</span>
    <span class="operation">{vatomsOf(message)[0]?.slice(0, 8)}</span>
    <time dateTime={message.when.toISOString()}>{clockText(message.when)}</time>
  </div>
)

const Detail = ({ message, user, close }: MessageProps & { readonly close: () => void }) => {
  const { type, payload, when } = message
  const json = JSON.stringify({ msg_type: type, payload, user_id: user }, null, 2)
  return (
    <section class="detail" aria-label={type}>
      <div class="tools">
        <h2>{type}</h2>
        <button type="button" onClick={close}>
          Close
        </button>
      </div>
      <Facts
        facts={[
          ['says', aboutOf(message, user)],
          ...vatomsOf(message).map((id) => ['vAtom', <a href={linkTo('users', user, 'vatom', id)}>{id}</a>] as const),
          ['time', `${timeText(when)} UTC, by the clock of this browser`],
        ]}
      />
      <div class="tools">
        <CopyButton label="Copy the JSON" text={() => json} />
      </div>
      <ScrolledText text={json} />
    </section>
  )
}

const NoMessages = ({ hasOthers }: { readonly hasOthers: boolean }) =>
  hasOthers ? (
    <Empty title="No message like this">
      <p>Shorten the filter, or choose all types.</p>
    </Empty>
  ) : (
    <Empty title="No messages yet">
      <p>What this user's apps receive is listed here as it comes. Change one of their vAtoms, or emit some:</p>
      <Commands lines={({ vatom, here }) => [`${vatom} emit VARIATION ${here}`]} />
    </Empty>
  )
