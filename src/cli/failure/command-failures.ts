import type { FailureNote } from '../../contract/service-failures.ts'

/** Failures of the commands themselves, by code. A failure that an error of the service has a name for has that one's code. */
export const commandFailures = {
  action_failed: {
    title: 'The action was performed and reports a failure in its answer',
    remedy: 'read the reason and the number in the message; whoever wrote its handler knows them',
  },
  ambiguous: {
    title: 'Several faces of the template are for the same viewers as the document',
    remedy: 'choose one by its id: vatom face update ID FILE',
  },
  ambiguous_id: { title: 'The beginning of an id fits several', remedy: 'write more of the id, or all of it' },
  ambiguous_name: {
    title: 'The part of a name fits several records',
    remedy: 'write more of the name; the hint names those that it fits',
  },
  apply_running: {
    title: 'Another apply to this service is running',
    remedy: 'wait until it ends, or stop it; the next apply continues where it stopped',
  },
  changed_meanwhile: {
    title: 'Something has changed since it was shown, or planned',
    remedy: 'run the command again: it shows what there is now',
  },
  charges: {
    title: 'The plan spends balance on chain writes, and nobody can be asked whether it may',
    remedy: 'allow them: vatom apply PATH --accept-charges',
  },
  command_not_executable: {
    title: 'The command of vatom serve -- COMMAND cannot be executed',
    remedy: 'check that it may be executed: ls -l',
  },
  command_not_found: {
    title: 'There is no such command, as vatom serve -- COMMAND names it',
    remedy: 'check that it is installed and on the PATH; for shell syntax: vatom serve -- sh -c "…"',
  },
  config_corrupt: {
    title: 'A file of the configuration is damaged',
    remedy: 'repair it in an editor, or delete it and do again what the hint says',
  },
  config_unusable: {
    title: 'A file of the configuration cannot be read or written',
    remedy: 'correct its permissions, or choose another folder with VATOM_CONFIG_DIR',
  },
  declined: {
    title: 'The answer to a question was no: nothing was done',
    remedy: 'run the command again, and answer with yes',
  },
  dry_run_uncertain: {
    title: 'The answer to a dry run is not that of one: the service may have made the change',
    remedy: 'check what is stored, and whether something on the way removes the header Vatom-Dry-Run',
  },
  endless_list: {
    title: 'A list of the service does not end',
    remedy: 'tell its operator: its pages repeat, or there are too many',
  },
  failed: {
    title: 'All documents failed, for several reasons',
    remedy: 'see the reason of each in the results',
  },
  file: {
    title: 'A file or folder cannot be used or changed',
    remedy: 'do what the hint says; where files were changed before, it names them',
  },
  file_changed: { title: 'A file changed while it was being sent', remedy: 'upload it again' },
  file_exists: {
    title: 'A file exists that would be overwritten',
    remedy: 'choose another file or folder, or delete this one',
  },
  file_unreadable: { title: 'A file cannot be read', remedy: 'check its name and permissions' },
  file_unwritable: {
    title: 'A file cannot be written',
    remedy: 'check its folder and permissions, and the free space on the disk',
  },
  files_differ: {
    title: 'Files and the service differ, and nobody can be asked which to keep',
    remedy:
      'see the lines: vatom pull DIR --diff; take those of the service: vatom pull DIR --yes; keep the files: vatom apply DIR',
  },
  fixed: {
    title: 'The record cannot be changed in this field',
    remedy: 'delete it and create it again',
  },
  half_configuration: {
    title: 'Variables of the environment do not choose a service together',
    remedy: 'set VATOM_BASE_URL, VATOM_APP_ID and VATOM_REFRESH_TOKEN, or remove them',
  },
  interrupted: {
    title: 'The command was interrupted, as by Ctrl-C',
    remedy: 'run vatom apply again: what is done is not done twice; after other commands, check what was done first',
  },
  invalid_documents: {
    title: 'Documents are invalid or missing; nothing was sent',
    remedy: 'correct each place in issues; see what is checked: vatom help rules',
  },
  invalid_files: {
    title: 'Files cannot be uploaded as they are; nothing was sent',
    remedy: 'correct each file in issues; see what is allowed: vatom help limits',
  },
  ledger_unwritable: {
    title: 'The record of what was applied cannot be written',
    remedy: 'make room or correct the permissions, or choose another folder with VATOM_DATA_DIR',
  },
  needs_steps: {
    title: 'A template and its variation cannot change in one step',
    remedy: 'apply first with the new names beside the old ones in the template, then without the old ones',
  },
  no_browser: {
    title: 'There is no browser that draws pictures, or it does not answer',
    remedy: 'install Chromium, or name one with CHROME_PATH; give a slow one more time: --timeout SECONDS',
  },
  no_console: {
    title: 'The service has no console',
    remedy: 'start it with this version, and without --no-console: vatom serve',
  },
  no_folder: { title: 'The vAtom is not a folder', remedy: 'list what exists: vatom inventory' },
  no_json: {
    title: 'Something that is no vAtom service answered',
    remedy: 'check the address: VATOM_BASE_URL, --base-url, or vatom context list',
  },
  no_overrides: {
    title: 'The service does not report which values a variation itself sets',
    remedy: 'render its file: vatom variation render FILE --template FILE',
  },
  no_pictures: {
    title: 'Standard output is no terminal that shows pictures',
    remedy: 'write them to files: vatom preview PATH --out FOLDER; or name the protocol with VATOM_PICTURES',
  },
  no_session: { title: 'Nobody is signed in, or the session has ended', remedy: 'sign in: vatom login' },
  no_template: {
    title: 'The template is not among the files',
    remedy: 'name the file that it is in, too',
  },
  no_version: {
    title: 'The name of the template does not end with a version',
    remedy: 'rename the template yourself, for example to NAME::v2',
  },
  not_built: {
    title: 'What a command shows in a browser is not built',
    remedy: 'run npm run build, or install vatom again',
  },
  not_emitted: { title: 'No vAtom was emitted', remedy: 'see the reason in the message' },
  not_taken_over: {
    title: 'A record was not taken over from another catalog',
    remedy: 'do what the hint says, then apply again',
  },
  not_updated: { title: 'A vAtom was not moved', remedy: 'see the reason in the message' },
  part_of_catalog: {
    title: 'Other files of the catalog would still name the earlier version of the template',
    remedy: 'bump it in the whole catalog: vatom template bump NAME FOLDER',
  },
  partly_done: {
    title: 'Some of it was done, and some of it failed',
    remedy: 'see the reason of each in the results, then do the rest',
  },
  plan_untold: {
    title: 'A saved plan does not say all that it would do',
    remedy: 'nothing was sent; make a new plan: vatom plan PATH --out FILE',
  },
  port_in_use: { title: 'Another process listens on the port', remedy: 'leave --port out for a free one' },
  private_addresses: {
    title: 'The plan publishes addresses that only this network reaches, and nobody can be asked whether it may',
    remedy: 'replace the addresses, or allow them: --accept-addresses',
  },
  refused: {
    title: 'The plan has steps that would be refused; nothing was sent',
    remedy: 'see the reason of each step: vatom plan PATH',
  },
  same_name: {
    title: 'A record is not deleted because another catalog of the same name has it',
    remedy: 'remove it from that catalog, too, or give each catalog a name of its own in vatom.yaml',
  },
  take_over: {
    title: 'The plan takes over records of another catalog, and nobody can be asked whether it may',
    remedy: 'allow it: --take-over',
  },
  too_many_warnings: {
    title: 'There are more warnings than --max-warnings allows',
    remedy: 'correct them, or switch them off: vatom help rules',
  },
  unexpected: {
    title: 'The command failed in a way that it does not know',
    remedy: 'see the cause with --debug, and report it',
  },
  unexpected_answer: {
    title: 'The answer of the service is not what the operation declares',
    remedy: 'check that it is a vAtom service; see what is wrong with the answer: --debug',
  },
  unhealthy: { title: 'Checks of vatom doctor failed', remedy: 'do what each check says' },
  unreachable: {
    title: 'The service gave no answer',
    remedy: 'check the address, the network and its proxies, or whether the service runs; see: vatom doctor',
  },
  usage: {
    title: 'The command was called in a wrong way, or a question cannot be asked',
    remedy: 'see how to use it: --help',
  },
} as const satisfies Readonly<Record<string, FailureNote>>

/** What `http_502` and the like mean. */
export const statusFailure: FailureNote = {
  title: 'An answer has this HTTP status, and no error that a vAtom service names',
  remedy: 'check the address, and what is on the way to the service, such as a gateway',
}
