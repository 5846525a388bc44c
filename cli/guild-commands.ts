import type { Command } from 'commander'
import type { FeatureOptions } from './commands/guild.ts'
import type { BanMemberOptions, VanityOptions } from './commands/guild-changes.ts'
import type { GuildChangesOptions, ShowGuildOptions } from './commands/guild-history.ts'
import type { AccountsPageOptions, JsonOption, ListGuildsOptions, MembersOptions } from './commands/guild-reads.ts'
import type { RewindOptions } from './commands/guild-rewind.ts'
import type { ActOptions, Print } from './operator/act-on.ts'
import { dryRun, reason } from './user-commands.ts'

/** Adds the commands on guilds and on the guild directory. */
export function addGuildCommands(program: Command, print: Print): void {
  const guildCommand = program
    .command('guild')
    .summary('print a guild as it was, or change what only operators and administrators can')
    .description('what a guild was and is, and what only operators and administrators can change of it')
  addGuildReads(guildCommand, print)
  addGuildLists(guildCommand, print)
  guildCommand
    .command('features')
    .summary('print the features of a guild, or change them')
    .description(
      'Print the features of a guild. With --add or --remove, change them first, also those that its members cannot toggle. Works beside a running server.',
    )
    .argument('<guild>', 'its id')
    .option('--add <features...>', 'as in VERIFIED VANITY_URL')
    .option('--remove <features...>', 'the features to take away')
    .option(
      '--by <who>',
      'an administrator, by id, tag or e-mail address: who decides the application to the directory, for DISCOVERABLE',
    )
    .action(async (id: string, options: FeatureOptions) =>
      (await import('./commands/guild.ts')).guildFeaturesCommand(id, options, print),
    )
  guildCommand
    .command('disable')
    .summary('set which operations are disabled in a guild')
    .description(
      'Set which operations are disabled in a guild: those that are named, and no others. Works beside a running server.',
    )
    .argument('<guild>', 'its id')
    .argument('<operations...>', 'as in SEND_MESSAGE TYPING_EVENTS; none enables all')
    .action(async (id: string, names: readonly string[]) =>
      (await import('./commands/guild.ts')).disableOperations(id, names, print),
    )
  addGuildChanges(guildCommand, print)
  addMemberChanges(guildCommand, print)
  addRewind(guildCommand, print)

  const discovery = program.command('discovery').description('the review of the guild directory')
  discovery
    .command('queue')
    .description('print the applications that wait for a review, the longest waiting first')
    .action(async () => (await import('./commands/discovery.ts')).discoveryQueue(print))
  discovery
    .command('show')
    .description("print what was decided about a guild's listing, what is there now, and what changed since")
    .argument('<guild>', 'its id')
    .action(async (id: string) => (await import('./commands/discovery.ts')).discoveryShow(id, print))
  discovery
    .command('sweep')
    .description("print the listings that today's blocklists, minimum of members or nsfw mark would not let in")
    .option('--dry-run', 'change nothing; required')
    .action(async (options: { readonly dryRun?: boolean }) =>
      (await import('./commands/discovery.ts')).discoverySweep(options, print),
    )
  discovery
    .command('restore')
    .description('undo the removal of a listing')
    .argument('<guild>', 'its id')
    .action(async (id: string) => (await import('./commands/discovery.ts')).discoveryRestore(id, print))
}

function addGuildReads(guild: Command, print: Print): void {
  guild
    .command('show')
    .summary('print a guild as it is, or as it was at an instant')
    .description(
      'Print a guild as its own events make it: settings, roles, channels with their overwrites, members, bans, invites and its directory listing, now or at an instant. Without personal data.',
    )
    .argument('<guild>', 'its id')
    .option('--at <instant>', 'as it was then, as in 2030-01-31T12:00:00Z')
    .option('--limit <n>', 'how many members, bans and invites, 1-1000', '100')
    .option('--members-after <account>', 'the members after this one: the last of an earlier page')
    .option('--bans-after <account>', 'the bans after that of this account')
    .option('--invites-after <code>', 'the invites after this one')
    .option('--json', 'as the Admin API answers it')
    .action(async (id: string, options: ShowGuildOptions) =>
      (await import('./commands/guild-history.ts')).showGuild(id, options, print),
    )
  guild
    .command('changes')
    .summary('print what changed in a guild between two instants, in words')
    .description(
      'Print what differs in a guild, its members, bans, invites and directory listing between two instants, each change with its time, who made it, and by which operation. Without personal data.',
    )
    .argument('<guild>', 'its id')
    .option('--from <instant>', 'since then; from the founding on by default')
    .option('--to <instant>', 'until then; until now by default')
    .option('--limit <n>', 'how many changes, 1-1000', '100')
    .option('--after <position>', 'those that events after this one made: the last of an earlier page')
    .option('--json', 'as the Admin API answers it')
    .action(async (id: string, options: GuildChangesOptions) =>
      (await import('./commands/guild-history.ts')).printGuildChanges(id, options, print),
    )
}

const which = ['<guild>', 'its id'] as const
const json = ['--json', 'as the Admin API answers it'] as const

const account = ['<who>', 'an account: its id, its tag as in Ada#0001, or its e-mail address'] as const

/** What administrators change of a guild, by the same operations. */
function addGuildChanges(guild: Command, print: Print): void {
  const changes = () => import('./commands/guild-changes.ts')
  guild
    .command('rename')
    .description('rename a guild; its members do not learn who did')
    .argument(...which)
    .argument('<name>', '1-100 characters')
    .option(...reason)
    .option(...dryRun)
    .action(async (id: string, name: string, options: ActOptions) =>
      (await changes()).renameGuild(id, name, options, print),
    )
  guild
    .command('owner')
    .description('make a member the owner of a guild')
    .argument(...which)
    .argument(...account)
    .option(...reason)
    .option(...dryRun)
    .action(async (id: string, who: string, options: ActOptions) =>
      (await changes()).giveGuild(id, who, options, print),
    )
  guild
    .command('vanity')
    .description('set the custom invite code of a guild, with or without VANITY_URL, or take it away')
    .argument(...which)
    .argument('[code]', '2-32 characters')
    .option('--remove', 'take the code away')
    .option(...reason)
    .option(...dryRun)
    .action(async (id: string, code: string | undefined, options: VanityOptions) =>
      (await changes()).setGuildCode(id, code, options, print),
    )
  guild
    .command('delete')
    .description('delete a guild for good; workers of a server delete its messages and images')
    .argument(...which)
    .option(...reason)
    .option(...dryRun)
    .action(async (id: string, options: ActOptions) => (await changes()).deleteGuild(id, options, print))
}

/** What administrators do to accounts in a guild, by the same operations. */
function addMemberChanges(guild: Command, print: Print): void {
  const changes = () => import('./commands/guild-changes.ts')
  const onMember = (name: string, description: string) =>
    guild
      .command(name)
      .description(description)
      .argument(...which)
      .argument(...account)
      .option(...reason)
      .option(...dryRun)
  onMember('add-member', 'make an account a member of a guild, whether or not it asked').action(
    async (id: string, who: string, options: ActOptions) => (await changes()).addMember(id, who, options, print),
  )
  onMember('kick', 'end a membership, but not that of the owner').action(
    async (id: string, who: string, options: ActOptions) => (await changes()).kickMember(id, who, options, print),
  )
  onMember('ban', 'ban an account from a guild, but not the owner; workers of a server delete its messages')
    .option('--seconds <n>', 'how long the ban lasts, 60-63072000; 0 bans permanently', '0')
    .option('--delete-messages <seconds>', 'how far back its messages are deleted, 0-604800', '0')
    .option('--ban-reason <text>', "for the guild's moderators, 0-512 characters")
    .action(async (id: string, who: string, options: BanMemberOptions) =>
      (await changes()).banMember(id, who, options, print),
    )
  onMember('unban', 'lift the ban of an account from a guild').action(
    async (id: string, who: string, options: ActOptions) => (await changes()).unbanMember(id, who, options, print),
  )
}

/** What administrators list, each with an entry in the audit log. */
function addGuildLists(guilds: Command, print: Print): void {
  const reads = () => import('./commands/guild-reads.ts')
  guilds
    .command('list')
    .summary('print the guilds that a text finds, or all')
    .description(
      'Print the guilds that a text finds, or all, the oldest first: by id, or by a part of the name, the custom invite code, or the description and tags in the directory.',
    )
    .argument('[text]', 'what to look for; all guilds without it')
    .option('--limit <n>', 'how many, 1-200', '50')
    .option('--offset <n>', 'how many to leave out before, 0-10000', '0')
    .option(...json)
    .action(async (text: string | undefined, options: ListGuildsOptions) =>
      (await reads()).listGuilds(text, options, print),
    )
  guilds
    .command('members')
    .summary('print the members of a guild, and how each came in')
    .description('Print a page of the members of a guild, by account id, each with its roles and how it came in.')
    .argument(...which)
    .option('--name <text>', 'those whose username, display name or nickname in the guild begins with it')
    .option('--invite <code>', 'those who came by this invite, or by a custom invite URL for the custom code')
    .option('--limit <n>', 'how many, 1-200', '50')
    .option('--after <account>', 'those after this one: the last of an earlier page')
    .option(...json)
    .action(async (id: string, options: MembersOptions) => (await reads()).listMembers(id, options, print))
  guilds
    .command('channels')
    .description('print the channels of a guild with their overwrites')
    .argument(...which)
    .option(...json)
    .action(async (id: string, options: JsonOption) => (await reads()).listChannels(id, options, print))
  guilds
    .command('roles')
    .description('print the roles of a guild with their permissions, the highest first')
    .argument(...which)
    .option(...json)
    .action(async (id: string, options: JsonOption) => (await reads()).listRoles(id, options, print))
  guilds
    .command('invites')
    .description('print the invites to a guild that can still admit, the newest first, and its custom invite URL')
    .argument(...which)
    .option(...json)
    .action(async (id: string, options: JsonOption) => (await reads()).listInvites(id, options, print))
  guilds
    .command('bans')
    .description('print a page of the bans of a guild that are in force, by account id, with their reasons')
    .argument(...which)
    .option('--limit <n>', 'how many, 1-200', '50')
    .option('--after <account>', 'those after that of this account')
    .option(...json)
    .action(async (id: string, options: AccountsPageOptions) => (await reads()).listBans(id, options, print))
}

function addRewind(guild: Command, print: Print): void {
  guild
    .command('rewind')
    .summary('bring a guild back to what it was at an instant')
    .description(
      'Bring the name, settings, roles, channels with their overwrites, bans and invites of a guild back to what they were at an instant, after a raid for instance: print each change and what does not come back, and queue a job that a server does. Members and messages stay.',
    )
    .argument('<guild>', 'its id')
    .requiredOption('--to <instant>', 'as it was then, as in 2030-01-31T12:00:00Z')
    .option('--dry-run', 'only print what it would do')
    .action(async (id: string, options: RewindOptions) =>
      (await import('./commands/guild-rewind.ts')).rewindGuild(id, options, print),
    )
}
