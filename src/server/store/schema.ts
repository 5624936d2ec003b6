/** What the steps of the migrations lead to, for new databases; a test writes it with UPDATE=1. */
export const schema = `
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
, avatar TEXT, deleted INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE TABLE user_tokens (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users ON DELETE CASCADE,
  token_type TEXT NOT NULL,
  token TEXT NOT NULL,
  confirmed INTEGER NOT NULL,
  is_default INTEGER NOT NULL,
  when_created TEXT NOT NULL, when_modified TEXT NOT NULL DEFAULT '', claimed INTEGER NOT NULL DEFAULT 1,
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
  eth TEXT,
  created_by TEXT NOT NULL,
  when_created TEXT NOT NULL,
  modified_by TEXT NOT NULL,
  when_modified TEXT NOT NULL
, eos TEXT) STRICT;
CREATE TABLE variations (
  name TEXT PRIMARY KEY,
  template TEXT NOT NULL REFERENCES templates,
  publisher_fqdn TEXT NOT NULL,
  unpublished INTEGER NOT NULL,
  public INTEGER NOT NULL,
  auto_create_on_acquire INTEGER NOT NULL,
  overrides TEXT NOT NULL,
  resolved TEXT NOT NULL,
  created_by TEXT NOT NULL,
  when_created TEXT NOT NULL,
  modified_by TEXT NOT NULL,
  when_modified TEXT NOT NULL
, cloning_gain REAL NOT NULL DEFAULT 0.25, max_clones INTEGER, num_clones INTEGER NOT NULL DEFAULT 0) STRICT;
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
, redeemed INTEGER) STRICT;
CREATE INDEX vatoms_by_owner ON vatoms (owner, created, seq, category);
CREATE INDEX vatoms_public ON vatoms (created, seq, category, owner) WHERE public = 1;
CREATE INDEX vatoms_by_template ON vatoms (template, created);
CREATE INDEX vatoms_by_variation ON vatoms (template_variation, created);
CREATE INDEX vatoms_by_publisher ON vatoms (publisher_fqdn, created);
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
CREATE TABLE outbox (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  recipient TEXT NOT NULL,
  token_type TEXT NOT NULL,
  kind TEXT NOT NULL,
  code TEXT NOT NULL,
  when_sent TEXT NOT NULL
) STRICT;
CREATE INDEX vatoms_public_by_template ON vatoms (template) WHERE public = 1;
CREATE TABLE catalog_labels (
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  publisher_fqdn TEXT NOT NULL,
  catalog TEXT NOT NULL, revision TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (kind, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX catalog_labels_by_publisher ON catalog_labels (publisher_fqdn, kind, key);
CREATE TRIGGER label_of_template_goes_with_it AFTER DELETE ON templates
  BEGIN DELETE FROM catalog_labels WHERE kind = 'template' AND key = OLD.name; END;
CREATE TRIGGER label_of_variation_goes_with_it AFTER DELETE ON variations
  BEGIN DELETE FROM catalog_labels WHERE kind = 'variation' AND key = OLD.name; END;
CREATE TRIGGER label_of_face_goes_with_it AFTER DELETE ON faces
  BEGIN DELETE FROM catalog_labels WHERE kind = 'face' AND key = OLD.id; END;
CREATE TRIGGER label_of_action_goes_with_it AFTER DELETE ON actions
  BEGIN DELETE FROM catalog_labels WHERE kind = 'action' AND key = OLD.name; END;
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
CREATE INDEX vatoms_redeemed ON vatoms (template_variation, redeemed) WHERE redeemed IS NOT NULL;
CREATE INDEX templates_by_publisher ON templates (publisher_fqdn, name);
CREATE INDEX templates_public ON templates (name, publisher_fqdn) WHERE public = 1 AND unpublished = 0;
CREATE INDEX variations_by_publisher ON variations (publisher_fqdn, name);
CREATE INDEX variations_public ON variations (name, publisher_fqdn) WHERE public = 1 AND unpublished = 0;
CREATE INDEX variations_by_template ON variations (template, name, publisher_fqdn, public, unpublished);
CREATE INDEX users_by_age ON users (seeded, when_created);
CREATE INDEX vatoms_by_parent ON vatoms (parent_id, created, seq, owner, public);
CREATE INDEX vatoms_in_folders ON vatoms (parent_id, template_variation) WHERE parent_id <> '.';
CREATE INDEX users_deleted ON users (id) WHERE deleted = 1;
CREATE TABLE heirs (
  user_id TEXT NOT NULL REFERENCES users ON DELETE CASCADE,
  token_type TEXT NOT NULL,
  token TEXT NOT NULL,
  heir TEXT NOT NULL,
  PRIMARY KEY (user_id, token_type, token)
) STRICT, WITHOUT ROWID;
CREATE INDEX held_vatoms_by_address ON held_vatoms (user_id, token_type, token);
CREATE TABLE codes (
  token_id TEXT NOT NULL REFERENCES user_tokens ON DELETE CASCADE,
  kind TEXT NOT NULL,
  code TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (token_id, kind, code)
) STRICT, WITHOUT ROWID;
CREATE INDEX outbox_by_recipient ON outbox (recipient);
CREATE INDEX actions_by_reactor ON actions (json ->> '$.properties.reactor', name);
CREATE TABLE limited_actions (
  seq INTEGER PRIMARY KEY,
  action TEXT UNIQUE REFERENCES actions (name) ON DELETE SET NULL
) STRICT;
CREATE TABLE action_runs (
  limited INTEGER NOT NULL REFERENCES limited_actions ON DELETE CASCADE,
  user_id TEXT NOT NULL REFERENCES users ON DELETE CASCADE,
  count INTEGER NOT NULL,
  PRIMARY KEY (limited, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX action_runs_by_user ON action_runs (user_id);
CREATE INDEX users_of_publishers ON users (pub_fqdn) WHERE pub_fqdn <> '' AND deleted = 0;
CREATE INDEX vatoms_of_variations ON vatoms (owner, template_variation);
CREATE TABLE variation_children (
  child TEXT NOT NULL,
  unpublished INTEGER NOT NULL,
  template TEXT NOT NULL,
  parent TEXT NOT NULL REFERENCES variations ON DELETE CASCADE,
  PRIMARY KEY (child, unpublished, template, parent)
) STRICT, WITHOUT ROWID;
CREATE INDEX variation_children_by_parent ON variation_children (parent);
CREATE TRIGGER new_variation_names_children AFTER INSERT ON variations
  BEGIN INSERT OR IGNORE INTO variation_children (child, parent, unpublished, template)
  SELECT entry.value ->> '$.template_variation', name, unpublished, template
  FROM variations, json_each(resolved, '$."vAtom::vAtomType".child_policy') AS entry
  WHERE name = NEW.name AND entry.type = 'object'
    AND resolved ->> '$."vAtom::vAtomType".root_type' = 'vAtom::vAtomType::DefinedFolderContainerType'; END;
CREATE TRIGGER changed_variation_names_children AFTER UPDATE OF resolved, unpublished ON variations
  WHEN OLD.resolved <> NEW.resolved OR OLD.unpublished <> NEW.unpublished
  BEGIN DELETE FROM variation_children WHERE parent = NEW.name;
    INSERT OR IGNORE INTO variation_children (child, parent, unpublished, template)
  SELECT entry.value ->> '$.template_variation', name, unpublished, template
  FROM variations, json_each(resolved, '$."vAtom::vAtomType".child_policy') AS entry
  WHERE name = NEW.name AND entry.type = 'object'
    AND resolved ->> '$."vAtom::vAtomType".root_type' = 'vAtom::vAtomType::DefinedFolderContainerType'; END;
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
CREATE TABLE login_failures (
  seq INTEGER PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users ON DELETE CASCADE,
  place TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  locked_until INTEGER NOT NULL,
  UNIQUE (user_id, place)
) STRICT;
CREATE INDEX vatoms_long_categories ON vatoms (seq) WHERE octet_length(category) > 1024;
`
