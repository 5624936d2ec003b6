import { createRequire } from 'node:module'
import { startService } from '../bench/vatom.mjs'

const { DatabaseSync } = createRequire(import.meta.url)('@photostructure/sqlite')

/** Serves a database; calls are not limited. */
export const serve = (db, args = []) =>
  startService(['--db', db, '--calls-per-minute', '0', ...args], { HOME: `${db}.home` })

/** Serves a database in memory; calls are not limited. */
export const serveInMemory = (args = []) => startService(['--memory', '--calls-per-minute', '0', ...args])

/** Sends a request and resolves with its status and body; a body that is no JSON is a text. */
export async function ask({ base_url, app_id }, method, route, { token, body, headers } = {}) {
  const answer = await fetch(base_url + route, {
    method,
    headers: { 'App-Id': app_id, ...(token && { Authorization: `Bearer ${token}` }), ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, body: text.startsWith('{') ? JSON.parse(text) : text }
}

/** Calls with a token that resolve with the payload of an answer; a refusal is thrown. */
export const callerOf = (ready, token) => async (method, route, body) => {
  const answer = await ask(ready, method, route, { token, body })
  if (answer.status === 200) return answer.body.payload
  throw new Error(`${method} ${route}: ${answer.status} ${JSON.stringify(answer.body)}`)
}

/** Signs the seeded publisher in: the session, whose refresh token is valid on every service of the database. */
export async function sessionOf(ready) {
  const { email, password } = ready.publisher
  const login = { token: email, token_type: 'email', auth_data: { password } }
  return (await ask(ready, 'POST', '/v1/user/login', { body: login })).body.payload
}

/** A fresh access token of a session. */
export async function freshToken(ready, session) {
  const headers = { Authentication: session.refresh_token.token }
  return (await ask(ready, 'POST', '/v1/access_token', { headers })).body.payload.access_token
}

/** What a database file holds, read without the service; what a killed process left in its log is read, too. */
export function inspect(file, read) {
  const db = new DatabaseSync(file)
  try {
    return read(db)
  } finally {
    db.close()
  }
}

/** What SQLite finds wrong with a database file: nothing is `ok`. */
export const integrityOf = (file) => inspect(file, (db) => db.prepare('PRAGMA integrity_check').get().integrity_check)

/** The names that are in a column of a table. */
export const namesIn = (file, table, column) =>
  inspect(
    file,
    (db) =>
      new Set(
        db
          .prepare(`SELECT ${column} AS name FROM ${table}`)
          .all()
          .map(({ name }) => name),
      ),
  )
