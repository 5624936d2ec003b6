import { type Signal, useSignal } from '@preact/signals'
import { at, isObject } from '../../../contract/schema/path.ts'
import { parseJson } from '../../../contract/unknown-values.ts'
import { isWebFace } from '../../faces/plan-face.ts'
import { nameOf } from '../service/people.ts'
import { Check } from '../shell/check.tsx'
import type { Found } from './found.ts'
import type { WatchedVatom } from './watched-vatom.ts'

/** What a web face asks of its viewer, in each version of the bridge: the action, and its inputs. */
const asking: Readonly<Record<string, readonly [action: string, inputs: string]>> = {
  'vatom.performAction': ['actionName', 'actionData'],
  'core.action.perform': ['action_name', 'payload'],
}

/** What web faces of a page may do, and have asked for. */
export interface WebFaceActions {
  readonly isAllowed: Signal<boolean>
  /** The latest action that was asked for, and what came of it. */
  readonly said: Signal<string | undefined>
  /** Answers a message of a face; undefined for what is not answered. */
  readonly onMessage: (name: string, payload: unknown) => unknown
}

/** Has the web faces of a vAtom perform its actions as the user of the page, once that is allowed. */
export function useWebFaceActions(vatom: WatchedVatom, id: string): WebFaceActions {
  const isAllowed = useSignal(false)
  const said = useSignal<string | undefined>(undefined)
  const onMessage = async (name: string, payload: unknown): Promise<unknown> => {
    const keys = Object.hasOwn(asking, name) ? asking[name] : undefined
    if (!keys) return undefined
    const [action, inputs] = [String(at(payload, keys[0])), at(payload, keys[1])]
    if (at(inputs, 'this.id') !== id) throw new Error('a face acts only on its own vAtom')
    if (!isAllowed.value) {
      said.value = `A web face asked for ${action}, and was refused: allow it first.`
      throw new Error('the console does not let web faces act')
    }
    try {
      const output = parseJson(await vatom.act(action, isObject(inputs) ? inputs : {}))
      said.value = `Performed for a web face: ${action}`
      return output ?? {}
    } catch (error) {
      said.value = `A web face asked for ${action}, which was refused.`
      throw error
    }
  }
  return { isAllowed, said, onMessage }
}

interface WebFaceNoteProps {
  readonly found: Found
  readonly user: string
  readonly actions: WebFaceActions
}

/** Lets web faces act as the user of the page, and says what they asked for. */
export const WebFaceNote = ({ found, user, actions: { isAllowed, said } }: WebFaceNoteProps) =>
  found.faces.some(isWebFace) ? (
    <div class="tools">
      <Check
        label={`Web faces may act as ${nameOf(user)}`}
        checked={isAllowed.value}
        set={(to) => {
          isAllowed.value = to
          said.value = undefined
        }}
      />
      {said.value !== undefined && (
        <span class="notice" role="status">
          {said.value}
        </span>
      )}
    </div>
  ) : null
