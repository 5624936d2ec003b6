import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { parse } from 'yaml'
import { loadSource } from '../bench/load-source.mjs'
import { publishExample } from '../bench/publisher.mjs'
import { root, scratchFolder } from '../bench/vatom.mjs'

const { DatabaseSync } = createRequire(import.meta.url)('@photostructure/sqlite')

/** Calls of a user inside this process. */
function callerOf(service, token) {
  const headers = { 'app-id': service.appId, ...(token && { authorization: `Bearer ${token}` }) }
  return async (method, route, body) => {
    const answer = await service.inject({ method, path: route, headers, body: body && JSON.stringify(body) })
    if (answer.status === 200) return JSON.parse(answer.body).payload
    throw new Error(`${method} ${route}: ${answer.body}`)
  }
}

/** Copies a vAtom: half belong to one user, all are public and dropped somewhere; each has five custom properties. */
const crowd = `INSERT INTO vatoms (id, owner, author, publisher_fqdn, template, template_variation, parent_id, category,
    visibility_type, in_contract, acquirable, public, created, json)
  WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
  SELECT 'v' || i, CASE WHEN i % 2 THEN ? ELSE owner END, author, publisher_fqdn, template, template_variation, '.',
    category, 'public', 0, 0, 1, created + i / 50,
    json_set(json, '$.id', 'v' || i, '$.private', json_object('a', 'x' || i, 'b', i, 'c', 'y', 'd', 'z', 'e', i % 7),
      '$."vAtom::vAtomType".dropped', json('true'))
  FROM n, (SELECT * FROM vatoms WHERE id = ?)`

const onMap = `INSERT INTO positions (id, min_lon, max_lon, min_lat, max_lat, lon, lat)
  SELECT seq, lon, lon, lat, lat, lon, lat FROM
    (SELECT seq, (seq * 7919 % 36000) / 100.0 - 180 AS lon, (seq * 104729 % 17000) / 100.0 - 85 AS lat FROM vatoms
      WHERE id GLOB 'v*' AND length(id) < 30)`

/** vAtoms of 60 KB each, of one user, newer than all others. */
const large = `INSERT INTO vatoms (id, owner, author, publisher_fqdn, template, template_variation, parent_id, category,
    visibility_type, in_contract, acquirable, public, created, json)
  WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
  SELECT 'large' || i, ?, author, publisher_fqdn, template, template_variation, '.', 'large', 'owner', 0, 0, 0,
    created + 1000000 + i, json_set(json, '$.id', 'large' || i, '$.private', json_object('a', hex(zeroblob(30000))))
  FROM n, (SELECT * FROM vatoms WHERE id = ?)`

/** vAtoms with a property that has 6,500 properties, of one user, older than all others. */
const wide = `INSERT INTO vatoms (id, owner, author, publisher_fqdn, template, template_variation, parent_id, category,
    visibility_type, in_contract, acquirable, public, created, json)
  WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?),
    k (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM k WHERE i < 6500),
    keys (json) AS MATERIALIZED (SELECT json_group_object('k' || i, 1) FROM k)
  SELECT 'wide' || i, ?, author, publisher_fqdn, template, template_variation, '.', 'wide', 'owner', 0, 0, 0,
    created - 1000000 - i, json_set(vatoms.json, '$.id', 'wide' || i, '$.private', json_object('n', json(keys.json)))
  FROM n, keys, (SELECT * FROM vatoms WHERE id = ?) AS vatoms`

/** vAtoms in a folder, which everybody sees who sees the folder. */
const contents = `INSERT INTO vatoms (id, owner, author, publisher_fqdn, template, template_variation, parent_id, category,
    visibility_type, in_contract, acquirable, public, created, json)
  WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $count)
  SELECT $folder || i, owner, author, publisher_fqdn, template, template_variation, $folder, category, 'container',
    0, 0, 0, created + i / 50, json_set(json, '$.id', $folder || i, '$."vAtom::vAtomType".parent_id', $folder,
      '$."vAtom::vAtomType".visibility.type', 'container')
  FROM n, (SELECT * FROM vatoms WHERE id = $like)`

/** Addresses of one user, of which one is verified, and two others have many vAtoms each that wait for that. */
const addresses = `INSERT INTO user_tokens (id, user_id, token_type, token, confirmed, is_default, when_created, when_modified)
  SELECT column1, user_id, 'email', column1 || '@example.com', 0, 0, when_created, when_modified
  FROM user_tokens, (VALUES ('claimed'), ('holder')) WHERE user_id = $owner`
const verified = "UPDATE user_tokens SET confirmed = 1 WHERE user_id = $owner AND id NOT IN ('claimed', 'holder')"
const held = `INSERT INTO held_vatoms (user_id, vatom_id, token_type, token)
  WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 2 FROM n WHERE i < $count * 0.8)
  SELECT $owner, 'v' || i, 'email', iif(i < $count * 0.4, 'claimed', 'holder') || '@example.com' FROM n`

/** Drafts whose child_policy names another draft. */
const parents = `INSERT INTO variations (name, template, publisher_fqdn, unpublished, public, auto_create_on_acquire,
    overrides, resolved, created_by, when_created, modified_by, when_modified)
  WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $count)
  SELECT name || i, template, publisher_fqdn, 1, 0, 0, overrides, resolved, created_by, when_created, modified_by, when_modified
  FROM n, (SELECT * FROM variations WHERE name = $parent)`

/** Templates: small ones, and before them a thousand that are as large as they may be. */
const templates = `INSERT INTO templates (name, publisher_fqdn, unpublished, public, cloneable, vatom, created_by,
    when_created, modified_by, when_modified)
  WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $count)
  SELECT publisher_fqdn || '::' || iif(i <= 1000, 'A', 'Z') || i, publisher_fqdn, 0, 0, 0,
    iif(i <= 1000, json_set(vatom, '$.private', json_object('a', hex(zeroblob(30000)))), '{}'), created_by,
    when_created, modified_by, when_modified
  FROM n, (SELECT * FROM templates WHERE name = $template)`

/** Faces of the first template that were deleted, each large. */
const deletedFaces = `INSERT INTO record_changes (kind, key, template, created, changed, deleted)
  WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
  SELECT 'face', 'f' || i, $template, i, i, json_object('id', 'f' || i, 'a', hex(zeroblob(30000))) FROM n`

/** Messages of threads of one user, each of which has one. */
const messages = `INSERT INTO messages (user_id, thread, created, json)
  WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $count)
  SELECT $owner, $owner || ':' || iif(i % 2, i, 'x'), i, json_object('user_id', $owner, 'msg', replace(hex(zeroblob(iif(i > $count - 3000, 4096, 20))), '00', '語'))
  FROM n`
const threads = `INSERT OR REPLACE INTO threads (user_id, thread, latest) SELECT user_id, thread, max(seq) FROM messages
  WHERE user_id = $owner GROUP BY thread`

/** Guests, each of whom has run two limited actions once. */
const users = `INSERT INTO users (id, properties, seeded, pub_fqdn, is_admin, is_merchant, activated, last_login, attempts,
    locked_until, when_created, when_modified)
  WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $count)
  SELECT 'u' || i, json_object('guest_id', 'u' || i), 0, '', 0, 0, 0, '', 0, 0, when_created, when_modified
  FROM n, (SELECT * FROM users WHERE seeded = 1)`
const limited = `INSERT INTO limited_actions (action) SELECT name FROM actions WHERE template = $once`
const runs = `INSERT INTO action_runs (limited, user_id, count)
  SELECT seq, users.id, 1 FROM limited_actions, users WHERE users.id GLOB 'u*' AND last_login = ''`

/** Actions of many templates, a hundred of each, all of which one user has run. */
const actions = `INSERT INTO actions (name, template, json)
  WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < $count - 1)
  SELECT name || '::Action::Many' || i, name, '{}'
  FROM n JOIN templates ON name = $fqdn || '::A' || (i / 100 + 1)`
const limitedOfOne = "INSERT INTO limited_actions (action) SELECT name FROM actions WHERE name GLOB '*::Many*'"
const runsOfOne = `INSERT INTO action_runs (limited, user_id, count)
  SELECT seq, $runner, 1 FROM limited_actions WHERE action GLOB '*::Many*'`

const ledger = `INSERT INTO ledger (publisher_fqdn, subject, network, symbol, entry, field, type, value, units, when_written)
  WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $count)
  SELECT 'local.vatom', 'x', 'mainnet', 'S', 'field', 'f', 'string', json_quote(hex(zeroblob(500))), 1, '' FROM n`

/**
 * A database with many vAtoms, some large ones, and a draft with vAtoms and many variations. `attacker` and `other` are
 * users who have registered themselves, `guests` others.
 */
export async function crowdedWorld({ count, largeCount = 1200, variations = 0, guests = 0 }) {
  const db = path.join(scratchFolder(), 'crowded.db')
  const { openService } = await loadSource('src/server/service.ts')
  const service = await openService({ db })
  const publisher = callerOf(service, service.localToken())
  const { template, variation } = await publishExample({ call: publisher })
  const folders = await emptyFolders(publisher, template.replace('Bench', 'Folder'))
  const drop = { name: `${template}::Action::Drop`, reactor: 'blockv://v1/Drop', wait: true }
  await publisher('POST', '/v1/publisher/action', drop)
  const { ids } = await publisher('POST', '/v1/vatoms', { template_variation: variation, num: 1 })
  const newUser = (name) =>
    callerOf(service)('POST', '/v1/users', {
      password: 'a long password',
      user_tokens: [{ token: `${name}@example.com`, token_type: 'email' }],
    })
  const attacker = await newUser('attacker')
  const other = await newUser('other')
  const runner = await newUser('runner')
  const once = await limitedDraft(publisher, template)
  const named = await namedDraft(publisher, template)
  const draft = await draftWith(publisher, template, variations)
  const visitors = []
  for (let made = 0; made < guests; made++) {
    const { properties } = await callerOf(service)('POST', '/v1/user/guest')
    const login = { token: properties.guest_id, token_type: 'guest_id' }
    visitors.push(await callerOf(service)('POST', '/v1/user/login', login))
  }
  await service.close()
  fill(db, {
    count,
    largeCount,
    owner: attacker.user.id,
    like: ids[0],
    template,
    folders,
    named,
    once,
    runner: runner.user.id,
  })
  return { db, template, variation, draft, named, once, folders, attacker, other, runner, guests: visitors }
}

/** A folder for many vAtoms, one for some, and one of a draft, which the publisher owns. */
async function emptyFolders(publisher, template) {
  const type = { root_type: 'vAtom::vAtomType::FolderContainerType', transferable: true }
  await publisher('POST', '/v1/templates', { template, unpublished: false, vatom: { 'vAtom::vAtomType': type } })
  const variation = { template_variation: `${template}::V`, template, unpublished: false }
  await publisher('POST', '/v1/template_variations', variation)
  for (const name of ['Drop', 'Pickup', 'Transfer', 'Uncombine'])
    await publisher('POST', '/v1/publisher/action', {
      name: `${template}::Action::${name}`,
      reactor: `blockv://v1/${name}`,
      wait: true,
    })
  const { ids } = await publisher('POST', '/v1/vatoms', { template_variation: variation.template_variation, num: 2 })
  const draft = `${template}::Draft`
  await publisher('POST', '/v1/template_variations', { template_variation: draft, template })
  const ofDraft = await publisher('POST', '/v1/vatoms', { template_variation: draft, num: 1 })
  return { large: ids[0], small: ids[1], ofDraft: ofDraft.ids[0], draft }
}

/** A draft with two actions that each user may run once. */
async function limitedDraft(publisher, template) {
  const once = template.replace('Bench', 'Once')
  const vatom = { 'vAtom::vAtomType': { root_type: 'vAtom::vAtomType' } }
  await publisher('POST', '/v1/templates', { template: once, vatom })
  for (const name of ['First', 'Second'])
    await publisher('POST', '/v1/publisher/action', {
      name: `${once}::Action::${name}`,
      reactor: 'blockv://v1/Drop',
      limit_per_user: 1,
    })
  return once
}

/** A draft, and another that names it in its child_policy, of a published template. */
async function namedDraft(publisher, template) {
  const child = `${template}::Child`
  const box = template.replace('Bench', 'Box')
  const root_type = 'vAtom::vAtomType::DefinedFolderContainerType'
  const type = { root_type, child_policy: [{ template_variation: child }] }
  await publisher('POST', '/v1/template_variations', { template_variation: child, template })
  await publisher('POST', '/v1/templates', { template: box, unpublished: false, vatom: { 'vAtom::vAtomType': type } })
  await publisher('POST', '/v1/template_variations', { template_variation: `${box}::V`, template: box })
  return { child, parent: `${box}::V` }
}

async function draftWith(publisher, template, variations) {
  if (variations === 0) return undefined
  const draft = template.replace('Bench', 'Draft')
  const example = parse(readFileSync(path.join(root, 'templates-examples/coffee-coupon.yaml'), 'utf8'))
  await publisher('POST', '/v1/templates', { ...example, template: draft })
  for (let made = 0; made < variations; made++)
    await publisher('POST', '/v1/template_variations', { template_variation: `${draft}::V${made}`, template: draft })
  return draft
}

function fill(file, { count, largeCount, owner, like, template, folders, named, once, runner }) {
  const db = new DatabaseSync(file)
  db.exec('PRAGMA synchronous = OFF; BEGIN')
  db.prepare(crowd).run(count, owner, like)
  db.prepare(large).run(largeCount, owner, like)
  db.prepare(wide).run(Math.ceil(largeCount / 12), owner, like)
  db.prepare(contents).run({ count: Math.ceil(count / 2), folder: folders.large, like })
  db.prepare(contents).run({ count: Math.ceil(count / 20), folder: folders.small, like })
  db.prepare(contents).run({ count: Math.ceil(count / 20), folder: folders.ofDraft, like })
  db.prepare(parents).run({ count: Math.ceil(count / 5), parent: named.parent })
  for (const statement of [addresses, verified]) db.prepare(statement).run({ owner })
  db.prepare(held).run({ count, owner })
  db.prepare(templates).run({ count, template })
  db.prepare(deletedFaces).run({ template })
  db.prepare(messages).run({ count, owner })
  db.prepare(threads).run({ owner })
  db.prepare(ledger).run({ count })
  db.prepare(users).run({ count })
  db.prepare(limited).run({ once })
  db.prepare(runs).run()
  db.prepare(actions).run({ count: Math.ceil(count / 2), fqdn: template.split('::')[0] })
  db.prepare(limitedOfOne).run()
  db.prepare(runsOfOne).run({ runner })
  db.exec(`${onMap}; COMMIT; PRAGMA wal_checkpoint(TRUNCATE)`)
  db.close()
}

/** Gives public vAtoms categories of 60 KB, as an earlier version let them be. */
export function lengthenCategories(file, count) {
  const db = new DatabaseSync(file)
  db.prepare(`UPDATE vatoms SET category = hex(zeroblob(30000)),
      json = json_set(json, '$."vAtom::vAtomType".category', hex(zeroblob(30000)))
    WHERE seq IN (SELECT seq FROM vatoms WHERE public = 1 ORDER BY created DESC LIMIT ?)`).run(count)
  db.close()
}
