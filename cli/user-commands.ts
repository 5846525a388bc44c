import type { Command } from 'commander'
import type { DeletionsOptions } from './commands/deletions.ts'
import type { EraseOptions } from './commands/erase.ts'
import type {
  BanOptions,
  DeleteOptions,
  FlagOptions,
  MailOptions,
  PublicReasonOptions,
  SessionOptions,
} from './commands/user.ts'
import type { ActOptions, Print } from './operator/act-on.ts'

const who = [
  '<who>',
  'an account: its id, its tag as in Ada#0001, its username if nobody else has it, or its e-mail address',
] as const
export const dryRun = ['--dry-run', 'print the events and mails to come, and write and send nothing'] as const
export const reason = ['--reason <text>', 'for the audit log, 1-512 characters'] as const
const noMail = ['--no-mail', 'send no mail to the holder'] as const
const publicReason = ['--public-reason <text>', 'for the holder, in the mail, 0-512 characters'] as const

/** Adds the commands on accounts. Those of `user` carry out operations of the Admin API, with their rules and audit entries. */
export function addUserCommands(program: Command, print: Print, say: Print): void {
  const user = program
    .command('user')
    .summary('show, ban, delete and change accounts')
    .description(
      'Look after accounts. Each command does what an operation of the Admin API does, and leaves the same entry in the admin audit log: with the administrator 0, who stands for the operator, and the name of the operator on this machine. It prints the id of the entry. A command that reads leaves an entry too; a dry run leaves none.',
    )
  addReads(user, print)
  addBans(user, print)
  addDeletions(user, print)
  program
    .command('undo')
    .summary('take back what an entry of the admin audit log did')
    .description(
      'Take back an act of an administrator or of a command, by the operations that do the opposite; docs/reference/undo.md lists which acts can be taken back, and why others cannot. Refused if what it changed was changed again since. Sessions that ended stay ended, and a ban or deletion that was replaced does not come back.',
    )
    .argument('<entry>', 'the id of its entry in the admin audit log, or of an event of an act that leaves none')
    .option(...noMail)
    .option(...reason)
    .option(...dryRun)
    .action(async (entry: string, options: ActOptions & MailOptions) =>
      (await import('./commands/undo.ts')).undoEntry(entry, options, print),
    )
  program
    .command('deletions')
    .summary('print scheduled deletions of accounts, and what each erasure would take')
    .description(
      'Print the scheduled deletions of accounts, soonest first: who scheduled each, what its erasure would take now, who would get the guilds that the account owns, and what stands in the way.',
    )
    .option('--first <n>', 'how many, 1-1000', '100')
    .action(async (options: DeletionsOptions) => (await import('./commands/deletions.ts')).deletions(options, print))
  addErasure(program, print, say)
}

function addErasure(program: Command, print: Print, say: Print): void {
  program
    .command('erase')
    .summary('erase an account now, and prove that nothing of it is left')
    .description(
      'Erase an account now, without the days that a scheduled deletion waits: the worker of the running server does it, and nothing brings it back. With --prove, look then in every event, table, stored file and unsent mail for what belonged to its holder, and write a signed certificate of what was looked through and found; an account that was erased already, at its deadline for instance, is only proved, within 90 days. No value is printed. The exit status is 1 if something is left, or if a certificate is refused.',
    )
    .argument(
      '[account]',
      'its id, its tag as in Ada#0001, its username if nobody else has it, or its e-mail address; its id once it is erased',
    )
    .option('--prove', 'look for what is left, and write a certificate')
    .option('--to <file>', 'a new file for the certificate; standard output by default')
    .option('--logs <paths...>', 'files and folders that keep the log of the server: look through them too')
    .option(
      '--check <certificate>',
      'erase nothing, and check that this instance signed a certificate and nobody changed it',
    )
    .action(async (account: string | undefined, options: EraseOptions) => {
      const { erase } = await import('./commands/erase.ts')
      if (!(await erase(account, options, print, say))) process.exitCode = 1
    })
}

function addReads(user: Command, print: Print): void {
  user
    .command('show')
    .description('print an account as administrators see it')
    .argument(...who)
    .action(async (named: string) => (await import('./commands/user.ts')).showUser(named, print))
  user
    .command('sessions')
    .description('print the sessions of an account, live ones first, or end them')
    .argument(...who)
    .option('--end', 'end all live sessions')
    .option(...reason)
    .option(...dryRun)
    .action(async (named: string, options: SessionOptions) =>
      (await import('./commands/user.ts')).userSessionsCommand(named, options, print),
    )
  user
    .command('flags')
    .description('print the flags of an account, or change some')
    .argument(...who)
    .option('--add <flags...>', 'flags to set, by name or as numbers')
    .option('--remove <flags...>', 'flags to clear')
    .option(...reason)
    .option(...dryRun)
    .action(async (named: string, options: FlagOptions) =>
      (await import('./commands/user.ts')).userFlags(named, options, print),
    )
}

function addBans(user: Command, print: Print): void {
  user
    .command('ban')
    .description('ban an account and end its sessions')
    .argument(...who)
    .option('--hours <n>', 'how long the ban lasts, 0-8760; 0 bans permanently, and sends no mail', '0')
    .option(...publicReason)
    .option(...noMail)
    .option(...reason)
    .option(...dryRun)
    .action(async (named: string, options: BanOptions) =>
      (await import('./commands/user.ts')).banUser(named, options, print),
    )
  user
    .command('unban')
    .description('lift the ban of an account')
    .argument(...who)
    .option(...publicReason)
    .option(...noMail)
    .option(...reason)
    .option(...dryRun)
    .action(async (named: string, options: ActOptions & MailOptions & PublicReasonOptions) =>
      (await import('./commands/user.ts')).unbanUser(named, options, print),
    )
}

function addDeletions(user: Command, print: Print): void {
  user
    .command('delete')
    .description('schedule the deletion of an account, and end its sessions')
    .argument(...who)
    .requiredOption('--because <reason>', 'a reason of the deletion reason registry, as in SPAM, or its code')
    .option('--days <n>', 'in how many days, 1-365; at least 14 for USER_REQUESTED, and 60 for other reasons', '60')
    .option('--replaces <instant>', 'when the pending deletion is due that this one replaces')
    .option(...publicReason)
    .option(...noMail)
    .option(...reason)
    .option(...dryRun)
    .action(async (named: string, options: DeleteOptions) =>
      (await import('./commands/user.ts')).deleteUser(named, options, print),
    )
  user
    .command('undelete')
    .description("cancel the scheduled deletion of an account, also its holder's own")
    .argument(...who)
    .option(...noMail)
    .option(...reason)
    .option(...dryRun)
    .action(async (named: string, options: ActOptions & MailOptions) =>
      (await import('./commands/user.ts')).undeleteUser(named, options, print),
    )
}
