import type { Command } from 'commander'
import type { Client } from '../../../client/client.ts'
import { variation } from '../../../contract/kinds/variation.ts'
import type { Context } from '../../context.ts'
import { updateCommandFor } from '../../kinds/update.ts'
import { writes } from '../../kinds/writes.ts'

export const updateCommand = (context: Context): Command =>
  updateCommandFor(
    {
      noun: 'variation',
      make: 'variation create',
      list: 'variation list',
      compare: async (client, { name, value }) => {
        const record = await client.getVariation({ name })
        return variation.changes(value, record, await templateEth(client, record.properties.template, value))
      },
      update: writes.variation.update,
    },
    'coffee.variation.yaml',
    context,
  )

/** The section that the variation's own stands over; read only where there is one. */
const templateEth = async (client: Client, name: string, { eth }: Readonly<Record<string, unknown>>) =>
  eth === undefined ? undefined : (await client.getTemplate({ name })).properties.eth
