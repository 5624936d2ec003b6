import { expect, test } from 'vitest'
import { isWord } from '../../src/cli/words.ts'
import { template } from '../fixtures/yaml.ts'
import { publisher } from '../support/vatom.ts'

/** Words of other tools, and the command that they are here. */
const same: readonly (readonly [given: string, here: string])[] = [
  ['check --help', 'validate --help'],
  ['lint --help', 'validate --help'],
  ['diff --help', 'plan --help'],
  ['render --help', 'preview --help'],
  ['view --help', 'preview --help'],
  ['open shop --help', 'preview shop --help'],
  ['help deploy', 'help apply'],
  ['push --help', 'apply --help'],
  ['sign-in --help', 'login --help'],
  ['templates list --help', 'template list --help'],
  ['faces register --help', 'face register --help'],
  ['contexts list', 'context list'],
  ['users register', 'user register'],
  ['template ls', 'template list'],
  ['template show local.vatom::Coupon::v1', 'template get local.vatom::Coupon::v1'],
  ['template view local.vatom::Coupon::v1', 'template get local.vatom::Coupon::v1'],
  ['template rm local.vatom::Coupon::v1 --dry-run', 'template delete local.vatom::Coupon::v1 --dry-run'],
  ['variation new --help', 'variation create --help'],
  ['face create --help', 'face register --help'],
  ['action add a.yaml --timeout 5s', 'action register a.yaml --timeout 5s'],
  ['action handler ls', 'action handler list'],
  ['template lint coupon.yaml', 'template validate coupon.yaml'],
  ['template del local.vatom::Coupon::v1 --dry-run', 'template delete local.vatom::Coupon::v1 --dry-run'],
  ['context rm elsewhere', 'context remove elsewhere'],
  ['snapshot ls', 'snapshot list'],
  ['messages list', 'thread list'],
  ['user new --help', 'user register --help'],
  ['user token ls', 'user token list'],
  ['users tokens list', 'user token list'],
  ['action handlers list', 'action handler list'],
  ['ctx list', 'context list'],
  ['profile update --language de --dry-run', 'profile set --language de --dry-run'],
  ['profile edit --help', 'profile set --help'],
  ['version', '--version'],
  ['-v', '--version'],
  ['--json -v', '--json --version'],
]

test.each(same)('%s is %s', async (given, here) => {
  const { file, vatom } = await publisher()
  file('coupon.yaml', template())
  await vatom('template', 'create', 'coupon.yaml')
  const expected = await vatom(...here.split(' '))
  expect(await vatom(...given.split(' '))).toEqual(expected)
  expect(expected.err).not.toContain('unknown command')
})

const deleting =
  'one of: vatom template delete x, vatom variation delete x, vatom face delete x, vatom action delete x; for a vAtom: vatom trash x'

/** Words that can mean several of our commands, or that need other arguments, and the whole hint. */
const hints: readonly (readonly [given: string, hint: string])[] = [
  ['delete x', deleting],
  ['ci', 'run: vatom help pipelines'],
  ['help ci', 'run: vatom help pipelines'],
  ['rm template x', 'run: vatom template delete x'],
  ['delete template', 'run: vatom template delete NAME'],
  ['list templates', 'run: vatom template list'],
  ['get templates', 'run: vatom template list'],
  ['get vatoms', 'run: vatom inventory'],
  ['get vatoms 1234', 'run: vatom show 1234'],
  [
    'mv 1234',
    'into a folder: vatom update 1234 --folder FOLDER; to somebody: vatom act Transfer 1234 -d new.owner.email=EMAIL',
  ],
  ['share 1234', 'run: vatom act Transfer 1234 -d new.owner.email=EMAIL'],
  ['cp 1234', 'for a vAtom: vatom act Clone 1234 -d new.owner.email=EMAIL'],
  ['copy', 'for a vAtom: vatom act Clone ID -d new.owner.email=EMAIL'],
  ['template history Tea', 'earlier states are not stored; for what differs from files: vatom plan PATH'],
  ['stop', 'to stop vatom serve: Ctrl-C where it runs'],
  ['ping', 'run: vatom doctor'],
  ['health', 'run: vatom doctor'],
  ['plan -detailed-exitcode', 'to end with 10 where there are changes: vatom plan PATH --exit-code'],
  ['plan --detailed-exitcode', 'to end with 10 where there are changes: vatom plan PATH --exit-code'],
  ['get template', 'run: vatom template get NAME'],
  ['token list', 'run: vatom user token list'],
  ['tokens list', 'run: vatom user token list'],
  ['thread messages ID', 'run: vatom thread show ID'],
  ['thread read', 'run: vatom thread show USER'],
  ['up', 'run: vatom serve'],
  ['down', 'to stop vatom serve: Ctrl-C where it runs'],
  ['install shop', 'for a catalog on a service: vatom apply shop; for completion in a shell: vatom completion SHELL'],
  [
    'listen',
    'for requests: while vatom serve runs, it prints each; for what actions call: vatom action handler register --reactor REACTOR --url URL; for events of vAtoms: vatom help clients',
  ],
  ['inventory --format yaml', 'for JSON: --json'],
  [
    'init --template coffee',
    'there is one starter catalog; to name the template that it writes: vatom init DIR --name NAME; to read others: the folder templates-examples',
  ],
  ['user token add --email a@b.c', 'the address is an argument, without a flag: vatom user token add ADDRESS'],
  [
    'user reset-password --phone +41791234567',
    'the address is an argument, without a flag: vatom user reset-password ADDRESS',
  ],
  ['variation list Ticket', 'run: vatom variation list --template Ticket'],
  ['variation ls $publisher::Tea::v1', "run: vatom variation list --template '$publisher::Tea::v1'"],
  [
    'user delete ann@example.com',
    'to see how to use it, add --help; it deletes who is signed in; to delete another user, sign in as that user: vatom login --context NAME',
  ],
  [
    'ls',
    'one of: vatom template list, vatom variation list, vatom face list, vatom action list; for your vAtoms: vatom inventory',
  ],
  [
    'create x.yaml',
    'one of: vatom template create x.yaml, vatom variation create x.yaml, vatom face register x.yaml, vatom action register x.yaml; for all documents of a catalog: vatom apply x.yaml',
  ],
  ['bump $publisher::Tea::v1', "run: vatom template bump '$publisher::Tea::v1'"],
  [
    'publish a::Tea::v1',
    'one of: vatom template publish a::Tea::v1, vatom variation publish a::Tea::v1; for documents of a catalog: vatom apply CATALOG --publish',
  ],
  [
    'edit template Tea',
    'for a template: vatom template get Tea > template.yaml; after the change: vatom template update template.yaml',
  ],
  [
    'edit',
    'for a template: vatom template get NAME > template.yaml; after the change: vatom template update template.yaml',
  ],
  ['burn 1234', 'for a vAtom: vatom trash 1234'],
  [
    'invite ann@example.com',
    'to make somebody a user: vatom user register --email ann@example.com; to give them a vAtom: vatom act Transfer ID -d new.owner.email=ann@example.com',
  ],
  ['asset show 1234', 'for their names, types and addresses: vatom asset list; for a file: curl -O URL'],
  ['asset get', 'for their names, types and addresses: vatom asset list; for a file: curl -O URL'],
  ['asset download 1234', 'for a file: curl -O URL; for the addresses: vatom asset list'],
  [
    'context edit prod',
    'to choose one: vatom context use NAME; to change its address: vatom login --context NAME --base-url URL --app-id ID',
  ],
  ['template diff Tea', 'run: vatom plan PATH'],
  ['template diff shop/tea.yaml', 'run: vatom plan shop/tea.yaml'],
  [
    'rm shop/tea.yaml',
    'delete the file; to see what is deleted with it: vatom plan shop --prune; a template stays: vatom template delete NAME',
  ],
  ['publish shop/tea.yaml', 'for documents of a catalog: vatom apply shop/tea.yaml --publish'],
  ['upload tea.png', 'run: vatom asset upload tea.png'],
  [
    'search coffee',
    "in titles: vatom inventory --all | grep -iF -- coffee; in names of templates, with upper and lower case as they have it: vatom discover --filter 'template ~ coffee'",
  ],
  ['send', 'one of: vatom thread send USER MESSAGE, vatom act Transfer ID -d new.owner.email=EMAIL'],
  ['give 1234', 'run: vatom act Transfer 1234 -d new.owner.email=EMAIL'],
  ['commit shop', 'run: vatom apply shop'],
  [
    'import',
    'from a service to files: vatom pull FOLDER; from files to a service: vatom apply PATH; for a copy of the local data: vatom snapshot load NAME',
  ],
  ['container', 'for the vAtoms in one: vatom inventory --folder ID; for Docker: vatom help containers'],
  ['drafts', 'to list what there is, drafts included: vatom template list, vatom variation list'],
  ['geo', 'for vAtoms in an area: vatom map; to put one there: vatom act Drop ID'],
  ['sync', 'from files to a service: vatom apply PATH; from a service to files: vatom pull FOLDER'],
  ['watch', 'for how vAtoms look while files change: vatom preview PATH'],
  [
    'folder list',
    'for what is in one: vatom inventory --folder ID; to move a vAtom into one: vatom update ID --folder FOLDER',
  ],
  [
    'folder',
    'for what is in one: vatom inventory --folder ID; to move a vAtom into one: vatom update ID --folder FOLDER',
  ],
  ['logs', 'while vatom serve runs, it prints each request; to list them: vatom api GET __vatom/journal'],
  ['context current', 'run: vatom whoami'],
  [
    'emit Tea --count 3',
    'to emit several: vatom emit VARIATION --num N; to count vAtoms: vatom discover --mine --count',
  ],
  ['emit Tea 3', 'run: vatom emit Tea --num 3'],
  ['user register ann@example.com', 'run: vatom user register --email ann@example.com'],
  ['user add +41791234567', 'run: vatom user register --phone +41791234567'],
  ['login ann@example.com', 'run: vatom login --email ann@example.com'],
  ['context add prod https://a.example', 'run: vatom context add prod --base-url https://a.example --app-id ID'],
  ['profile set first_name=Pia', 'run: vatom profile set --first-name Pia'],
  ['user token verify ann@a.example 123456', 'run: vatom user token verify ann@a.example --code CODE'],
  ['act Transfer 1234 -d new.owner.email a@b.c', 'run: vatom act Transfer 1234 -d KEY=VALUE'],
  [
    'act 1234',
    'first the action, then the vAtom: vatom act ACTION ID; for the actions of a template: vatom action list',
  ],
  ['api v1/user', 'the method comes first: vatom api GET v1/user; all paths: vatom help operations'],
  ['api get', 'write: vatom api GET PATH; all paths: vatom help operations'],
  [
    'api FOO',
    'the methods: GET, POST, PATCH, PUT, DELETE; such as vatom api GET v1/user; all paths: vatom help operations',
  ],
  [
    'api foo v1/user',
    'the methods: GET, POST, PATCH, PUT, DELETE; such as vatom api GET v1/user; all paths: vatom help operations',
  ],
  ['login --guest-id 1234', 'do not give a guest id as an argument: use --guest-id-stdin'],
  ['apply shop -y', 'to do it without a question: --yes'],
  ['apply shop -auto-approve', 'to do it without a question: --yes'],
  ['apply shop --auto-approve', 'to do it without a question: --yes'],
  ['apply shop --dry-run=client', 'it takes no value: vatom apply PATH --dry-run'],
  ['plan shop -out=x.plan', 'to save the plan: vatom plan PATH --out FILE; for JSON: --json'],
  ['template list -o json', 'for JSON: --json'],
  [
    'emit Tea --to a@b.c',
    'vAtoms are emitted to your publisher; to give one away then: vatom act Transfer ID -d new.owner.email=EMAIL',
  ],
  ['inventory --filter x=1', 'to search: vatom discover --mine --filter EXPRESSION'],
  ['get vatom 1234', 'run: vatom show 1234'],
  ['delete vatom 1234', 'run: vatom trash 1234'],
  ['context show', 'for the current one: vatom whoami; for all: vatom context list'],
  [
    'context rename a b',
    'names cannot change: sign in under the new one, with vatom login --context NEW --base-url URL --app-id ID, then vatom context remove OLD',
  ],
  ['snapshot show x', 'run: vatom snapshot list'],
  [
    'snapshot diff x',
    'snapshots are not compared; for what each has: vatom snapshot list; for what differs from files: vatom plan PATH',
  ],
  ['log', 'for requests: vatom api GET __vatom/journal; for copies of the local data: vatom snapshot list'],
  [
    'template unpublish a::Tea::v1',
    'what is published stays published; for its next version: vatom template bump NAME PATH',
  ],
  ['template list tea', 'to see how to use it, add --help'],
  ['template list --output json', 'for JSON: --json'],
  ['plan shop --output x', 'to save the plan: vatom plan PATH --out FILE; for JSON: --json'],
  ['update 1234 --parent x', 'to move it into a folder: vatom update ID --folder FOLDER'],
  ['discover --category Tea', "to search: vatom discover --filter 'category = VALUE'"],
  ['inventory --owner ID', "to search: vatom discover --filter 'owner = VALUE'"],
  ['inventory --template Tea', "to search: vatom discover --mine --filter 'template = VALUE'"],
  ['init x --kind folder', 'for a folder: vatom init DIR --root-type vAtom::vAtomType::FolderContainerType'],
  ['login http://localhost:4100', 'run: vatom login --base-url http://localhost:4100 --app-id ID'],
  ['login https://me:secret@example.com', 'run: vatom login --base-url URL --app-id ID'],
  ['login --url http://x', 'the address of a service, and its application: vatom login --base-url URL --app-id ID'],
  ['act', 'write: vatom act ACTION ID; for its options add --help'],
  ['template bump', 'write: vatom template bump TEMPLATE [PATH...]; for its options add --help'],
  ['show', 'write: vatom show ID...; for its options add --help'],
  ['emit', 'write: vatom emit VARIATION; to list them: vatom variation list'],
  ['act Drop ID --at 54.3,10.1', 'to give a position: vatom act ACTION ID -d geo.pos=LAT,LON'],
  ['act Drop ID --lat 47 --lon 8', 'to give a position: vatom act ACTION ID -d geo.pos=LAT,LON'],
  ['act Drop ID --lng 8', 'to give a position: vatom act ACTION ID -d geo.pos=LAT,LON'],
  ['map --lon 8', 'around a point: vatom map --around LAT,LON'],
  [
    'update 1234 --title x',
    'it moves vAtoms, and changes nothing else of them; actions change other properties: vatom act --help',
  ],
  ['update 1234 --foldr x', 'did you mean --folder?'],
  ['profile set --name Ada', 'a user has two names: vatom profile set --first-name NAME --last-name NAME'],
  ['inventory --parent ID', 'to see what is in a folder: vatom inventory --folder FOLDER'],
  ['map --center 54.3,10.1', 'around a point: vatom map --around LAT,LON'],
  ['map --near 54.3,10.1', 'around a point: vatom map --around LAT,LON'],
  ['profile set --lang de', 'did you mean --language?'],
  ['whoami --verbose', 'to see the requests: --debug'],
  [
    'emit local.vatom::Season Box::v1::First',
    "put the name in quotes: vatom emit 'local.vatom::Season Box::v1::First'",
  ],
  ['template get local.vatom::Coffee::v1 Tea::v1', 'to see how to use it, add --help'],
  ['context use', 'name one: vatom context use NAME; known contexts: local'],
  ['context use loca', 'did you mean local? known contexts: local'],
  ['whoami --context loca', 'did you mean local? known contexts: local'],
  ['config use-context dev', 'to list contexts: vatom context list; to choose one: vatom context use NAME'],
  [
    'init x --root-type FolderContainerType',
    'did you mean vAtom::vAtomType::FolderContainerType? choose one of: vAtom::vAtomType, vAtom::vAtomType::FolderContainerType, vAtom::vAtomType::PackageContainerType, vAtom::vAtomType::DiscoverContainerType, vAtom::vAtomType::DefinedFolderContainerType',
  ],
  [
    'user register --email a@b.c --merchant',
    'register them without it; then, where vatom serve runs: vatom api PATCH __vatom/users/ID -F is_merchant=true',
  ],
  ['template delete Tea --confirm Tea', 'to do it without a question: --yes'],
  ['trash 1234 --force', 'to do it without a question: --yes'],
  ['emit Tea -n 3', 'to emit several: vatom emit VARIATION --num N'],
  ['act Transfer 1234 --to a@b.c', 'to send a vAtom: vatom act Transfer ID -d new.owner.email=EMAIL'],
  ['apply -f tea.yaml', 'files and folders are arguments, without a flag: vatom apply PATH'],
  ['plan --dry-run', 'leave it out: this command changes nothing'],
  ['context remove local --dry-run', 'to see how to use it, add --help'],
  ['auth token --refresh --dry-run', 'to see how to use it, add --help'],
  ['login --dry-run', 'to see how to use it, add --help'],
  ['inventory -n 5', 'to see fewer of them: --limit N'],
  ['inventory -f json', 'to see how to use it, add --help'],
  ['emit Tea --nun 3', 'did you mean --num?'],
  [
    'status',
    'for what differs from files: vatom plan PATH; for who is signed in: vatom whoami; for faults: vatom doctor',
  ],
  ['del x', deleting],
  ['vatoms', 'run: vatom inventory'],
  ['vatom ls', 'run: vatom inventory'],
  ['vatom del 1234', 'run: vatom trash 1234'],
  ['vatoms get 1234', 'run: vatom show 1234'],
  ['vatom template list', 'run: vatom template list'],
  ['vatom validate shop', 'run: vatom validate shop'],
  ['vatom redeem 123', 'run: vatom act Redeem 123'],
  ['merge 1234', 'run: vatom act Combine 1234 -d child.id=ID'],
  [
    'move 1234',
    'into a folder: vatom update 1234 --folder FOLDER; to somebody: vatom act Transfer 1234 -d new.owner.email=EMAIL',
  ],
  ['passwd', 'run: vatom profile set --password-stdin'],
  ['manual', 'run: vatom help'],
  ['inventory b2e59dcf', 'run: vatom inventory --folder b2e59dcf'],
  ['inventory Coffee', 'to see how to use it, add --help'],
  [
    'template edit Tea',
    'to change one: vatom template get NAME > template.yaml; after the change: vatom template update template.yaml',
  ],
  ['template pull Odd', 'run: vatom pull --template Odd'],
  ['asset pull 1234', 'to see what there is: vatom asset --help'],
  ['action handler show acme://a', 'run: vatom action handler list'],
  [
    'action handler update acme://a',
    'an address cannot change: vatom action handler delete REACTOR, then vatom action handler register --reactor REACTOR --url URL',
  ],
  ['user update', 'run: vatom profile set'],
  ['user token show', 'run: vatom user token list'],
  ['user token update x', 'to see what there is: vatom user token --help'],
  ['snapshot apply before', 'run: vatom snapshot load before'],
  ['context login bus', 'run: vatom login --context bus'],
  ['context logout bus', 'run: vatom logout --context bus'],
  ['context logout bus --dry-run', 'run: vatom logout --context bus --dry-run'],
  ['context logout', 'run: vatom logout'],
  ['context signout bus', 'run: vatom logout --context bus'],
  ['context whoami bus', 'run: vatom whoami --context bus'],
  ['auth logout bus', 'run: vatom logout --context bus'],
  ['user logout a@b.c', 'run: vatom logout'],
  ['logout bus', 'run: vatom logout --context bus'],
  ['logout a@b.c', 'to see how to use it, add --help'],
  ['user login ann@example.com', 'run: vatom login --email ann@example.com'],
  ['profile login --email ann@example.com', 'run: vatom login --email ann@example.com'],
  ['user login hunter2', 'run: vatom login'],
  ['template emit Tea 3', 'run: vatom emit Tea --num 3'],
  ['auth show', 'run: vatom whoami'],
  ['auth status', 'run: vatom whoami'],
  ['auth login', 'run: vatom login'],
  ['auth refresh', 'run: vatom auth token --refresh'],
  ['fmt shop', 'to correct what can be corrected: vatom validate shop --fix'],
  [
    'user ls',
    'the page of a vatom serve lists them: vatom console; for who is signed in: vatom whoami; for one of them: vatom user get ID; for your addresses: vatom user token list',
  ],
  ['transfer 1234', 'run: vatom act Transfer 1234 -d new.owner.email=EMAIL'],
  ['transfer 1234 a@b.c', 'run: vatom act Transfer 1234 -d new.owner.email=a@b.c'],
  ['emit Tea 3 --dry-run', 'run: vatom emit Tea --num 3 --dry-run'],
  ['transfer 1234 --dry-run', 'run: vatom act Transfer 1234 -d new.owner.email=EMAIL --dry-run'],
  ['bump Coupon::v1 shop --dry-run', 'run: vatom template bump Coupon::v1 shop --dry-run'],
  ['transfer a@b.c 1234', 'run: vatom act Transfer 1234 -d new.owner.email=a@b.c'],
  ['drop 1234', `run: vatom act Drop 1234 -d geo.pos='{"lat": 47.37, "lon": 8.54}'`],
  ['redeem 123', 'run: vatom act Redeem 123'],
  ['variation emit Tea', 'run: vatom emit Tea'],
  ['template diff tea.yaml', 'run: vatom plan tea.yaml'],
  ['tempalte list', 'did you mean template?'],
  ['template publich x', 'did you mean publish?'],
  ['signup', 'run: vatom user register'],
  ['verify ann@example.com', 'for an e-mail address or a phone number: vatom user token verify ann@example.com'],
  ['reset-password ann@example.com', 'run: vatom user reset-password ann@example.com'],
  ['xyzzy', 'to see what there is: vatom --help'],
  ['action handler xyzzy', 'to see what there is: vatom action handler --help'],
]

test.each(hints)('%s: %s', async (given, hint) => {
  const { vatom, json } = await publisher()
  const { code, out, err } = await vatom(...given.split(' '))
  expect({ code, out, hint: err.split('\nhint: ')[1] }).toEqual({ code: 2, out: '', hint: `${hint}\n` })
  expect(await json('template', 'list')).toEqual([])
})

test.each([
  'delete',
  'remove',
  'rest',
  'rset',
  'resets',
  'wipe',
  'clean',
  'trahs',
  'template reset',
  'template trash',
  'vatom reset',
  'vatoms',
])('%s leads nobody to a command that deletes everything', async (given) => {
  const { vatom } = await publisher()
  const { code, err } = await vatom(...given.split(' '))
  expect(code).toBe(2)
  expect(err.split('\nhint: ')[1]).not.toMatch(/\breset\b|did you mean trash|run: vatom trash/)
})

test('a folder that is to be deleted is pruned by itself, without its neighbours', async () => {
  const { vatom, file } = await publisher()
  file('shop/tea/tea.yaml', '')
  expect((await vatom('delete', 'shop/tea')).err).toContain(
    'hint: delete files in it; to see what is deleted with them: vatom plan shop/tea --prune; a template stays',
  )
})

test('a first word behind a noun is hinted at by itself only where it does the same for that', async () => {
  const { vatom } = await publisher()
  const nouns = [
    'template',
    'variation',
    'face',
    'action',
    'action handler',
    'user',
    'user token',
    'profile',
    'context',
  ]
  for (const noun of [...nouns, 'auth', 'asset', 'thread', 'snapshot'])
    for (const word of [
      'pull',
      'update',
      'show',
      'serve',
      'map',
      'discover',
      'act',
      'api',
      'login',
      'logout',
      'whoami',
    ]) {
      const { code, err } = await vatom(...noun.split(' '), word, 'x')
      if (code === 2) expect(`${noun} ${word}: ${err}`).not.toMatch(new RegExp(`run: vatom ${word} (?!--)`))
    }
})

test('the commands of all hints exist', async () => {
  for (const [, hint] of hints)
    for (const [, word] of hint.matchAll(/\bvatom (?:help )?(\w+)/g))
      expect({ hint, isWord: word === 'help' || isWord(word) }).toMatchObject({ isWord: true })
})

test('help names what else a command is called, and lists it once', async () => {
  const { vatom } = await publisher()
  const verb = (await vatom('template', 'list', '--help')).out
  expect(verb).toMatch(/^Usage: vatom template list \[options\]\n/)
  expect(verb).toContain('\nOther names: ls\n')
  expect((await vatom('template', '--help')).out.match(/\blist\b +list your templates/g)).toHaveLength(1)
  expect((await vatom('template', '--help')).out).not.toContain('|ls')
})

test.each([
  ['context add shop https://a.example --app-id tea', 'tea'],
  ['context add shop https://a.example --app-id=tea', 'tea'],
  ['context add shop https://a.example', 'ID'],
])('%s: the hint has the application that is given', async (given, id) => {
  const { vatom } = await publisher()
  const { code, err } = await vatom(...given.split(' '))
  expect({ code, hint: err.split('\nhint: ')[1] }).toEqual({
    code: 2,
    hint: `run: vatom context add shop --base-url https://a.example --app-id ${id}\n`,
  })
})

test.each([
  ['emit Tea 3', 'vatom emit takes 1; not expected: 3'],
  ['template list tea milk', 'vatom template list takes none; not expected: tea, milk'],
  ['user add ann@example.com', 'vatom user register takes none; not expected: ann@example.com'],
  ['login ann@example.com hunter2', 'vatom login takes none; 2 are given'],
  ['user token verify ann@example.com 123456', 'vatom user token verify takes 1; 2 are given'],
])('%s names the arguments that are too many, but no secret', async (given, message) => {
  const { vatom } = await publisher()
  const { code, err } = await vatom(...given.split(' '))
  expect({ code, message: err.split('\nhint: ')[0] }).toEqual({
    code: 2,
    message: `error: too many arguments: ${message}`,
  })
  expect(err).not.toMatch(/hunter2|123456/)
})
