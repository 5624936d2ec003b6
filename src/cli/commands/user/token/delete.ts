import { seeList } from '../../../failure/hinted.ts'
import { deleteCommandFor } from '../../../kinds/verbs/delete.ts'
import { ownToken } from '../../../service/user-tokens.ts'

export const deleteCommand = deleteCommandFor({
  kind: 'user_token',
  words: 'user token',
  summary: 'delete tokens',
  description: 'Delete some of your tokens. The default one cannot be deleted.',
  key: 'token',
  remove: async (client, token) => client.deleteUserToken({ id: (await ownToken(client, token)).id }),
  hints: () => ({
    unknownUserToken: seeList('user token list'),
    defaultToken: 'make another the default one first: vatom user token default TOKEN',
  }),
})
