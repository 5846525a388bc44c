import type { Command } from 'commander'
import type { MailOptions } from './commands/mail.ts'
import type { MailsOptions } from './commands/mails.ts'

type Print = (line: string) => void

/** What the command line says of mails that were not sent. */
export function addMailCommands(program: Command, print: Print): void {
  program
    .command('mail')
    .summary('print mails that were not sent')
    .description(
      'Print mails that were not sent: all mails if there is no mail server, otherwise those that the mail server refuses.',
    )
    .option('--to <address>', 'only those to this address')
    .option('--last <n>', 'how many of the newest, 1-1000', '10')
    .action(async (options: MailOptions) => (await import('./commands/mail.ts')).mail(options, print))

  program
    .command('mails')
    .summary('print the mails that wait or were not sent, without their text')
    .option('--state <state>', 'only those that are waiting, kept or parked')
    .option('--account <id>', 'only those about this account')
    .option('--limit <n>', 'how many, 1-200', '50')
    .option('--after <mail>', 'those after this one: the last of an earlier page')
    .option('--json', 'as the Admin API answers it')
    .action(async (options: MailsOptions) => (await import('./commands/mails.ts')).mails(options, print))
}
