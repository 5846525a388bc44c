import { Command } from 'commander'
import type { EventsOptions } from './commands/events.ts'
import type { HistoryOptions } from './commands/history.ts'
import type { BackupOptions } from './commands/backup.ts'
import type { ExportOptions } from './commands/export.ts'
import type { BanOptions } from './commands/network-bans.ts'
import type { RestoreOptions } from './commands/restore.ts'
import type { UrlOptions } from './commands/registrations.ts'
import { addAdminCommands } from './admin-commands.ts'
import { addAuditCommands } from './audit-commands.ts'
import { addClientCommands } from './client-commands.ts'
import { addGuildCommands } from './guild-commands.ts'
import { productVersion } from '../process/product-version.ts'
import { roles, type Role } from '../process/roles/role.ts'
import { addMailCommands } from './mail-commands.ts'
import { addStoreCommands } from './store-commands.ts'
import type { SeedOptions } from './seed/seed-wish.ts'
import { addUserCommands } from './user-commands.ts'

// Each command loads what it needs when it runs: loading the whole server takes a second.

const print = (line: string): void => {
  console.log(line)
}

/** For commands whose standard output is data. */
const say = (line: string): void => {
  console.error(line)
}

/** The command line of the product. Commands reject if they fail, and set the exit status if a check finds a difference. */
export const program = new Command('guildhall')
  .description('The server of a chat community platform, with commands for its operator.')
  .version(productVersion)
  .showHelpAfterError()

program
  .command('start')
  .description('serve an instance until SIGINT or SIGTERM: all roles in one process')
  .action(async () => (await import('./commands/start.ts')).start())

const roleDescriptions: Readonly<Record<Role, string>> = {
  api: 'serve the API, beside processes of the other roles',
  projector: 'build the read models and publish events; one process works, the others stand by',
  gateway: 'serve the Gateway',
  worker: 'finish what dead processes left, and do background jobs',
}
for (const role of roles) {
  program
    .command(role)
    .description(roleDescriptions[role])
    .action(async () => (await import('./commands/start.ts')).startRole(role))
}

program
  .command('doctor')
  .summary('check what the instance needs, and say what to do')
  .description(
    'Check settings, versions, disk, clock, Postgres, keys, event store, read models, NATS, mail, images and stores, and print a line for each: ok, warn or bad, and what to do. Works beside a running server and without one, and changes nothing. The exit status is 1 if a part is bad.',
  )
  .action(async () => {
    const { doctor } = await import('./commands/doctor.ts')
    if (!(await doctor(print))) process.exitCode = 1
  })

addClientCommands(program, print, say)

program
  .command('seed')
  .summary('fill the instance with a guild of made-up content; works beside a running server')
  .description('Make a guild with believable content, and show a progress bar. Works beside a running server.')
  .option('--members <n>', 'members in addition to the owner, 0-1000000', '100')
  .option('--messages <n>', 'messages, 0-10000000', '1000')
  .option('--channels <n>', 'text channels in addition to those of every new guild, 0-496', '8')
  .option(
    '--owner <who>',
    'an account: its id, its tag as in Ada#0001, its username if nobody else has it, or its e-mail address; one is made up by default',
  )
  .option('--name <text>', 'the name of the guild', 'The Commons')
  .option('--seed <n>', 'the same number makes up the same content again, 0-4294967295', '1')
  .option('--until <instant>', 'the time of the newest content, as in 2030-01-31T12:00Z; now by default')
  .action(async (options: SeedOptions) => (await import('./commands/seed.ts')).seed(options, print))

program
  .command('history')
  .summary("print a stream's events, its state at a moment, or what changed between two")
  .description(
    "Print a stream's events, its state at a moment, or what changed between two, without personal data. For a membership it also prints how the account joined: invite, redemption, join. A moment is the number of an event, or an instant.",
  )
  .argument('<stream>', 'as in guild-123, invite-AbCd1234, membership-123-456, account-456')
  .option('--at <moment>', 'the state then, as in 7 or 2030-01-31T12:00:00Z')
  .option('--diff <moments>', 'what changed from one moment to another, as in 3..7, or since one, as in 3')
  .option('--json', 'events as JSON lines, a state or a difference as one object')
  .option('--follow', 'go on with new events until the command is interrupted')
  .action(async (stream: string, options: HistoryOptions) =>
    (await import('./commands/history.ts')).history(stream, options, print),
  )

program
  .command('events')
  .summary('print the newest events by type, actor, request or time, or new ones as they are written')
  .description(
    'Print the newest events that match everything which is asked, oldest first, without personal data; with --follow new ones as they are written.',
  )
  .option('--type <types...>', 'as in MemberJoined; several separated by spaces')
  .option('--category <category>', 'of the stream, as in guild')
  .option('--actor <actor>', 'the id of an account, or the name of a part of the system')
  .option('--request <id>', 'all that a request led to, by its id or by the X-Request-ID that its client chose')
  .option('--since <instant>', 'from then on, as in 2030-01-31T12:00:00Z')
  .option('--until <instant>', 'before then')
  .option('--last <n>', 'how many of the newest, 1-1000', '20')
  .option('--json', 'as JSON lines')
  .option('--follow', 'new ones instead, until the command is interrupted')
  .action(async (options: EventsOptions) => (await import('./commands/events.ts')).events(options, print))

program
  .command('explain')
  .summary('print everything that followed from a request, by an entry of the audit log, an event, or the request')
  .description(
    'Print everything that followed from one request, each event below its cause, without personal data. Requests to which a client gave the same id are printed one after another.',
  )
  .argument(
    '<id>',
    'an entry of the admin audit log, an event, a request by its X-Request-ID, or a text with one of these',
  )
  .option('--json', 'as the Admin API answers it')
  .action(async (id: string, options: { readonly json?: boolean }) =>
    (await import('./commands/explain.ts')).explain(id, options, print),
  )

program
  .command('projections')
  .summary("print each read model's position and lag")
  .description("Print each read model's version, position and lag.")
  .action(async () => (await import('./commands/projections.ts')).projections(print))

addMailCommands(program, print)

program
  .command('replay')
  .summary('build read models again from the first event and swap them in')
  .description(
    'Build one or all read models again from the first event, beside the live tables, and swap them in. Works beside a running server.',
  )
  .argument('[read model]', 'one of those that `projections` prints; all of them by default')
  .action(async (name: string | undefined) => (await import('./commands/replay.ts')).replay(name, print))

program
  .command('index-messages')
  .summary('compute the index anew by which messages are searched')
  .description(
    'Compute the index anew by which messages are searched. Works beside a running server; searches go on meanwhile. A server computes by itself what is missing, after an upgrade or a restore: this is for an index that is wrong.',
  )
  .action(async () => (await import('./commands/index-messages.ts')).indexMessages(print))

program
  .command('verify')
  .summary('build read models in scratch tables and print the rows that differ')
  .description(
    'Build the read models in scratch tables and print the rows that differ, by key. The exit status is 1 if any row differs.',
  )
  .action(async () => {
    const { verify } = await import('./commands/verify.ts')
    if (!(await verify(print))) process.exitCode = 1
  })

program
  .command('export')
  .summary('write all events as JSON lines, personal data sealed')
  .description(
    'Write all events as JSON lines; personal data stays sealed. For standard output use `npm run --silent guildhall -- export`, because npm otherwise prints lines of its own.',
  )
  .argument('[file]', 'a new file; standard output by default')
  .option('--after <position>', 'only the events after this one: the last of an earlier export')
  .option('--with-keys', "the accounts' keys as well, still wrapped by PERSONAL_DATA_KEY")
  .action(async (file: string | undefined, options: ExportOptions) =>
    (await import('./commands/export.ts')).exportCommand(file, options, say),
  )

program
  .command('import')
  .summary('import exported events into this instance; not beside a running server')
  .description(
    "Import exported events into this instance, after those that it holds. Order, ids and revisions are kept; positions too, except on EventStoreDB, which assigns its own positions. Run it again to resume. Do not run it beside a server. Personal members read as null unless the file holds the accounts' keys and PERSONAL_DATA_KEY is that of the instance they come from.",
  )
  .argument('[file]', 'a file written by export; standard input by default')
  .action(async (file: string | undefined) => (await import('./commands/import.ts')).importCommand(file, say))

program
  .command('backup')
  .summary('write everything that a restore needs to a folder; works beside a running server')
  .description(
    'Write events, keys, messages and all else beside the events, and images to a folder, as of one instant. Works beside a running server. The keys stay wrapped by PERSONAL_DATA_KEY, which is not in it; messages are in clear text.',
  )
  .argument('<folder>', 'a new or an empty folder; it appears once the backup is complete')
  .option('--with-key', 'PERSONAL_DATA_KEY as well: whoever has the backup can then read all personal data')
  .action(async (folder: string, options: BackupOptions) =>
    (await import('./commands/backup.ts')).backupCommand(folder, options, say),
  )

program
  .command('restore')
  .summary('restore a backup into a place without an instance, and verify it')
  .description(
    'Restore a backup into a place without an instance, build the read models and verify them. The whole backup is checked before anything is written. Needs PERSONAL_DATA_KEY of the instance that it was taken of, unless the backup holds it. Run it again with the same backup to finish an interrupted restore; no server starts before that. The exit status is 1 if any row differs.',
  )
  .argument('<folder>', 'a folder written by backup')
  .option('--unreadable', 'also events that this program cannot read: their streams stay stopped')
  .action(async (folder: string, options: RestoreOptions) => {
    const { restoreCommand } = await import('./commands/restore.ts')
    if (!(await restoreCommand(folder, options, print, say))) process.exitCode = 1
  })

addAdminCommands(program, print)

addUserCommands(program, print, say)

program
  .command('ban-ip')
  .description('turn away every request of an IPv4 address, or of the /64 of an IPv6 address')
  .argument('<address>')
  .option('--hours <n>', 'how long the ban lasts; until `unban-ip` by default')
  .option('--reason <text>', 'shown by `ip-bans` and in the history; clients do not see it')
  .action(async (address: string, options: BanOptions) =>
    (await import('./commands/network-bans.ts')).banIp(address, options, print),
  )

program
  .command('unban-ip')
  .description('let an address in again')
  .argument('<address>', 'or a network as `ip-bans` prints it')
  .action(async (address: string) => (await import('./commands/network-bans.ts')).unbanIp(address, print))

program
  .command('ip-bans')
  .description('print the addresses that are banned now')
  .action(async () => (await import('./commands/network-bans.ts')).ipBans(print))

addStoreCommands(program, print)
addGuildCommands(program, print)

const registrations = program
  .command('registrations')
  .description('accounts that wait for approval, if the instance requires it')
registrations
  .command('list')
  .description('print the accounts that wait, the longest waiting first')
  .action(async () => (await import('./commands/registrations.ts')).pendingRegistrations(print))
registrations
  .command('approve')
  .description('approve a waiting account')
  .argument('<account>', 'its id')
  .action(async (id: string) => (await import('./commands/registrations.ts')).decidePending(id, 'approved', print))
registrations
  .command('reject')
  .description('reject a waiting account')
  .argument('<account>', 'its id')
  .action(async (id: string) => (await import('./commands/registrations.ts')).decidePending(id, 'rejected', print))

const registrationUrl = program
  .command('registration-url')
  .description('links that let people register, also on a closed instance')
registrationUrl
  .command('create')
  .description('make one, and print it: its code is shown this once')
  .option('--label <text>', 'your own name for it, 1-120 characters')
  .option('--expires <instant>', 'when it ends, as in 2030-01-31T12:00Z; never by default')
  .option('--max-uses <n>', 'how many accounts may register with it, 1-1000000; any number by default')
  .option('--approval', 'accounts that register with it wait for approval')
  .action(async (options: UrlOptions) =>
    (await import('./commands/registrations.ts')).newRegistrationUrl(options, print),
  )
registrationUrl
  .command('list')
  .description('print them, newest first')
  .action(async () => (await import('./commands/registrations.ts')).registrationUrls(print))
registrationUrl
  .command('revoke')
  .description('revoke one; accounts that registered with it stay')
  .argument('<id>')
  .action(async (id: string) => (await import('./commands/registrations.ts')).dropRegistrationUrl(id, print))

addAuditCommands(program, print)
