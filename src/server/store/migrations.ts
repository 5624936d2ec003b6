/** One step of the schema; its position in the list is the database's version. */
export interface Migration {
  readonly name: string
  readonly sql: string
}

const meta = `
  created_by TEXT NOT NULL,
  when_created TEXT NOT NULL,
  modified_by TEXT NOT NULL,
  when_modified TEXT NOT NULL`

/** Deletes the label of a record with it, also where it is deleted with its template. */
const labelled = (kind: string, table: string, key: string) => `
CREATE TRIGGER label_of_${kind}_goes_with_it AFTER DELETE ON ${table}
  BEGIN DELETE FROM catalog_labels WHERE kind = '${kind}' AND key = OLD.${key}; END;`

/** Indexes of a list in two parts, a publisher's own records and the public ones, each by name. */
const listed = (table: string) => `
CREATE INDEX ${table}_by_publisher ON ${table} (publisher_fqdn, name);
CREATE INDEX ${table}_public ON ${table} (name, publisher_fqdn) WHERE public = 1 AND unpublished = 0;`

/**
 * Stores what variations name in their child_policy, which only a defined folder has, with more of their columns; an
 * entry without a name is ignored.
 */
const nameChildren = (condition: string, more = '') => `INSERT OR IGNORE INTO variation_children (child, parent${more})
  SELECT entry.value ->> '$.template_variation', name${more}
  FROM variations, json_each(resolved, '$."vAtom::vAtomType".child_policy') AS entry
  WHERE ${condition} AND entry.type = 'object'
    AND resolved ->> '$."vAtom::vAtomType".root_type' = 'vAtom::vAtomType::DefinedFolderContainerType';`

/**
 * The schema, step by step; a released step is never edited.
 * The indexes of vatoms serve a search as two index-ordered branches, one's own and the public ones, newest first:
 * they are read backwards, so that new vAtoms go to their ends.
 */
export const migrations: readonly Migration[] = [
  {
    name: 'users, templates, variations, faces, vatoms',
    sql: `
CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE users (
  id TEXT PRIMARY KEY,
  properties TEXT NOT NULL,
  password TEXT,
  seeded INTEGER NOT NULL,
  pub_fqdn TEXT NOT NULL,
  is_admin INTEGER NOT NULL,
  is_merchant INTEGER NOT NULL,
  activated INTEGER NOT NULL,
  last_login TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  locked_until INTEGER NOT NULL,
  when_created TEXT NOT NULL,
  when_modified TEXT NOT NULL
) STRICT;
CREATE TABLE user_tokens (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users ON DELETE CASCADE,
  token_type TEXT NOT NULL,
  token TEXT NOT NULL,
  confirmed INTEGER NOT NULL,
  is_default INTEGER NOT NULL,
  when_created TEXT NOT NULL,
  UNIQUE (token_type, token)
) STRICT;
CREATE INDEX user_tokens_by_user ON user_tokens (user_id);
CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users ON DELETE CASCADE,
  refresh_hash TEXT NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_by_user ON sessions (user_id, expires_at);
CREATE TABLE templates (
  name TEXT PRIMARY KEY,
  publisher_fqdn TEXT NOT NULL,
  unpublished INTEGER NOT NULL,
  public INTEGER NOT NULL,
  cloneable INTEGER NOT NULL,
  vatom TEXT NOT NULL,
  eth TEXT,${meta}
) STRICT;
CREATE TABLE variations (
  name TEXT PRIMARY KEY,
  template TEXT NOT NULL REFERENCES templates,
  publisher_fqdn TEXT NOT NULL,
  unpublished INTEGER NOT NULL,
  public INTEGER NOT NULL,
  auto_create_on_acquire INTEGER NOT NULL,
  overrides TEXT NOT NULL,
  resolved TEXT NOT NULL,${meta}
) STRICT;
CREATE INDEX variations_by_template ON variations (template);
CREATE TABLE faces (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  template TEXT NOT NULL REFERENCES templates ON DELETE CASCADE,
  json TEXT NOT NULL
) STRICT;
CREATE INDEX faces_by_template ON faces (template, seq);
CREATE TABLE vatoms (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  owner TEXT NOT NULL,
  author TEXT NOT NULL,
  publisher_fqdn TEXT NOT NULL,
  template TEXT NOT NULL,
  template_variation TEXT NOT NULL,
  parent_id TEXT NOT NULL,
  category TEXT NOT NULL,
  visibility_type TEXT NOT NULL,
  in_contract INTEGER NOT NULL,
  acquirable INTEGER NOT NULL,
  public INTEGER NOT NULL,
  created INTEGER NOT NULL,
  json TEXT NOT NULL
) STRICT;
CREATE INDEX vatoms_by_owner ON vatoms (owner, created, seq, category);
CREATE INDEX vatoms_public ON vatoms (created, seq, category, owner) WHERE public = 1;
CREATE INDEX vatoms_by_template ON vatoms (template, created);
CREATE INDEX vatoms_by_variation ON vatoms (template_variation, created);
CREATE INDEX vatoms_by_parent ON vatoms (parent_id, created);
CREATE INDEX vatoms_by_publisher ON vatoms (publisher_fqdn, created);
`,
  },
  {
    name: 'actions and their handlers, assets, clone parameters, the ledger of chain writes',
    sql: `
ALTER TABLE templates ADD COLUMN eos TEXT;
ALTER TABLE variations ADD COLUMN cloning_gain REAL NOT NULL DEFAULT 0.25;
ALTER TABLE variations ADD COLUMN max_clones INTEGER;
ALTER TABLE variations ADD COLUMN num_clones INTEGER NOT NULL DEFAULT 0;
CREATE TABLE actions (
  seq INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  template TEXT NOT NULL REFERENCES templates ON DELETE CASCADE,
  json TEXT NOT NULL
) STRICT;
CREATE INDEX actions_by_template ON actions (template, seq);
CREATE TABLE action_handlers (
  publisher_fqdn TEXT NOT NULL,
  reactor TEXT NOT NULL,
  url TEXT NOT NULL,
  created_by TEXT NOT NULL,
  when_created TEXT NOT NULL,
  PRIMARY KEY (publisher_fqdn, reactor)
) STRICT, WITHOUT ROWID;
CREATE TABLE assets (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  publisher_fqdn TEXT NOT NULL,
  name TEXT NOT NULL,
  content_type TEXT NOT NULL,
  size INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  created_by TEXT NOT NULL,
  when_created TEXT NOT NULL
) STRICT;
CREATE INDEX assets_by_publisher ON assets (publisher_fqdn, seq);
CREATE TABLE ledger (
  seq INTEGER PRIMARY KEY,
  publisher_fqdn TEXT NOT NULL,
  subject TEXT NOT NULL,
  network TEXT NOT NULL,
  symbol TEXT NOT NULL,
  entry TEXT NOT NULL,
  field TEXT,
  type TEXT,
  value TEXT,
  units INTEGER NOT NULL,
  when_written TEXT NOT NULL
) STRICT;
CREATE INDEX ledger_by_publisher ON ledger (publisher_fqdn, units);
CREATE TRIGGER ledger_is_not_changed BEFORE UPDATE ON ledger
  BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER ledger_is_not_shortened BEFORE DELETE ON ledger
  BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
`,
  },
  {
    name: 'events, messages',
    sql: `
CREATE TABLE events (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  msg_type TEXT NOT NULL,
  user_id TEXT NOT NULL,
  lat REAL,
  lon REAL,
  payload TEXT NOT NULL,
  created INTEGER NOT NULL
) STRICT;
CREATE INDEX events_by_age ON events (created);
CREATE TABLE messages (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id TEXT NOT NULL REFERENCES users ON DELETE CASCADE,
  thread TEXT NOT NULL,
  created INTEGER NOT NULL,
  json TEXT NOT NULL
) STRICT;
CREATE INDEX messages_by_thread ON messages (user_id, thread, seq);
CREATE TABLE threads (
  user_id TEXT NOT NULL REFERENCES users ON DELETE CASCADE,
  thread TEXT NOT NULL,
  latest INTEGER NOT NULL,
  PRIMARY KEY (user_id, thread)
) STRICT, WITHOUT ROWID;
CREATE INDEX threads_by_latest ON threads (user_id, latest);
`,
  },
  {
    name: 'positions of dropped vatoms, changes of faces and actions',
    sql: `
CREATE VIRTUAL TABLE positions USING rtree (id, min_lon, max_lon, min_lat, max_lat, +lon REAL, +lat REAL);
CREATE TABLE record_changes (
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  template TEXT NOT NULL REFERENCES templates ON DELETE CASCADE,
  created INTEGER NOT NULL,
  changed INTEGER NOT NULL,
  deleted TEXT,
  PRIMARY KEY (kind, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX record_changes_by_template ON record_changes (template, kind, changed);
INSERT INTO record_changes (kind, key, template, created, changed)
  SELECT 'face', id, template, unixepoch(json_extract(json, '$.meta.when_created')) * 1000,
    unixepoch(json_extract(json, '$.meta.when_modified')) * 1000 FROM faces
  UNION ALL
  SELECT 'action', name, template, unixepoch(json_extract(json, '$.meta.when_created')) * 1000,
    unixepoch(json_extract(json, '$.meta.when_modified')) * 1000 FROM actions;
`,
  },
  {
    name: 'codes of user tokens, the outbox, avatars',
    sql: `
ALTER TABLE users ADD COLUMN avatar TEXT;
ALTER TABLE user_tokens ADD COLUMN when_modified TEXT NOT NULL DEFAULT '';
UPDATE user_tokens SET when_modified = when_created;
CREATE TABLE codes (
  token_id TEXT NOT NULL REFERENCES user_tokens ON DELETE CASCADE,
  kind TEXT NOT NULL,
  code TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  PRIMARY KEY (token_id, kind)
) STRICT, WITHOUT ROWID;
CREATE TABLE outbox (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  recipient TEXT NOT NULL,
  token_type TEXT NOT NULL,
  kind TEXT NOT NULL,
  code TEXT NOT NULL,
  when_sent TEXT NOT NULL
) STRICT;
`,
  },
  {
    name: 'runs of actions',
    sql: `
CREATE TABLE action_runs (
  action TEXT NOT NULL REFERENCES actions (name) ON DELETE CASCADE,
  user_id TEXT NOT NULL REFERENCES users ON DELETE CASCADE,
  count INTEGER NOT NULL,
  PRIMARY KEY (action, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX action_runs_by_user ON action_runs (user_id);
`,
  },
  {
    name: 'tries of codes that outlive them',
    sql: 'ALTER TABLE codes ADD COLUMN counted_since INTEGER NOT NULL DEFAULT 0',
  },
  {
    name: 'whole entries of child policies in vatoms',
    sql: `
UPDATE vatoms SET json = json_set(json, '$."vAtom::vAtomType".child_policy', json((
  SELECT json_group_array(json(json_patch(
    json_object('count', number, 'creation_policy', json_object(
      'auto_create', 'create_new', 'auto_create_count', number, 'auto_create_count_random', json('false'),
      'policy_count_min', 0, 'policy_count_max', number,
      'enforce_policy_count_min', json('false'), 'enforce_policy_count_max', json('false'))),
    entry)))
  FROM (SELECT value AS entry, coalesce(value ->> '$.creation_policy.auto_create_count', value ->> '$.count', 1) AS number
    FROM json_each(vatoms.json, '$."vAtom::vAtomType".child_policy') ORDER BY key))))
  WHERE json_type(json, '$."vAtom::vAtomType".child_policy') = 'array';
`,
  },
  {
    name: 'public vAtoms by template',
    sql: 'CREATE INDEX vatoms_public_by_template ON vatoms (template) WHERE public = 1',
  },
  {
    name: 'labels of catalogs',
    sql: `
CREATE TABLE catalog_labels (
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  publisher_fqdn TEXT NOT NULL,
  catalog TEXT NOT NULL,
  PRIMARY KEY (kind, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX catalog_labels_by_publisher ON catalog_labels (publisher_fqdn, kind, key);
${labelled('template', 'templates', 'name')}
${labelled('variation', 'variations', 'name')}
${labelled('face', 'faces', 'id')}
${labelled('action', 'actions', 'name')}
`,
  },
  {
    name: 'claimed addresses, what is held for them, and wrong codes by address',
    sql: `
ALTER TABLE user_tokens ADD COLUMN claimed INTEGER NOT NULL DEFAULT 1;
CREATE TABLE held_vatoms (
  user_id TEXT NOT NULL REFERENCES users ON DELETE CASCADE,
  vatom_id TEXT NOT NULL,
  token_type TEXT NOT NULL,
  token TEXT NOT NULL,
  PRIMARY KEY (user_id, vatom_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE code_tries (
  token_type TEXT NOT NULL,
  token TEXT NOT NULL,
  wrong INTEGER NOT NULL,
  last INTEGER NOT NULL,
  PRIMARY KEY (token_type, token)
) STRICT, WITHOUT ROWID;
CREATE INDEX code_tries_by_age ON code_tries (last);
ALTER TABLE codes DROP COLUMN attempts;
ALTER TABLE codes DROP COLUMN counted_since;
`,
  },
  {
    name: 'when vAtoms were redeemed',
    sql: `
ALTER TABLE vatoms ADD COLUMN redeemed INTEGER;
CREATE INDEX vatoms_redeemed ON vatoms (template_variation, redeemed) WHERE redeemed IS NOT NULL;
`,
  },
  {
    name: 'variations by those that their child_policy names',
    sql: `
CREATE TABLE variation_children (
  child TEXT NOT NULL,
  parent TEXT NOT NULL REFERENCES variations ON DELETE CASCADE,
  PRIMARY KEY (child, parent)
) STRICT, WITHOUT ROWID;
CREATE INDEX variation_children_by_parent ON variation_children (parent);
CREATE TRIGGER new_variation_names_children AFTER INSERT ON variations
  BEGIN ${nameChildren('name = NEW.name')} END;
CREATE TRIGGER changed_variation_names_children AFTER UPDATE OF resolved ON variations
  WHEN OLD.resolved <> NEW.resolved
  BEGIN DELETE FROM variation_children WHERE parent = NEW.name;
    ${nameChildren('name = NEW.name')} END;
${nameChildren('true')}
`,
  },
  {
    name: 'templates and variations by publisher, and the public ones, by name',
    sql: `${listed('templates')}${listed('variations')}
DROP INDEX variations_by_template;
CREATE INDEX variations_by_template ON variations (template, name, publisher_fqdn, public, unpublished);
`,
  },
  {
    name: 'users in the order of their list',
    sql: 'CREATE INDEX users_by_age ON users (seeded, when_created)',
  },
  {
    name: 'what is in a folder, with who sees it',
    sql: `
DROP INDEX vatoms_by_parent;
CREATE INDEX vatoms_by_parent ON vatoms (parent_id, created, seq, owner, public);
`,
  },
  {
    name: 'how many of a variation are in a folder',
    sql: "CREATE INDEX vatoms_in_folders ON vatoms (parent_id, template_variation) WHERE parent_id <> '.'",
  },
  {
    name: 'users who are deleted in portions, and who gets what is held for their addresses',
    sql: `
ALTER TABLE users ADD COLUMN deleted INTEGER NOT NULL DEFAULT 0;
CREATE INDEX users_deleted ON users (id) WHERE deleted = 1;
CREATE TABLE heirs (
  user_id TEXT NOT NULL REFERENCES users ON DELETE CASCADE,
  token_type TEXT NOT NULL,
  token TEXT NOT NULL,
  heir TEXT NOT NULL,
  PRIMARY KEY (user_id, token_type, token)
) STRICT, WITHOUT ROWID;
CREATE INDEX held_vatoms_by_address ON held_vatoms (user_id, token_type, token);
`,
  },
  {
    name: 'several codes of a kind for a user token',
    sql: `
ALTER TABLE codes RENAME TO single_codes;
CREATE TABLE codes (
  token_id TEXT NOT NULL REFERENCES user_tokens ON DELETE CASCADE,
  kind TEXT NOT NULL,
  code TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (token_id, kind, code)
) STRICT, WITHOUT ROWID;
INSERT INTO codes SELECT token_id, kind, code, expires_at FROM single_codes;
DROP TABLE single_codes;
`,
  },
  {
    name: 'messages by recipient',
    sql: 'CREATE INDEX outbox_by_recipient ON outbox (recipient)',
  },
  {
    name: 'actions by reactor',
    sql: "CREATE INDEX actions_by_reactor ON actions (json ->> '$.properties.reactor', name)",
  },
  {
    name: 'runs by numbers of their actions, which outlast these',
    sql: `
CREATE TABLE limited_actions (
  seq INTEGER PRIMARY KEY,
  action TEXT UNIQUE REFERENCES actions (name) ON DELETE SET NULL
) STRICT;
INSERT INTO limited_actions (action) SELECT DISTINCT action FROM action_runs;
ALTER TABLE action_runs RENAME TO named_runs;
CREATE TABLE action_runs (
  limited INTEGER NOT NULL REFERENCES limited_actions ON DELETE CASCADE,
  user_id TEXT NOT NULL REFERENCES users ON DELETE CASCADE,
  count INTEGER NOT NULL,
  PRIMARY KEY (limited, user_id)
) STRICT, WITHOUT ROWID;
INSERT INTO action_runs SELECT seq, user_id, count FROM named_runs JOIN limited_actions USING (action);
DROP TABLE named_runs;
CREATE INDEX action_runs_by_user ON action_runs (user_id);
`,
  },
  {
    name: 'users of publishers',
    sql: "CREATE INDEX users_of_publishers ON users (pub_fqdn) WHERE pub_fqdn <> '' AND deleted = 0",
  },
  {
    name: 'what a user has, by variation',
    sql: 'CREATE INDEX vatoms_of_variations ON vatoms (owner, template_variation)',
  },
  {
    name: 'published and draft variations apart, and by template, that name one in their child_policy',
    sql: `
DROP TRIGGER new_variation_names_children;
DROP TRIGGER changed_variation_names_children;
DROP INDEX variation_children_by_parent;
ALTER TABLE variation_children RENAME TO named_children;
CREATE TABLE variation_children (
  child TEXT NOT NULL,
  unpublished INTEGER NOT NULL,
  template TEXT NOT NULL,
  parent TEXT NOT NULL REFERENCES variations ON DELETE CASCADE,
  PRIMARY KEY (child, unpublished, template, parent)
) STRICT, WITHOUT ROWID;
INSERT INTO variation_children
  SELECT child, unpublished, template, parent FROM named_children JOIN variations ON name = parent;
DROP TABLE named_children;
CREATE INDEX variation_children_by_parent ON variation_children (parent);
CREATE TRIGGER new_variation_names_children AFTER INSERT ON variations
  BEGIN ${nameChildren('name = NEW.name', ', unpublished, template')} END;
CREATE TRIGGER changed_variation_names_children AFTER UPDATE OF resolved, unpublished ON variations
  WHEN OLD.resolved <> NEW.resolved OR OLD.unpublished <> NEW.unpublished
  BEGIN DELETE FROM variation_children WHERE parent = NEW.name;
    ${nameChildren('name = NEW.name', ', unpublished, template')} END;
`,
  },
  {
    name: 'revisions of labels',
    sql: "ALTER TABLE catalog_labels ADD COLUMN revision TEXT NOT NULL DEFAULT ''",
  },
  {
    name: 'runs of limited actions that are under way',
    sql: `
CREATE TABLE reserved_runs (
  service TEXT NOT NULL,
  number INTEGER NOT NULL,
  limited INTEGER NOT NULL REFERENCES limited_actions ON DELETE CASCADE,
  user_id TEXT NOT NULL REFERENCES users ON DELETE CASCADE,
  until INTEGER NOT NULL,
  PRIMARY KEY (service, number)
) STRICT;
CREATE INDEX reserved_runs_by_user ON reserved_runs (user_id, limited);
CREATE INDEX reserved_runs_by_action ON reserved_runs (limited);
CREATE INDEX reserved_runs_by_end ON reserved_runs (until);
`,
  },
  {
    name: 'wrong passwords for seeded publishers, by place',
    sql: `
CREATE TABLE login_failures (
  seq INTEGER PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users ON DELETE CASCADE,
  place TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  locked_until INTEGER NOT NULL,
  UNIQUE (user_id, place)
) STRICT;
`,
  },
  {
    name: 'long categories',
    sql: 'CREATE INDEX vatoms_long_categories ON vatoms (seq) WHERE octet_length(category) > 1024',
  },
]
