import { nounCommand } from '../../noun.ts'

/** Files that resources refer to. */
export const command = nounCommand({
  name: 'asset',
  description: 'Assets are files on the service, such as images and 3D models, that resources of templates refer to.',
  examples: ['vatom asset upload card.png', 'vatom asset list'],
  verbs: {
    upload: async () => (await import('./upload.ts')).uploadCommand,
    list: async () => (await import('./list.ts')).listCommand,
    delete: async () => (await import('./delete.ts')).deleteCommand,
  },
})
