import type { Command } from 'commander'
import type { ActionRecord } from '../../../contract/kinds/action-schemas.ts'
import { at } from '../../../contract/schema/path.ts'
import type { Context } from '../../context.ts'
import { listCommandFor } from '../../kinds/of-template.ts'

const property = (name: string) => (action: ActionRecord) => String(at(action, 'properties', name) ?? '')
const yesNo = (name: string) => (action: ActionRecord) => (at(action, 'properties', name) === true ? 'yes' : 'no')

export const listCommand = (context: Context): Command =>
  listCommandFor<ActionRecord>(
    {
      noun: 'action',
      ask: (client, query) => client.listActions({ query }),
      keyOf: ({ name }) => name,
      columns: {
        NAME: ({ name }) => name,
        REACTOR: property('reactor'),
        WAIT: yesNo('wait'),
        GUESTS: yesNo('guest_user'),
        TIMEOUT: property('timeout'),
      },
    },
    context,
  )
