import type { Command } from 'commander'

/** A command with an option for each field of a profile but the password. */
export const withProfileOptions = (command: Command): Command =>
  command
    .option('--first-name <name>', 'first name, at most 64 characters')
    .option('--last-name <name>', 'last name, at most 64 characters')
    .option('--name-public', 'let others see the names')
    .option('--no-name-public', 'hide the names from others')
    .option('--avatar-public', 'let others see the avatar')
    .option('--no-avatar-public', 'hide the avatar from others')
    .option('--birthday <day>', 'YYYY-MM-DD, or "" for none')
    .option('--language <code>', 'two-letter code of ISO 639-1, or "" for none')
