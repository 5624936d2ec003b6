import { at } from '../../../contract/schema/path.ts'
import { local } from '../service/local.ts'
import { ruleText, scenarioPath } from '../service/scenario.ts'
import { useLoading } from '../shell/loaded.tsx'
import { linkTo } from '../shell/route.ts'

/** The rules of the scenario that change messages, where there are any. */
const loadRules = async (): Promise<unknown[]> =>
  (await local<unknown[]>('GET', scenarioPath)).filter(
    (rule) => at(rule, 'match', 'event') !== undefined && at(rule, 'remaining') !== 0,
  )

/** Says that messages may not come as they are sent, and why. */
export function EventRules() {
  const rules = useLoading(loadRules).value.value ?? []
  return rules.length === 0 ? null : (
    <div class="notice event-rules">
      <p>
        The scenario of the service changes messages. To end it: <a href={linkTo('controls')}>Controls</a>
      </p>
      <ul>
        {rules.map((rule) => (
          <li key={JSON.stringify(rule)}>
            <code>{ruleText(rule)}</code>
          </li>
        ))}
      </ul>
    </div>
  )
}
