import type { ActivityMessage } from './activity.ts'

/** The action of what users write to each other. */
export const userMessage = 'User Message'

const entities: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' }

/** A message as people read it: of a user as it was written, of the service without the marks around names. */
export const readableText = ({ msg, action_name }: Pick<ActivityMessage, 'msg' | 'action_name'>): string =>
  action_name === userMessage
    ? msg
    : msg.replaceAll(/<\/?b>/g, '').replaceAll(/&(?:amp|lt|gt);/g, (entity) => entities[entity] ?? entity)
