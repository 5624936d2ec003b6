import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Desk } from './vatom.ts'

/** Runs git in a folder of the home, without the settings of whoever runs the tests. */
export const gitIn = ({ home }: Pick<Desk, 'home'>, folder: string) => {
  const settings = ['user.email=a@example.com', 'user.name=a', 'protocol.file.allow=always', 'init.defaultBranch=main']
  const env = { ...process.env, HOME: home, GIT_CONFIG_NOSYSTEM: '1' }
  return (...words: string[]): void => {
    mkdirSync(join(home, folder), { recursive: true })
    const args = [...settings.flatMap((one) => ['-c', one]), ...words]
    execFileSync('git', args, { cwd: join(home, folder), env, stdio: 'ignore' })
  }
}
