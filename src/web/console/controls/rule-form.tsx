import { useSignal } from '@preact/signals'
import { Choice } from '../shell/choice.tsx'

type Target = 'requests' | 'messages'

/** What a rule does, as the rules of a scenario say it. */
const effects: Readonly<Record<Target, readonly (readonly [text: string, effect: object])[]>> = {
  requests: [
    ['answer 503', { status: 503 }],
    ['answer 429, to try again in 5 s', { status: 429, retry_after: 5 }],
    ['answer 500', { status: 500 }],
    ['answer 401', { status: 401 }],
    ['delay by 2 s', { latency_ms: 2000 }],
    ['drop the connection', { drop: true }],
  ],
  messages: [
    ['leave out', { omit: true }],
    ['delay by 2 s', { latency_ms: 2000 }],
    ['send what is not JSON', { message: 'not JSON' }],
    ['close the WebSocket with 1011', { close: 1011 }],
    ['drop the connection', { drop: true }],
  ],
}

/** The kinds of messages on WebSockets; `*` stands for any. */
const kinds = ['*', 'inventory', 'state_update', 'my_events', 'map', 'info'] as const

/** Makes a rule of a scenario by choice, for requests or for messages on WebSockets. */
export function RuleForm({ add }: { readonly add: (rule: object) => void }) {
  const target = useSignal<Target>('requests')
  const kind = useSignal<(typeof kinds)[number]>('inventory')
  const effect = useSignal('0')
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (!(event.currentTarget instanceof HTMLFormElement)) return
    const form = new FormData(event.currentTarget)
    const times = Number(form.get('times'))
    const [, what] = effects[target.value][Number(effect.value)] ?? []
    const match = target.value === 'requests' ? { path: String(form.get('path')) } : { event: kind.value }
    // biome-ignore lint/suspicious/noThenProperty: the word of the format; no promise is made of it
    if (what) add({ match, ...(times > 0 && { times }), then: what })
  }
  return (
    <form class="tools" aria-label="Rule" onSubmit={submit}>
      <Choice
        label="Applies to"
        value={target.value}
        options={[
          ['requests', 'requests'],
          ['messages', 'messages on WebSockets'],
        ]}
        set={(to) => {
          target.value = to
          effect.value = '0'
        }}
      />
      {target.value === 'requests' ? (
        <label class="check">
          Path
          <input
            name="path"
            required
            pattern="[\/*].*"
            title="begins with / or *"
            defaultValue="/v1/*"
            spellcheck={false}
          />
        </label>
      ) : (
        <Choice
          label="Kind"
          value={kind.value}
          options={kinds.map((one) => [one, one === '*' ? 'any' : one] as const)}
          set={(to) => {
            kind.value = to
          }}
        />
      )}
      <Choice
        label="Does"
        value={effect.value}
        options={effects[target.value].map(([text], index) => [String(index), text] as const)}
        set={(to) => {
          effect.value = to
        }}
      />
      <label class="check">
        Times
        <input name="times" type="number" min={1} max={1_000_000} placeholder="always" />
      </label>
      <button type="submit">Add the rule</button>
    </form>
  )
}
